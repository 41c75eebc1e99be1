"""A body: standing where a thing is in reach, and touching it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np

from housemates.agents.embodied import outcome_parsing, pointing
from housemates.agents.embodied.embodiment import Click, Senses, half_width
from housemates.agents.embodied.locomotion import BUMPS, Doing, Walker
from housemates.agents.embodied.object_memory import Seen
from housemates.agents.embodied.occupancy import Points
from housemates.agents.embodied.viewpoints import View, alignment, horizons, place
from housemates.core.outcome import Outcome, Reason, refuse
from housemates.home.things import CAMERA_ABOVE_AGENT_M, GRID_M, HORIZON_RANGE_DEG, turned
from housemates.render.frames import Label

ARM_M, HAZY_ARM_M = 1.36, 1.15
"""How near a thing should be to be touched; the same, where one can get so near, if eyes may err."""
FAR_COST = 24.0
"""What counts against a stand for each metre that it is farther away than that."""
LOOKING_M = 2.5
"""From how far away a thing is looked at, where eyes may err and no stand is near enough to touch it."""
DOOR_M = 0.6
"""How far from a door or drawer one should stand to open it."""
SCAN_DEG = (-30, 0, 30, 60)
"""How far it looks down, one after the other, to see all of a thing."""
TALL_M = 1.0
TRIES = 5
SAME_SIDE = 4.0
"""What it counts against a stand that a thing was seen from another side."""
NOVELTY = 18.0
"""What it counts against a stand that it is on a side that was tried in vain."""
UNSEEN = 2
"""From so many stands a thing that is there was seen, where eyes may err."""
DUBIOUS_M = 1.9
"""What seems farther away than this is out of reach, however much eyes err."""
ELSEWHERE = (Reason.TOO_FAR, Reason.ROOM_TOO_FAR, Reason.NO_ROOM, Reason.NOT_VISIBLE, Reason.IN_THE_WAY)
"""Why an act did not work that may work from another stand."""
UNREACHED = refuse(Reason.UNREACHABLE, "No stand was found from which to touch it.")


class Body(Walker):
    """How one touches things.

    Args:
        senses: The benchmark's part.
    """

    def __init__(self, senses: Senses) -> None:
        super().__init__(senses)
        self._handy: dict[str, tuple[View, Click]] = {}
        """From where, and where in the picture, what stays where it is was touched last, if eyes may err."""
        self.touched: Points = np.empty((0, 3))
        """The point that was touched last."""

    def click(self, name: str, key: str, click: Click) -> Doing[Outcome]:
        """Do something with a thing at a place of the picture; a door that moved is known to have moved.

        Where eyes may err, nothing is done with what they lost sight of on the way.
        """
        if key not in self.memory.things:
            return UNREACHED
        self.touched = pointing.point_at(self.picture(), click)
        if not np.isfinite(self.touched).all():
            self.touched = self.memory.things[key].middle[None]
        percept = yield self.senses.touch(name, self.picture(), key, click)
        outcome = self._came_of(percept)
        if "open" in outcome.data:
            self.memory.things[key].open = outcome.data["open"]
            self.map.forget(key)
        if self.memory.hazy:
            if outcome.success:
                self._handled(name, key, click)
            outcome = outcome_parsing.learn(self.memory, key, name, outcome, self.position)
        self.perceive(percept)
        return outcome

    def _handled(self, name: str, key: str, click: Click) -> None:
        """Know what is in the hand, and where that came to lie, before looking: ids do not tell it."""
        held = self.memory.things.get(self.memory.held)
        if not self.memory.things[key].can("pickup"):
            self._handy[key] = View(self.stand, round(self.pose.horizon)), click
        if name == "Pickup":
            self.memory.held = key
        elif name == "Place" and held is not None:
            self.memory.lay(held, key, self.touched, True)

    def views(self, thing: Seen, nearest: float = 0.0, best: float | None = None) -> list[tuple[float, View]]:
        """From where a thing should be in reach and in the picture, each with what counts against it.

        Where eyes may err, and there is no such view, it is at least looked at from closer by.

        Args:
            thing: What is to be seen.
            nearest: How far to stay away from it.
            best: How far away it is best to stand; as far as it likes to if None.
        """
        best = self.senses.stand_m if best is None else best
        found = self._views(thing, nearest, best, ARM_M)
        return found if found or not self.memory.hazy else self._views(thing, nearest, best, LOOKING_M)

    def _views(self, thing: Seen, nearest: float, best: float, farthest: float) -> list[tuple[float, View]]:
        costs = self.map.ways(self.stand)
        stands = list(costs)
        places = np.array([(each.x * GRID_M, each.z * GRID_M) for each in stands])
        points = thing.points
        flat = points[None, :, [0, 2]] - places[:, None]
        away = np.sqrt((flat**2).sum(axis=2))
        reach = np.sqrt(away**2 + (points[None, :, 1] - self.pose.y) ** 2)
        point = np.argmin(reach + 0.3 * np.abs(away - best), axis=1)
        rows = np.arange(len(stands))
        near = (reach[rows, point] <= farthest) & (away.min(axis=1) >= nearest)
        found, wide = [], half_width(self.senses)
        for row in np.flatnonzero(near).tolist():
            stand = stands[row]
            x, z = flat[row, point[row]].tolist()
            right, ahead = turned(x, z, -stand.rotation)
            if ahead < 0.15 or abs(right) > 0.85 * wide * ahead:
                continue
            target = points[point[row]]
            worth = (
                costs[stand] + 3 * abs(away[row, point[row]] - best) + self.senses.aside * abs(right) / ahead
            )
            if self.memory.hazy:
                worth += FAR_COST * max(0.0, float(reach[row, point[row]]) - HAZY_ARM_M)
            found.append((worth, View(stand, self._horizon(target[1], ahead))))
        return sorted(found)

    def _horizon(self, height: float, ahead: float) -> int:
        """How far to look down to have a height in the picture."""
        eye = self.pose.y + CAMERA_ABOVE_AGENT_M
        pitch = math.degrees(math.atan2(eye - height, ahead))
        if self.memory.held:
            pitch += 10
        look = self.senses.look_deg
        best = round(pitch / look) * look
        return min(max(best, HORIZON_RANGE_DEG[0]), HORIZON_RANGE_DEG[1])

    def approach(
        self, key: str, nearest: float = 0.0, surface: bool = False, skip: int = 0
    ) -> Doing[Click | None]:
        """Stand where a thing can be clicked on; returns where, or None if no such stand was found.

        Args:
            key: The thing.
            nearest: How far to stay away from it.
            surface: Whether something is to be put on it, or into it if it is open.
            skip: How many of the best places to click on, and to stand, to leave out.
        """
        thing = self.memory.things.get(key)
        self.map.dare(self.memory.hazy and thing is not None and not self.views(thing, nearest))
        try:
            return (yield from self._approach(key, nearest, surface, skip))
        finally:
            self.map.dare(False)

    def _approach(self, key: str, nearest: float, surface: bool, skip: int) -> Doing[Click | None]:
        tried: list[View] = []
        bumped, unseen, far = self.bumps, 0, []
        if not skip and self._far_enough(key, nearest):
            click = self._click(key, surface, 0)
            if click is not None:
                return click
        if not skip and key in self._handy:
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
            if not (yield from self.walk(view.stand)):
                continue
            for horizon in horizons(view.horizon, self.senses.look_deg):
                yield from self.tilt(horizon)
                click = self._click(key, surface, skip)
                if click is not None:
                    return click
                far += self._out_of_reach(key, surface)
            click = self._where_laid(key)
            if click is not None:
                return click
            unseen += key not in self.seen
        if far and not skip and key in self.memory.things:
            return (yield from self._stretch(key, min(far)[1]))
        thing = self.memory.things.get(key)
        if self.memory.hazy and unseen >= UNSEEN and thing is not None and not thing.sworn:
            thing.missed += 1
        return None

    def _out_of_reach(self, key: str, surface: bool) -> list[tuple[float, View]]:
        """The view of a thing that is seen but seems too far away, with how far; eyes may err about that."""
        if not self.memory.hazy or surface or key not in self.seen:
            return []
        away = pointing.away(self.picture(), key, self.position)
        view = View(self.stand, round(self.pose.horizon))
        return [(away, view)] if away < DUBIOUS_M else []

    def _stretch(self, key: str, view: View) -> Doing[Click | None]:
        """Stand where a thing seemed nearest, and point to it however far away it seems."""
        if not (yield from self.walk(view.stand)):
            return None
        yield from self.tilt(view.horizon)
        return pointing.on_thing(self.picture(), key, self.position, DUBIOUS_M)

    def repeat(self, name: str, key: str) -> Doing[bool]:
        """Do something with a thing where it was touched before, seen or not; whether that worked."""
        if key not in self._handy or key not in self.memory.things:
            return False
        click = yield from self._as_before(key)
        return click is not None and (yield from self.click(name, key, click)).success

    def _as_before(self, key: str) -> Doing[Click | None]:
        """Stand where a thing that stays where it is was touched, and point to the same place."""
        (stand, horizon), click = self._handy.pop(key)
        if not (yield from self.walk(stand)):
            return None
        yield from self.tilt(horizon)
        return pointing.on_thing(self.picture(), key, self.position) or click

    def other_view(self, thing: Seen, nearest: float, tried: Sequence[View]) -> View | None:
        """The best view of a thing; after vain tries, rather one from another side."""
        middle = thing.middle[[0, 2]]
        sides = [place(each) - middle for each in tried]
        seen_from = thing.seen_from[[0, 2]] - middle

        def badness(row: tuple[float, View]) -> float:
            way = place(row[1]) - middle
            if not sides:
                return row[0] + SAME_SIDE * (1 - alignment(way, seen_from))
            return row[0] + NOVELTY * max(0.0, *(alignment(way, side) for side in sides)) ** 4

        cells = {each.stand[:2] for each in tried}
        fresh = [row for row in self.views(thing, nearest) if row[1].stand[:2] not in cells]
        return min(fresh, key=badness)[1] if fresh else None

    def inspect(self, key: str, sides: int, found: Callable[[], bool]) -> Doing[bool]:
        """Look at a thing and into it from several sides until something is found."""
        tried: list[View] = []
        for _ in range(sides):
            thing = self.memory.things.get(key)
            view = None if thing is None else self.other_view(thing, DOOR_M / 2, tried)
            if view is None:
                break
            tried.append(view)
            if not (yield from self.walk(view.stand)):
                continue
            tall = thing is not None and float(np.ptp(thing.points[:, 1])) > TALL_M
            nearest = sorted(SCAN_DEG, key=lambda each: abs(each - view.horizon))
            for horizon in nearest[: 4 if tall else 2]:
                yield from self.tilt(horizon)
                if found():
                    return True
        return found()

    def peek(self, key: str) -> Doing[None]:
        """Stand close to a thing and look down into it."""
        thing = self.memory.things.get(key)
        views = [] if thing is None else self.views(thing, best=0.4)
        if views and (yield from self.walk(views[0][1].stand)):
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
        if self.memory.hazy and thing is not None and thing.can("pickup") and key not in self.seen:
            self._take_for(thing)
        return pointing.on_thing(self.picture(), key, self.position)

    def _take_for(self, thing: Seen) -> None:
        """Where a thing is not seen that should be there, take one like it for it: it is as good."""
        like = self.memory.like(thing, self.seen)
        if like is not None:
            self.memory.forget(thing.key)
            self.memory.recall(thing, like)
            frame = self.picture()
            labels = (Label(thing.key, each.type) if each.id == like.key else each for each in frame.labels)
            self._frame = dataclasses.replace(frame, labels=tuple(labels))
            self._seen = self._seen - {like.key} | {thing.key}

    def _where_laid(self, key: str) -> Click | None:
        """Where to point for a thing that lies unseen where it was put, if eyes may err."""
        thing = self.memory.things.get(key)
        if not (self.memory.hazy and self.senses.exact and thing is not None and thing.laid):
            return None
        x, y, z = thing.middle.tolist()
        return pointing.where_laid(self.picture(), (x, y, z), self.position)

    def touch(
        self, name: str, key: str, nearest: float = 0.0, surface: bool = False, tries: int = 2
    ) -> Doing[Outcome]:
        """Go to a thing and do something with it."""
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
        """Whether an act may work from elsewhere; where eyes may err, also one that was beside the thing."""
        if reason in ELSEWHERE:
            return True
        thing = self.memory.things.get(key)
        beside = reason is Reason.NOTHING_THERE
        return self.memory.hazy and beside and thing is not None and thing.type == kind
