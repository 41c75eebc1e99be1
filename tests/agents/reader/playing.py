"""A home with the Follower in it, to whom things are said, and what came of that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from housemates.agents.reader.follower import Follower
from housemates.benchmarks.teach.formats.starts import Start
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.session import TatcSession
from housemates.benchmarks.teach.world.agent_camera import SIDE_PX
from housemates.benchmarks.teach.world.views import Seeing
from housemates.core.actions import Act
from housemates.core.benchmark import Instance
from housemates.core.percepts import Limits
from housemates.home import Thing
from housemates.home.kinds import BASIN_TYPES

LIMITS = Limits(steps=4000, failures=400)
TOUCHES = ("Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice", "Pour")
SILENT = 4
"""Turns without a word after which nobody waits for one."""


class Effect(NamedTuple):
    """Something that is clean, cooked or filled after an act that could have made it so."""

    state: str
    thing: str
    type: str


class Done(NamedTuple):
    """An act that succeeded, with the ids and types of what it was about, as the world has them."""

    name: str
    type: str = ""
    thing: str = ""
    load: str = ""
    load_type: str = ""
    held_by: tuple[str, ...] = ()
    """Types of what holds the load now."""
    effects: tuple[Effect, ...] = ()


class Turn(NamedTuple):
    """What followed something that was said."""

    text: str
    answers: tuple[str, ...]
    acts: tuple[Done, ...]
    before: dict[str, Thing]
    after: dict[str, Thing]


class Conversation:
    """One Commander, who only speaks, and the Follower."""

    def __init__(self, home: str, seed: int = 0, side_px: int = SIDE_PX) -> None:
        seeing = Seeing(side_px, side_px)
        instance = Instance(f"talk {seed}", "", start(home), seed)
        self.session = TatcSession(instance, LIMITS, seeing, ends_by_itself=False)
        self.follower = Follower()
        self.follower.reset(self.session.brief("follower"))
        self.turns: list[Turn] = []

    @property
    def things(self) -> dict[str, Thing]:
        """The things of the home as they are now."""
        return dict(self.session.world.home.things)

    def say(self, text: str) -> Turn:
        """Say something, and let the Follower act until it has answered."""
        before, answers, acts = self.things, [], []
        self.session.act(Act("Say", {"text": text}))
        for _ in range(SILENT):
            while self.session.role == "follower":
                act = self.follower.act(self.session.observe("follower"))
                held = self.session.world.home.agent.held
                outcome = self.session.act(act)
                if act.name == "Say":
                    answers.append(str(act.arguments["text"]))
                elif outcome.success and act.name != "Pass":
                    acts.append(self._done(act.name, str(outcome.data.get("object", "")), held))
            if answers and not self.follower.agenda:
                break
            if answers and "?" in answers[-1]:
                break
            self.session.act("Pass")
        self.turns.append(Turn(text, tuple(answers), tuple(acts), before, self.things))
        return self.turns[-1]

    def _done(self, name: str, target: str, held: str) -> Done:
        """An act that was just done, as the world shows it."""
        now = self.things
        thing, load = now.get(target), now.get(held)
        kind = "" if thing is None else thing.type
        holders = () if load is None else tuple(now[each].type for each in load.parents if each in now)
        effects = tuple(_effects(kind, now)) if name == "ToggleOn" else ()
        return Done(name, kind, target, held, "" if load is None else load.type, holders, effects)


def _effects(machine: str, now: dict[str, Thing]) -> Iterator[Effect]:
    """What is clean, full or cooked in or on a machine that runs."""
    for each in now.values():
        holders = {now[parent].type for parent in each.parents if parent in now}
        if machine == "Faucet" and holders & {"Sink", "SinkBasin", "Bathtub", "BathtubBasin"}:
            if not each.dirty:
                yield Effect("clean", each.id, each.type)
            if each.liquid:
                yield Effect("filled", each.id, each.type)
        if machine != "Faucet" and each.cooked:
            yield Effect("cooked", each.id, each.type)
        if machine == "CoffeeMachine" and each.liquid == "coffee" and machine in holders:
            yield Effect("made", each.id, each.type)


@cache
def start(home: str) -> Start:
    """A home by the task and the seed that it was drawn for."""
    task, _, seed = home.rpartition(" ")
    return sampling.start(sampling.draws(int(seed), 1, [task])[0])


def is_so(fact: str, turns: Sequence[Turn], held: str) -> bool:
    """Whether a fact of `conversations.toml` is so after some turns."""
    now, first = turns[-1].after, turns[0].before
    if found := re.fullmatch(
        r"holds (?P<another>another )?(?P<kind>[\w|]+)(?: that was in (?P<place>\w+))?", fact
    ):
        if found["kind"] == "nothing":
            return not held
        thing = now.get(held)
        if thing is None or thing.type not in found["kind"].split("|"):
            return False
        was = [each.thing for turn in turns[:-1] for each in turn.acts if each.name == "Pickup"]
        other = not found["another"] or held not in was
        return other and (not found["place"] or _is_in(first.get(held, thing), found["place"], first))
    if found := re.fullmatch(
        r"(?P<number>\d+ |all )?(?P<kind>[\w|]+) in (?P<place>\w+)(?P<used> that was used)?", fact
    ):
        if found["kind"] in ("coffee", "water"):
            filled = [
                each for each in now.values() if each.type == found["place"] and each.liquid == found["kind"]
            ]
            return any(
                first.get(each.id) is None or first[each.id].liquid != each.liquid for each in filled
            ) or (bool(filled) and any(act.name == "Pour" for turn in turns for act in turn.acts))
        kind = _of(found["kind"], now)
        there = [each for each in kind if _is_in(each, found["place"], now)]
        moved = [each for each in there if not _is_in(first.get(each.id, each), found["place"], first)]
        if found["used"]:
            used = {each.load for turn in turns[:-1] for each in turn.acts if each.name == "Place"}
            return any(each.id in used for each in there)
        number = found["number"]
        if number:
            return len(there) == (len(kind) if number == "all " else int(number))
        return bool(moved) or any(act.load == each.id for each in there for act in turns[-1].acts)
    if found := re.fullmatch(r"(?P<number>\d+ )?(?P<kind>[\w|]+) (?:is|was) (?P<state>\w+)", fact):
        if found["state"] == "opened":
            opened = {act.thing for turn in turns for act in turn.acts if act.name == "Open"}
            return len([each for each in opened if now[each].type == found["kind"]]) >= int(
                found["number"] or 1
            )
        if found["state"] == "back":
            moved = {act.thing for turn in turns for act in turn.acts if act.name == "Pickup"}
            return all(now[each].parents == first[each].parents for each in moved)
        so = [each for each in _of(found["kind"], now) if STATES[found["state"]](each)]
        return len(so) >= int(found["number"] or 1)
    raise ValueError(f"{fact}: no fact of a known form.")


STATES = {
    "open": lambda thing: thing.open,
    "closed": lambda thing: not thing.open,
    "on": lambda thing: thing.on,
    "off": lambda thing: not thing.on,
    "clean": lambda thing: not thing.dirty,
    "sliced": lambda thing: thing.sliced,
    "cooked": lambda thing: thing.cooked,
    "boiled": lambda thing: thing.cooked,
}


def _of(kinds: str, things: dict[str, Thing]) -> list[Thing]:
    return [each for each in things.values() if each.type in kinds.split("|") and (each.solid or each.sliced)]


def _is_in(thing: Thing, place: str, things: dict[str, Thing]) -> bool:
    kinds = {place, BASIN_TYPES.get(place, place)}
    return any(each in things and things[each].type in kinds for each in thing.parents)


def acts_in_order(wanted: Sequence[str], turn: Turn) -> bool:
    """Whether acts such as `Pickup Knife` or `TurnLeft|TurnRight` were done one after the other."""
    left = iter(turn.acts)
    return all(any(_fits(each, act) for act in left) for each in wanted)


def _fits(wanted: str, act: Done) -> bool:
    names, _, kinds = wanted.partition(" ")
    return act.name in names.split("|") and (not kinds or act.type in kinds.split("|"))
