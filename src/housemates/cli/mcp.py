"""`housemates mcp BENCHMARK`: let assistants take a seat through the Model Context Protocol."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.cli import options
from housemates.cli.hosting import Hosting, announce, listen
from housemates.errors import HousematesError


@dataclass(kw_only=True)
class Mcp(Hosting):
    """Serve a seat of a benchmark to assistants, over standard input and output or HTTP."""

    http: int | None = None
    """Serve at http://127.0.0.1:PORT/mcp, 0 for any free port; by default over standard input and output."""

    def run(self) -> None:
        """Serve until the client hangs up."""
        try:
            from housemates.adapters.mcp_server import serve
        except ImportError as error:
            raise HousematesError(f"MCP needs {error.name}: pip install 'housemates[mcp]'.") from None

        host = self.host()
        listener = None if self.http is None else listen("--http", "127.0.0.1", self.http)
        if listener is not None:
            announce(self, host, listener, "mcp")
        serve(host, listener)


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates mcp` with these arguments."""
    options.run(Mcp, f"housemates {verb}", argv)
