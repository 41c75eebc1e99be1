"""`python tests/fuzz/simulation SCHEDULES [--seed N] [--workers N]`: run so many schedules from a seed on."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from simulating import run, simulator

CHUNK = 100
"""Schedules that a process runs before it tells what was wrong."""


def main() -> None:
    """Print the seeds of schedules in which something is wrong; the exit code is 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz/simulation", description=__doc__)
    parser.add_argument("schedules", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first schedule")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--digest", action="store_true", help="only print what one schedule comes to")
    given = parser.parse_args()
    if given.digest:
        with simulator() as simulated:
            simulated.faults(given.seed)
            print(simulated.digest)
        return
    seeds = range(given.seed, given.seed + given.schedules)
    chunks = [seeds[start : start + CHUNK] for start in range(0, len(seeds), CHUNK)]
    start, failed, done = time.perf_counter(), 0, 0
    workers = min(given.workers, len(chunks))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for chunk, wrong in zip(chunks, pool.map(run, chunks), strict=True):
            failed, done = failed + len(wrong), done + len(chunk)
            for seed, found in wrong.items():
                print(f"python tests/fuzz/simulation 1 --seed {seed}", *found, sep="\n    ", flush=True)
            if done % 1000 == 0:
                print(f"{done} schedules, {failed} failed", file=sys.stderr, flush=True)
    rate = 60 * done / (time.perf_counter() - start)
    print(f"{done} schedules, {failed} failed, {rate:.0f} a minute in {workers} processes")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
