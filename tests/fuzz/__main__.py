"""`python tests/fuzz RUNS [--seed N] [--kind KIND]`: run commands on mutated files; count what comes."""

from __future__ import annotations

import argparse
import hashlib
import itertools
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from cases import KINDS
from fuzzing import Case, Fault, Fuzzer

DRAWN = 5
"""One case of so many is drawn, too."""


def main() -> None:
    """Run so many commands, kind after kind; the exit code is 1 if one of them does what it must not do."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("runs", type=int, nargs="?", default=2000, help="how many commands are run")
    parser.add_argument("--seed", type=int, default=0, help="of the first case of each kind")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="only this kind of file")
    parser.add_argument("--keep", type=Path, help="folder for the cases that fail, as the corpus has them")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = fuzz(Fuzzer(Path(folder)), given.runs, given.seed, given.kind or list(KINDS), given.keep)
    sys.exit(1 if faults else 0)


def fuzz(fuzzer: Fuzzer, runs: int, seed: int, kinds: list[str], keep: Path | None) -> int:
    """Run cases of all kinds in turn until so many commands have been run; print what they came to."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    slowest: dict[tuple[str, str], float] = defaultdict(float)
    done = faults = 0
    start = last = time.monotonic()
    seen: Counter[str] = Counter()
    for case, drawing, number in cases(fuzzer, seed, kinds):
        if done >= runs and case.kind == kinds[0]:
            break
        for command, ran, fault in fuzzer.runs(case, drawing):
            done += 1
            row = case.kind, command
            counts[row]["fault" if fault else str(ran.code)] += 1
            slowest[row] = max(slowest[row], ran.seconds)
            if fault:
                faults += 1
                report(fault, number, seen, keep)
        if time.monotonic() - last > 10:
            last = time.monotonic()
            print(f"{done} of {runs} runs, {faults} faults, {done / (last - start):.1f}/s", file=sys.stderr)
    for (kind, command), found in counts.items():
        told = ", ".join(f"{found[name]} x {name}" for name in ("0", "1", "2", "fault") if found[name])
        print(f"{kind:<20} {command[:70]:<70} {told}; slowest {slowest[kind, command]:.1f} s")
    print(f"{done} runs of {len(counts)} commands on {len(kinds)} kinds of files, {faults} faults")
    return faults


def cases(fuzzer: Fuzzer, seed: int, kinds: list[str]) -> Iterator[tuple[Case, bool, int]]:
    """The example of each kind, which has to be read, then mutated ones without end, kinds in turn."""
    yield from ((fuzzer.unmutated(kind), True, seed) for kind in kinds)
    for number in itertools.count(seed):
        yield from ((fuzzer.case(kind, number), number % DRAWN == 0, number) for kind in kinds)


def report(fault: Fault, seed: int, seen: Counter[str], keep: Path | None) -> None:
    """Tell a fault, of several alike only the first, and keep its case."""
    likeness = "\n".join(fault.what.splitlines()[-4:])[:300]
    code = hashlib.sha256(likeness.encode()).hexdigest()[:8]
    seen[code] += 1
    if seen[code] == 1:
        print(f"\n{fault.case.kind}, seed {seed}: {fault.command}\n{fault.case}\n{fault.what}\n", flush=True)
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            name = f"{fault.case.kind.replace(' ', '-')}-{code}.json"
            (keep / name).write_text(fault.case.to_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
