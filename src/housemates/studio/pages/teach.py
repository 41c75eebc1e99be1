"""TEACh's pages: what the Commander and the Follower see, as in the paper's appendix C, and the tutorial."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from housemates.benchmarks.teach.session import STOP, TatcSession
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.actions import MOVES, TOUCHES
from housemates.benchmarks.teach.world.descriptions import states
from housemates.benchmarks.teach.world.poses import Pose
from housemates.benchmarks.teach.world.search import on_map
from housemates.core.actions import Offer
from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.core.masks import runs_of
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.render.maps import top_down
from housemates.studio.pages import SCALE, Clock, Drawing, Lesson
from housemates.studio.pages.household import ENDING, HouseholdPage
from housemates.studio.pages.menus import Choice, blocked, choice, lacking
from housemates.studio.pages.names import called, worded
from housemates.studio.pages.teach_tutorial import lessons, tutorial_start

SHOWN = ("Select", "Search")
"""What the Commander does to be shown a thing."""
GLOW = np.array([255, 214, 64], np.float32)
"""The colour in which a thing blinks."""
ACTS = {name: name for name in (*MOVES, *TOUCHES)}
"""The Follower's acts on things: they are called as in the home."""


class PlayedSession(TatcSession):
    """A session as people have it in the paper: it is the Commander who finishes it."""

    def rules(self, role: str) -> str:
        """How the two go about it."""
        return super().rules(role).replace("one of you does Stop", "the Commander does Stop")

    def menu(self, role: str) -> Mapping[str, Offer]:
        """The role's actions; without Stop for the Follower."""
        found = super().menu(role)
        return found if role == "commander" else {name: found[name] for name in found if name != STOP}


class TeachPage(HouseholdPage):
    """Two people, or one and an agent, in one home; both act whenever they like."""

    acts: ClassVar[Mapping[str, str]] = ACTS
    name = "teach"
    benchmarks: ClassVar[tuple[str, ...]] = ("teach-tatc",)
    module = "teach.js"
    title = "TEACh"
    parts: ClassVar[tuple[str, ...]] = ()
    yielding = "Pass"
    tutorials: ClassVar[tuple[str, ...]] = ("teach-tutorial",)
    limits = Limits(steps=4000, failures=4000)
    survey: ClassVar[Sequence[Mapping[str, Any]]] = (
        {
            "name": "clear",
            "kind": "scale",
            "label": "How clear was what your partner wrote?",
            "choices": SCALE,
        },
        {"name": "helpful", "kind": "scale", "label": "How helpful was your partner?", "choices": SCALE},
        {
            "name": "together",
            "kind": "scale",
            "label": "How well did you two work together?",
            "choices": SCALE,
        },
        *ENDING,
    )

    def options(self, seats: Mapping[str, str]) -> dict[str, Any]:
        """People see larger pictures than agents do."""
        return {"size": "500"}

    def task(self, reference: Reference) -> str | None:
        """Of a draw, the task that is drawn."""
        draw = reference.data.get("draw") if isinstance(reference.data, Mapping) else None
        return str(draw["task"]) if draw else None

    def session(
        self, benchmark: Benchmark, instance: Instance, seats: Mapping[str, str], clock: Clock
    ) -> TatcSession:
        """With a person as Commander it ends when they say so, and never when the Follower does."""
        by_itself = bool(seats.get("commander", "agent"))
        seeing = benchmark.seeing  # type: ignore[attr-defined]
        return PlayedSession(instance, benchmark.limits, seeing, clock, by_itself)

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """Where one is and what one holds; for the Commander also the task, and where the Follower is."""
        assert isinstance(session, TatcSession)
        follower = {
            "follower": _spot(session, session.follower.pose),
            "success": session.complete if session.role is None else None,
        }
        world, held = session.world, session.world.home.held
        if role == "follower":
            return {
                **follower,
                "held": held and called(held.type),
                "lacking": lacking(ACTS, held),
                "blocked": blocked(world, MOVES, world.act),
            }
        found = {
            **follower,
            "commander": _spot(session, session.commander.pose),
            "doing": doing(session),
            "task": session.asked.description,
        }
        checked = any(deed.act and deed.act.name == "ProgressCheck" for deed in session.histories[role])
        return {
            **found,
            "held": held and called(held.type),
            "progress": progress_of(session) if checked else None,
            "target": self._target(session),
        }

    def drawings(self, session: Session, role: str) -> Mapping[str, Drawing]:
        """The Follower's view and map; for the Commander its camera, and what it was shown last as well."""
        assert isinstance(session, TatcSession)
        own: dict[str, Drawing] = {"map": lambda: self._map(session)}
        view: dict[str, Drawing] = {"view": lambda: session.drawn("follower", "view")}
        if role == "follower":
            return {**view, **own}
        found = {"camera": lambda: session.drawn("commander", "camera"), **view, **own}
        return {**found, **self._target_drawings(session)}

    def pointed(self, session: Session, role: str, picture: str, x: float, y: float) -> dict[str, Any] | None:
        """What is under the Follower's pointer, and what can be done to it."""
        assert isinstance(session, TatcSession)
        if role != "follower" or picture != "view":
            return None
        acts = list(_possible(session, x, y))
        thing = session.follower.sight.under(x, y)
        if acts and all(each.object != (thing.id if thing else "") for each in acts):
            thing = session.world.home.things[acts[0].object]
        if thing is None:
            return None
        mask = runs_of(session.follower.sight.outline(thing.id))
        told = [each.told() for each in acts]
        return {"name": called(thing.type), "states": list(states(thing)), "acts": told, "mask": mask}

    def official(self, session: Session, name: str) -> dict[str, bytes]:
        """The session as an official game."""
        assert isinstance(session, TatcSession)
        return {f"{name}.game.json": session.game(name).to_json()}

    def _target(self, session: TatcSession) -> dict[str, Any] | None:
        """What the Commander was shown last, in words and on the map."""
        for number, deed in reversed(list(enumerate(session.histories["commander"]))):
            if deed.act is not None and deed.act.name in SHOWN:
                data = deed.outcome.data
                told = worded(deed.outcome.message)
                return {"number": number, "told": told, "spot": data.get("pos_norm")}
        return None

    def _target_drawings(self, session: TatcSession) -> dict[str, Drawing]:
        deeds = reversed(session.histories["commander"])
        found = next((each.outcome.data for each in deeds if "frame" in each.outcome.data), None)
        if found is None:
            return {}
        rgb, mask = found["frame"].rgb, found["mask"]
        return {"target": lambda: rgb, "target lit": lambda: _lit(rgb, mask)}

    def _map(self, session: TatcSession) -> np.ndarray:
        """The home from above, without anybody in it; the page draws them."""
        return top_down(session.follower.sight.renderer, session.seeing.width, ())


