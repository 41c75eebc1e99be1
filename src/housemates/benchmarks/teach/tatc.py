"""Two-Agent Task Completion: Commander and Follower do a task together, from the start, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from housemates.benchmarks.base import Agent, Instance, Limits, Outcome, Trace
from housemates.benchmarks.base import Session as BaseSession
from housemates.benchmarks.teach import metrics
from housemates.benchmarks.teach.agents import baselines
from housemates.benchmarks.teach.agents.talk.leaks import leak
from housemates.benchmarks.teach.files import recordings as starts
from housemates.benchmarks.teach.files.episodes import Game
from housemates.benchmarks.teach.files.recordings import Recordings, Start
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.options import choose, whole_number
from housemates.benchmarks.teach.session import Session
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.actions import action_named
from housemates.benchmarks.teach.world.observation import Deed, Observation
from housemates.benchmarks.teach.world.roles import ROLES, Act, Answer, understand

PASS, STOP = "Pass", "Stop"
OTHER = {"commander": "follower", "follower": "commander"}


class TatcSession:
    """A session in which the two take turns.

    The Commander begins. Who speaks or does `Pass` hands the turn over; with any other act one keeps it.
    `Stop` by either ends the session, and so does the completion of the task.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.histories: dict[str, list[Deed]] = {role: [] for role in ROLES}
        self.beginning = self.progress()
        self._role: str | None = "commander"

    @property
    def role(self) -> str | None:
        """Whose turn it is; None when the session is over."""
        return self._role

    def progress(self) -> tasks.Progress:
        """How far the task is."""
        return tasks.check(self.session.task, self.session.world.objects())

    def observe(self) -> Observation:
        """What the one whose turn it is perceives."""
        assert self._role is not None
        return self.observation(self._role)

    def observation(self, role: str) -> Observation:
        """What one of the two perceives."""
        session = self.session
        dialogue, history = session.dialogue, self.histories[role]
        if role == "follower":
            return Observation(role, session.follower.pose, dialogue, history, session.follower.look)
        return Observation(
            role,
            session.commander.pose,
            dialogue,
            history,
            session.commander.look,
            session.task,
            session.definition,
            session.world,
        )

    def act(self, action: Any) -> Answer:
        """Let the one whose turn it is act; what makes no sense is a failed action, never an exception."""
        assert self._role is not None
        act = understand(action)
        if isinstance(act, Answer):
            self.histories[self._role].append(Deed(None, act))
            return act
        answer = Answer(True) if act.name in (PASS, STOP) else self.session.act(self._role, act)
        self.histories[self._role].append(Deed(act, answer))
        if answer.success:
            self._role = self._next(self._role, act)
        return answer

    def _next(self, role: str, act: Act) -> str | None:
        """Whose turn it is after a successful act."""
        if act.name in (PASS, "Text"):
            return OTHER[role]
        if act.name == STOP or (action_named(act.name).touches and self.session.complete):
            return None
        return role


def play(session: TatcSession, agents: Mapping[str, Agent], limits: Limits) -> str:
    """Let the two play to the end or to a limit; an agent that raises fails that action and no more.

    Returns:
        How it ended: `complete`, `stopped`, `steps` or `failures`.
    """
    trace = Trace()
    while session.role is not None:
        role = session.role
        try:
            outcome: Outcome = session.act(agents[role].act(session.observe()))
        except Exception as error:
            outcome = Outcome(False, f"The agent raised {type(error).__name__}: {error}")
        trace.note(role, None, outcome)
        limit = limits.reached(trace)
        if limit:
            return limit
    return "complete" if session.session.complete else "stopped"


class Tatc:
    """Finish household tasks in pairs."""

    name = "teach-tatc"
    id = "housemates/teach-tatc-v1"
    roles = ("commander", "follower")
    limits = Limits(steps=1000, failures=30)

    def __init__(
        self,
        games: str | None = None,
        store: str | None = None,
        only: str | None = None,
        rooms: str = "all",
        size: int | str = 300,
    ) -> None:
        """Choose where sessions begin.

        Args:
            games: Recorded games, whose initial states and tasks are taken; for any split but `generated`.
            store: A folder of imported data: what is known about the games' floor plans.
            only: A file with the names of the games that are wanted, one a line.
            rooms: For `generated`: rooms of the split `train`, `seen` or `unseen`, `all` of them, or `plans`,
                the floor plans of the store.
            size: Side of the pictures in pixels.
        """
        self.size = whole_number("size", size)
        self.store = store
        self.recordings = Recordings.of_options(games, store, only)
        self.rooms = choose("rooms", rooms, sampling.ROOMS)

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        """Sampled ones, the twelve tasks in turn; or those of the recorded games."""
        if split == "generated":
            count = 240 if episodes is None else episodes
            drawn = sampling.draws(seed, count, sampling.task_names(), self.rooms, self.store)
            return [Instance(each.id, each.task, each, seed) for each in drawn]
        return list(islice(self.recordings.instances(split, seed, self.cut), episodes))

    def cut(self, game: Game) -> Iterator[tuple[str, Start]]:
        """The one instance of a game."""
        yield f"{game.id}.tatc", starts.start_of(game, self.recordings.store)

    def session(self, instance: Instance) -> TatcSession:
        """Begin."""
        start = start_of(instance)
        return TatcSession(Session(start.scene, start.definition, start.commander, size=self.size))

    def agents(self, name: str) -> Mapping[str, Agent]:
        """The pairs that `baselines.py` lists."""
        return baselines.pair(name)

    def score(self, instance: Instance, session: BaseSession, trace: Trace) -> dict[str, float]:
        """Success and goal conditions, both also weighted by the length of the recorded session, if any.

        `leaks` is the number of utterances that hold an id, a coordinate or the name of an action.
        """
        assert isinstance(session, TatcSession)
        reference = instance.data.reference if isinstance(instance.data, Start) else 0
        made = metrics.attempt(session.beginning, session.progress(), reference, len(trace.steps))
        said = [utterance.text for utterance in session.session.dialogue]
        leaks = sum(leak(text) is not None for text in said)
        return metrics.scores(made) | {"utterances": float(len(said)), "leaks": float(leaks)}

    def summarise(self, scores: Sequence[tuple[Instance, dict[str, float]]]) -> dict[str, Any]:
        """The table of a run, beside the paper's Table 5."""
        table = metrics.report(scores, "tatc", "")
        return table | {"leaks": int(sum(found.get("leaks", 0.0) for _, found in scores))}


def start_of(instance: Instance) -> Start:
    """Where the session of an instance begins: the home, the task, and where the Commander's camera is."""
    starts.refuse_broken(instance)
    return instance.data if isinstance(instance.data, Start) else sampling.start(instance.data)
