"""The episode: the only holder of a session with its agents, limits and trace.

Evaluation, generation, environments, adapters, the studio, films and replays are faces of it: whose turn it
is, who leaves, what fails, and when an episode is cut off is decided here and nowhere else.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from housemates.core.actions import shown
from housemates.core.agent import Agent, Halt, Left
from housemates.core.agent_calls import AgentFailed, clean, guarded, usage_of
from housemates.core.benchmark import Benchmark, Instance, Result
from housemates.core.copies import Memo, copied
from housemates.core.outcome import Outcome
from housemates.core.percepts import Brief, Percept, keyed
from housemates.core.session import Session
from housemates.core.trace import Step, Trace
from housemates.errors import HousematesError

OnStep = Callable[[Session, Step], None]
LINES = 20
"""How much of a traceback is kept, from its end."""
LONGEST_ANSWER = 2000
NOBODY: Mapping[str, Agent] = MappingProxyType({})


class Episode:
    """A running session, who sits in its seats, and what has happened so far.

    Seats without an agent are for whoever holds the episode: `act` does what is answered there, and lets the
    agents act until it is such a seat's turn again. An agent that leaves, raises or takes too long ends the
    episode, and `trace` says how; so does one that says that nobody can go on, and then `run` raises `Halt`.

    Args:
        benchmark: Gives the session and the scores; None if the session was made in another way.
        instance: What is asked; without it privileged agents fail.
        agents: Who sits in which seat.
        session: A new session, where it is not the one that the benchmark begins.
        on_step: Called after each act.
        act_timeout: Seconds that an agent may think about one act. In a worker, an agent that does not give
            in is ended with its process.
        key: What the ids and the seeds that agents are told follow from, beside the instance, so that they
            tell nothing of it to who does not know the key; the trace has the instance's own.
    """

    def __init__(
        self,
        benchmark: Benchmark | None,
        instance: Instance | None,
        agents: Mapping[str, Agent] = NOBODY,
        session: Session | None = None,
        on_step: OnStep | None = None,
        act_timeout: float | None = None,
        key: str = "",
    ) -> None:
        self.benchmark, self.instance = benchmark, instance
        self.session = session if session is not None else _begun(benchmark, instance)
        self.agents, self.trace = agents, Trace()
        self.earned = 0.0
        """What the last act of such a seat brought it, with what others did since."""
        self._on_step, self._act_timeout, self._key = on_step, act_timeout, key
        self._halt: Halt | None = None
        try:
            for role, agent in agents.items():
                self._seat(role, agent)
        except (Left, AgentFailed, Halt) as why:
            self._break_off(why)
        self._look_at_the_end()

    @property
    def over(self) -> bool:
        """Whether it has ended, whatever ended it."""
        return bool(self.trace.ended)

    @property
    def turn(self) -> str | None:
        """The role whose turn it is; None when it is over."""
        return None if self.over else self.session.role

    def brief(self, role: str) -> Brief:
        """What a role is told before its first turn; where there is a key, id and seed follow from it."""
        if role not in self.trace.briefs:
            self.trace.briefs[role] = self.session.brief(role)
        own = self.trace.briefs[role]
        return keyed(own, f"{self._key} {own.id}") if self._key else own

    def percept(self, role: str | None = None) -> Percept:
        """What a role perceives now: the one whose turn it is, if none is named."""
        return self.session.observe(role)

    def act(self, role: str, action: Any) -> Outcome:
        """Do what is answered in a seat without an agent; then agents act until it is such a seat's turn.

        Raises:
            HousematesError: If the episode is over, or it is somebody else's turn.
        """
        if self.trace.ended:
            raise HousematesError("The episode is over: begin another one.")
        session = self.session
        if session.role != role:
            raise HousematesError(f"It is not the {role}'s turn: it is the {session.role}'s.")
        outcome = self._take(role, action, None).outcome
        self.earned = session.reward(role)
        if self.agents:
            self.advance(role)
        return outcome

    def advance(self, role: str = "") -> None:
        """Let the agents act until it is the turn of a seat that has none; count what it brings a role."""
        while self.turn in self.agents:
            self.step()
            if role:
                self.earned += self.session.reward(role)

    def step(self) -> Step | None:
        """Let the agent whose turn it is act once; None if that ended the episode without an act."""
        role, done = self.turn, len(self.trace.steps)
        if role not in self.agents:
            raise HousematesError(f"Nobody is the {role}, whose turn it is.")
        assert role is not None
        try:
            percept, agent = self.session.observe(role), self.agents[role]
            with guarded(role, agent, "act", self._act_timeout):
                action = agent.act(percept)
            return self._take(role, action, percept.read)
        except (Left, AgentFailed, Halt) as why:
            self._break_off(why)
        return self.trace.steps[-1] if len(self.trace.steps) > done else None

    def take(self, action: Any, text: str | None = None) -> Step:
        """Do what the role whose turn it is has answered; nobody else acts.

        Args:
            action: The answer.
            text: What the role had read, if it asked for the text.
        """
        role = self.turn
        if role is None:
            raise HousematesError("The episode is over: nobody has a turn.")
        return self._take(role, action, text)

    def run(self) -> Trace:
        """Let the agents play to the end or the limits, and return what happened.

        Raises:
            Halt: An agent says that nobody can go on.
        """
        while not self.over:
            self.step()
        if self._halt is not None:
            raise self._halt
        return self.trace

    def leave(self) -> None:
        """End it here, unless it has ended, as an agent does that leaves."""
        self._end("left")

    def fail(self, failure: HousematesError) -> None:
        """End it here by a failure that is told in one sentence; what raised it is kept in the trace."""
        self._end("error")
        self.trace.error = str(failure)
        cause = failure.__cause__
        if cause is not None:
            self.trace.traceback = clean("".join(traceback.format_exception(cause)[-LINES:]))

    def check(self) -> None:
        """Raise AgentFailed with the sentence that says which agent failed and how, if one did."""
        if self.trace.ended == "error":
            raise AgentFailed(self.trace.error)

    def scores(self) -> dict[str, float]:
        """The numbers of the episode as it stands; none after an error."""
        if self.trace.error:
            return {}
        assert self.benchmark is not None and self.instance is not None
        return self.benchmark.score(self.instance, self.session, self.trace)

    def result(self, **more: Any) -> Result:
        """What is kept of it."""
        assert self.instance is not None
        return Result.of_trace(
            self.instance,
            self.trace,
            self.scores(),
            digest=self.session.digest(),
            pointed=self.trace.pointed(),
            **{"usage": self.trace.usage, **more},
        )

    def fork(self) -> Episode:
        """An independent copy at this moment, agents included; `on_step` stays with this one.

        Raises:
            HousematesError: It is over, or an agent cannot be copied.
        """
        if self.trace.ended:
            raise HousematesError("The episode is over: there is nothing to go on with.")
        return self.__deepcopy__({})

    def snapshot(self) -> Snapshot:
        """This moment, to come back to by `restore`.

        Raises:
            HousematesError: An agent cannot be copied.
        """
        return Snapshot(self.__deepcopy__({}))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a moment of this episode, or of another one of the same benchmark, as often as wanted.

        Raises:
            HousematesError: It is a moment of another benchmark, or of one with other options.
        """
        moment = snapshot.episode
        if _asked(moment.benchmark) != _asked(self.benchmark):
            raise HousematesError("The snapshot is of another benchmark, or of one with other options.")
        self.__dict__.update(moment.__deepcopy__({}).__dict__ | {"_on_step": self._on_step})

    def __deepcopy__(self, memo: Memo) -> Episode:
        """What `fork` gives, also of an episode that is over."""
        for shared in (self.benchmark, self.instance and self.instance.data):
            memo[id(shared)] = shared
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update(self.__dict__)
        twin.session, twin.trace, twin._on_step = copied(self.session, memo), copied(self.trace, memo), None
        twin.agents = {role: _copied(role, agent, memo) for role, agent in self.agents.items()}
        return twin

    @classmethod
    def replay(
        cls,
        benchmark: Benchmark | None,
        instance: Instance | None,
        acts: Iterable[tuple[str, Any]],
        agents: Mapping[str, Agent] = NOBODY,
        key: str = "",
    ) -> Episode:
        """An episode in which the same was answered in the seats without an agent: it has the same digest."""
        episode = cls(benchmark, instance, agents, key=key)
        episode.advance()
        for role, action in acts:
            episode.act(role, action)
        return episode

    def _seat(self, role: str, agent: Agent) -> None:
        with guarded(role, agent, "reset", self._act_timeout):
            agent.reset(self.brief(role))
            if getattr(agent, "privileged", False):
                if self.instance is None:
                    raise HousematesError(f"the {role} is privileged, and nothing here may be shown to it")
                agent.observe_privileged(self.instance, self.session)

    def _take(self, role: str, action: Any, text: str | None) -> Step:
        session, trace = self.session, self.trace
        outcome = session.act(action)
        answer = "" if session.acted is not None else _readable(action)
        step = Step(role, session.acted, outcome, text, answer)
        trace.steps.append(step)
        if not outcome.success:
            trace.failures += 1
        self._look_at_the_end()
        if self._on_step is not None:
            self._on_step(session, step)
        return step

    def _look_at_the_end(self) -> None:
        session, trace = self.session, self.trace
        if session.role is None:
            self._end("done")
        elif limit := session.limits.reached(len(trace.steps), trace.failures):
            self._end(limit)

    def _end(self, how: str) -> None:
        if not self.trace.ended:
            self.trace.ended = how
            used = {role: usage_of(agent) for role, agent in self.agents.items()}
            self.trace.usage = {role: usage for role, usage in used.items() if usage}

    def _break_off(self, why: Left | AgentFailed | Halt) -> None:
        """Whoever leaves or fails ends the episode."""
        if isinstance(why, Left):
            self._end("left")
            return
        if isinstance(why, Halt):
            self._halt = why
        self.fail(why)


