"""The audit of submissions: forged ones are refused or marked, honest ones are not.

`python tests/evaluation/leaderboard/auditing.py 520 200` makes so many forged and so many honest ones, from a
seed, and says of each class what came of it. It ends with exit code 1 if one that can be found was not.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from housemates.errors import HousematesError
from housemates.evaluation.leaderboard.check import Terms, check_submission
from housemates.evaluation.leaderboard.submission import write_submission
from housemates.parallel import Crew, map_ordered

sys.path.insert(0, str(Path(__file__).parent))

from forgeries import FORGERIES
from submitting import PLAYED, Recorded, play, recorded, toml

SHORT = "as many episodes as went well"
"""The forgery that its size gives away."""
UNMADE = "could not be made"
TRIES = 50
"""How often another run is taken for a forgery for which one does not serve."""
SIZES = frozenset(("episodes", "seed"))
"""What honest runs of few episodes, or of another seed than the board's, are marked for."""


class Verdict(NamedTuple):
    """What came of a file."""

    says: str
    """`refused`, `wrong`, `marked` or `accepted`."""
    why: str = ""


def judged(path: Path, known: frozenset[str] = frozenset(), workers: Crew | int = 1) -> Verdict:
    """Check a file; marks that honest runs have too do not count.

    Args:
        path: The file.
        known: Lines of such marks.
        workers: Who plays.
    """
    try:
        found = check_submission(path, Terms(), 0, workers)
    except HousematesError as error:
        return Verdict("refused", str(error))
    every = [*found.findings, *(each for run in found.runs for each in run.findings)]
    bad = [each.line() for each in every if each.level == "wrong"]
    if not found.holds:
        return Verdict("wrong", bad[0])
    marks = [each.line() for each in found.marks if each.line() not in known]
    return Verdict("marked", marks[0]) if marks else Verdict("accepted")


def play_honest(folder: Path, only: int | None = None) -> None:
    """Play the honest runs of which forgeries are made."""
    for name, agents, episodes, options in PLAYED[:only]:
        play(folder / f"{name} {agents.rpartition(':')[2]}", name, agents, episodes, options)


@lru_cache(maxsize=1)
def honest(folder: Path) -> Mapping[str, Recorded]:
    """The honest runs in a folder."""
    return {each.name: recorded(each) for each in sorted(folder.iterdir())}


def forge(folder: Path, seed: int) -> tuple[str, bytes] | None:
    """The forgery of a number: its class, and a file; None if no run serves for it."""
    each = FORGERIES[seed % len(FORGERIES)]
    random = np.random.default_rng(seed)
    for _ in range(TRIES):
        made = each.make(random, honest(folder))
        if made is not None:
            return each.says, made
    return None


def tried(folder: Path, known: frozenset[str], seed: int) -> tuple[int, str, Verdict]:
    """The forgery of a number, its class, and what came of it; nothing may be left of it anywhere."""
    with tempfile.TemporaryDirectory() as place:
        found = forge(folder, seed)
        if found is None:
            return seed, FORGERIES[seed % len(FORGERIES)].says, Verdict("refused", UNMADE)
        path = Path(place) / "forged.zip"
        path.write_bytes(found[1])
        verdict = judged(path, frozenset() if found[0] == SHORT else known)
        assert list(Path(place).iterdir()) == [path]
        assert not (Path(place).parent / "out.txt").exists()
        return seed, found[0], verdict


def marks_of(folder: Path) -> frozenset[str]:
    """The lines of the marks that honest runs have, which say how short they are."""
    found = set()
    for name in honest(folder):
        with tempfile.TemporaryDirectory() as place:
            check = check_submission(packed(folder / name, Path(place)), Terms(), 0, 1)
        assert check.holds, check
        assert {each.where for each in check.marks} <= SIZES, check.marks
        found |= {each.line() for each in check.marks}
    return frozenset(found)


def packed(run: Path, place: Path) -> Path:
    """The submission of a run with an honest card."""
    (place / "card.toml").write_bytes(toml(recorded(run).card))
    return write_submission([run], place / "card.toml", place / "honest.zip").path


def submit_honestly(number: int, crew: Crew | int = 1) -> tuple[int, str, Verdict]:
    """Play and check an honest run: all kinds, of as many seeds as it takes."""
    name, agents, episodes, options = PLAYED[number % len(PLAYED)]
    seed = number // len(PLAYED)
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        play(run, name, agents, episodes, options, seed, crew)
        verdict = judged(packed(run, Path(folder)), workers=crew)
        return number, f"{name} {agents.rpartition(':')[2]}", verdict


def audit_honest(count: int) -> Iterator[tuple[int, str, Verdict]]:
    """So many honest runs, and one of each benchmark by every executor there is."""
    yield from map_ordered(submit_honestly, range(count), None, "honest")
    names = [name for name, *_ in PLAYED]
    for executor in ("processes", "threads", *(["ray"] if find_spec("ray") else [])):
        for name in dict.fromkeys(names):
            number, kind, verdict = submit_honestly(names.index(name), Crew(2, executor))
            yield number, f"{kind} by {executor}", verdict


def audit_forged(
    folder: Path, numbers: Sequence[int], workers: int | None
) -> Iterator[tuple[int, str, Verdict]]:
    """The forgeries of these numbers, in order; the classes come in turn."""
    known = marks_of(folder)
    yield from map_ordered(partial(tried, folder, known), numbers, workers, "forged")


def main() -> int:
    """Audit, and print what came of each class."""
    forged, fair = (int(each) for each in [*sys.argv[1:], "520", "200"][:2])
    openly = {each.says: each.open for each in FORGERIES if each.open}
    missed, seen, closed = [], Counter[tuple[str, str]](), 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        play_honest(folder)
        for seed, says, verdict in audit_forged(folder, range(forged), None):
            made = verdict.why != UNMADE
            seen[says, verdict.says if made else UNMADE] += 1
            closed += made and says not in openly
            if verdict.says == "accepted" and says not in openly:
                missed.append(f"{seed}: {says}")
                print(f"missed: {missed[-1]}", flush=True)
    for each in FORGERIES:
        counts = {key: seen[each.says, key] for key in ("refused", "wrong", "marked", "accepted", UNMADE)}
        told = ", ".join(f"{count} {key}" for key, count in counts.items() if count)
        print(f"{each.says}: {told or 'none'}{f' (open: {each.open})' if each.open else ''}")
    rejected = []
    kinds = Counter[str]()
    for number, name, verdict in audit_honest(fair):
        kinds[name] += 1
        if verdict.says != "accepted" and "where the board's" not in verdict.why:
            rejected.append(f"{number}: {name}: {verdict}")
    classes = len(FORGERIES) - len(openly)
    print(f"{closed} forged submissions of {classes} classes: {len(missed)} accepted without a mark")
    fair, names = kinds.total(), len(kinds)
    print(f"{fair} honest ones of {names} kinds: {len(rejected)} rejected, or marked beyond their size")
    print("\n".join([*missed, *rejected]))
    return 1 if missed or rejected else 0


if __name__ == "__main__":
    sys.exit(main())
