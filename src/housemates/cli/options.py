"""Turning a dataclass of options into a command: fields are flags, docstrings under them the help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from housemates.errors import HousematesError


def run(command: type[Any], prog: str, argv: list[str]) -> None:
    """Parse `argv` into `command`, a dataclass with a `run()` method, and run it."""
    import tyro

    tyro.cli(command, prog=prog, args=argv, config=(tyro.conf.OmitArgPrefixes,)).run()


def choose(commands: Mapping[str, type[Any]], prog: str, argv: list[str]) -> None:
    """Let the first word pick one of `commands` and parse the rest into it."""
    if not argv or argv[0] in ("-h", "--help"):
        print(f"usage: {prog} WHAT [options]\n\nwhat:")
        for noun, command in commands.items():
            print(f"  {noun:<12} {(command.__doc__ or '').strip().splitlines()[0]}")
        return
    if argv[0] not in commands:
        raise HousematesError(f"{prog}: unknown {argv[0]!r}: expected one of {', '.join(commands)}.")
    run(commands[argv[0]], f"{prog} {argv[0]}", argv[1:])