class TutorialPage(TeachPage):
    """One person with the Follower's hands and the Commander's list of what is to be done."""

    name = "teach-tutorial"
    benchmarks = ()
    tutorials = ()
    survey = ()

    def lesson(self, seed: int) -> Lesson:
        """A kitchen with nobody else in it."""
        return Lesson(Reference(f"tutorial-{seed}", {}, seed), {"follower": ""})

    def instances(self, benchmark: Benchmark, reference: Reference) -> Sequence[Instance]:
        """A kitchen in which coffee can be made and a slice of potato be cooked."""
        return [Instance(reference.id, "Tutorial", tutorial_start(reference.seed), reference.seed)]

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """What the Follower sees, and the lessons."""
        assert isinstance(session, TatcSession)
        return {
            **super().views(session, "follower"),
            "lessons": lessons(session),
            "progress": progress_of(session),
        }


def doing(session: TatcSession) -> str:
    """What the Follower is doing, as far as one can see: it `waits`, `walks`, `works` or `thinks`."""
    if session.role != "follower":
        return "waits"
    last = session.histories["follower"][-1].act if session.histories["follower"] else None
    if last is None or last.name not in (*MOVES, *TOUCHES):
        return "thinks"
    return "walks" if last.name in MOVES else "works"


def progress_of(session: TatcSession) -> dict[str, Any]:
    """What is done and what is to be done, each step with the thing to be shown with it."""
    progress = tasks.check(session.asked, session.world.objects())
    return {
        "task": progress.description,
        "done": bool(progress.success),
        "subgoals": [
            {
                "text": subgoal.description,
                "done": subgoal.success,
                "object": subgoal.representative or "",
                "steps": [
                    {"text": step.words, "done": step.success, "object": step.object_id}
                    for step in subgoal.steps
                ],
            }
            for subgoal in progress.subgoals
        ],
    }


def _spot(session: TatcSession, pose: Pose) -> dict[str, Any]:
    """Somebody's place on the map, 0 to 1 across and down, and degrees clockwise from up."""
    x, y = on_map(session.world.home, (pose.x, pose.y, pose.z))
    return {"x": x, "y": y, "rotation": pose.rotation}


def _possible(session: TatcSession, x: float, y: float) -> Iterator[Choice]:
    """What a click there could mean now, with the thing that each act would be meant for."""
    world, follower = session.world, session.follower
    for name in TOUCHES:
        pointed = follower.sight.point(name, x, y, follower.window)
        if pointed is None:
            continue
        attempt = partial(world.act, name, target=pointed.thing, at=pointed.at)
        thing = world.home.things[pointed.thing]
        found = choice(world, name, name, thing, world.home.held, attempt)
        if found is not None:
            yield found


def _lit(rgb: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """A picture in which a thing shines, with a rim that can be seen from afar."""
    lit = rgb.astype(np.float32)
    lit[mask] = 0.35 * lit[mask] + 0.65 * GLOW
    rim = np.zeros_like(mask)
    for shift in (-2, 2):
        for axis in (0, 1):
            rim |= np.roll(mask, shift, axis) & ~mask
    lit[rim] = GLOW
    return lit.astype(np.uint8)


PAGES = (TeachPage(), TutorialPage())
