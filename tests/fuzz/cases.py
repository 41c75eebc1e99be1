"""The table of file kinds: how a small valid example of each is made, and which commands read it.

Every example is made by this package; none is official data.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from running import run

FEW = "--episodes 2 --seed 3 --workers 1 --json"
ONE = "--episodes 1 --seed 3 --workers 1 --json"
EVALUATION = "eval cerealbar --agents leader=random follower=first --episodes 2 --seed 3 --workers 1"
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


def housemates(command: str, folder: Path) -> None:
    """Run a command that makes an example."""
    folder.mkdir(parents=True, exist_ok=True)
    with chdir(folder):
        ran = run(words(command), limit_s=600)
    assert ran.code == 0 and not ran.fault, f"{command}: {ran.err} {ran.fault}"


def teach_games(folder: Path) -> None:
    """A short game with its home, and one without, as games from elsewhere are."""
    game = _short_game()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "own.game.json").write_text(game, encoding="utf-8")
    fields: dict[str, Any] = json.loads(game)
    fields |= {"definitions": {}, "game_id": "bare"}
    episode = fields["tasks"][0]["episodes"][0]
    for state in ("initial_state", "final_state"):
        episode[state]["objects"] = _fewer(episode[state]["objects"])
    for each in episode["interactions"]:
        if "utterance" in each:
            each |= {"is_corrected": 0, "corrected_utterance": each["utterance"]}
    (folder / "bare.game.json").write_text(json.dumps(fields), encoding="utf-8")


@cache
def _short_game() -> str:
    with tempfile.TemporaryDirectory() as folder:
        housemates(f"generate teach --tasks Coffee {ONE} --out HERE", Path(folder))
        (game,) = Path(folder).glob("*.game.json")
        return game.read_text(encoding="utf-8")


def _fewer(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Some of a home's objects, among them all that cannot be carried away."""
    return [each for index, each in enumerate(objects) if not each["pickupable"] or index % 3 == 0]


def teach_edh(folder: Path) -> None:
    """The instances of a game with what is said in it, beside the game."""
    housemates(f"generate teach --tasks Coffee --pair talk {ONE} --out HERE/games", folder)
    housemates("export edh HERE/games --out HERE/edh --json", folder)


def definitions(folder: Path) -> None:
    """Two tasks, one of which needs the other."""
    names = ("Toast", "Clean X", "Plate Of Toast", "Put All X In One Y")
    shown = [run(["tasks", "show", name, "--json"]).out for name in names]
    tasks = [{**json.loads(text), "task_id": 900 + number} for number, text in enumerate(shown)]
    (folder / "tasks.json").write_text(json.dumps({"tasks": tasks}), encoding="utf-8")


