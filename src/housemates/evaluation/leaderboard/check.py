"""The check of a submission: everything in it that can be worked out is worked out again and compared."""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import groupby, zip_longest
from pathlib import Path

import msgspec
import numpy as np

from housemates.core import registry
from housemates.core.benchmark import Benchmark, Reference, Result
from housemates.errors import HousematesError, one_line
from housemates.evaluation.leaderboard import episodes
from housemates.evaluation.leaderboard.declarations import (
    GENERATED,
    benchmark_of,
    declared,
    declared_by_card,
    learned,
    live,
    portable_options,
    shown_tracks,
)
from housemates.evaluation.leaderboard.episodes import Checked, CheckPlan, Work
from housemates.evaluation.leaderboard.findings import Check, Evidence, Finding, RunCheck, marked, wrong
from housemates.evaluation.leaderboard.submission import Submission, opened
from housemates.evaluation.referee import SEAL, sealed_by
from housemates.evaluation.replay import Recording
from housemates.evaluation.results import Header, read_episodes, read_header, read_transcripts
from housemates.evaluation.runner import find_references
from housemates.parallel import Workers, map_ordered

SAMPLE = 100
"""Episodes of each run in which agents are run again, if nobody says how many."""
MOST_FINDINGS = 200
"""How many findings of a run are kept."""
MOST_SKIPPED = 100
"""References that may be without episodes, beyond as many as the run has episodes."""
ALIKE, FEWEST = 0.9, 3
"""From which share of episodes on, and from how many, acts are called those of a privileged agent."""
SEEDS = 2**32


class Terms(msgspec.Struct, frozen=True):
    """How a board checks, the same for all submissions."""

    data: dict[str, str] = {}
    """The benchmarks' options that name data on this machine."""
    sample: int = SAMPLE
    """Of how many episodes of each run known agents are run again."""
    referees: tuple[str, ...] = ()
    """The public keys of referees that are trusted."""


def check_submission(
    path: Path,
    terms: Terms,
    seed: int | None = None,
    workers: Workers = None,
    progress: bool = False,
) -> Check:
    """Check a file.

    Args:
        path: The ZIP file.
        terms: How the board checks.
        seed: Which episodes are of the sample follows from it; by default nobody can know before.
        workers: Who plays, or the number of processes.
        progress: Show a bar for each run on a terminal.

    Raises:
        HousematesError: the file is no submission; nothing of it was used.
    """
    with opened(path) as submission:
        return check_opened(submission, terms, seed, workers, progress)


def check_opened(
    submission: Submission,
    terms: Terms,
    seed: int | None = None,
    workers: Workers = None,
    progress: bool = False,
) -> Check:
    """The same for one that has been unpacked."""
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    random = np.random.default_rng(seed)
    runs = []
    about: dict[str, str] = {}
    findings: list[Finding] = []
    for name, folder in submission.runs.items():
        looked = _Look(folder, terms, random)
        try:
            looked.all(workers, f"check {name}" if progress else None)
        except HousematesError as error:
            looked.findings.append(wrong("", str(error).replace(f"{folder}/", "")))
        runs.append(looked.told(name))
        first = about.setdefault(_identity(folder), name)
        if first != name:
            findings.append(wrong("", f"{first} and {name} are runs of the same agents and episodes"))
    tracks = {track for run in runs for track in run.tracks}
    if all(run.holds for run in runs):
        findings += declared_by_card(submission.card, tracks)
    return Check(submission.path.name, submission.sha256, seed, runs, findings)


class _Look:
    """What is found in a run, from its header to its last episode, until something cannot be read."""

    def __init__(self, folder: Path, terms: Terms, random: np.random.Generator) -> None:
        self._folder, self._terms, self._random = folder, terms, random
        self._benchmark, self._episodes, self._total = "", 0, Checked([])
        self._tracks: list[str] = []
        self._evidence: Evidence = "replayed"
        self.findings: list[Finding] = []

    def all(self, workers: Workers, label: str | None) -> None:
        """Look at everything; a run of other data or versions is refused before any episode."""
        folder, terms = self._folder, self._terms
        header = read_header(folder)
        self._benchmark = header.benchmark
        benchmark = benchmark_of(header, terms.data, [each.name for each in header.files])
        results = list(read_episodes(folder))
        self._episodes, self._tracks = len(results), shown_tracks(header, results)
        key = sealed_by(folder)
        refereed = key in terms.referees
        self.findings += declared(header, benchmark, refereed)
        if key and not refereed:
            self.findings.append(marked(SEAL, f"signed by {key}, who is no referee of this board"))
        if any(each.level == "wrong" for each in self.findings):
            return
        plan = _plan(header, benchmark, terms.data, sealed=bool(key))
        chosen = set(self._random.permutation(len(results))[: terms.sample].tolist())
        todo = _todo(folder, header, benchmark, results, chosen, self.findings)
        stream = map_ordered(partial(episodes.check, plan), todo, workers, label, episodes.lost)
        with closing(stream):
            for found in stream:
                _add(self._total, found)
        if refereed:
            self._evidence = "refereed"
        elif set(plan.live) == set(benchmark.roles) and self._total.confirmed:
            self._evidence = "run again"

    def told(self, name: str) -> RunCheck:
        """All that was found."""
        findings = [*self.findings, *self._total.findings[:MOST_FINDINGS], *_absent(self._total)]
        findings += _alike(self._total)
        bad = any(each.level == "wrong" for each in findings)
        acted = hashlib.sha256("\n".join(self._total.acted).encode()).hexdigest()[:32]
        return RunCheck(
            name,
            self._benchmark,
            self._episodes,
            self._total.acts,
            "replayed" if bad else self._evidence,
            self._tracks,
            findings,
            acted,
        )


