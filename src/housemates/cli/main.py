"""The table of verbs, and what every verb has in common: help at once, clear errors, exit codes."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from signal import SIGINT, SIGTERM
from typing import NamedTuple

from housemates.cli.signals import Stop, stoppable
from housemates.errors import HousematesError, NothingDone


class Verb(NamedTuple):
    """A word after `housemates`: the file of `housemates.cli` that serves it, and one line of help."""

    module: str
    help: str


VERBS = {
    "demo": Verb("demo", "tour the homes and benchmarks and write a page to look at"),
    "benchmarks": Verb("benchmarks", "what there is: splits, roles, agents, options, data needed"),
    "scenes": Verb("scenes", "list, show, render and validate rooms"),
    "play": Verb("play", "take a role yourself in the terminal"),
    "tasks": Verb("benchmark", "list, show and check task definitions"),
    "import": Verb("benchmark", "read official data into a local store"),
    "export": Verb("benchmark", "write episodes in the official formats"),
    "replay": Verb("benchmark", "replay recorded episodes and compare"),
    "generate": Verb("benchmark", "make new episodes"),
    "eval": Verb("evaluate", "run agents on a benchmark and score them"),
    "explain": Verb("explain", "why the reader failed, over a run and in one episode"),
    "train": Verb("train", "train one of the papers' models"),
    "reproduce": Verb("reproduce", "train and evaluate the rows of one of the papers' tables"),
    "campaign": Verb("campaign", "run benchmarks x agents x seeds of one file"),
    "compare": Verb("compare", "say what changed between two runs, and whether it is more than chance"),
    "mcp": Verb("mcp", "let assistants take a seat through the Model Context Protocol"),
    "serve": Verb("serve", "serve a seat to trainers of language models on OpenEnv's wire"),
    "referee": Verb("referee", "serve episodes that nobody has seen, and sign what came of them"),
    "report": Verb("report", "write one page of runs, with every episode to play"),
    "submit": Verb("submit", "pack runs and a card into one file for a leaderboard"),
    "leaderboard": Verb("leaderboard", "check submissions by playing them again, and build a site of them"),
    "stats": Verb("benchmark", "statistics and plots of a set of episodes"),
    "studio": Verb("studio", "play, collect, annotate and watch in a browser"),
    "thor": Verb("thor", "run code written for AI2-THOR: check it, compare with AI2-THOR's own records"),
    "thor-server": Verb("thor_server", "what AI2-THOR's own client starts in place of its Unity build"),
    "verify": Verb("benchmark", "confirm a run by playing it again; compare with the original systems"),
}


FAILING = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EIO,
    errno.EACCES,
    errno.EPERM,
    errno.EFBIG,
    errno.ENAMETOOLONG,
}
"""Failures of the system that no code is to blame for."""


def usage() -> str:
    """The text of `housemates --help`."""
    lines = [f"  {name:<11} {verb.help}" for name, verb in VERBS.items()]
    return "\n".join(
        ["usage: housemates VERB [options]", "", "verbs:", *lines, "", "housemates VERB --help tells more."]
    )


def main(argv: list[str] | None = None) -> None:
    """Run one verb; a user's mistake is one sentence and exit code 2; nothing to do is exit code 1."""
    _open_streams()
    words = sys.argv[1:] if argv is None else argv
    if not words or words[0] in ("-h", "--help", "help"):
        print(usage())
        return
    if words[0] == "--version":
        from housemates import __version__

        print(__version__)
        return
    if words[0] not in VERBS:
        from housemates.errors import nearest

        _refuse(f"Unknown verb {words[0]!r}: {nearest(words[0], VERBS)}.")
    try:
        with stoppable():
            module = importlib.import_module(f"housemates.cli.{VERBS[words[0]].module}")
            module.main(words[0], words[1:])
            sys.stdout.flush()
    except HousematesError as error:
        _refuse(str(error), 1 if isinstance(error, NothingDone) else 2)
    except KeyboardInterrupt as stop:
        print("Interrupted; what was finished is kept.", file=sys.stderr)
        sys.exit(128 + (SIGTERM if isinstance(stop, Stop) else SIGINT))
    except BrokenPipeError:
        _forget_output()
    except OSError as error:
        if error.errno not in FAILING:
            raise
        if error.filename is None:
            _forget_output()
        doing = "used" if error.errno == errno.ENAMETOOLONG else "written"
        _refuse(f"{error.filename or 'standard output'}: cannot be {doing} ({error.strerror}).")


def _open_streams() -> None:
    """Print to nowhere what a closed stream is told, and `?` for what the terminal's encoding lacks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _forget_output() -> None:
    """What is printed from now on, at the latest when this process ends, goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(sentence: str, code: int = 2) -> None:
    print(sentence, file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
