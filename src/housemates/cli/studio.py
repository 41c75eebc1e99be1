"""`housemates studio`: people in the loop, in a browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from housemates.cli import options
from housemates.errors import HousematesError


@dataclass
class Serve:
    """Play, collect, annotate and watch in a browser."""

    host: str = "127.0.0.1"
    """Where to listen; another host than loopback needs an administrator's password."""
    port: int = 8000
    """Where to listen."""
    db: str = "sqlite:///studio.sqlite"
    """Where everything is kept: sqlite:///FILE or postgresql://USER@HOST/NAME."""
    workers: int = 2
    """Processes that hold worlds and draw pictures."""
    store: Path | None = None
    """A folder of imported data that projects may use."""
    runs: Path | None = None
    """A folder of evaluation results that may be watched."""
    demo: bool = True
    """Whether anybody may take a seat of the demo project."""

    def run(self) -> None:
        """Serve until told to stop."""
        try:
            from housemates.studio.serving import serve
            from housemates.studio.settings import Settings
        except ImportError as error:
            raise HousematesError(
                f"The studio needs more than is installed ({error.name}): pip install 'housemates[studio]'."
            ) from None
        serve(
            Settings(self.db, self.host, self.port, self.workers, self.demo, store=self.store, runs=self.runs)
        )


def main(verb: str, argv: list[str]) -> None:
    """Serve `housemates studio`."""
    options.run(Serve, f"housemates {verb}", argv)
