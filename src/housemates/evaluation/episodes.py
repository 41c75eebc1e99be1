"""What a worker does: it makes benchmark and agents once, opens references and plays what is in them."""

from __future__ import annotations

import atexit
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from housemates.core import registry
from housemates.core.agent import Agent, Halt
from housemates.core.benchmark import Benchmark, Instance, Reference, Result
from housemates.core.episode import Episode
from housemates.core.isolation.agent import IsolatedAgent
from housemates.core.loading import Seating, make_agents
from housemates.core.tokens import counter
from housemates.errors import HousematesError
from housemates.evaluation.transcripts import Transcript, reading, transcript
from housemates.parallel import Again, Loss, is_worker, limit_memory, note

MAKING = "making agents"
"""What a process says it is at before it can play."""


class Run(msgspec.Struct, frozen=True):
    """All that decides the numbers of an evaluation."""

    benchmark: str
    agents: dict[str, Seating]
    """Who sits in which seat, as `core.loading.seat_all` reads it."""
    split: str = "generated"
    episodes: int | None = None
    seed: int = 0
    options: dict[str, str] = {}
    act_timeout: float | None = None
    memory: int | None = None
    """Megabytes that a process which plays may have."""
    key: str = ""
    """A referee's: see `Episode`. Then an agent that says that nobody can go on has failed."""
    tokenizer: str = ""
    """The file that counts the tokens of percepts; they are estimated without."""

    @property
    def brief_key(self) -> str:
        """What ids and seeds of briefs follow from, beside the instance: a referee's key or the seed."""
        return self.key or str(self.seed)


class Fallen(NamedTuple):
    """An episode during which a process died."""

    number: int
    error: str
    trail: str


class Job(NamedTuple):
    """A reference to be played; none, if the agents are only to introduce themselves."""

    reference: Reference | None = None
    fallen: tuple[Fallen, ...] = ()
    """Episodes of it that are not to be played again."""


class Introduction(NamedTuple):
    """The agents could be made, and which of them are privileged."""

    privileged: tuple[str, ...]
    isolated: dict[str, dict[str, bool]]
    """Role -> from what its agent is kept away, if it is in a process of its own."""


class Played(NamedTuple):
    """What came of one episode."""

    result: Result
    transcript: Transcript


class Halted(NamedTuple):
    """The episodes of a reference were not finished, and no others can be."""

    reason: str


def work(run: Run, job: Job) -> Introduction | list[Played] | Halted:
    """Play the episodes of a reference; whatever goes wrong is an error of that episode alone."""
    benchmark, agents = _prepared(run)
    reference = job.reference
    if reference is None:
        return Introduction(
            tuple(role for role, agent in agents.items() if _is_privileged(agent)),
            {role: agent.isolated for role, agent in agents.items() if isinstance(agent, IsolatedAgent)},
        )
    note("")
    try:
        instances = benchmark.open(reference)
    except Exception as error:
        return [failed(reference.id, "", {}, reference.id, 1, *_error_text(error))]
    fallen = {each.number: each for each in job.fallen}
    found = []
    for number, instance in enumerate(instances):
        if number in fallen:
            lost = fallen[number]
            place = (reference.id, len(instances))
            found.append(failed(instance.id, instance.task, instance.tags, *place, lost.error, lost.trail))
            continue
        note(str(number))
        try:
            found.append(_played(run, benchmark, agents, instance, reference.id, len(instances)))
        except Halt as halt:
            return Halted(str(halt))
    return found


def lost(run: Run, job: Job, loss: Loss) -> list[Played] | Again[Job]:
    """What to do when a process died: its episode is an error, the rest of the reference is played again."""
    if job.reference is None or loss.at == MAKING:
        names = ", ".join(dict.fromkeys(each.name for each in run.agents.values()))
        raise HousematesError(f"{names}: the process {loss.reason} while its agents were being made.")
    if loss.late:
        error = f"An agent took more than {run.act_timeout:g} s and did not give in; its process was ended."
    else:
        error = f"The process {loss.reason} in the middle of the episode."
    if not loss.at:
        return [failed(job.reference.id, "", {}, job.reference.id, 1, error, loss.trail)]
    return Again(job._replace(fallen=(*job.fallen, Fallen(int(loss.at), error, loss.trail))))


def failed(
    name: str,
    task: str,
    tags: Mapping[str, str],
    source: str,
    of: int,
    error: str,
    trail: str,
    usage: Mapping[str, dict[str, int | float]] | None = None,
) -> Played:
    """An episode that has no scores, why, and what it took all the same."""
    result = Result(
        name,
        task,
        {},
        dict(tags),
        ended="error",
        error=error,
        traceback=trail,
        usage=dict(usage or {}),
        source=source,
        of=of,
    )
    return Played(result, Transcript(name, error=error))


class _Made(NamedTuple):
    """What a thread has made for the run that it works for."""

    key: bytes
    benchmark: Benchmark
    agents: dict[str, Agent]


_made: dict[int, _Made] = {}
"""By thread: an agent plays one episode at a time."""


def dismiss() -> None:
    """Close the agents of this process."""
    while _made:
        _close(_made.popitem()[1])


def _close(made: _Made) -> None:
    for agent in made.agents.values():
        try:
            getattr(agent, "close", lambda: None)()
        except Exception as error:
            print(f"{type(agent).__name__} raised in close: {error}", file=sys.stderr)


def _prepared(run: Run) -> tuple[Benchmark, dict[str, Agent]]:
    key, thread = msgspec.json.encode(run), threading.get_ident()
    made = _made.get(thread)
    if made is None or made.key != key:
        note(MAKING)
        if run.memory is not None:
            limit_memory(run.memory)
        if made is not None:
            _close(_made.pop(thread))
        if is_worker() and not _made:
            atexit.register(dismiss)
        try:
            benchmark = registry.benchmark(run.benchmark, **run.options)
            made = _made[thread] = _Made(key, benchmark, make_agents(type(benchmark), run.agents))
        except MemoryError:
            raise HousematesError(f"--memory: {run.memory} MB are too few for {run.benchmark}.") from None
    return made.benchmark, made.agents


def _is_privileged(agent: Any) -> bool:
    return bool(getattr(agent, "privileged", False))


def _played(
    run: Run,
    benchmark: Benchmark,
    agents: dict[str, Agent],
    instance: Instance,
    source: str,
    of: int,
) -> Played:
    began = time.perf_counter()
    used: dict[str, dict[str, int | float]] = {}
    try:
        episode = Episode(benchmark, instance, agents, act_timeout=run.act_timeout, key=run.brief_key)
        try:
            episode.run()
        except Halt:
            if not run.key:
                raise
        told = transcript(instance.id, episode.trace, counter(run.tokenizer))
        used = episode.trace.usage
        result = episode.result(source=source, of=of, seconds=round(time.perf_counter() - began, 3))
        read = {role: {**result.usage.get(role, {}), **more} for role, more in reading(told).items()}
        result = msgspec.structs.replace(result, usage={**result.usage, **read})
    except Halt:
        raise
    except Exception as error:
        return failed(instance.id, instance.task, instance.tags, source, of, *_error_text(error), used)
    return Played(result, told)


def _error_text(error: Exception) -> tuple[str, str]:
    """What went wrong, in a sentence, and where, unless the sentence says it."""
    if isinstance(error, HousematesError):
        return str(error), ""
    return f"{type(error).__name__}: {error}", traceback.format_exc()
