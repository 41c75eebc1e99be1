"""Runs agents on a benchmark's instances in processes; what is finished survives an interruption."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from housemates import __version__
from housemates.core import registry, scoring
from housemates.core.benchmark import Benchmark, Reference, Result
from housemates.core.loading import deciding, is_foreign, recorded, waits
from housemates.errors import HousematesError
from housemates.evaluation.episodes import Halted, Introduction, Job, Played, Run, dismiss, lost, work
from housemates.evaluation.results import Folder, header_of
from housemates.parallel import LATER, Later, Workers, crew_of, map_ordered, track

__all__ = ["Run", "evaluate", "find_references", "report"]

MESSAGES = 5
"""How many different errors a report names."""
FIRST, PER_EPISODE = 1000, 10
"""Generated references among which those of a run are looked for: the first, and more for each episode."""


def evaluate(
    run: Run,
    workers: Workers = None,
    out: Path | None = None,
    progress: bool = True,
    retry_errors: bool = False,
) -> dict[str, Any]:
    """Run every instance and return the report.

    Args:
        run: What to evaluate.
        workers: Who plays, or the number of processes; None uses all processors. Agents that are somebody's
            own, and those whose time or memory is limited, are never run in this process. Those that do
            little but wait for answers are played by threads, all in one process.
        out: A folder for the results. If it holds the start of the same run, only the rest is done.
        progress: Show a bar on a terminal.
        retry_errors: Play again what ended in an error.
    """
    if run.episodes is not None and run.episodes < 1:
        raise HousematesError(f"--episodes: expected 1 or more, found {run.episodes}.")
    crew = crew_of(workers)
    if crew.executor == "processes" and waits(run.agents):
        crew = replace(crew, executor="threads")
    if run.memory is not None and crew.executor == "threads":
        raise HousematesError("--memory: threads share theirs; use --executor processes or ray.")
    if retry_errors and out is None:
        raise HousematesError("--retry-errors: name the folder of the results with --out.")
    benchmark = registry.benchmark(run.benchmark, **run.options)
    references = benchmark.references(run.split, run.seed)
    first = next(references, None)
    if first is None:
        raise HousematesError(f"{run.benchmark}: split {run.split!r} has no instances.")
    wanted = run.episodes or (benchmark.episodes if run.split == "generated" else None)
    with ExitStack() as stack:
        folder = None
        if out is not None:
            folder = Folder(out, header_of(run, benchmark), wanted, retry_errors)
            stack.callback(folder.close)
            run = msgspec.structs.replace(run, agents=recorded(run.agents, out))
        stack.callback(dismiss)
        queue = _Queue(chain([first], references), benchmark.text, folder.results if folder else [], wanted)
        results, who = _play_all(run, queue, crew, folder, progress)
        if folder is not None and queue.gaps:
            known = find_references(
                benchmark, run.split, run.seed, {each.source for each in results}, len(results)
            )
            places = {name: place for place, name in enumerate(known)}
            folder.sort(lambda result: places.get(result.source, len(places)))
            results = folder.results
    if queue.halted and not results:
        raise HousematesError(queue.halted)
    return report(run, benchmark, who.privileged, results, queue.halted, who.isolated)


class _Queue:
    """References that are to be played, no more at a time than episodes are missing."""

    def __init__(
        self,
        references: Iterable[Reference],
        text: Callable[[Reference], str | None],
        finished: Sequence[Result],
        wanted: int | None,
    ) -> None:
        self.wanted, self._text = wanted, text
        self.gaps = False
        """Whether something was missing before something that is there."""
        self._references = references
        self._unseen = {each.source for each in finished}
        self._have, self._under_way = len(finished), 0
        self.halted = ""
        """Why no more is played."""

    def jobs(self) -> Iterator[Job | Later]:
        """What is to be played."""
        for reference in self._references:
            if reference.id in self._unseen:
                self._unseen.remove(reference.id)
                continue
            if self.halted:
                return
            while self.wanted is not None and self._have + self._under_way >= self.wanted:
                if not self._under_way:
                    return
                yield LATER
            self.gaps |= bool(self._unseen)
            self._under_way += 1
            yield Job(self._with_text(reference))

    def _with_text(self, reference: Reference) -> Reference:
        """The reference with its record, if it has one that can be read; else `open` says what is wrong."""
        try:
            return msgspec.structs.replace(reference, text=self._text(reference))
        except HousematesError:
            return reference

    def came(self, episodes: int) -> None:
        """A reference has been played, and had so many episodes."""
        self._under_way -= 1
        self._have += episodes

    def halt(self, reason: str) -> None:
        """A reference was not finished, and no more are to be played."""
        self._under_way -= 1
        self.halted = self.halted or reason


def _play_all(
    run: Run, queue: _Queue, workers: Workers, folder: Folder | None, progress: bool
) -> tuple[list[Result], Introduction]:
    """All results of a run, those that were there first; and what its agents say of themselves."""
    jobs = queue.jobs()
    first = next(jobs, None)
    if first is None:
        assert folder is not None
        return folder.results, Introduction(folder.header.privileged, folder.header.isolated)
    names = ", ".join(dict.fromkeys(each.name for each in run.agents.values()))
    limited = run.act_timeout is not None or run.memory is not None
    apart = limited or any(is_foreign(each.name) and not each.isolation for each in run.agents.values())
    items = chain([Job(), first], jobs)
    stream = map_ordered(partial(work, run), items, workers, lost=partial(lost, run), apart=apart)
    with closing(stream):
        introduction = next(stream)
        assert isinstance(introduction, Introduction)
        results = []
        if folder is not None:
            folder.begin(introduction)
            results = list(folder.results)
        left = None if queue.wanted is None else queue.wanted - len(results)
        label = f"{run.benchmark} ({names})" if progress else None
        for played in track(islice(_episodes(stream, queue), left), left, label):
            results.append(played.result)
            if folder is not None:
                folder.add(played)
    return results, introduction


def _episodes(stream: Iterator[Introduction | list[Played] | Halted], queue: _Queue) -> Iterator[Played]:
    for found in stream:
        if isinstance(found, Halted):
            queue.halt(found.reason)
            continue
        assert isinstance(found, list)
        queue.came(len(found))
        yield from found


def find_references(
    benchmark: Benchmark, split: str, seed: int, ids: Collection[str], episodes: int
) -> dict[str, Reference]:
    """The references of a split that have these ids, in the order of the split.

    Args:
        benchmark: Whose they are.
        split: Which split; `generated` has no end.
        seed: Of the run.
        ids: Those that are looked for.
        episodes: How many the run has that they come from.
    """
    found: dict[str, Reference] = {}
    farthest = FIRST + PER_EPISODE * episodes if split == "generated" else None
    for reference in islice(benchmark.references(split, seed), farthest):
        if len(found) == len(ids):
            break
        if reference.id in ids:
            found[reference.id] = reference
    return found


def report(
    run: Run,
    benchmark: Benchmark,
    privileged: Sequence[str],
    results: Sequence[Result],
    halted: str = "",
    isolated: Mapping[str, Mapping[str, bool]] = MappingProxyType({}),
) -> dict[str, Any]:
    """What a run comes to, with the same keys for every benchmark; shares are in percent.

    `success` and its interval are None where the files do not tell any goal.

    Args:
        run: What was evaluated.
        benchmark: Of the run.
        privileged: Roles whose agents look at what they may not know.
        results: All there are.
        halted: Why there are no more, if the run had to stop.
        isolated: Role -> from what its agent was kept away, if it was in a process of its own.
    """
    if not results:
        raise HousematesError(f"{run.benchmark}: split {run.split!r} has no instances.")
    summary = benchmark.summarise(results, run.split)
    scored = [each for each in results if each.scored]
    success = scoring.percent(scored, "success")["success"] if scored else None
    sure = scoring.interval([each.score("success") for each in scored]) if scored else None
    messages = Counter(each.error for each in results if each.error)
    return {
        "benchmark": benchmark.id,
        "version": __version__,
        "agents": {role: seating.name for role, seating in run.agents.items()},
        "agent_options": {role: deciding(seating) for role, seating in run.agents.items()},
        "privileged": list(privileged),
        "isolated": {role: dict(kept) for role, kept in isolated.items()},
        "split": run.split,
        "seed": run.seed,
        "options": run.options,
        "pointing": sorted({each for result in results for each in result.pointed}),
        "episodes": len(results),
        "errors": messages.total(),
        "messages": dict(messages.most_common(MESSAGES)),
        "halted": halted,
        "success": success,
        "interval": sure,
        "metrics": dict(summary.metrics),
        "tables": summary.tables,
        "paper": summary.paper,
        "usage": _usage(results),
        "seconds": round(sum(each.seconds for each in results), 3),
    }


def _usage(results: Sequence[Result]) -> dict[str, dict[str, float]]:
    """What each role's agent used up in all episodes together."""
    found: dict[str, Counter[str]] = {}
    for result in results:
        for role, used in result.usage.items():
            found.setdefault(role, Counter()).update(used)
    return {role: dict(used) for role, used in found.items()}
