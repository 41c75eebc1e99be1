"""Directives: a goal and a sentence for each sub-goal, with landmarks and directions that are true."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import msgspec
import numpy as np

from housemates.benchmarks.alfred.generate.demonstration import Demonstration, SubGoal
from housemates.benchmarks.alfred.tasks.goals import Task, home_type
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.core.outcome import spoken
from housemates.files import shipped
from housemates.home.containment import has_inside
from housemates.home.kinds import BASINS
from housemates.home.things import Agent, Thing, turned
from housemates.home.world import World

BESIDE_M = 1.2
"""How far from a place a landmark may be."""
NEXT_TO_M = 0.35
"""How far apart small things may be that are next to each other."""
FAR_STEPS, FEW_STEPS = 10, 2
LANDMARKS = (
    "Fridge", "Microwave", "Sink", "CoffeeMachine", "Toaster", "Bed", "Sofa", "Desk", "Television", "Toilet",
    "Bathtub", "DiningTable", "Dresser", "ArmChair", "Window", "GarbageCan",
    "FloorLamp", "DeskLamp", "Mirror",
)  # fmt: skip


class Phrases(msgspec.Struct, frozen=True):
    """The table of phrases; see `phrases.toml`."""

    goals: dict[str, tuple[str, ...]]
    steps: dict[str, tuple[str, ...]]
    ways: dict[str, tuple[str, ...]]
    names: dict[str, str]


class Directive(NamedTuple):
    """What one person says about a demonstration."""

    goal: str
    steps: tuple[str, ...]


class Told(NamedTuple):
    """What is true of one sub-goal: the kind of sentence it takes, and what may fill its gaps."""

    kind: str
    words: dict[str, str]


@cache
def phrases() -> Phrases:
    """The table of phrases."""
    return msgspec.convert(shipped(__package__, "phrases.toml"), Phrases)


def name_of(kind: str) -> str:
    """What people call a type of thing."""
    if kind.endswith("Sliced"):
        return f"{spoken(kind.removesuffix('Sliced'))} slice"
    return phrases().names.get(kind, spoken(kind))


def directives(demonstration: Demonstration, rng: np.random.Generator, count: int = 3) -> list[Directive]:
    """What `count` people might say, each in other words."""
    told = _tell(demonstration)
    goals = rng.permutation(len(phrases().goals[demonstration.task.type]))
    found = []
    for person in range(count):
        goal = phrases().goals[demonstration.task.type][int(goals[person % len(goals)])]
        steps = tuple(_sentence(each, rng) for each in told)
        found.append(Directive(_filled(goal, _goal_words(demonstration.task)), steps))
    return found


def _goal_words(task: Task) -> dict[str, str]:
    where = home_type(task.parent_target or task.toggle_target)
    thing = name_of(task.target)
    return {
        "thing": thing,
        "things": _plural(thing),
        "place": name_of(where),
        "base": name_of(home_type(task.mrecep_target)),
        "in": _inside(where)[0],
    }


def _plural(name: str) -> str:
    if name.endswith("knife"):
        return f"{name.removesuffix('knife')}knives"
    if name in ("lettuce", "bread", "toilet paper"):
        return {"lettuce": "heads of lettuce", "bread": "loaves of bread"}.get(name, f"rolls of {name}")
    return f"{name}{'es' if name.endswith(('ch', 'x', 'ss', 'sh', 'to')) else 's'}"


def _sentence(told: Told, rng: np.random.Generator) -> str:
    table = phrases().ways if told.kind in phrases().ways else phrases().steps
    options = table[told.kind]
    return _filled(options[int(rng.integers(len(options)))], told.words)


def _filled(template: str, words: dict[str, str]) -> str:
    text = template
    for key, value in words.items():
        text = text.replace(f"{{{key}}}", value)
    text = text[:1].upper() + text[1:]
    return text.replace(" a a", " an a").replace(" a e", " an e").replace(" a o", " an o").replace("  ", " ")


def _tell(demonstration: Demonstration) -> list[Told]:
    """What is true of each sub-goal, seen while the demonstration is played again."""
    world = AlfredWorld(demonstration.start)
    found = []
    for subgoal in demonstration.subgoals():
        before, home = world.home.agent, world.home
        told = None if subgoal.step.action == "GotoLocation" else _touched(home, subgoal)
        for deed in subgoal.deeds:
            world.act(deed.action, deed.target)
        found.append(told or _walked(home, subgoal, before))
    return found


def _touched(home: World, subgoal: SubGoal) -> Told:
    action, thing_id, place_id = subgoal.step
    place = home.things[place_id]
    thing = home.things[thing_id] if thing_id else place
    words = {
        "thing": name_of(thing.type),
        "place": name_of(place.type) if place.id != thing.id else "floor",
        "base": name_of(place.type),
        "near": _next_to(home, thing if action != "StackObject" else place),
        "in": _inside(place.type)[0],
        "out": _inside(place.type)[1] if place.id != thing.id else "from",
    }
    if action == "ToggleObject":
        words["place"] = name_of(place.type)
    return Told(action, words)


def _inside(kind: str) -> tuple[str, str]:
    """How one speaks of putting things into and taking them out of a type of receptacle."""
    shell = Thing(id="", type=kind, position=(0.0, 0.0, 0.0), size=(1.0, 1.0, 1.0))
    inside = has_inside(shell) or kind in (*BASINS, "GarbageCan", "CoffeeMachine")
    return ("in", "out of") if inside and kind != "CoffeeMachine" else ("on", "from")


def _next_to(home: World, thing: Thing) -> str:
    """A remark on the small thing nearest to another on the same receptacle, if one is close by."""
    if not thing.parents:
        return ""
    beside = [
        (math.dist(other.position, thing.position), other.type)
        for other in home.contents(home.things[thing.parents[0]])
        if other.type != thing.type and other.can("pickup")
    ]
    apart, kind = min(beside, default=(math.inf, ""))
    return f" next to the {name_of(kind)}" if apart <= NEXT_TO_M else ""


def _walked(home: World, subgoal: SubGoal, before: Agent) -> Told:
    place = home.things[subgoal.step.place]
    after = home.agent
    names = [deed.action for deed in subgoal.deeds]
    steps = names.count("MoveAhead")
    first = names.index("MoveAhead") if steps else len(names)
    last = len(names) - names[::-1].index("MoveAhead") if steps else len(names)
    face = _turn(names[last:])
    words = {
        "place": name_of(place.type),
        "turn": f"{turn} and " if (turn := _turn(names[:first])) else "",
        "face": f", then {face} to face it" if face else "",
        "near": _landmark(home, place, after),
        "side": _side(before, place),
        "look": "down" if after.horizon > before.horizon else "up" if after.horizon < before.horizon else "",
    }
    return Told(_way(steps, bool(words["look"])), words)


def _way(steps: int, looks: bool) -> str:
    """Which phrases describe a way of so many steps."""
    if not steps:
        return "look" if looks else "face"
    return "step" if steps <= FEW_STEPS else "far" if steps >= FAR_STEPS else "walk"


def _turn(moves: list[str]) -> str:
    """The turn that some moves amount to, in words."""
    quarter = (moves.count("RotateRight") - moves.count("RotateLeft")) % 4
    return ("", "turn right", "turn around", "turn left")[quarter]


def _side(agent: Agent, place: Thing) -> str:
    """Where a place is, as seen by the agent."""
    right, ahead = turned(place.position[0] - agent.x, place.position[2] - agent.z, -agent.rotation)
    if abs(right) <= abs(ahead):
        return "in front of you" if ahead > 0 else "behind you"
    return "on your right" if right > 0 else "on your left"


def _landmark(home: World, place: Thing, agent: Agent) -> str:
    """A remark on a large thing beside a place, on the side where the agent sees it."""
    best: tuple[float, str] = (math.inf, "")
    for kind in LANDMARKS:
        for other in home.of_type(kind):
            apart = math.dist((place.position[0], place.position[2]), (other.position[0], other.position[2]))
            if name_of(kind) == name_of(place.type) or apart > BESIDE_M or apart >= best[0]:
                continue
            right, _ = turned(
                place.position[0] - other.position[0], place.position[2] - other.position[2], -agent.rotation
            )
            if abs(right) > apart / 2:
                side = "to the right of" if right > 0 else "to the left of"
                best = (apart, f" {side} the {name_of(kind)}")
    return best[1]
