"""The menu of skills: what each is called, what it is for, and which things it makes sense for."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from housemates.core.actions import Argument, Offer
from housemates.files import shipped
from housemates.home import Thing, World
from housemates.home.containment import is_shut
from housemates.home.interactions import BASINS

SINKS = ("Sink", "SinkBasin")
SKILLS: tuple[str, ...] = tuple(shipped(__package__, "skills.toml")["skills"])
"""The names of all skills."""
FITS: Mapping[str, Callable[[World, Thing], object]] = {
    "GoTo": lambda home, thing: thing.type != "Floor",
    "Take": lambda home, thing: thing.can("pickup") and not home.agent.held,
    "Put": lambda home, thing: thing.can("receptacle") and home.agent.held and not is_shut(thing),
    "Open": lambda home, thing: thing.can("open") and not thing.open,
    "Close": lambda home, thing: thing.can("open") and thing.open,
    "SwitchOn": lambda home, thing: thing.can("toggle") and not thing.on,
    "SwitchOff": lambda home, thing: thing.can("toggle") and thing.on,
    "Slice": lambda home, thing: thing.can("slice") and home.held is not None and home.held.kind.cuts,
    "Clean": lambda home, thing: thing.type in SINKS and home.agent.held,
    "Heat": lambda home, thing: thing.type == "Microwave" and home.agent.held,
    "Cool": lambda home, thing: thing.type == "Fridge" and home.agent.held,
    "Pour": lambda home, thing: (
        (thing.can("fill") or thing.type in BASINS) and home.held is not None and home.held.liquid
    ),
}
"""What a skill makes sense for, as far as one sees it."""


@cache
def skill_menu(but: tuple[str, ...] = ()) -> Mapping[str, Offer]:
    """All skills by name, except for some."""
    table = shipped(__package__, "skills.toml")["skills"]
    return MappingProxyType(
        {
            name: Offer(name, help_, (Argument("object", "object", about),) if about else ())
            for name, (help_, about) in table.items()
            if name not in but
        }
    )


def rules() -> str:
    """How it is to act in skills, in words."""
    return str(shipped(__package__, "skills.toml")["rules"]["body"]).strip()


def offers_now(
    menu: Iterable[Offer], home: World, known: Iterable[Thing], hidden: Container[str]
) -> list[Offer]:
    """The offers of a menu that make sense now, with the known things that they make sense for.

    Args:
        menu: A role's; what is no skill stays as it is.
        home: As it is now.
        known: Things that were seen.
        hidden: Ids of those that are shut in, or in the hand.
    """
    near = [thing for thing in known if thing.id not in hidden]
    found = []
    for offer in menu:
        if offer.name not in FITS:
            found.append(offer)
        elif names := tuple(thing.id for thing in near if FITS[offer.name](home, thing)):
            found.append(replace(offer, arguments=(replace(offer.arguments[0], choices=names),)))
    return found
