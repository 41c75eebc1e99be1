"""Two who know what to do in CerealBar, and somebody who does it in a browser: by keys, and by typing."""

from __future__ import annotations

from typing import Any

import pytest
from people import acted

from housemates.core.actions import Act
from housemates.core.episode import play
from housemates.core.loading import Seating, make_agents
from housemates.core.session import Session
from housemates.core.trace import Step
from housemates.studio.worlds.instances import find
from housemates.studio.worlds.table import Spec, Table

OPTIONS = {"clock": "no", "width": "10", "height": "10", "cards": "12"}
KEYS = {"Forward": "ArrowUp", "Backward": "ArrowDown", "TurnLeft": "ArrowLeft", "TurnRight": "ArrowRight"}
PEOPLE = {"leader": "", "follower": ""}


class Enough(Exception):
    """There are as many sets as are wanted."""


def acts(sets: int, seats: dict[str, str]) -> list[tuple[str, Act]]:
    """What a pair that understands English does until it has so many sets, in the first play of a project."""
    chosen = find("cerealbar", "cerealbar", OPTIONS, seats, "generated", 0, [], 0)
    table = Table(Spec("cerealbar", "cerealbar", OPTIONS, chosen.reference, 0, seats), thinking=False)
    done: list[tuple[str, Act]] = []

    def note(session: Session, step: Step) -> None:
        assert step.act is not None
        done.append((step.role, step.act))
        if session.game.score == sets:  # type: ignore[attr-defined]
            raise Enough

    pair = make_agents(type(table.benchmark), {role: Seating("talking") for role in table.benchmark.roles})
    with pytest.raises(Enough):
        play(table.session, pair, table.instance, on_step=note)
    return done


def understand(page: Any) -> None:
    """Read the instructions, and close them by the keyboard."""
    page.get_by_role("button", name="Got it").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for(state="hidden")


def do(page: Any, act: Act) -> None:
    """Do it as people do: by keys, and by typing."""
    if act.name == "Say":
        page.keyboard.press("t")
        page.keyboard.insert_text(act.arguments["text"])
        acted(page, lambda: page.keyboard.press("Enter"))
        page.keyboard.press("Escape")
    else:
        key = {**KEYS, "EndTurn": "n", "Done": "d"}[act.name]
        acted(page, lambda: page.keyboard.press(key))
