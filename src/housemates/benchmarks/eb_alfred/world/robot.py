"""A robot that acts in EmbodiedBench's skills: it is taken to what it looks for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import msgspec

from housemates.benchmarks.alfred.tasks.goals import home_type
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.files import shipped
from housemates.home import Thing
from housemates.home.actions import force
from housemates.home.containment import is_shut
from housemates.home.geometry import nearest_distance
from housemates.home.navigation import Cell, reachable
from housemates.home.things import (
    AGENT_HEIGHT_M,
    CAMERA_ABOVE_AGENT_M,
    GRID_M,
    REACH_M,
    thor_position,
    turned,
)
from housemates.home.types import Vec

NOT_HOLDING = "Robot is not holding any object"
PUT_DOWN, DROP = "put down the object in hand", "drop the object in hand"
SHUT_IN, NOT_SEEN, OCCUPIED, SLICED = 100_000.0, 1_000.0, 10_000.0, -100.0
"""How much farther away a thing counts that is in something closed, not in view, a burner that is taken, or
whole where slices are wanted."""
STEEPNESS = 0.9
"""The share of the angle down to a thing by which the camera is turned."""
SEARCHED = 20
"""How many of the nearest places are tried."""
FACED = {"Fridge": (90, 270), "Microwave": (0, 180)}
"""Where one stands before what has a door: the angle between its front and the view, give or take 20."""
STEP_ASIDE_M = 0.6
"""How far the robot steps aside to open something."""
ARM_M = 0.4
"""How far before the robot what it drops comes down."""
TRIES = 3
"""After so many times that putting down into the same failed, what is held is dropped."""


@cache
def base_skills() -> tuple[str, ...]:
    """The skills that every home has, in their order."""
    table = shipped(__package__, "skills.toml")
    found = [f"find a {each}" for each in table["find"]]
    found += [f"pick up the {each}" for each in table["pick_up"]]
    found += [PUT_DOWN, DROP]
    found += [f"{verb} the {each}" for each in table["open"] for verb in ("open", "close")]
    found += [f"turn {way} the {each}" for each in table["turn_on"] for way in ("on", "off")]
    return (*found, *(f"slice the {each}" for each in table["slice"]))


class Robot:
    """Carries out skills in a home of ALFRED; messages are in the original's words.

    Args:
        world: The home, in which the agent has been put where the trial begins.
    """

    def __init__(self, world: AlfredWorld) -> None:
        self.world, self.home = world, world.home
        self.places = sorted(reachable(world.home))
        self.instances = _instances(world.home.things)
        """The things of which there are several, by the names that tell them apart."""
        self.skills = (*base_skills(), *_more_skills(self.instances))
        self._sliced = False
        self._facing = ""
        """What was looked for last, if nothing was done since but to open it or put something down."""
        self._put: dict[str, int] = {}

    def do(self, skill: str) -> Outcome:
        """Carry out a skill of the list."""
        verb, _, name = skill.rpartition(" ")
        if skill in (PUT_DOWN, DROP):
            return self._put_down() if skill == PUT_DOWN and self._facing else self._drop()
        carried_out = _SKILLS[verb]
        if carried_out not in (Robot._find, Robot._open):
            self._facing = ""
        return carried_out(self, name)

    def _nearest(self, name: str, wanted: Callable[[Thing], bool] = lambda thing: True,
                 by_sight: bool = False) -> Thing | None:  # fmt: skip
        """The thing of a name that is nearest as the robot counts; slices go by the whole's name."""
        there = self._of_kind(home_type(name))
        return min(filter(wanted, there), key=lambda each: self._distance(each, by_sight), default=None)

    def _of_kind(self, kind: str) -> list[Thing]:
        """The things of a kind; where a home has no sink or bathtub, their basins."""
        known = [each for each in self.home.things.values() if each.solid]
        there = [each for each in known if each.type in (kind, f"{kind}Sliced")]
        return there or [each for each in known if each.type == f"{kind}Basin"]

    def _distance(self, thing: Thing, by_sight: bool) -> float:
        away = math.dist(self.home.agent.position, thor_position(thing))
        away += SHUT_IN * (self.home.enclosing(thing) is not None)
        away += OCCUPIED * (thing.type == "StoveBurner" and bool(self.home.contents(thing)))
        if by_sight:
            away += NOT_SEEN * (not self.world.sees(thing)) + SLICED * (self._sliced and thing.sliced)
        return away

    def _named(self, name: str) -> Thing | None:
        """The thing of an instance's name; of another name, the nearest."""
        known = self.home.things.get(self.instances.get(name, ""))
        if known is not None and known.solid:
            return known
        return self._nearest(name.partition("_")[0])

    def _find(self, name: str) -> Outcome:
        thing = self.home.things.get(self.instances.get(name, ""))
        if thing is None or not thing.solid:
            thing = self._nearest(name.partition("_")[0], by_sight=True)
        self._facing = name
        kind = name.partition("_")[0]
        if thing is None:
            told = f"Cannot find {kind}. This object may not exist in this scene. "
            return refuse(Reason.NO_SUCH_THING, told + "Try to explore other instances instead.")
        self._stand_before(thing, next(self._stands(thing)))
        return done()

    def _stands(self, thing: Thing) -> Iterator[Cell]:
        """Where one may stand to face a thing, the nearest first; before a door, where it can be opened."""
        x, _, z = thor_position(thing)
        near = sorted(self.places, key=lambda each: (math.dist(_metres(each), (x, z)), each))
        angles = FACED.get(thing.type)
        if angles is not None:
            fitting = (each for each in near[:SEARCHED] if _faces(thing, each, angles))
            yield from fitting
        yield from near[:SEARCHED]

    def _stand_before(self, thing: Thing, cell: Cell) -> None:
        x, y, z = thor_position(thing)
        here_x, here_z = cell.x * GRID_M, cell.z * GRID_M
        turn = math.degrees(math.atan2(x - here_x, z - here_z))
        below = AGENT_HEIGHT_M + CAMERA_ABOVE_AGENT_M - y
        look = STEEPNESS * math.degrees(math.atan2(below, math.hypot(x - here_x, z - here_z)))
        self.home.agent = msgspec.structs.replace(
            self.home.agent, x=here_x, z=here_z, rotation=round(turn) % 360, horizon=round(look)
        )

    def _pick_up(self, name: str) -> Outcome:
        thing = self._nearest(name, lambda each: each.can("pickup"), by_sight=True)
        if thing is None:
            told = f"Cannot find {name} to pick up. Find the object before picking up it"
            return refuse(Reason.NO_SUCH_THING, told)
        shut = self.home.enclosing(thing)
        if self.world.act("PickupObject", thing.id).success:
            return done()
        if shut is not None or (thing.parents and not self.world.sees(thing)):
            where = self._called(shut.id if shut is not None else thing.parents[0])
            told = f"{name} is not visible because it is in {where}. Go there to pick the object instead."
            return refuse(Reason.SHUT_IN if shut is not None else Reason.NOT_VISIBLE, told, inside=where)
        held = self.home.held
        if held is None:
            return refuse(Reason.TOO_FAR, NOT_HOLDING)
        return refuse(Reason.HANDS_FULL, f"Robot is currently holding {held.type}", held=held.type)

    def _called(self, thing: str) -> str:
        """What a thing is called among those of its kind."""
        own = next((name for name, each in self.instances.items() if each == thing), "")
        return own or thing.partition("|")[0]

    def _put_down(self) -> Outcome:
        if self.home.held is None:
            return refuse(Reason.HANDS_EMPTY, NOT_HOLDING)
        name = self._facing
        self._put[name] = self._put.get(name, 0) + 1
        first = self._named(name)
        kind = name.partition("_")[0]
        second = self._nearest(kind, lambda each: first is None or each.id != first.id)
        if any(each is not None and self._placed(each) for each in (first, second)):
            return done()
        told = f"Putting the object on {kind} failed. First check the receptacle is open or not. "
        told += "Also try other instances of the receptacle"
        if self._put[name] >= TRIES:
            self._drop()
            told += ". The robot dropped the object instead."
        return refuse(Reason.NO_ROOM, told)

    def _placed(self, receptacle: Thing) -> bool:
        """Whether what is held could be put there, from where the robot stands or a step aside."""
        basins = [each for each in self.home.of_type(f"{receptacle.type}Basin") if each.solid]
        basins.sort(key=lambda each: math.dist(each.position, receptacle.position))
        there = [each for each in (*basins[:1], receptacle) if each.can("receptacle") and not is_shut(each)]
        return self.home.enclosing(receptacle) is None and any(
            force(self.home, "Place", target=each.id).success for each in there
        )

    def _drop(self) -> Outcome:
        if self.home.held is None:
            return refuse(Reason.HANDS_EMPTY, NOT_HOLDING)
        x, z = turned(0.0, ARM_M, self.home.agent.rotation)
        before = (self.home.agent.x + x, self.home.agent.y, self.home.agent.z + z)
        near = sorted((nearest_distance(each, before), each.id) for each in self.home.things.values())
        for away, name in near:
            if away <= REACH_M and self._holds_things(name) and self._laid(name, before):
                return done()
        return refuse(Reason.NO_ROOM, "Drop action failed")

    def _holds_things(self, name: str) -> bool:
        thing = self.home.things[name]
        return thing.solid and thing.can("receptacle") and not is_shut(thing) and not self.home.in_hand(thing)

    def _laid(self, name: str, near: Vec) -> bool:
        return force(self.home, "Place", target=name, near=near).success

    def _open(self, name: str) -> Outcome:
        thing = self._named(name)
        kind = name.partition("_")[0]
        if thing is None:
            told = f"Cannot find {kind} to open. Find the object before opening it"
            return refuse(Reason.NO_SUCH_THING, told)
        if thing.open:
            return refuse(Reason.ALREADY, f"Open action failed. The {kind} is already open")
        before = self.home.agent
        for cell in (None, *self._stands(thing)):
            if cell is not None and math.dist((before.x, before.z), _metres(cell)) > STEP_ASIDE_M:
                continue
            if cell is not None:
                self._stand_before(thing, cell)
            if self.world.act("OpenObject", thing.id).success:
                return done()
        self.home.agent = before
        return refuse(Reason.NOT_POSSIBLE, "Open action failed.")

    def _close(self, name: str) -> Outcome:
        thing = self._named(name)
        kind = name.partition("_")[0]
        if thing is None:
            return refuse(Reason.NO_SUCH_THING, f"Cannot find {kind} to close")
        if self.world.act("CloseObject", thing.id).success:
            return done()
        if not thing.open:
            return refuse(Reason.ALREADY, f"Close action failed. The {kind} is already closed")
        return refuse(Reason.NOT_POSSIBLE, "Close action failed")

    def _switch(self, name: str, way: str) -> Outcome:
        thing = self._nearest(name, lambda each: each.can("toggle"))
        if thing is None:
            return refuse(Reason.NO_SUCH_THING, f"Cannot find {name} to turn {way}")
        action = "ToggleObjectOn" if way == "on" else "ToggleObjectOff"
        return self._tried(action, thing, f"Turn {way} action failed")

    def _tried(self, action: str, thing: Thing, otherwise: str) -> Outcome:
        found = self.world.act(action, thing.id)
        return done() if found.success else refuse(found.reason, otherwise)

    def _turn_on(self, name: str) -> Outcome:
        return self._switch(name, "on")

    def _turn_off(self, name: str) -> Outcome:
        return self._switch(name, "off")

    def _slice(self, name: str) -> Outcome:
        self._sliced = True
        thing = self._nearest(name)
        if thing is None:
            return refuse(Reason.NO_SUCH_THING, f"Cannot find {name} to slice")
        return self._tried("SliceObject", thing, "Slice action failed")


