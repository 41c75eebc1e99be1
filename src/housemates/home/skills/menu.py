"""The menu of skills: what each is called, what it is for, and which things it makes sense for."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from types import MappingProxyType

from housemates.core.actions import Argument, Offer
from housemates.files import shipped
from housemates.home import ACTIONS, Thing, World
from housemates.home.kinds import SINKS
from housemates.home.recipes import COOLING, MICROWAVING

SKILLS: tuple[str, ...] = tuple(shipped(__package__, "skills.toml")["skills"])
"""The names of all skills."""
PLAIN: Mapping[str, str] = shipped(__package__, "skills.toml")["plain"]
"""Skills that are one action of the home once one stands before the thing -> that action."""
SPOKEN: Mapping[str, str] = {action: skill for skill, action in PLAIN.items()}
"""Actions of the home -> the skills that are no more than that."""


def _sensible(action: str, home: World, thing: Thing) -> bool:
    return ACTIONS[action].sensible(thing, home.held)


FITS: Mapping[str, Callable[[World, Thing], object]] = {
    "GoTo": lambda home, thing: thing.type != "Floor",
    **{skill: partial(_sensible, action) for skill, action in PLAIN.items()},
    "Clean": lambda home, thing: thing.type in SINKS and home.agent.held,
    "Heat": lambda home, thing: thing.type == MICROWAVING.at and home.agent.held,
    "Cool": lambda home, thing: thing.type == COOLING.at and home.agent.held,
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
