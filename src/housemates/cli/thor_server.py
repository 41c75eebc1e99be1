"""`housemates thor-server`: what AI2-THOR's published client starts in place of its Unity build."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from housemates.errors import HousematesError

HELP = """usage: housemates thor-server [--launcher FILE]

Started by AI2-THOR's own Python client (2.1, and 3.1 or newer) as if it were its Unity build:

    Controller(local_executable_path="housemates thor-server", x_display="0", ...)

options:
  --launcher FILE  write a program to FILE that starts this, for code that wants the path of one file

The store of imported floor plans is the user's own, or that of HOUSEMATES_STORE."""


def main(verb: str, argv: list[str]) -> None:
    """Serve the client that started this, or write the program that does."""
    if argv[:1] in (["-h"], ["--help"]):
        print(HELP)
        return
    if argv[:1] == ["--launcher"]:
        if len(argv) != 2:
            raise HousematesError("--launcher: expected the name of one file.")
        from housemates.thor.launcher import write_launcher

        write_launcher(Path(argv[1]))
        print(f"{argv[1]} starts `housemates thor-server`.")
        return
    from housemates.thor.controller import store_named
    from housemates.thor.server import serve

    serve(argv, os.environ, store_named())
    sys.stderr.flush()
    os._exit(0)  # nothing is left to tidy up, and the client may be waiting for the end
