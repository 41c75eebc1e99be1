"""The table of file kinds: an example of each (`making.py`), and which commands read it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import making
from making import EVALUATION, ONE, TRAINING

DRAWING = ("--report", "--pictures", "--by point")
"""What makes a command draw, which takes long and reads nothing more."""


class Kind(NamedTuple):
    """A kind of file."""

    make: Callable[[Path], None]
    """Writes an example, with all that the commands need beside it, to a folder."""
    files: tuple[str, ...]
    """Those files of it that come from outside: patterns."""
    commands: tuple[str, ...]
    """Commands that read them, run in the folder `HERE` and writing to the folder `OUT` there."""
    outputs: tuple[str, ...] = ("OUT",)
    """What else the commands may write to."""
    limit_s: float = 20.0

    def reading(self) -> tuple[str, ...]:
        """Those of the commands that draw nothing."""
        return tuple(each for each in self.commands if not any(word in each for word in DRAWING))


KINDS = {
    "teach games": Kind(
        making.teach_games,
        ("*.game.json",),
        (
            "import teach HERE --store OUT/store --json",
            "replay teach HERE --workers 1 --json",
            "replay teach HERE/bare.game.json --by point --report OUT --workers 1",
            "stats teach HERE --report OUT",
            "export edh HERE --out OUT",
            "export tfd HERE --out OUT/tfd.jsonl",
            "verify games HERE",
            "verify cleaning --games HERE",
            "eval teach-edh --split recorded --option data=HERE --agents stop --workers 1",
            "eval teach-tfd --split recorded --option data=HERE --agents oracle --workers 1 --out OUT",
        ),
    ),
    "teach edh": Kind(
        making.teach_edh,
        ("edh/*.json",),
        (
            "verify edh HERE/edh --games HERE/games",
            "eval teach-edh --split recorded --option data=HERE/games edh=HERE/edh --agents stop --workers 1",
        ),
    ),
    "definitions": Kind(
        making.definitions,
        ("tasks.json",),
        ("tasks check HERE/tasks.json", "tasks check HERE/tasks.json --json"),
    ),
    "tdl cases": Kind(
        making.tdl_cases,
        ("cases.jsonl", "verdicts.jsonl"),
        ("verify tdl HERE/cases.jsonl", "verify verdicts HERE HERE/verdicts.jsonl"),
    ),
    "alfred": Kind(
        making.alfred_trajectories,
        ("train.jsonl", "*/*/*/traj_data.json"),
        (
            "import alfred HERE --store OUT/store --json",
            "import alfred HERE/train.jsonl --store OUT/store",
            "replay alfred HERE --no-masks --workers 1 --json",
            "replay alfred HERE/train.jsonl --by mask --report OUT --workers 1",
            "stats alfred HERE --report OUT",
            "eval alfred --split train --option data=HERE --agents expert --workers 1",
            "eval alfred-subgoals --split train --option data=HERE/train.jsonl --agents first --workers 1",
        ),
    ),
    "layouts": Kind(
        making.layouts,
        ("layouts.json",),
        ("import teach HERE --layouts HERE/layouts.json --store OUT/store",),
    ),
    "store": Kind(
        making.store,
        ("store/store.json", "store/plans/*.json"),
        (
            "export teach --store HERE/store --out OUT",
            "export alfred --store HERE/store --out OUT/all.jsonl",
            "import teach HERE/games --store HERE/store --json",
            "replay teach HERE/games/bare.game.json --store HERE/store --workers 1",
            "replay alfred HERE/demonstrations --no-masks --store HERE/store --workers 1",
            "stats teach HERE/store",
        ),
        ("OUT", "store"),
    ),
    "scene": Kind(
        making.scene,
        ("home.json",),
        (
            "scenes show HERE/home.json",
            "scenes render HERE/home.json --size 64 --out OUT",
            "scenes validate HERE/home.json --workers 1",
        ),
    ),
    "results": Kind(
        making.results,
        ("run/*.json*",),
        (
            f"{EVALUATION} --out HERE/run",
            f"{EVALUATION} --out HERE/run --retry-errors --json",
            "replay run HERE/run --workers 1",
            "verify run HERE/run --workers 1",
            "compare HERE/run HERE/run",
            "export run HERE/run --out OUT --json",
            "report HERE/run --out OUT --pictures 1 --workers 1",
        ),
        ("run", "OUT"),
    ),
    "journal": Kind(
        making.journal,
        ("replay.jsonl", "made/log.jsonl"),
        (
            "replay teach HERE/bare.game.json --out HERE/replay.jsonl --workers 1",
            f"generate teach --tasks Coffee {ONE} --out HERE/made",
        ),
        ("replay.jsonl", "made"),
    ),
    "handmethat": Kind(
        making.handmethat_lines,
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
        making.handmethat_official,
        ("*.json",),
        (
            "stats handmethat HERE",
            "verify handmethat HERE",
            "eval handmethat --split all --option data=HERE --agents expert --workers 1",
        ),
    ),
    "cerealbar": Kind(
        making.cerealbar_lines,
        ("train.jsonl.zst",),
        (
            "stats cerealbar HERE/train.jsonl.zst",
            "replay cerealbar HERE/train.jsonl.zst",
            "replay cerealbar HERE/train.jsonl.zst --limit 1 --pictures OUT --json",
            "export cerealbar HERE/train.jsonl.zst --out OUT/games.json",
            "eval cerealbar-recorded --split train --option data=HERE --agents oracle --workers 1",
        ),
    ),
    "cerealbar official": Kind(
        making.cerealbar_official,
        ("games.json",),
        ("import cerealbar HERE/games.json --out OUT",),
    ),
    "reader's run": Kind(
        making.reader_run,
        ("run/*.json*",),
        ("explain HERE/run", "explain HERE/run --episode s3-00000"),
        ("run", "OUT"),
    ),
    "campaign": Kind(
        making.campaign,
        ("campaign.toml",),
        ("campaign HERE/campaign.toml --out OUT --workers 1 --limit 2",),
    ),
    "checkpoint": Kind(
        making.checkpoint,
        ("trained/model.json", "exported/model.json"),
        (
            f"{TRAINING} --out HERE/trained",
            f"{TRAINING} --out OUT --start HERE/trained",
            "export model HERE/trained --out OUT",
            f"eval handmethat --agents HERE/trained {ONE} --option version=2",
            f"eval handmethat --agents HERE/exported {ONE} --option version=2",
        ),
        ("trained", "OUT"),
    ),
}
