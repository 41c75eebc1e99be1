"""Turning a dataclass of options into a command: fields are flags, docstrings under them the help."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from contextlib import redirect_stderr
from dataclasses import is_dataclass
from typing import Any

from housemates.cli.misread import sentence
from housemates.errors import HousematesError

LEAST = {
    "episodes": 1,
    "fps": 0.1,
    "limit": 1,
    "seed": 0,
    "workers": 1,
    "act_timeout": 0.001,
    "memory": 250,
    "most": 1,
    "pictures": 0,
}
"""Flags that are numbers mean the same in every command; this is the least that each can be."""
MOST = 2**63 - 1
"""The most that any of them can be."""


def run(command: type[Any], prog: str, argv: list[str]) -> None:
    """Parse `argv` into `command`, a dataclass with a `run()` method, and run it."""
    import tyro

    said = io.StringIO()
    try:
        with redirect_stderr(said):
            made = tyro.cli(command, prog=prog, args=argv, config=(tyro.conf.OmitArgPrefixes,))
    except SystemExit as end:
        if not end.code:
            raise
        raise HousematesError(sentence(prog, said.getvalue())) from None
    check_numbers(vars(made))
    made.run()


def check_numbers(given: Mapping[str, Any]) -> None:
    """Refuse a flag that is a number but not one that it can be."""
    for value in given.values():
        if is_dataclass(value):
            check_numbers(vars(value))
    for name, least in LEAST.items():
        value = given.get(name)
        if isinstance(value, int | float) and not (math.isfinite(value) and least <= value <= MOST):
            upto = f"{least} or more" if value < least or value != value else f"at most {MOST}"
            raise HousematesError(f"--{name.replace('_', '-')}: expected {upto}, found {value}.")


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
