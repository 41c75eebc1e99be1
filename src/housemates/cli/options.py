"""Turning a dataclass of options into a command: fields are flags, docstrings under them the help."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import redirect_stderr
from dataclasses import is_dataclass
from typing import Any

from housemates.cli.option_errors import sentence
from housemates.errors import HousematesError

MOST = 2**63 - 1
"""The most that a flag can be for which nothing less is known."""
BOUNDS: dict[str, tuple[float, float]] = {
    "act_timeout": (0.001, MOST),
    "at": (0, MOST),
    "directives": (0, 100),
    "distractors": (0, 50),
    "episodes": (1, MOST),
    "goals": (1, 5),
    "held_back": (0, MOST),
    "hold_out_plans": (0, MOST),
    "http": (0, 65535),
    "limit": (1, MOST),
    "memory": (250, MOST),
    "most": (1, MOST),
    "pictures": (0, MOST),
    "port": (0, 65535),
    "sample": (0, MOST),
    "seconds": (0.02, MOST),
    "seed": (0, MOST),
    "seeds": (0, 100),
    "size": (1, 900),
    "step_s": (1, MOST),
    "sure": (0, 1),
    "threads": (1, 1024),
    "workers": (1, MOST),
}
"""Flags that are numbers mean the same in every command; this is the least and the most that each can be."""


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
    for name, (least, most) in BOUNDS.items():
        value = given.get(name)
        if isinstance(value, int | float) and not least <= value <= most:
            wanted = f"{least} to {most}" if most < MOST or value > most else f"{least} or more"
            raise HousematesError(f"--{name.replace('_', '-')}: expected {wanted}, found {value}.")


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