def _plan(header: Header, benchmark: Benchmark, data: Mapping[str, str], sealed: bool) -> CheckPlan:
    """How a run is checked; agents of a referee were told other seeds, and are not run again."""
    seats = {} if sealed else live(header, benchmark)
    unknown = [role for role, seat in header.agents.items() if not seat.privileged and role not in seats]
    others = {} if sealed else {role: _privileged(benchmark, role) for role in unknown}
    return CheckPlan(
        header.name,
        portable_options(header, data),
        header.version,
        str(header.seed),
        seats,
        learned(header, benchmark),
        others,
    )


def _privileged(benchmark: Benchmark, role: str) -> list[str]:
    """The agents of this package that look at what a role may not know, and need nothing for it."""
    acts = getattr(benchmark.options, "acts", "low")
    specs = registry.agents_of(benchmark.name, role).values()
    return [each.name for each in specs if each.privileged and (not each.expert or acts in each.expert)]


def _todo(
    folder: Path,
    header: Header,
    benchmark: Benchmark,
    results: Sequence[Result],
    chosen: set[int],
    findings: list[Finding],
) -> Iterator[Work]:
    """The references of a run in the order of the split, with what was recorded of each, and those between.

    What shows while they are looked for is added to the findings.
    """
    wanted = header.episodes or (benchmark.episodes if header.split == GENERATED else None)
    if wanted is not None and len(results) > wanted:
        findings.append(wrong("episodes", f"{len(results)}, where the run has {wanted}"))
    sources = Counter(name for name, _ in groupby(results, key=lambda each: each.source))
    twice = [name for name, count in sources.items() if count > 1]
    if twice:
        findings.append(wrong(twice[0][:80], "its episodes do not stand together"))
        return
    if not results:
        findings.append(wrong("episodes", "there are none"))
        return
    there = find_references(benchmark, header.split, header.seed, sources.keys(), len(results))
    if strange := sorted(sources.keys() - there.keys()):
        findings.append(wrong(strange[0][:80], f"not in split {header.split}"))
        return
    if list(there) != list(sources):
        findings.append(wrong("", "the episodes are not in the order of the split"))
        return
    complete = wanted is not None and len(results) >= wanted
    references = iter(benchmark.references(header.split, header.seed))
    place, skipped = 0, 0
    for source, group in groupby(_recordings(folder), key=lambda each: each.result.source):
        recordings = tuple(group)
        for reference in references:
            if reference.id == source:
                break
            skipped += 1
            if skipped > MOST_SKIPPED + len(results):
                findings.append(wrong(source[:80], f"{skipped} references before it are not in the run"))
                return
            yield Work(reference)
        again = any(number in chosen for number in range(place, place + len(recordings)))
        place += len(recordings)
        yield Work(there[source], recordings, complete and place == len(results), again)
    if not complete:
        yield from _rest(references, header, wanted, len(results), findings)


def _rest(
    references: Iterator[Reference],
    header: Header,
    wanted: int | None,
    count: int,
    findings: list[Finding],
) -> Iterator[Work]:
    """What has to be in the run, too: the rest of a split, or of the generated episodes asked for."""
    if header.split == GENERATED:
        findings.append(wrong("episodes", f"{count}, where the run has to have {wanted}"))
        return
    for reference in references:
        yield Work(reference)


def _recordings(folder: Path) -> Iterator[Recording]:
    """What was recorded of each episode, one at a time."""
    for number, (result, told) in enumerate(zip_longest(read_episodes(folder), read_transcripts(folder)), 1):
        if result is None or told is None or result.id != told.id:
            names = [getattr(each, "id", None) or "missing" for each in (result, told)]
            raise HousematesError(f"line {number} is {names[0][:80]}, its transcript {names[1][:80]}.")
        yield Recording(result, told)


def _add(total: Checked, found: Checked) -> None:
    """Count what came of one more reference."""
    total.findings += found.findings
    total.acts += found.acts
    total.confirmed += found.confirmed
    total.compared += found.compared
    total.acted += found.acted
    total.absent |= found.absent
    total.alike = dict(Counter(total.alike) + Counter(found.alike))


def _absent(total: Checked) -> Iterator[Finding]:
    """The agents of the package that could not be run again here."""
    for name, why in sorted(total.absent.items()):
        yield marked("agents", f"{name} cannot be run here: {one_line(why)}")


def _alike(total: Checked) -> Iterator[Finding]:
    """Whether somebody acts as an agent does that looks at what may not be known."""
    for name, count in sorted(total.alike.items(), key=lambda each: -each[1]):
        if count >= max(FEWEST, ALIKE * total.compared):
            said = (
                f"in {count} of {total.compared} episodes the acts are those of the privileged agent {name}"
            )
            yield marked("agents", said)
            return


def _identity(folder: Path) -> str:
    """All that tells one run from another one of the same submission."""
    try:
        header = read_header(folder)
    except HousematesError:
        return str(folder)
    kept = (header.name, header.split, header.seed, header.options, header.agents)
    return msgspec.json.encode(kept).decode()
