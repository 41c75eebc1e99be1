"""`housemates mcp BENCHMARK`: let assistants take a seat through the Model Context Protocol."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.cli import options
from housemates.cli.hosting import Hosting, check_port
from housemates.errors import HousematesError


@dataclass
class Mcp(Hosting):
    """Serve a seat of a benchmark to assistants, over standard input and output or HTTP."""

    http: int | None = None
    """Port to listen on, for clients at http://127.0.0.1:PORT/mcp; standard input and output by default."""

    def run(self) -> None:
        """Serve until the client hangs up."""
        try:
            from housemates.adapters.mcp_server import serve
        except ImportError as error:
            raise HousematesError(f"MCP needs {error.name}: pip install 'housemates[mcp]'.") from None

        if self.http is not None:
            check_port("--http", "127.0.0.1", self.http)
        serve(self.host(), self.http)


def main(verb: str, argv: list[str]) -> None:
    """Serve `housemates mcp`."""
    options.run(Mcp, f"housemates {verb}", argv)
