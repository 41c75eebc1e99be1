"""A session of a Commander and a Follower in a home: who does what, when, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from housemates.benchmarks.teach.files.episodes import Game, Interaction
from housemates.benchmarks.teach.files.recording import record_game, record_state
from housemates.benchmarks.teach.files.scenes import scene_of
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER, TEXT, action_named
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.poses import Pose, of_agent, to_official
from housemates.benchmarks.teach.world.roles import ROLES, Act, Answer, Commander, Follower, understand
from housemates.benchmarks.teach.world.sight import SIDE_PX, Sight
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.home import World
from housemates.home.things import Scene

MS = 0.001


class Utterance(NamedTuple):
    """Something that was said."""

    role: str
    text: str
    time_s: float


class Session:
    """Two who finish a task by chat, and the record of it in the official form."""

    def __init__(
        self,
        scene: Scene,
        definition: Mapping[str, Any],
        commander: Pose | None = None,
        clock: Callable[[], float] | None = None,
        window: str = "reference",
        size: int = SIDE_PX,
    ) -> None:
        """Begin.

        Args:
            scene: The home at the start.
            definition: The task, with its parameters filled in, as `tasks.definition` gives it.
            commander: Where the Commander's camera starts; at the Follower's place by default.
            clock: Seconds since some moment; without one, a second passes with every action.
            window: How wide clicks are taken: `reference` (20x20 of 900) or `paper` (10x10).
            size: Side of both pictures in pixels.
        """
        self.definition = definition
        self.task = tasks.game_task(definition, str(definition.get("task_name", "task")))
        self.world = TeachWorld(World(scene))
        self.follower = Follower(self.world, Sight(self.world.home, size), window)
        self.commander = Commander(self.world, self.task, commander or self.follower.pose, size)
        self.interactions: list[Interaction] = []
        self.dialogue: list[Utterance] = []
        self._clock = clock
        self._began = clock() if clock is not None else 0.0
        self._initial = record_state(self.world, self.commander.pose, self._began, derived=False)

    @classmethod
    def of_game(cls, game: Game, store: Store | None = None, **options: Any) -> Session:
        """A new session of a recorded game's task, from its initial state."""
        cameras = game.episode.initial_state.agents
        options.setdefault("commander", of_agent(cameras[COMMANDER]))
        return cls(scene_of(game, store), game.task.definition(), **options)

    @classmethod
    def of_task(cls, scene: Scene, name: str, params: tuple[str, ...] = (), **options: Any) -> Session:
        """A session of a shipped task in a home."""
        return cls(scene, tasks.definition(name, params), **options)

    @property
    def complete(self) -> bool:
        """Whether the task is done."""
        return bool(tasks.check(self.task, self.world.objects()).success)

    def act(self, role: str, action: Any) -> Answer:
        """Let one of the two do something; what makes no sense is a failed action, never an exception.

        Args:
            role: `commander` or `follower`.
            action: An `Act`, a mapping with its fields, or the name of an action.
        """
        if role not in ROLES:
            raise HousematesError(f"Unknown role {role!r}: expected commander or follower.")
        act = understand(action)
        if isinstance(act, Answer):
            return act
        actor = self.follower if role == "follower" else self.commander
        if act.name not in actor.actions:
            hint = "Only the Follower touches things." if act.name in self.follower.actions else ""
            expected = hint or f"Expected one of {', '.join(actor.actions)}."
            return Answer(False, f"The {role.title()} cannot do {act.name!r}. {expected}")
        answer = actor.act(act)
        self._record(ROLES[role], act, answer)
        return answer

    def game(self, game_id: str) -> Game:
        """The session so far as an official game."""
        final = record_state(self.world, self.commander.pose, self._now(), derived=True)
        return record_game(
            game_id, self.world.home.scene, self.definition, self._initial, self.interactions, final
        )

    def _now(self) -> float:
        """Seconds since the beginning, to the millisecond, later than all that was recorded."""
        last = float(self.interactions[-1].time_start) if self.interactions else 0.0
        elapsed = last + 1.0 if self._clock is None else self._clock() - self._began
        return round(max(elapsed, last + MS), 3)

    def _record(self, agent: int, act: Act, answer: Answer) -> None:
        """Note an act in the official form; malformed clicks and empty utterances leave no trace."""
        action = action_named(act.name)
        values: dict[str, Any] = {}
        if action.id == TEXT:
            values = {"utterance": act.text}
        elif action.moves:
            pose = self.follower.pose if agent == FOLLOWER else self.commander.pose
            values = {"pose_delta": list(action.pose_delta), "pose": to_official(pose)}
        elif action.touches:
            values = {"x": answer.x, "y": answer.y, "oid": answer.oid if answer.success else None}
        else:
            values = {"query": (act.oid if act.oid is not None else act.text) or ""}
        if any(value is None for key, value in values.items() if key != "oid"):
            return
        success = self._is_done(answer) if act.name == "OpenProgressCheck" else answer.success
        made = Interaction(
            agent_id=agent,
            action_id=action.id,
            time_start=self._now(),
            duration=1,
            success=int(success),
            **values,
        )
        if action.id == TEXT:
            if not answer.success:
                return
            role = "follower" if agent == FOLLOWER else "commander"
            self.dialogue.append(Utterance(role, str(act.text), float(made.time_start)))
        self.interactions.append(made)

    @staticmethod
    def _is_done(answer: Answer) -> bool:
        return bool(answer.data["success"])
