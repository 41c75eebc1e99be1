"""What the two can do, as offers: the tables of `offers.toml` with the arguments that acts take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from housemates.benchmarks.teach.world.actions import MOVES, TOUCHES
from housemates.core.actions import Argument, Offer
from housemates.files import shipped
from housemates.home import ACTIONS, skills
from housemates.home.skills import skill_menu

POINTING = {"any": ("object", "point"), "object": ("object",), "point": ("point",)}
"""The track -> which arguments tell what an object action is meant for."""
FOLLOWER = {name: ACTIONS[name].offered.help for name in (*MOVES, *TOUCHES)}
"""The Follower's actions, and what its menu says of each."""


@cache
def menu(
    role: str, pointing: str = "any", talks: bool = True, skilled: bool = False, short: bool = False
) -> Mapping[str, Offer]:
    """All that a role can ever do, by name.

    Args:
        role: `commander` or `follower`.
        pointing: How the Follower may point at things: `any` way, by `object` or by `point`.
        talks: Whether there is somebody to talk to.
        skilled: Whether the Follower acts in skills.
        short: Whether things have short names.
    """
    table = shipped(__package__, "offers.toml")
    in_skills = skilled and role == "follower"
    own = {} if in_skills else table.get(role, FOLLOWER)
    lines = {**own, **(table["talk"] if talks else {}), **table["end"]}
    made = {name: _offer(role, name, help_, pointing, short) for name, help_ in lines.items()}
    return MappingProxyType({**(skill_menu() if in_skills else {}), **made})


def rules(role: str, alone: bool = False, skilled: bool = False, short: bool = False) -> str:
    """How things go for a role, in words; `alone` is a Follower without a Commander."""
    table = shipped(__package__, "offers.toml")["rules"]
    told = str(table["alone" if alone else role]).strip()
    if role != "follower":
        return told
    body = str(table["body"]).strip().format(called="name" if short else "id")
    return f"{told}\n{skills.rules() if skilled else body}"


def offers_now(
    offers: Iterable[Offer], fitting: Callable[[str], tuple[str, ...]], selectable: tuple[str, ...] = ()
) -> tuple[Offer, ...]:
    """The offers with the choices of the moment; object actions for which there is nothing are left out,
    unless one can point at the picture all the same.

    Args:
        offers: Of a role's menu.
        fitting: The ids of what is seen that an object action can be meant for.
        selectable: The ids that the Commander can be shown.
    """
    found = []
    for offer in offers:
        if offer.name in TOUCHES:
            changed = _with_choices(offer, fitting(offer.name))
            found += [] if changed is None else [changed]
        elif offer.name == "Select":
            found.append(replace(offer, arguments=(replace(offer.arguments[0], choices=selectable),)))
        else:
            found.append(offer)
    return tuple(found)


def _with_choices(offer: Offer, names: tuple[str, ...]) -> Offer | None:
    arguments = tuple(
        replace(each, choices=names) if each.kind == "object" else each
        for each in offer.arguments
        if names or each.kind != "object"
    )
    if not arguments:
        return None
    return replace(offer, arguments=arguments, one_of=tuple(each.name for each in arguments))


def _offer(role: str, name: str, help_: str, pointing: str, short: bool) -> Offer:
    table = shipped(__package__, "offers.toml")["arguments"]
    words = {**table, "object": table["name" if short else "object"]}
    if name in TOUCHES and role == "follower":
        ways = POINTING[pointing]
        return Offer(name, help_, tuple(Argument(way, way, words[way], required=False) for way in ways), ways)
    arguments = {
        "Say": (Argument("text", "text", words["say"]),),
        "Search": (Argument("text", "text", words["search"]),),
        "Select": (Argument("object", "object", words["object"]),),
    }
    return Offer(name, help_, arguments.get(name, ()))
