"""One reference of a submitted run: its episodes are played again, and compared with all that was written."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any

import msgspec

from housemates import __version__
from housemates.core import registry
from housemates.core.agent import Agent
from housemates.core.benchmark import Benchmark, Instance, Reference, Result
from housemates.core.episode import Episode
from housemates.core.loading import Seating, make_agents
from housemates.errors import ExtraMissing
from housemates.evaluation.leaderboard.findings import Finding, marked, wrong
from housemates.evaluation.replay import Confirmation, Recording, confirm, made_once, reader_of
from housemates.evaluation.transcripts import Transcript, Turn, transcript
from housemates.parallel import Loss

MOST_SECONDS = 1e9
LONGEST_ERROR = 100_000


class CheckPlan(msgspec.Struct, frozen=True):
    """How the episodes of a run are checked."""

    benchmark: str
    options: dict[str, str]
    version: str
    """Of the package that made the run."""
    key: str
    """What the briefs of agents that are run again follow from: `Run.brief_key`."""
    live: dict[str, Seating] = {}
    """Agents that are run again."""
    learned: bool = False
    """Whether networks play among them, whose numbers may differ between machines."""
    others: dict[str, list[str]] = {}
    """By role that is not run again, the privileged agents that it must not be."""


class Work(msgspec.Struct, frozen=True):
    """A reference, and what was recorded of its episodes; nothing, if none of them is in the run."""

    reference: Reference
    recordings: tuple[Recording, ...] = ()
    last: bool = False
    """Whether the run may end in the midst of it."""
    again: bool = False
    """Whether agents are run again, too."""


class Checked(msgspec.Struct):
    """What came of a reference."""

    findings: list[Finding]
    acts: int = 0
    confirmed: int = 0
    """Episodes in which the agents that were run again acted the same."""
    alike: dict[str, int] = {}
    """Privileged agents, and in how many episodes they act as was recorded."""
    compared: int = 0
    """How many episodes that is of."""
    acted: list[str] = []
    """A fingerprint of the acts of each episode."""
    absent: dict[str, str] = {}
    """Agents of the package that cannot be made here, and why not."""


def check(plan: CheckPlan, work: Work) -> Checked:
    """Open a reference, and check what was recorded of it."""
    benchmark = made_once(registry.benchmark_class(plan.benchmark), tuple(plan.options.items()))
    reference, recorded = work.reference, work.recordings
    try:
        instances = benchmark.open(reference)
    except Exception as error:
        alone = [each.result.id for each in recorded] == [reference.id]
        if alone and recorded[0].result.error and not recorded[0].transcript.steps:
            return Checked([], acted=[""])
        return Checked([wrong(reference.id, f"cannot be opened, and counts as a failure: {error}")])
    found = Checked(list(_of_reference(work, [each.id for each in instances])))
    by_name = {each.id: each for each in instances}
    for recording in recorded:
        instance = by_name.get(recording.result.id)
        if instance is not None:
            _check_episode(plan, benchmark, instance, recording, work.again, found)
    return found


def lost(work: Work, loss: Loss) -> Checked:
    """What is said of a reference with which two processes died."""
    return Checked([wrong(work.reference.id, f"could not be checked: its process {loss.reason}")])


def _of_reference(work: Work, names: Sequence[str]) -> Iterator[Finding]:
    """Whether the run has all episodes of a reference, each once and in order."""
    recorded = [each.result for each in work.recordings]
    expected = names[: len(recorded)] if work.last else names
    if not recorded:
        if names:
            yield wrong(
                work.reference.id, f"not in the run: {len(names)} of the episodes that it has to have"
            )
        return
    for place, pair in enumerate(zip_longest(expected, [each.id for each in recorded])):
        if pair[0] != pair[1]:
            wanted, found = (each or "none" for each in pair)
            yield wrong(work.reference.id, f"episode {place} of it is {wanted}, found {found[:80]}")
            return
    for each in recorded:
        if each.of != len(names):
            yield wrong(each.id, f"one of {len(names)} episodes of {work.reference.id}, found {each.of}")


def _check_episode(
    plan: CheckPlan,
    benchmark: Benchmark,
    instance: Instance,
    recording: Recording,
    again: bool,
    found: Checked,
) -> None:
    result, told = recording
    found.findings += [wrong(result.id, said) for said in _odd(result, told, benchmark)]
    session = benchmark.session(instance)
    confirmation = confirm(benchmark, instance, recording, session)
    found.acts += len(confirmation.now.steps)
    found.acted.append(_fingerprint(confirmation.now))
    if confirmation.differs:
        found.findings.append(wrong(result.id, confirmation.differs))
        return
    found.findings += [
        (wrong if plan.version == __version__ else marked)(result.id, said)
        for said in _reworded(told, confirmation)
    ]
    if again and told.steps and not result.error:
        _run_again(plan, benchmark, instance, told, found)


def _odd(result: Result, told: Transcript, benchmark: Benchmark) -> Iterator[str]:
    """What no run writes."""
    errors = {bool(result.error), bool(told.error), result.ended == "error"}
    if len(errors) > 1 or (result.error and result.scores):
        yield "an error that is not one everywhere"
    if not told.steps and not told.briefs and result.error:
        return
    if set(told.briefs) != set(benchmark.roles) and not result.error:
        yield "not every role was briefed"
    if not result.digest:
        yield "the digest of the world at the end is missing"
    if not all(math.isfinite(each) for each in result.scores.values()):
        yield "a score that is no number"
    used = [each for usage in result.usage.values() for each in usage.values()]
    if not all(name.isprintable() for usage in result.usage.values() for name in usage):
        yield "usage by a name that cannot be shown"
    if not all(math.isfinite(each) and each >= 0 for each in (result.seconds, *used)):
        yield "time or usage below 0"
    if result.seconds > MOST_SECONDS or set(result.usage) - set(benchmark.roles):
        yield "time or usage that cannot be"
    if len(result.error) + len(result.traceback) > LONGEST_ERROR:
        yield "an error too long to be shown"


def _reworded(told: Transcript, confirmation: Confirmation) -> Iterator[str]:
    """Sentences and reasons that are not as they are now."""
    if confirmation.wording:
        yield f"told in other words: {confirmation.wording}"
    for number, (old, new) in enumerate(zip(told.steps, confirmation.now.steps, strict=True)):
        if msgspec.json.encode((old.reason, old.data)) != msgspec.json.encode((new.reason, new.data)):
            yield f"act {number}: its reason or data are not written as they are"
            return


def _run_again(
    plan: CheckPlan, benchmark: Benchmark, instance: Instance, told: Transcript, found: Checked
) -> None:
    """Let the agents that are known act again, and compare privileged ones with the others."""
    if plan.live:
        now = _acted_by(plan.live, benchmark, instance, told, plan.key, found)
        difference = _first_difference(told, now, set(plan.live)) if now else ""
        if difference:
            level = marked if plan.learned else wrong
            found.findings.append(level(told.id, f"run again, the agents act otherwise: {difference}"))
        elif now:
            found.confirmed += 1
    for role, names in plan.others.items():
        found.compared += 1
        for name in names:
            now = _acted_by({role: Seating(name)}, benchmark, instance, told, plan.key, found)
            if now and _similar(_acts(told, role), _acts(now, role)):
                found.alike[name] = found.alike.get(name, 0) + 1


def _acted_by(
    seats: Mapping[str, Seating],
    benchmark: Benchmark,
    instance: Instance,
    told: Transcript,
    key: str,
    found: Checked,
) -> Transcript | None:
    """The episode with these agents, and what was recorded in other seats; it ends an act later at most.

    None if they cannot be made here, which is noted.
    """
    try:
        agents = _made(type(benchmark), msgspec.json.encode(seats))
    except ExtraMissing as error:
        found.absent[", ".join(seating.name for seating in seats.values())] = str(error)
        return None
    others = {role: reader_of(told, role) for role in benchmark.roles if role not in agents}
    episode = Episode(benchmark, instance, {**others, **agents}, key=key)
    while not episode.over and len(episode.trace.steps) <= len(told.steps):
        episode.step()
    return transcript(told.id, episode.trace)


@lru_cache(maxsize=8)
def _made(benchmark: type[Benchmark], seats: bytes) -> dict[str, Agent]:
    """The agents that are run again, made once a process."""
    return make_agents(benchmark, msgspec.json.decode(seats, type=dict[str, Seating]))


def _first_difference(told: Transcript, now: Transcript, roles: set[str]) -> str:
    """The first act of these roles that is another one now, or is read or answered otherwise."""
    for number, (old, new) in enumerate(zip_longest(told.steps, now.steps)):
        if old is None or new is None:
            return f"they end after {number} acts" if new is None else f"they go on after {number} acts"
        if old.role not in roles:
            continue
        if _shown(old) != _shown(new):
            return f"act {number} is {_named(new)}, recorded is {_named(old)}"
    return "" if told.ended == now.ended else f"they end by {now.ended}, recorded is {told.ended[:40]}"


def _similar(acts: Sequence[Any], theirs: Sequence[Any]) -> bool:
    """Whether acts are those of another, up to a few that lead nowhere in between."""
    if not theirs or len(acts) > 1.5 * len(theirs) + 2:
        return False
    rest = iter(acts)
    return all(any(act == each for act in rest) for each in theirs)


def _acts(told: Transcript, role: str) -> list[Any]:
    return [turn.act for turn in told.steps if turn.role == role]


def _shown(turn: Turn) -> tuple[Any, ...]:
    return (turn.role, turn.act, turn.answer, turn.text)


def _named(turn: Turn) -> str:
    if turn.act is None:
        return f"nonsense ({turn.answer[:60]})"
    given = [str(each)[:40] for each in turn.act.arguments.values()]
    return " ".join([turn.act.name, *given])[:120]


def _fingerprint(told: Transcript) -> str:
    """Of what everybody did in an episode."""
    acts = msgspec.json.encode([(turn.role, turn.act) for turn in told.steps])
    return hashlib.blake2b(acts, digest_size=8).hexdigest()
