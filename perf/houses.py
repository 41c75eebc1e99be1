"""Steps per CPU-second in houses of several rooms beside single rooms: `python perf/houses.py --json`.

The houses are those of the tests' generator. An agent walks about at random, with a picture of 300x300 after
each step and without.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

ROUNDS = 3
SECONDS = 0.3
"""CPU time of one measurement."""
ROOMS = ("kitchen-03", "living-room-04", "bedroom-05", "bathroom-06")
HOUSES = 10
MOVES = ("Forward", "Forward", "Forward", "TurnLeft", "TurnRight", "LookUp", "LookDown")


def houses() -> list[Any]:
    """Ten houses of two to six rooms."""
    from fixtures.houses import generate
    from housemates.home.scenes.houses import house_from_data

    made = (generate(seed, 2 + seed % 5) for seed in range(HOUSES))
    return [house_from_data(data, "perf", f"house-{seed}").scene for seed, data in enumerate(made)]


def rate(scene: Any, pictures: bool, touching: bool) -> float:
    """Steps per CPU-second of a random walk, doors opened; in between, an attempt at what is seen."""
    from housemates.home import World, act
    from housemates.home.scenes.validate import open_passages
    from housemates.render.agent_camera import Eyes

    world = World(scene)
    open_passages(world)
    eyes, rng = Eyes(world, 300, 300), np.random.default_rng(5)
    moves = rng.integers(0, len(MOVES), 4096).tolist()
    names = list(world.things)
    targets = rng.integers(0, len(names), 4096).tolist()
    for _ in range(20):
        act(world, "TurnLeft")
        eyes.look()
    steps, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        if touching and steps % 4 == 3:
            act(world, "Pickup", target=names[targets[steps % 4096]])
        else:
            act(world, MOVES[moves[steps % 4096]])
        if pictures:
            eyes.look()
        steps += 1
    return steps / (time.process_time() - start)


def main() -> None:
    """Print the rates of houses and rooms, and the share of the one in the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    from housemates.home.scenes import load

    scenes = {"house": houses(), "room": [load(name) for name in ROOMS]}
    found: dict[str, Any] = {}
    for name, pictures, touching in (
        ("moves", False, False), ("moves and touches", False, True), ("moves with pictures", True, False),
    ):  # fmt: skip
        rates: dict[str, list[float]] = {"house": [], "room": []}
        for _ in range(ROUNDS):
            for kind, each in scenes.items():
                rates[kind].append(median(rate(scene, pictures, touching) for scene in each))
        house, room = median(rates["house"]), median(rates["room"])
        found[name] = {"house": round(house), "room": round(room), "share": round(house / room, 3)}
    if asked.json:
        print(json.dumps(found))
    else:
        for name, row in found.items():
            print(f"{name}: {row['house']} steps/s in houses, {row['room']} in rooms, {row['share']} of it")


if __name__ == "__main__":
    main()
