"""Playing recorded episodes again: the same acts must lead to the same outcomes and the same world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from housemates.agents.basic import ReplayAgent
from housemates.core import registry
from housemates.core.agent import Agent
from housemates.core.benchmark import Benchmark, Instance, Reference, Result
from housemates.core.episode import OnStep, play
from housemates.core.percepts import Percept
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.data.claims import claimed
from housemates.data.fingerprints import by_name, fingerprint
from housemates.data.journal import difference
from housemates.errors import HousematesError
from housemates.evaluation.film import EpisodeFilm
from housemates.evaluation.results import (
    EPISODES,
    TRANSCRIPTS,
    Header,
    read_episodes,
    read_header,
    read_transcripts,
)
from housemates.evaluation.runner import find_references
from housemates.evaluation.transcripts import Transcript, Turn, transcript
from housemates.files import file_name
from housemates.parallel import Loss, Workers, map_ordered


class Recording(NamedTuple):
    """One episode as it was."""

    result: Result
    transcript: Transcript


class Replay(msgspec.Struct, frozen=True):
    """One episode as it is now, compared with what it was."""

    id: str
    steps: int
    """How many acts were done again."""
    differs: str = ""
    """The first thing that is not as it was, in words."""
    wording: str = ""
    """The first sentence about an act that is worded otherwise now; that is no difference."""
    video: str = ""
    """The film, if there is one."""


class Piece(NamedTuple):
    """A reference, and what was recorded of its episodes."""

    reference: Reference
    recordings: tuple[Recording, ...]


def replay_run(
    folder: Path,
    only: Sequence[str] | None = None,
    video: Path | None = None,
    workers: Workers = None,
    label: str | None = None,
) -> Iterator[Replay]:
    """Play the episodes of a folder of results again, in order.

    Args:
        folder: What `housemates eval --out` wrote.
        only: The ids of the episodes; all of them if None.
        video: A folder for a film of each episode: what the role that acts sees, and what it does.
        workers: Who plays, or the number of processes; None uses all processors.
        label: Title of a progress bar.
    """
    header = read_header(folder)
    todo = pieces(folder, header, only)
    work = partial(_replay, header.name, header.options, video)
    with claimed(folders=[video]):
        for replays in map_ordered(work, todo, workers, label, _lost):
            yield from replays


def pieces(folder: Path, header: Header, only: Sequence[str] | None = None) -> list[Piece]:
    """What was recorded in a folder, with where it comes from; other data than then are refused."""
    benchmark = same_benchmark(folder, header)
    recordings = _recordings(folder, only)
    sources = {each.result.source for each in recordings}
    episodes = sum(1 for _ in read_episodes(folder))
    references = find_references(benchmark, header.split, header.seed, sources, episodes)
    for each in recordings:
        if each.result.source not in references:
            raise HousematesError(f"{folder}: {each.result.id!r} is not in split {header.split!r} any more.")
    return [
        Piece(reference, tuple(each for each in recordings if each.result.source == name))
        for name, reference in references.items()
    ]


def _lost(work: Piece, loss: Loss) -> list[Replay]:
    return [Replay(each.result.id, 0, f"its process {loss.reason}") for each in work.recordings]


def same_benchmark(folder: Path, header: Header) -> Benchmark:
    """The benchmark of a run, if it is of the same version and its data are the same."""
    benchmark = registry.benchmark(header.name, **header.options)
    if benchmark.id != header.benchmark:
        raise HousematesError(f"{folder}: holds results of {header.benchmark}, and this is {benchmark.id}.")
    before, now = by_name(header.files), by_name(map(fingerprint, benchmark.files()))
    if before != now:
        raise HousematesError(f"{folder}: the data are not what they were ({difference(before, now)}).")
    return benchmark


def _recordings(folder: Path, only: Sequence[str] | None) -> list[Recording]:
    results, told = list(read_episodes(folder)), list(read_transcripts(folder))
    for number, (result, each) in enumerate(zip_longest(results, told), start=1):
        if result is None or each is None or result.id != each.id:
            names = [getattr(one, "id", None) or "missing" for one in (result, each)]
            raise HousematesError(
                f"{folder}: line {number} is {names[0]} in {EPISODES}, {names[1]} in {TRANSCRIPTS}."
            )
    found = [
        Recording(*pair) for pair in zip(results, told, strict=True) if only is None or pair[0].id in only
    ]
    missing = set(only or ()) - {each.result.id for each in found}
    if missing:
        raise HousematesError(f"{folder}: there is no episode {sorted(missing)[0]!r}.")
    if not found:
        raise HousematesError(f"{folder}: holds no episodes.")
    return found


def _replay(name: str, options: dict[str, str], video: Path | None, work: Piece) -> list[Replay]:
    benchmark = made_once(registry.benchmark_class(name), tuple(options.items()))
    try:
        instances = {each.id: each for each in benchmark.open(work.reference)}
    except Exception as error:
        found = [(each.result, f"it cannot be opened: {error}") for each in work.recordings]
        return [Replay(each.id, 0, "" if each.error == str(error) else why) for each, why in found]
    return [_again(benchmark, instances.get(each.result.id), each, video) for each in work.recordings]


@lru_cache(maxsize=1)
def made_once(made: type[Benchmark], options: tuple[tuple[str, str], ...]) -> Benchmark:
    """The benchmark of a run, made once a process."""
    return registry.benchmark(made.name, **dict(options))


def _again(
    benchmark: Benchmark, instance: Instance | None, recording: Recording, video: Path | None
) -> Replay:
    before = recording.result
    if instance is None:
        return Replay(before.id, 0, "it is not in its file any more")
    session = benchmark.session(instance)
    film = None if video is None else EpisodeFilm(session, benchmark.roles)
    again = confirm(benchmark, instance, recording, session, None if film is None else film.shoot)
    found = Replay(before.id, len(again.now.steps), again.differs, wording=again.wording)
    if video is None or film is None or not film.shots:
        return found
    path = video / f"{file_name(before.id)}.mp4"
    film.save(path)
    return msgspec.structs.replace(found, video=str(path))


class Confirmation(NamedTuple):
    """An episode that was played again, beside what was recorded of it."""

    now: Transcript
    differs: str
    """The first thing that is not as it was, in words."""
    wording: str
    """The first sentence about an act that is worded otherwise now."""


def confirm(
    benchmark: Benchmark,
    instance: Instance,
    recording: Recording,
    session: Session,
    on_step: OnStep | None = None,
) -> Confirmation:
    """Do what was recorded in a new session of its instance, and compare all that came of it."""
    before, told = recording
    trace = play_again(session, told, benchmark.roles, instance, on_step)
    now = transcript(before.id, trace)
    reworded = Recording(before, _reworded(told, now))
    differs = _differs(reworded, now, trace, benchmark, instance, session)
    return Confirmation(now, differs, _wording(told, now))


def play_again(
    session: Session,
    told: Transcript,
    roles: Sequence[str],
    instance: Instance,
    on_step: OnStep | None = None,
) -> Trace:
    """Do in a new session what was recorded; `on_step` is called after each act."""
    agents = {role: reader_of(told, role) for role in roles}
    return play(session, agents, instance, on_step)


def reader_of(told: Transcript, role: str) -> Agent:
    """Who does again what a role did."""
    return _Reader([turn for turn in told.steps if turn.role == role])


class _Reader(ReplayAgent):
    """Does again what was done, and reads again what was read."""

    def act(self, percept: Percept) -> Any:
        turn: Turn = super().act(percept)
        if turn.text is not None:
            _ = percept.text
        return turn.again()


def _reworded(told: Transcript, now: Transcript) -> Transcript:
    """A recording with the sentences of now about its acts, also where a role read them again."""
    steps, last = [], dict[str, tuple[str, str]]()
    for old, new in zip(told.steps, now.steps, strict=False):
        before, after = last.get(old.role, ("", ""))
        text = old.text.replace(before, after) if old.text and before else old.text
        steps.append(msgspec.structs.replace(old, message=new.message, text=text))
        last[old.role] = (old.message, new.message)
    return msgspec.structs.replace(told, steps=[*steps, *told.steps[len(steps) :]])


def _wording(told: Transcript, now: Transcript) -> str:
    """The first sentence about an act that is another one now; empty if all are the same."""
    pairs = enumerate(zip(told.steps, now.steps, strict=False))
    return next(
        (
            f"act {number}: message {difference(old.message, new.message)}"
            for number, (old, new) in pairs
            if old.act is not None and old.message != new.message
        ),
        "",
    )


def _differs(
    recording: Recording,
    now: Transcript,
    trace: Trace,
    benchmark: Benchmark,
    instance: Instance,
    session: Session,
) -> str:
    """The first thing that is not as it was: in what was told and done, then in what came of it."""
    before, told = recording
    if _plain(told.briefs) != _plain(now.briefs) and told.briefs:
        return f"briefs: {difference(_plain(told.briefs), _plain(now.briefs))}"
    for number, (old, new) in enumerate(zip(told.steps, now.steps, strict=False)):
        was, came = _outcome(old, old), _outcome(new, old)
        if was != came:
            return f"act {number}: {difference(was, came)}"
    if len(now.steps) != len(told.steps):
        return f"it has {len(now.steps)} acts, not {len(told.steps)}"
    if before.digest and session.digest() != before.digest:
        return "the world at the end is another one"
    if not before.error and trace.error and before.ended != "left":
        return "it goes on after its last act"
    written, counted = _facts(before, told), _counted(before, trace, benchmark, instance, session)
    return "" if written == counted else difference(written, counted)


def _facts(before: Result, told: Transcript) -> dict[str, Any]:
    """What is written of an episode and can be worked out again."""
    found: dict[str, Any] = _plain(before)
    kept = ("task", "tags", "steps", "failures", "pointed", "ended", "scores")
    return {**{name: found[name] for name in kept}, "ended in the transcript": told.ended}


def _counted(
    before: Result, trace: Trace, benchmark: Benchmark, instance: Instance, session: Session
) -> dict[str, Any]:
    """The same, worked out."""
    ended = before.ended if before.error or before.ended == "left" else trace.ended
    again = Result(
        before.id,
        instance.task,
        {} if before.error else benchmark.score(instance, session, trace),
        dict(instance.tags),
        len(trace.steps),
        trace.failures,
        ended,
        pointed=trace.pointed(),
    )
    return _facts(again, Transcript(before.id, ended=ended))


def _outcome(turn: Turn, recorded: Turn) -> dict[str, Any]:
    """What has to be the same when an act is done again; of an answer without sense, that it had none.

    Before outcomes had reasons, less of what they tell was in their data; only what was recorded counts.
    """
    found: dict[str, Any] = _plain(turn)
    if turn.act is None:
        return {name: found.get(name) for name in ("role", "act", "success", "text")}
    if recorded.reason:
        return found
    data = {name: turn.data.get(name) for name in recorded.data}
    return {**found, "reason": None, "data": _plain(data)}


def _plain(value: Any) -> Any:
    """As it is read from a file."""
    return msgspec.json.decode(msgspec.json.encode(value))
