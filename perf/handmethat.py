"""HandMeThat: episodes made and text-environment steps done, per CPU-second.

The reference implementation makes 0.1 version-2 episodes and does 75 steps per CPU-second.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from housemates.benchmarks.handmethat.env import HandMeThatEnv
from housemates.benchmarks.handmethat.generate.making import generate_one

REFERENCE = {"episodes_per_cpu_s": 0.1, "steps_per_cpu_s": 75}


def episodes_per_cpu_s(count: int) -> float:
    """Whole version-2 episodes, all 25 goals in turn."""
    generate_one(1, 0)
    start = time.process_time()
    for number in range(count):
        generate_one(0, number)
    return count / (time.process_time() - start)


def steps_per_cpu_s(count: int, fully: bool) -> float:
    """Random valid commands, valid actions listed at every step; resets are not counted."""
    episodes = [generate_one(2, number) for number in range(8)]
    rng = np.random.default_rng(0)
    draws = rng.random(count)
    spent = 0.0
    done = 0
    while done < count:
        env = HandMeThatEnv(fully=fully)
        _, info = env.reset(options={"episode": episodes[done % len(episodes)]})
        start = time.process_time()
        over = False
        while not over and done < count:
            valid = info["valid_actions"]
            _, _, success, cut, info = env.step(valid[int(draws[done] * len(valid))])
            over = success or cut
            done += 1
        spent += time.process_time() - start
    return count / spent


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
