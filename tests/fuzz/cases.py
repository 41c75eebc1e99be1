"""The table of file kinds: how a small valid example of each is made, and which commands read it.

Every example is made by this package; none is official data.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from running import run

FEW = "--episodes 2 --seed 3 --workers 1 --json"


class Kind(NamedTuple):
    """A kind of file."""

    make: Callable[[Path], None]
    """Writes an example, with all that the commands need beside it, to a folder."""
    files: tuple[str, ...]
    """Those files of it that come from outside: patterns."""
    commands: tuple[str, ...]
    """Commands that read them, `HERE` being the folder and `OUT` a place for what they write."""
    outputs: tuple[str, ...] = ("OUT",)
    """What else the commands may write to."""
    limit_s: float = 20.0


def housemates(command: str, folder: Path) -> None:
    """Run a command that makes an example."""
    ran = run([word.replace("HERE", str(folder)) for word in command.split()], limit_s=600)
    assert ran.code == 0 and not ran.fault, f"{command}: {ran.err} {ran.fault}"


def handmethat_lines(folder: Path) -> None:
    """Two episodes of each version in our short form."""
    for version in (1, 2):
        housemates(f"generate handmethat --version {version} {FEW} --out HERE/v{version}", folder)


def handmethat_official(folder: Path) -> None:
    """Two episodes in the official form, with the official list of them."""
    housemates(f"generate handmethat --version 1 --format official {FEW} --out HERE", folder)


def cerealbar_lines(folder: Path) -> None:
    """Two games in our form."""
    housemates(f"generate cerealbar {FEW} --out HERE", folder)


def cerealbar_official(folder: Path) -> None:
    """Two games in the published form, one of them without its map, as the published ones are."""
    cerealbar_lines(folder)
    housemates("export cerealbar HERE/train.jsonl.zst --out HERE/games.json --json", folder)
    games: dict[str, Any] = json.loads((folder / "games.json").read_text(encoding="utf-8"))
    del games[max(games)]["housemates"]
    (folder / "games.json").write_text(json.dumps(games), encoding="utf-8")


KINDS = {
    "handmethat": Kind(
        handmethat_lines,
        ("*/*.jsonl.zst",),
        (
            "stats handmethat HERE",
            "stats handmethat HERE --json --report OUT",
            "verify handmethat HERE --json",
            "eval handmethat --split all --option data=HERE --agents heuristic --workers 1",
            "eval handmethat --split all --option data=HERE observability=partial --agents expert "
            "--workers 1 --out OUT",
        ),
    ),
    "handmethat official": Kind(
        handmethat_official,
        ("*.json",),
        (
            "stats handmethat HERE",
            "verify handmethat HERE",
            "eval handmethat --split all --option data=HERE --agents expert --workers 1",
        ),
    ),
    "cerealbar": Kind(
        cerealbar_lines,
        ("train.jsonl.zst",),
        (
            "stats cerealbar HERE/train.jsonl.zst",
            "replay cerealbar HERE/train.jsonl.zst",
            "replay cerealbar HERE/train.jsonl.zst --limit 1 --pictures OUT --json",
            "export cerealbar HERE/train.jsonl.zst --out OUT/games.json",
            "eval cerealbar-recorded --split train --option store=HERE --agents oracle --workers 1",
        ),
    ),
    "cerealbar official": Kind(
        cerealbar_official,
        ("games.json",),
        ("import cerealbar HERE/games.json --out OUT",),
    ),
}
