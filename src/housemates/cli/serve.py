"""`housemates serve BENCHMARK --port P`: serve a seat to trainers of language models on OpenEnv's wire."""

from __future__ import annotations

from dataclasses import dataclass, field

from housemates.cli import options
from housemates.cli.hosting import Hosting, announce, listen
from housemates.errors import HousematesError


@dataclass(kw_only=True)
class Serve(Hosting):
    """Serve a seat of a benchmark to OpenEnv clients, many episodes at once."""

    port: int = 8000
    """Port to listen on; 0 for any free port."""
    address: str = "127.0.0.1"
    """Address to listen on; 0.0.0.0 accepts connections from anywhere."""
    origins: list[str] = field(default_factory=list)
    """Further origins that the server accepts, such as http://env:8000."""

    def run(self) -> None:
        """Serve the seat at the address until Ctrl-C."""
        try:
            from housemates.adapters.openenv import serve
        except ImportError as error:
            raise HousematesError(f"Serving needs {error.name}: pip install 'housemates[web]'.") from None

        host = self.host()
        listener = listen("--port", self.address, self.port)
        announce(self, host, listener)
        serve(host, listener, self.origins)


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates serve` with these arguments."""
    options.run(Serve, f"housemates {verb}", argv)
