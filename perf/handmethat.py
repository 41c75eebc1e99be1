"""HandMeThat: episodes made and steps of a session done, per CPU-second.

The reference implementation makes 0.1 version-2 episodes and does 75 steps per CPU-second.
"""

from __future__ import annotations

import argparse
import json
import time

import msgspec
import numpy as np

from housemates.benchmarks.handmethat.generate.synthesis import generate_one
from housemates.benchmarks.handmethat.session import MOVES, HandMeThatSession
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.core.actions import Act
from housemates.core.benchmark import Instance

REFERENCE = {"episodes_per_cpu_s": 0.1, "steps_per_cpu_s": 75}
EPISODES = 64


def episodes_per_cpu_s(count: int) -> float:
    """Whole version-2 episodes, all 25 goals in turn."""
    generate_one(1, 0)
    start = time.process_time()
    for number in range(count):
        generate_one(0, number)
    return count / (time.process_time() - start)


def steps_per_cpu_s(count: int, fully: bool) -> float:
    """Random valid commands; all texts are read and all choices listed, and resets from records count too."""
    kept = [msgspec.msgpack.encode(generate_one(2, number)) for number in range(EPISODES)]
    draws = np.random.default_rng(0).random(count).tolist()
    done = begun = 0
    start = time.process_time()
    while done < count:
        episode = msgspec.msgpack.decode(kept[begun % EPISODES], type=Episode)
        session = HandMeThatSession(Instance(episode.name, "", episode), fully=fully)
        begun += 1
        while session.role is not None and session.moves < MOVES and done < count:
            percept = session.observe()
            choices = percept.offers[0].arguments[0].choices
            assert percept.text
            session.act(Act("Command", {"command": choices[int(draws[done] * len(choices))]}))
            done += 1
    return count / (time.process_time() - start)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--steps", type=int, default=100_000)
    args = parser.parse_args()
    result = {
        "episodes_per_cpu_s": round(episodes_per_cpu_s(args.episodes), 1),
        "steps_per_cpu_s": round(steps_per_cpu_s(args.steps, fully=False)),
        "steps_per_cpu_s_fully": round(steps_per_cpu_s(args.steps, fully=True)),
        "reference": REFERENCE,
    }
    print(json.dumps(result) if args.json else "\n".join(f"{key}: {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()
