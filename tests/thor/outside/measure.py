"""Whole counts of the call patterns of this folder, with our Controller.

    python tests/thor/outside/measure.py alfred|alfred-id|eb-alfred|teach|kitchens DATA --store S --limit 100

DATA is the folder of official files. `alfred` plays demonstrations by their recorded masks (`--smooth` with
smooth navigation), `alfred-id` by ids, `eb-alfred` does oracle plans on the subset `base`, `teach` plays
games by their recorded clicks, `kitchens` resets the first thirty floor plans.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import eb_alfred

import alfred
from housemates.benchmarks.teach.formats.episodes import GAMES
from housemates.files import read_text_lines
from housemates.thor import Controller

SEED = 3
KITCHENS = range(1, 31)
LEAST = 40
"""Objects that a kitchen has at least."""


def drawn(lines: Iterable[Any], limit: int) -> Iterator[Any]:
    """So many of them, drawn at random but always the same ones."""
    every = list(lines)
    random.Random(SEED).shuffle(every)
    return islice(iter(every), limit)


def trajectories(data: Path) -> Iterator[dict[str, Any]]:
    """ALFRED's demonstrations of valid_seen."""
    return (json.loads(text) for _, text in read_text_lines(data / "alfred" / "valid_seen.jsonl.zst"))


def started(store: str) -> Controller:
    """A controller begun as version 2 does."""
    controller = Controller(store=store)
    controller.start(player_screen_height=alfred.SIDE_PX, player_screen_width=alfred.SIDE_PX)
    return controller


def demonstrations(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Demonstrations by masks or by ids."""
    environment = alfred.Environment(started(given.store), given.smooth)
    for trajectory in drawn(trajectories(given.data), given.limit):
        yield alfred.play(environment, trajectory, "id" if given.what == "alfred-id" else "mask")


def skills(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Oracle plans on the tasks of `base`."""
    tasks = json.loads((given.data / "eb_alfred" / "splits.json").read_text(encoding="utf-8"))["base"]
    wanted = [each["task"].split("/")[-1] for each in tasks][: given.limit]
    known = {each["task_id"]: each for each in trajectories(given.data)}
    environment = alfred.Environment(started(given.store))
    return (eb_alfred.play(environment, known[name]) for name in wanted)


def clicks(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Games by clicks, each beside the recorded verdict."""
    import teach

    told = (
        (given.data / "teach" / "official_verdicts_valid_seen.jsonl").read_text(encoding="utf-8").splitlines()
    )
    verdicts = {row["game_id"]: row["final_state"]["success"] for row in map(json.loads, told)}
    controller = Controller(store=given.store)
    for text in drawn(GAMES.texts([given.data / "teach" / "valid_seen.jsonl.zst"], []), given.limit):
        game = text.parse()
        found = teach.play(controller, game)
        yield {**found, "success": found["success"] == verdicts[game.id]}


def kitchens(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Kitchens in which nothing is on, nothing is filled and enough is there."""
    controller = Controller(store=given.store)
    for number in KITCHENS:
        objects = controller.reset(f"FloorPlan{number}").metadata["objects"]
        used = [each["objectId"] for each in objects if each["isToggled"] or each["isFilledWithLiquid"]]
        yield {
            "id": number,
            "success": not used and len(objects) >= LEAST,
            "objects": len(objects),
            "used": used,
        }


WHAT = {
    "alfred": demonstrations,
    "alfred-id": demonstrations,
    "eb-alfred": skills,
    "teach": clicks,
    "kitchens": kitchens,
}


def main() -> None:
    """Measure what is asked for and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("data", type=Path, help="folder of official files")
    parser.add_argument("--store", required=True, help="store of imported floor plans")
    parser.add_argument("--limit", type=int, default=100, help="episodes")
    parser.add_argument("--smooth", action="store_true", help="smooth navigation")
    given = parser.parse_args()
    found = []
    for each in WHAT[given.what](given):
        found.append(each)
        if not each["success"]:
            print(json.dumps(each, default=str), file=sys.stderr)
    print(
        json.dumps({"what": given.what, "n": len(found), "success": sum(each["success"] for each in found)})
    )


if __name__ == "__main__":
    main()
