"""TEACh: starts sampled, steps with pictures and sessions of the rule pair, per CPU-second."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from itertools import islice

from housemates.agents.teach.baselines import RandomFollower
from housemates.benchmarks.teach.benchmark import Tfd
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import make

SEED = 11


def per_cpu_s(count: int, work: Callable[[int], int]) -> float:
    """How much `work` does in a CPU-second for the numbers up to `count`, once it is warm."""
    work(0)
    start = time.process_time()
    done = sum(work(number) for number in range(count))
    return round(done / (time.process_time() - start), 2)


def sample(number: int) -> int:
    """Make a start."""
    (drawn,) = sampling.draws(SEED, 1, sampling.task_names(), first=number)
    sampling.start(drawn)
    return 1


def generate(number: int) -> int:
    """Make a session, with all that is thrown away before it."""
    (drawn,) = sampling.draws(SEED, 1, sampling.task_names(), "train", first=number)
    make(drawn)
    return 1


def steps_with_pictures(count: int) -> float:
    """Steps of the random Follower, each with a picture at 300x300."""
    benchmark, agent = Tfd(), RandomFollower()
    spent, steps = 0.0, 0
    for reference in islice(benchmark.references("generated", SEED), 12):
        session = benchmark.session(benchmark.open(reference)[0])
        agent.reset(session.brief("follower"))
        session.observe().pictures["view"]()
        start = time.process_time()
        for _ in range(count // 12):
            percept = session.observe()
            percept.pictures["view"]()
            action = agent.act(percept)
            session.act("TurnLeft" if action.name == "Stop" else action)
            steps += 1
        spent += time.process_time() - start
    return round(steps / spent)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--sessions", type=int, default=120)
    parser.add_argument("--steps", type=int, default=2400)
    args = parser.parse_args()
    result = {
        "starts_per_cpu_s": per_cpu_s(args.sessions, sample),
        "sessions_per_cpu_s": per_cpu_s(args.sessions, generate),
        "steps_with_pictures_per_cpu_s": steps_with_pictures(args.steps),
    }
    print(json.dumps(result) if args.json else "\n".join(f"{key}: {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()
