"""Sessions in a home: a Follower on its own (EDH, TfD), and a Commander and a Follower in turn (TATC)."""

from __future__ import annotations

import copy
import hashlib
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from housemates.benchmarks.teach.formats.episodes import Game
from housemates.benchmarks.teach.formats.replay import seen_before
from housemates.benchmarks.teach.formats.starts import Done, Given, Start
from housemates.benchmarks.teach.formats.writer import Recorder
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world import descriptions, menus
from housemates.benchmarks.teach.world.actions import TOUCHES
from housemates.benchmarks.teach.world.agent_camera import Sight
from housemates.benchmarks.teach.world.body import FollowerBody
from housemates.benchmarks.teach.world.commander import Commander
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.follower import Follower
from housemates.benchmarks.teach.world.views import USUAL, ActionRecord, CommanderView, FollowerView, Seeing
from housemates.core.actions import Act, Offer
from housemates.core.benchmark import Instance
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.core.percepts import Limits, Utterance
from housemates.home import World
from housemates.home.facts import facts
from housemates.home.naming import NamingSession
from housemates.home.skills import SKILLS
from housemates.home.skills.executor import Hands
from housemates.home.things import Scene
from housemates.render.frames import Frame
from housemates.render.looks import seed_for
from housemates.render.maps import top_down

LIMITS = Limits(steps=1000, failures=30)
"""When sessions are cut off: actions of both roles, and failed ones."""
SAY, PASS, STOP = "Say", "Pass", "Stop"
SEARCH, SELECT = "Search", "Select"
BY_PROGRESS = "Have the task done that a Progress Check tells."
OTHER = {"commander": "follower", "follower": "commander"}


class HomeSession(NamingSession):
    """What all sessions have in common: the home, the Follower in it, what is said, what is to be done."""

    alone = False
    """Whether there is nobody to talk to."""

    def __init__(
        self, instance: Instance, limits: Limits, scene: Scene, task: tasks.BoundTask, seeing: Seeing
    ) -> None:
        super().__init__(instance, limits)
        self.world = TeachWorld(World(scene))
        self.world.home.looks = seed_for(seeing.looks, instance.id, instance.seed)
        self.name_things(seeing.names, self.world.home, ("follower",))
        self.task = task
        """What is scored."""
        self.seeing = seeing
        self.follower = Follower(
            self.world, Sight(self.world.home, seeing.width, seeing.height), seeing.window
        )
        self.hands = Hands(FollowerBody(self.follower)) if seeing.skilled else None
        """Who carries out skills, if the Follower acts in them."""
        self.dialogue: list[Utterance] = []
        self.histories: dict[str, list[ActionRecord]] = {"follower": []}
        self.failures = 0
        self._shown: tuple[int, str, Frame] | None = None

    def progress(self) -> tasks.Progress:
        """How much of what is to be done is done."""
        return tasks.check(self.task, self.world.objects())

    @property
    def complete(self) -> bool:
        """Whether all is done."""
        return bool(self.progress().success)

    @property
    def taken(self) -> int:
        """How many acts there were; for a skill, the low-level acts that it took."""
        return self.turn if self.hands is None else self.turn - self.hands.skills + self.hands.acts

    @abstractmethod
    def carry_out(self, role: str, act: Act) -> Outcome:
        """Do an act of a role's menu."""

    def do(self, role: str, act: Act) -> Outcome:
        """Do an act, and remember it."""
        return self._remember(role, act, self.carry_out(role, act))

    def misunderstood(self, role: str, refusal: Outcome) -> Outcome:
        """A failed act like any other."""
        return self._remember(role, None, refusal)

    def _remember(self, role: str, act: Act | None, outcome: Outcome) -> Outcome:
        self.histories[role].append(ActionRecord(act, outcome))
        self.failures += not outcome.success
        return outcome

    def menu(self, role: str) -> Mapping[str, Offer]:
        """The role's actions or skills; Stop, and in pairs Say and Pass."""
        skilled, short = self.seeing.skilled, self.names[role].short
        return menus.menu(role, self.seeing.pointing, talks=not self.alone, skilled=skilled, short=short)

    def rules(self, role: str) -> str:
        """How things go for a role, in words."""
        return menus.rules(role, self.alone, self.seeing.skilled, self.names[role].short)

    def settings(self, role: str) -> Mapping[str, Any]:
        """The size of pictures, and how one may point."""
        return {"width": self.seeing.width, "height": self.seeing.height, "pointing": self.seeing.pointing}

    def offers(self, role: str) -> tuple[Offer, ...]:
        """The menu with what is seen as choices, for skills with all that was seen."""
        offers = self.menu(role).values()
        if self.hands is not None:
            return self.names[role].offers(self.hands.offers(offers))
        return self.names[role].offers(menus.offers_now(offers, self.follower.fitting))

    def said(self, role: str) -> Sequence[Utterance]:
        """All that was said."""
        return tuple(self.dialogue)

    def text(self, role: str) -> str:
        """What the Follower perceives, in words."""
        names = self.names[role]
        places, last = self.hands is None or not names.short, self._last_deed(role)
        told = descriptions.follower_text(self.follower, self.dialogue, last, names, places)
        before = self.hands.remembered(names) if self.hands is not None else ""
        return f"{told}\n{before}" if before else told

    def view(self, role: str) -> FollowerView | CommanderView:
        """What the Follower perceives, as a record."""
        return FollowerView(
            self.follower.pose,
            tuple(self.dialogue),
            tuple(self.histories[role]),
            self.world.home.agent.held,
            self.handle("shown", role),
            self.handle("past", role),
        )

    def past(self, role: str) -> list[tuple[np.ndarray, str]]:
        """Nothing, where nobody was there before."""
        return []

    def shown(self, role: str) -> Frame:
        """A role's picture with all it tells, of its own; the same one until somebody acts."""
        if self._shown is None or self._shown[:2] != (self.turn, role):
            self._shown = (self.turn, role, self.frame(role))
        return self._shown[2]

    def frame(self, role: str) -> Frame:
        """Draw a role's picture, to keep."""
        return self.follower.sight.shown()

    def pictures(self, role: str) -> Sequence[str]:
        """The Follower's own view."""
        return ("view",)

    def draw(self, role: str, name: str) -> np.ndarray:
        """What the Follower sees."""
        return self.follower.sight.look().rgb if name == "view" else super().draw(role, name)

    def reward(self, role: str) -> float:
        """At the end 1 if all is done, else 0."""
        over = self.role is None or bool(self.limits.reached(self.turn, self.failures))
        return float(over and self.complete)

    def facts(self) -> dict[str, str]:
        """The home, thing by thing."""
        return facts(self.world.home)

    def digest(self) -> str:
        """A fingerprint of the home and of what was said."""
        return hashlib.sha256(self.world.digest().encode() + msgspec.json.encode(self.dialogue)).hexdigest()

    def _last_deed(self, role: str) -> ActionRecord | None:
        """What a role did last in this session."""
        return self.histories[role][-1] if self.histories[role] and self.turn else None


