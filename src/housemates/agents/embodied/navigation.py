"""Navigation to viewpoints from which an object is in view and within reach, and clicks on it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np

from housemates.agents.embodied import outcome_parsing, pointing
from housemates.agents.embodied.deeds import Deed, told
from housemates.agents.embodied.embodiment import Click, Embodiment, half_width
from housemates.agents.embodied.locomotion import BUMPS, Locomotion, Routine
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.embodied.occupancy import Points
from housemates.agents.embodied.viewpoints import Viewpoint, alignment, horizons, place
from housemates.core.outcome import Outcome, Reason, refuse
from housemates.home.things import CAMERA_ABOVE_AGENT_M, GRID_M, HORIZON_RANGE_DEG, turned
from housemates.render.frames import Label

FAR_COST = 24.0
"""Cost of a viewpoint for each metre beyond a comfortable distance."""
DOOR_M = 0.6
"""Least distance to a door or drawer that is to be opened."""
SCAN_DEG = (-30, 0, 30, 60)
"""Horizons from which a tall object is scanned."""
TALL_M = 1.0
TRIES = 5
SAME_SIDE = 4.0
"""Cost of a viewpoint opposite to where the object was seen from."""
NOVELTY = 18.0
"""Cost of a viewpoint on a side that was tried in vain."""
ELSEWHERE = (Reason.TOO_FAR, Reason.ROOM_TOO_FAR, Reason.NO_ROOM, Reason.NOT_VISIBLE, Reason.IN_THE_WAY)
"""Reasons for which an act that failed may work from another viewpoint."""
UNREACHED = refuse(Reason.UNREACHABLE, "No viewpoint was found from which to touch it.")


class Navigator(Locomotion):
    """Locomotion with viewpoints of objects and object actions at clicks.

    Args:
        embodiment: The benchmark's part.
    """

    def __init__(self, embodiment: Embodiment) -> None:
        super().__init__(embodiment)
        self._last_clicks: dict[str, tuple[Viewpoint, Click]] = {}
        """Key -> the viewpoint and the click with which a fixed object was touched last."""
        self.touched: Points = np.empty((0, 3))
        """The point in metres that was clicked last, as one row."""
        self.deeds: list[Deed] = []
        """Object actions that succeeded, in order."""

    def _deed(self, name: str, key: str) -> Deed:
        """An object action as it is about to be done."""
        thing, held = self.memory.things[key], self.memory.things.get(self.memory.held)
        carried = ("", "") if held is None else (held.type, held.key)
        affected = self.memory.affected(thing) if name == "ToggleOn" else ()
        inside = tuple((each.key, each.type) for each in affected if each.key in self.seen)
        return Deed(name, key, thing.type, *carried, thing.holder, inside)

    def click(self, name: str, key: str, click: Click) -> Routine[Outcome]:
        """Do an object action at a click, and learn what its outcome tells about doors, types and places.

        Nothing is done with what was forgotten on the way.
        """
        if key not in self.memory.things:
            return UNREACHED
        self.touched = pointing.point_at(self.picture(), click)
        if not np.isfinite(self.touched).all():
            self.touched = self.memory.things[key].middle[None]
        act = self.embodiment.touch(name, self.picture(), key, click)
        before = self._deed(name, key)
        percept = yield act
        outcome = self._came_of(act, percept)
        if outcome.success:
            self.deeds.append(told(before, outcome))
        if "open" in outcome.data:
            self.memory.things[key].open = outcome.data["open"]
            self.map.forget(key)
        if not self.memory.perception.trusted_types:
            if outcome.success:
                self._handled(name, key, click)
            outcome = outcome_parsing.learn(self.memory, key, name, outcome, self.position)
        self.perceive(percept)
        return outcome

    def _handled(self, name: str, key: str, click: Click) -> None:
        """Update hand and placement from a success before looking, as ids do not tell them."""
        held = self.memory.things.get(self.memory.held)
        if not self.memory.things[key].can("pickup"):
            self._last_clicks[key] = Viewpoint(self.grid_pose, round(self.pose.horizon)), click
        if name == "Pickup":
            self.memory.held = key
        elif name == "Place" and held is not None:
            self.memory.put_down(held, key, self.touched, True)

    def views(
        self, thing: TrackedObject, nearest: float = 0.0, best: float | None = None
    ) -> list[tuple[float, Viewpoint]]:
        """Viewpoints from which an object should be in view and within reach, each with its cost.

        Args:
            thing: What is to be seen.
            nearest: How far to stay away from it.
            best: How far away it is best to stand; as far as it likes to if None.
        """
        best = self.embodiment.preferred_distance_m if best is None else best
        for farthest in self.memory.perception.view_ranges_m:
            if found := self._views(thing, nearest, best, farthest):
                return found
        return []

    def _views(
        self, thing: TrackedObject, nearest: float, best: float, farthest: float
    ) -> list[tuple[float, Viewpoint]]:
        costs = self.map.path_costs(self.grid_pose)
        poses = list(costs)
        places = np.array([(each.x * GRID_M, each.z * GRID_M) for each in poses])
        points = thing.points
        flat = points[None, :, [0, 2]] - places[:, None]
        away = np.sqrt((flat**2).sum(axis=2))
        reach = np.sqrt(away**2 + (points[None, :, 1] - self.pose.y) ** 2)
        point = np.argmin(reach + 0.3 * np.abs(away - best), axis=1)
        rows = np.arange(len(poses))
        near = (reach[rows, point] <= farthest) & (away.min(axis=1) >= nearest)
        found, wide = [], half_width(self.embodiment)
        for row in np.flatnonzero(near).tolist():
            pose = poses[row]
            x, z = flat[row, point[row]].tolist()
            right, ahead = turned(x, z, -pose.rotation)
            if ahead < 0.15 or abs(right) > 0.85 * wide * ahead:
                continue
            target = points[point[row]]
            worth = (
                costs[pose]
                + 3 * abs(away[row, point[row]] - best)
                + self.embodiment.off_axis_cost * abs(right) / ahead
            )
            comfort = self.memory.perception.comfort_m
            worth += FAR_COST * max(0.0, float(reach[row, point[row]]) - comfort)
            found.append((worth, Viewpoint(pose, self._horizon(target[1], ahead))))
        return sorted(found)

    def _horizon(self, height: float, ahead: float) -> int:
        """The horizon in degrees that centres a height at a distance ahead."""
        eye = self.pose.y + CAMERA_ABOVE_AGENT_M
        pitch = math.degrees(math.atan2(eye - height, ahead))
        if self.memory.held:
            pitch += 10
        look = self.embodiment.look_deg
        best = round(pitch / look) * look
        return min(max(best, HORIZON_RANGE_DEG[0]), HORIZON_RANGE_DEG[1])

    def approach(
        self, key: str, nearest: float = 0.0, surface: bool = False, skip: int = 0
    ) -> Routine[Click | None]:
        """Go to a viewpoint where an object can be clicked; returns the click, or None if none was found.

        Args:
            key: The thing.
            nearest: How far to stay away from it.
            surface: Whether something is to be put on it, or into it if it is open.
            skip: How many of the best places to click on, and to stand, to leave out.
        """
        thing = self.memory.things.get(key)
        trusted = self.memory.perception.trusted_depth
        self.map.ignore_obstacles(not trusted and thing is not None and not self.views(thing, nearest))
        try:
            return (yield from self._approach(key, nearest, surface, skip))
        finally:
            self.map.ignore_obstacles(False)

    def _approach(self, key: str, nearest: float, surface: bool, skip: int) -> Routine[Click | None]:
        tried: list[Viewpoint] = []
        bumped, unseen, far = self.bumps, 0, []
        if not skip and self._far_enough(key, nearest):
            click = self._click(key, surface, 0)
            if click is not None:
                return click
        if not skip and key in self._last_clicks:
            click = yield from self._as_before(key)
            if click is not None:
                return click
        while len(tried) < TRIES and self.bumps - bumped < BUMPS and key in self.memory.things:
            view = self.other_view(self.memory.things[key], nearest, tried)
            if view is None:
                return None
            tried.append(view)
            if len(tried) <= skip:
                continue
            if not (yield from self.walk(view.pose)):
                continue
            for horizon in horizons(view.horizon, self.embodiment.look_deg):
                yield from self.tilt(horizon)
                click = self._click(key, surface, skip)
                if click is not None:
                    return click
                far += self._nearly_in_reach(key, surface)
            click = self._click_unseen(key)
            if click is not None:
                return click
            unseen += key not in self.seen
        if far and not skip and key in self.memory.things:
            return (yield from self._stretch(key, min(far)[1]))
        thing = self.memory.things.get(key)
        if unseen >= self.memory.perception.phantom_views and thing is not None and not thing.confirmed:
            thing.misses += 1
        return None

    def _nearly_in_reach(self, key: str, surface: bool) -> list[tuple[float, Viewpoint]]:
        """The current viewpoint with the object's distance, if it seems only just out of reach."""
        farthest = self.memory.perception.stretch_m
        if not farthest or surface or key not in self.seen:
            return []
        away = pointing.away(self.picture(), key, self.position)
        view = Viewpoint(self.grid_pose, round(self.pose.horizon))
        return [(away, view)] if away < farthest else []

    def _stretch(self, key: str, view: Viewpoint) -> Routine[Click | None]:
        """Go to the viewpoint where an object seemed nearest, and click it whatever its distance seems."""
        if not (yield from self.walk(view.pose)):
            return None
        yield from self.tilt(view.horizon)
        return pointing.on_thing(self.picture(), key, self.position, self.memory.perception.stretch_m)

    def repeat(self, name: str, key: str) -> Routine[bool]:
        """Repeat a successful click on a fixed object, seen or not; returns whether that worked."""
        if key not in self._last_clicks or key not in self.memory.things:
            return False
        click = yield from self._as_before(key)
        return click is not None and (yield from self.click(name, key, click)).success

    def _as_before(self, key: str) -> Routine[Click | None]:
        """Go back to where a fixed object was clicked; returns the same click."""
        (pose, horizon), click = self._last_clicks.pop(key)
        if not (yield from self.walk(pose)):
            return None
        yield from self.tilt(horizon)
        return pointing.on_thing(self.picture(), key, self.position) or click

    def other_view(
        self, thing: TrackedObject, nearest: float, tried: Sequence[Viewpoint]
    ) -> Viewpoint | None:
        """The cheapest viewpoint of an object; after failures, one from another side."""
        middle = thing.middle[[0, 2]]
        sides = [place(each) - middle for each in tried]
        seen_from = thing.seen_from[[0, 2]] - middle

        def badness(row: tuple[float, Viewpoint]) -> float:
            way = place(row[1]) - middle
            if not sides:
                return row[0] + SAME_SIDE * (1 - alignment(way, seen_from))
            return row[0] + NOVELTY * max(0.0, *(alignment(way, side) for side in sides)) ** 4

        cells = {each.pose[:2] for each in tried}
        fresh = [row for row in self.views(thing, nearest) if row[1].pose[:2] not in cells]
        return min(fresh, key=badness)[1] if fresh else None

    def inspect(self, key: str, sides: int, found: Callable[[], bool]) -> Routine[bool]:
        """Look at an object and into it from several sides until something is found."""
        tried: list[Viewpoint] = []
        for _ in range(sides):
            thing = self.memory.things.get(key)
            view = None if thing is None else self.other_view(thing, DOOR_M / 2, tried)
            if view is None:
                break
            tried.append(view)
            if not (yield from self.walk(view.pose)):
                continue
            tall = thing is not None and float(np.ptp(thing.points[:, 1])) > TALL_M
            nearest = sorted(SCAN_DEG, key=lambda each: abs(each - view.horizon))
            for horizon in nearest[: 4 if tall else 2]:
                yield from self.tilt(horizon)
                if found():
                    return True
        return found()

    def peek(self, key: str) -> Routine[None]:
        """Go close to an object and look down into it."""
        thing = self.memory.things.get(key)
        views = [] if thing is None else self.views(thing, best=0.4)
        if views and (yield from self.walk(views[0][1].pose)):
            yield from self.tilt(HORIZON_RANGE_DEG[1])

    def _far_enough(self, key: str, nearest: float) -> bool:
        thing = self.memory.things.get(key)
        if thing is None or not nearest:
            return True
        x, _, z = self.position
        away = np.hypot(thing.points[:, 0] - x, thing.points[:, 2] - z)
        return bool(away.min() >= nearest)

    def _click(self, key: str, surface: bool, skip: int) -> Click | None:
        frame = self.picture()
        thing = self.memory.things.get(key)
        if surface and thing is not None and thing.open and not skip:
            return pointing.inside(frame, key, self.position, float(thing.points[:, 1].max()))
        if surface:
            return pointing.on_surface(frame, key, self.position, skip)
        lost = not self.memory.perception.stable_ids and thing is not None and key not in self.seen
        if lost and thing is not None and thing.can("pickup"):
            self._match_lost(thing)
        return pointing.on_thing(self.picture(), key, self.position)

    def _match_lost(self, thing: TrackedObject) -> None:
        """Match a lost object with one of its type in view, which is as good."""
        like = self.memory.substitute(thing, self.seen)
        if like is not None:
            self.memory.forget(thing.key)
            self.memory.rematch(thing, like)
            frame = self.picture()
            labels = (Label(thing.key, each.type) if each.id == like.key else each for each in frame.labels)
            self._frame = dataclasses.replace(frame, labels=tuple(labels))
            self._seen = self._seen - {like.key} | {thing.key}

    def _click_unseen(self, key: str) -> Click | None:
        """Where to click for an object that is believed to lie unseen where it was put down."""
        thing = self.memory.things.get(key)
        kept = self.memory.perception.keeps_put_down and self.embodiment.places_at_click
        if not kept or thing is None or not thing.is_unseen_since_put:
            return None
        x, y, z = thing.middle.tolist()
        return pointing.click_at(self.picture(), (x, y, z), self.position)

    def touch(
        self, name: str, key: str, nearest: float = 0.0, surface: bool = False, tries: int = 2
    ) -> Routine[Outcome]:
        """Approach an object and do an object action with it, trying other clicks and viewpoints."""
        outcome = UNREACHED
        kind = self.memory.things[key].type if key in self.memory.things else ""
        for skip in range(tries):
            click = yield from self.approach(key, nearest, surface, skip)
            if click is None and surface and not skip:
                continue
            if click is None:
                break
            outcome = yield from self.click(name, key, click)
            if outcome.success or not self._worth_another_try(outcome.reason, key, kind):
                break
        return outcome

    def _worth_another_try(self, reason: Reason, key: str, kind: str) -> bool:
        """Whether the act may work from elsewhere; a miss counts if depth is not trusted."""
        if reason in ELSEWHERE:
            return True
        thing = self.memory.things.get(key)
        beside = reason is Reason.NOTHING_THERE
        doubted = not self.memory.perception.trusted_depth
        return doubted and beside and thing is not None and thing.type == kind
