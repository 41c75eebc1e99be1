"""HandMeThat's seat: the human's way through the home, what the robot knows of it, and its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from housemates.benchmarks.handmethat.session import HandMeThatSession
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS
from housemates.benchmarks.handmethat.world.memory import HumanAction, Memory
from housemates.core.session import Session
from housemates.studio.pages import SCALE, Page

QUESTION_PRICE = "1"
"""What a question costs people, where a project does not say."""


class HandMeThatPage(Page):
    """The page of HandMeThat's robot."""

    name = "handmethat"
    benchmarks: ClassVar[tuple[str, ...]] = ("handmethat",)
    module = "handmethat.js"
    title = "HandMeThat"
    parts = ("offers",)
    tutorials: ClassVar[tuple[str, ...]] = ("handmethat-tutorial",)
    survey: ClassVar[Sequence[Mapping[str, Any]]] = (
        {
            "name": "sure",
            "kind": "scale",
            "label": "How sure were you of what the human meant?",
            "choices": SCALE,
        },
        {"name": "comments", "kind": "text", "label": "Anything you would like to tell us?"},
    )

    def options(self, seats: Mapping[str, str]) -> dict[str, Any]:
        """The options that people play with: they may ask questions."""
        return {"questions": QUESTION_PRICE}

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """The story by its stops, every place with what is known to be there, and what is left."""
        assert isinstance(session, HandMeThatSession)
        view = session.view(role)
        return {
            "story": stops(view.memory.deeds, session.episode.story),
            "instruction": view.instruction,
            "places": [_place(view.memory, name) for name in LOCATIONS],
            "place": view.place,
            "held": view.held and spoken(view.held),
            "moves_left": view.moves_left,
            "score": session.score,
            "success": session.success,
            "question_price": view.question_price,
        }


def stops(deeds: tuple[HumanAction, ...], story: str) -> list[dict[str, Any]]:
    """Where the human went, in order, and what the story says that she did at each place."""
    found: list[dict[str, Any]] = []
    told = [
        line.removeprefix("Human ").rstrip(".") for line in story.splitlines() if line.startswith("Human ")
    ]
    for deed, line in zip(deeds, told, strict=False):
        if deed.name == "move" or not found:
            found.append({"place": deed.args[-1], "deeds": []})
        if deed.name != "move":
            found[-1]["deeds"].append(line.rstrip(".").removesuffix(f" at the {found[-1]['place']}"))
    return found


def spoken(name: str) -> str:
    """An official name as commands have it."""
    return name.replace("#", " ")


def _place(memory: Memory, name: str) -> dict[str, Any]:
    return {"name": name, "flags": memory.places.get(name, ()), "things": _things(memory, name)}


def _things(memory: Memory, holder: str) -> list[dict[str, Any]]:
    """What is known to be in or on something, and what is in or on that."""
    return [
        {
            "name": spoken(name),
            "looks": [each for each in (known.color, known.size, *known.raised) if each],
            "things": _things(memory, name),
        }
        for name, known in memory.objects.items()
        if known.holder == holder
    ]


PAGES = (HandMeThatPage(),)