class FollowerSession(HomeSession):
    """A Follower on its own, from a moment of a recorded session, until it does Stop.

    Args:
        instance: Its data is a `Given`.
        limits: When it is cut off.
        seeing: How the Follower looks and points.
    """

    alone = True

    def __init__(self, instance: Instance, limits: Limits, seeing: Seeing = USUAL) -> None:
        self.given: Given = instance.data
        super().__init__(instance, limits, self.given.scene, self.given.goal(), seeing)
        self.follower.recorded = dict(self.given.touched())
        if self.given.moment is not None:
            self.world.restore(self.given.moment)
        self.dialogue = list(self.given.dialogue)
        self.histories["follower"] = [_deed(each) for each in self.given.history]
        self.beginning = self.progress()
        self._over = False

    def past(self, role: str) -> list[tuple[np.ndarray, str]]:
        """What people's Follower saw before each action that succeeded, and the action's name."""
        return seen_before(self.given.before, self.given.scene, self.follower.sight)

    @property
    def role(self) -> str | None:
        """The Follower, until it stops."""
        return None if self._over else "follower"

    def overview(self) -> np.ndarray:
        """The home from above."""
        return top_down(self.follower.sight.renderer)

    def goal(self, role: str) -> str:
        """What was said and done before."""
        told = f"Do what is still to be done of this:\n{descriptions.dialogue_text(self.given.dialogue)}"
        done = descriptions.history_text(map(_deed, self.given.history), self.names[role])
        return f"{told}\nYou have done so far: {done}" if done else told

    def carry_out(self, role: str, act: Act) -> Outcome:
        """Move, touch, or stop."""
        if act.name == STOP:
            self._over = True
            return done()
        if self.hands is not None:
            return self.hands.carry_out(act, self.follower.act)
        return self.follower.act(act)