_SKILLS: Mapping[str, Callable[[Robot, str], Outcome]] = {
    "find a": Robot._find,
    "pick up the": Robot._pick_up,
    "open the": Robot._open,
    "close the": Robot._close,
    "turn on the": Robot._turn_on,
    "turn off the": Robot._turn_off,
    "slice the": Robot._slice,
}


def _metres(cell: Cell) -> tuple[float, float]:
    return (cell.x * GRID_M, cell.z * GRID_M)


def _faces(thing: Thing, cell: Cell, angles: tuple[int, ...]) -> bool:
    x, _, z = thor_position(thing)
    turn = math.degrees(math.atan2(x - cell.x * GRID_M, z - cell.z * GRID_M))
    apart = abs((turn - thing.yaw + 180) % 360 - 180)
    return any(abs(apart - (angle if angle <= 180 else 360 - angle)) < 20 for angle in angles)


def _instances(things: Mapping[str, Thing]) -> dict[str, str]:
    """Receptacles, and things that can be taken, of which there are several: `Cabinet`, `Cabinet_2`, ..."""
    kinds: dict[tuple[bool, str], list[str]] = {}
    for thing in things.values():
        if thing.can("receptacle") or thing.can("pickup"):
            kinds.setdefault((not thing.can("receptacle"), thing.id.partition("|")[0]), []).append(thing.id)
    found: dict[str, str] = {}
    for (_, kind), ids in sorted(kinds.items()):
        if len(ids) > 1:
            found |= {kind if number == 1 else f"{kind}_{number}": each for number, each in enumerate(ids, 1)}
    return found


def _more_skills(instances: Mapping[str, str]) -> list[str]:
    """The skills of those instances that the base skills do not name."""
    table = shipped(__package__, "skills.toml")
    further = sorted(each for each in instances if "_" in each)
    taken = [each for each in further if each.partition("_")[0] in table["pick_up"]]
    fixed = [each for each in further if each not in taken]
    found = [f"find a {each}" for each in fixed]
    opened = [each for each in fixed if each.partition("_")[0] in table["open"]]
    found += [f"{verb} the {each}" for each in opened for verb in ("open", "close")]
    return [*found, *(f"find a {each}" for each in taken)]