class Snapshot:
    """An episode at one moment, as `Episode.restore` takes it; whatever is done later does not change it."""

    def __init__(self, episode: Episode, beside: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.episode = episode
        """A copy that nobody goes on with."""
        self.beside = beside
        """What a face of the episode has to remember with it."""

    def fork(self) -> Episode:
        """An episode that goes on from this moment; see `Episode.fork`."""
        return self.episode.fork()


def play(
    session: Session,
    agents: Mapping[str, Agent],
    instance: Instance | None = None,
    on_step: OnStep | None = None,
    act_timeout: float | None = None,
) -> Trace:
    """Play a session that was made in another way than by its benchmark; see `Episode`."""
    return Episode(None, instance, agents, session, on_step, act_timeout).run()


def _begun(benchmark: Benchmark | None, instance: Instance | None) -> Session:
    assert benchmark is not None and instance is not None
    return benchmark.session(instance)


def _readable(answer: Any) -> str:
    """An answer that made no sense, as it is written down."""
    return clean(answer if isinstance(answer, str) else shown(answer))[:LONGEST_ANSWER]


def _asked(benchmark: Benchmark | None) -> Any:
    return None if benchmark is None else (benchmark.id, benchmark.options)


def _copied(role: str, agent: Agent, memo: Memo) -> Agent:
    try:
        return copied(agent, memo)
    except Exception as error:
        why = str(error) if isinstance(error, HousematesError) else f"{type(error).__name__}: {error}"
        raise HousematesError(f"The {role} ({type(agent).__name__}) cannot be copied: {why}.") from error