class TatcSession(HomeSession):
    """A Commander and a Follower who do a task together from the start, and the official record of it.

    The Commander begins. Speaking or Pass ends one's turn; any other act keeps it.
    Stop by either ends the session, and so does the completion of the task.

    Args:
        instance: Its data is a `Start`.
        limits: When it is cut off.
        seeing: How the two look and point.
        clock: Seconds since some moment; without one, a second passes with every action.
        ends_by_itself: Whether it ends with what is scored done; if not, Stop alone does.
        by_progress: Whether the Commander learns of the task by Progress Checks alone.
    """

    def __init__(
        self,
        instance: Instance,
        limits: Limits,
        seeing: Seeing = USUAL,
        clock: Callable[[], float] | None = None,
        ends_by_itself: bool = True,
        by_progress: bool = False,
    ) -> None:
        start: Start = instance.data
        task = tasks.game_task(start.definition, str(start.definition.get("task_name", "task")))
        scored = task if start.changes is None else tasks.task_of_changes(start.changes)
        super().__init__(instance, limits, start.scene, scored, seeing)
        self.asked, self.definition, self.by_progress = task, start.definition, by_progress
        self._told = None if by_progress else task
        self.histories["commander"] = []
        self.name_things(seeing.names, self.world.home, OTHER)
        camera = start.commander or self.follower.pose
        self.commander = Commander(self.world, task, camera, *seeing[:2], self.names["commander"])
        self.recorder = Recorder(start.scene, start.definition, camera, clock)
        self.beginning = self.progress()
        self.ends_by_itself = ends_by_itself
        self._role: str | None = "commander"
        self._mirror: TeachWorld | None = None

    @property
    def role(self) -> str | None:
        """Whose turn it is; None when the session is over."""
        return self._role

    def game(self, game_id: str) -> Game:
        """The session so far as an official game."""
        return self.recorder.game(game_id, self.world, self.commander.pose)

    def goal(self, role: str) -> str:
        """The task, for the Commander."""
        if role == "follower":
            return "Do what the Commander asks you to do."
        return BY_PROGRESS if self.by_progress else f"Have this done: {self.asked.description}"

    def meant(self, role: str, act: Act) -> Act:
        """The act with the ids of things; a search for a name is the selection of what has it."""
        words = act.arguments.get("text", "")
        found = self.names[role].meant(words) if act.name == SEARCH else words
        return super().meant(role, act) if found == words else Act(SELECT, {"object": found})

    def carry_out(self, role: str, act: Act) -> Outcome:
        """Let one of the two do something; it may be the other's turn then."""
        if act.name in (PASS, STOP):
            outcome = done()
        elif self.hands is not None and role == "follower" and act.name in SKILLS:
            outcome = self.hands.carry_out(act, self._followed)
        else:
            outcome = self._noted(role, act)
        if outcome.success:
            self._role = self._next(role, act.name)
        return outcome

    def _followed(self, act: Act) -> Outcome:
        return self._noted("follower", act)

    def _noted(self, role: str, act: Act) -> Outcome:
        """Do an act, and write it into the record."""
        outcome = self._say(role, act) if act.name == SAY else self._actor(role).act(act)
        self.recorder.note(role, act, outcome, self._actor(role).pose)
        return outcome

    def _actor(self, role: str) -> Commander | Follower:
        return self.follower if role == "follower" else self.commander

    def _say(self, role: str, act: Act) -> Outcome:
        text = act.arguments["text"]
        if not text.strip():
            return refuse(Reason.MALFORMED, "Say: expected something to say.")
        self.dialogue.append(Utterance(role, text))
        return done()

    def _next(self, role: str, name: str) -> str | None:
        """Whose turn it is after a successful act."""
        if name in (PASS, SAY):
            return OTHER[role]
        touched = self.ends_by_itself and (name in TOUCHES or name in SKILLS)
        return None if name == STOP or (touched and self.complete) else role

    def offers(self, role: str) -> tuple[Offer, ...]:
        """The Follower's with what it sees, the Commander's with what the task is about as choices."""
        if role == "follower":
            return super().offers(role)
        named = [each.id for each in descriptions.about(self._told, self.world.home)] if self._told else []
        offers = menus.offers_now(self.menu(role).values(), self.follower.fitting, (*named,))
        return self.names[role].offers(offers)

    def text(self, role: str) -> str:
        """What one of the two perceives, in words."""
        if role == "follower":
            return super().text(role)
        pose, last, names = self.commander.pose, self._last_deed(role), self.names[role]
        return descriptions.commander_text(self._told, self.world, pose, self.dialogue, last, names)

    def view(self, role: str) -> FollowerView | CommanderView:
        """What one of the two perceives, as a record."""
        if role == "follower":
            return super().view(role)
        return CommanderView(
            self.commander.pose,
            tuple(self.dialogue),
            tuple(self.histories[role]),
            self.handle("shown", role),
            self._told,
            {} if self.by_progress else copy.deepcopy(dict(self.definition)),
            self.handle("mirrored"),
        )

    def mirrored(self) -> TeachWorld:
        """A copy of the world for the Commander, brought up to date."""
        if self._mirror is None:
            self._mirror = TeachWorld(World(self.world.home.scene))
            self._mirror.home.looks = self.world.home.looks
        self._mirror.restore(self.world.snapshot())
        return self._mirror

    def frame(self, role: str) -> Frame:
        """Draw the picture of one of the two, to keep."""
        return super().frame(role) if role == "follower" else self.commander.look()

    def pictures(self, role: str) -> Sequence[str]:
        """The Follower's view; the Commander's camera and map."""
        return ("camera", "map") if role == "commander" else super().pictures(role)

    def draw(self, role: str, name: str) -> np.ndarray:
        """A picture of one of the two."""
        if role == "commander" and name in ("camera", "map"):
            return self.commander.look().rgb if name == "camera" else self.commander.map()
        return super().draw(role, name)

    def digest(self) -> str:
        """A fingerprint of the home, of what was said, and of where the Commander's camera is."""
        return hashlib.sha256(f"{super().digest()} {self.commander.pose}".encode()).hexdigest()


def _deed(was: Done) -> ActionRecord:
    """What the Follower did in a recorded session, as a deed."""
    data = {} if was.object is None else {"object": was.object}
    arguments = {key: value for key, value in was.arguments().items() if key != "object"}
    outcome = done(**data) if was.success else refuse(Reason.UNRECORDED, "", **data)
    return ActionRecord(Act(was.action, arguments), outcome)
