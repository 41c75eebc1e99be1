"""What the agent can do: thirteen actions, seven of them on a thing that is pointed at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from housemates.benchmarks.alfred.world.agent_camera import Seen
from housemates.benchmarks.alfred.world.dynamics import INTERACTIONS, STOP
from housemates.core.actions import Argument, Offer
from housemates.home import ACTIONS, World
from housemates.home.skills import skill_menu
from housemates.home.things import REACH_M

WAYS = (
    Argument("object", "object", "Its id.", required=False),
    Argument(
        "point",
        "point",
        "x from the left and y from the top of the picture: the usable thing there, or close to it.",
        required=False,
    ),
    Argument("mask", "mask", "Its pixels in the picture: the usable thing of best overlap.", required=False),
)
"""How a thing can be pointed at."""
POINTING: Mapping[str, tuple[str, ...]] = {
    "any": tuple(each.name for each in WAYS),
    **{each.name: (each.name,) for each in WAYS},
}
"""The tracks, and how one points at things in each."""
HELP = {
    "MoveAhead": "Walk 0.25 m ahead.",
    "RotateRight": "Turn right by 90 degrees.",
    "RotateLeft": "Turn left by 90 degrees.",
    "LookUp": "Look up by 15 degrees.",
    "LookDown": "Look down by 15 degrees.",
    "PickupObject": "Take a thing into the empty hand.",
    "PutObject": "Put what is held on or into a receptacle.",
    "OpenObject": "Open a thing.",
    "CloseObject": "Close a thing.",
    "ToggleObjectOn": "Switch a thing on.",
    "ToggleObjectOff": "Switch a thing off.",
    "SliceObject": "Cut a thing with the knife in hand.",
    STOP: "End the episode, when all is done.",
}


BY_NAME = Argument("object", "object", "Its name.", required=False)


def _menu(ways: tuple[str, ...], short: bool = False) -> Mapping[str, Offer]:
    known = (BY_NAME, *WAYS[1:]) if short else WAYS
    arguments = tuple(each for each in known if each.name in ways)
    return {
        name: Offer(name, text, arguments, ways) if name in INTERACTIONS else Offer(name, text)
        for name, text in HELP.items()
    }


MENUS: Mapping[str, Mapping[str, Offer]] = {track: _menu(ways) for track, ways in POINTING.items()}
"""All that can ever be done in each track."""
MENUS_BY_NAME: Mapping[str, Mapping[str, Offer]] = {
    track: _menu(ways, short=True) for track, ways in POINTING.items()
}
"""The same where things have short names."""

SKILLED: Mapping[str, Offer] = {**skill_menu(but=("Pour",)), STOP: Offer(STOP, HELP[STOP])}
"""All that can ever be done in skills."""


def offers_now(menu: Mapping[str, Offer], home: World, seen: Iterable[Seen]) -> tuple[Offer, ...]:
    """The offers of a menu that make sense now, with the things in reach that they make sense for."""
    near = [each.thing for each in seen if each.away_m <= REACH_M]
    found = []
    for name, offer in menu.items():
        action = ACTIONS.get(INTERACTIONS.get(name, ""))
        if action is None:
            found.append(offer)
        elif names := tuple(thing.id for thing in near if action.sensible(thing, home.held)):
            found.append(replace(offer, arguments=tuple(_choosing(each, names) for each in offer.arguments)))
    return tuple(found)


def _choosing(argument: Argument, names: tuple[str, ...]) -> Argument:
    return replace(argument, choices=names) if argument.kind == "object" else argument
