"""Progress checks per CPU-second on the recorded end states of official games: the best of several rounds."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from housemates.benchmarks.teach.formats.episodes import read_games
from housemates.benchmarks.teach.tasks import catalogue as tasks

MEASURED = {
    "Coffee": ("Coffee", []),
    "Put All": ("Put All X On Y", ["Drinkware", "in", "Sink"]),
    "Plate Of Toast": ("Plate Of Toast", []),
    "Breakfast": ("Breakfast", [*"111", "Plate", "1", "Bowl", *"1111111", "CounterTop"]),
}
REFERENCE = {"Coffee": 1600, "Put All": 1300, "Plate Of Toast": 535, "Breakfast": 49}
"""What the reference checker reaches on a state of 76 objects."""
REPEATS = 20


def round_of_checks(task: tasks.BoundTask, states: list[list[tasks.Object]]) -> float:
    """CPU-seconds for one check of every state."""
    start = time.process_time()
    for objects in states:
        tasks.check(task, objects)
    return time.process_time() - start


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, help="official games: a folder or a packed .jsonl.zst")
    states = []
    for game in read_games([parser.parse_args().games], []):
        state = game.episode.final_state
        if 66 <= len(state.objects) <= 86:
            states.append(tasks.with_custom(state.objects, state.custom_object_metadata))
        if len(states) == 50:
            break
    report = {}
    for name, (task, params) in MEASURED.items():
        bound = tasks.bind(task, params)
        rate = len(states) / min(round_of_checks(bound, states) for _ in range(REPEATS))
        report[name] = {"checks_per_cpu_s": round(rate), "times_reference": round(rate / REFERENCE[name], 1)}
    objects_per_state = round(sum(map(len, states)) / len(states))
    print(json.dumps({"objects": objects_per_state, **report}))


if __name__ == "__main__":
    main()