def tdl_cases(folder: Path) -> None:
    """A case of each kind, with the definitions, and the verdicts on a game."""
    teach_games(folder)
    definitions(folder)
    game = json.loads((folder / "bare.game.json").read_text(encoding="utf-8"))
    state = game["tasks"][0]["episodes"][0]["final_state"]
    objects = [
        {**each, **state["custom_object_metadata"].get(each["objectId"], {})} for each in state["objects"]
    ]
    answer = {"success": False, "goal_conditions_total": 6, "goal_conditions_satisfied": 5}
    problem = {
        "objectType": "Mug",
        "determiner": "a",
        "property_name": "isDirty",
        "desired_property_value": 0,
    }
    subgoal = {
        "representative_obj_id": "Mug|1|1|1",
        "step_successes": [False],
        "success": False,
        "description": "",
        "steps": [],
        "problem_keys": {"Mug|1|1|1": [problem]},
        "goal_conditions_total": 3,
        "goal_conditions_satisfied": 1,
    }
    expected = {
        **answer,
        "subgoals": [subgoal],
        "satisfied_objects": None,
        "candidate_objects": ["Mug|1|1|1"],
    }
    changes = {"Mug|+00.10|+01.00|+01.00": {"isDirty": False, "simbotLastParentReceptacle": "Sink|1|1|1"}}
    lines = [
        {"kind": "definitions", **json.loads((folder / "tasks.json").read_text(encoding="utf-8"))},
        {
            "kind": "task",
            "spec": ["Put All X In One Y", ["Mug", "in", "Sink"]],
            "objects": objects,
            "expected": expected,
        },
        {
            "kind": "edh",
            "spec": {"agents": {}, "objects": changes},
            "objects": objects,
            "expected": {"error": "KeyError"},
        },
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    verdict = {
        "game_id": "bare",
        "task": "Coffee",
        "params": [],
        "initial_state": answer,
        "final_state": answer,
    }
    (folder / "verdicts.jsonl").write_text(json.dumps(verdict) + "\n", encoding="utf-8")


def alfred_trajectories(folder: Path) -> None:
    """A demonstration, alone and in a pack."""
    housemates(f"generate alfred --masks {ONE} --out HERE/made", folder)
    (found,) = folder.rglob("traj_data.json")
    trial = folder / "train" / "task" / "trial"
    trial.mkdir(parents=True)
    text = found.rename(trial / found.name).read_text(encoding="utf-8")
    (folder / "train.jsonl").write_text(text.strip() + "\n", encoding="utf-8")
    shutil.rmtree(folder / "made")


def store(folder: Path) -> None:
    """What was learnt from a game and a demonstration, with the games of it."""
    layouts(folder / "games")
    alfred_trajectories(folder / "demonstrations")
    housemates("import teach HERE/games --layouts HERE/games/layouts.json --store HERE/store --json", folder)
    housemates("import alfred HERE/demonstrations/train.jsonl --store HERE/store --json", folder)


def layouts(folder: Path) -> None:
    """Where one can stand in two plans, in ALFRED's form, beside a game."""
    teach_games(folder)
    plan = {
        "grid": [[-2, 1], [-1, 1], [0, 1], [0, 2]],
        "recep_pose": {"Sink|+00.10|+00.80|-01.20": [0.25, 1.0, 180, 30]},
        "object_types": ["Sink", "Mug"],
        "static_ids": ["Sink|+00.10|+00.80|-01.20", "Fridge|-01.00|+00.00|+00.50"],
    }
    (folder / "layouts.json").write_text(json.dumps({"1": plan, "301": plan}), encoding="utf-8")


def scene(folder: Path) -> None:
    """A small room."""
    shown = run(["scenes", "show", "bathroom-02", "--json"])
    (folder / "home.json").write_text(shown.out, encoding="utf-8")


def results(folder: Path) -> None:
    """The folder of an evaluation."""
    housemates(f"{EVALUATION} --out HERE/run --json", folder)


def journal(folder: Path) -> None:
    """The results of a replay, and the log of generated games."""
    teach_games(folder)
    housemates("replay teach HERE/bare.game.json --out HERE/replay.jsonl --workers 1 --json", folder)
    housemates(f"generate teach --tasks Coffee {ONE} --out HERE/made", folder)


def words(command: str) -> list[str]:
    """The words of a command that is run in the folder that it calls `HERE`."""
    return command.replace("HERE", ".").split()


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
    "teach games": Kind(
        teach_games,
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
            "eval teach-edh --split recorded --option games=HERE --agents stop --workers 1",
            "eval teach-tfd --split recorded --option games=HERE --agents oracle --workers 1 --out OUT",
        ),
    ),
    "teach edh": Kind(
        teach_edh,
        ("edh/*.json",),
        (
            "verify edh HERE/edh --games HERE/games",
            "eval teach-edh --split recorded --option games=HERE/games edh=HERE/edh --agents stop "
            "--workers 1",
        ),
    ),
    "definitions": Kind(
        definitions, ("tasks.json",), ("tasks check HERE/tasks.json", "tasks check HERE/tasks.json --json")
    ),
    "tdl cases": Kind(
        tdl_cases,
        ("cases.jsonl", "verdicts.jsonl"),
        ("verify tdl HERE/cases.jsonl", "verify verdicts HERE HERE/verdicts.jsonl"),
    ),
    "alfred": Kind(
        alfred_trajectories,
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
        layouts,
        ("layouts.json",),
        ("import teach HERE --layouts HERE/layouts.json --store OUT/store",),
    ),
    "store": Kind(
        store,
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
        scene,
        ("home.json",),
        (
            "scenes show HERE/home.json",
            "scenes render HERE/home.json --size 64 --out OUT",
            "scenes validate HERE/home.json --workers 1",
        ),
    ),
    "results": Kind(
        results,
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
        journal,
        ("replay.jsonl", "made/log.jsonl"),
        (
            "replay teach HERE/bare.game.json --out HERE/replay.jsonl --workers 1",
            f"generate teach --tasks Coffee {ONE} --out HERE/made",
        ),
        ("replay.jsonl", "made"),
    ),
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
