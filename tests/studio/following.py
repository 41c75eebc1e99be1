"""Somebody who knows what to do in TEACh, and does it in a browser: by keys, and by clicking frames."""

from __future__ import annotations

from typing import Any, NamedTuple

from people import acted

from housemates.core.episode import play
from housemates.core.loading import Seating, make_agents
from housemates.core.session import Session
from housemates.core.trace import Step
from housemates.home import ACTIONS, MOVES, TOUCHES
from housemates.studio.pages import page
from housemates.studio.worlds.instances import find
from housemates.studio.worlds.table import Spec, Table

KEYS = {name: ACTIONS[name].offered.key for name in MOVES}
LABELS = {name: ACTIONS[name].offered.label.partition("{")[0].strip() for name in TOUCHES}


class Deed(NamedTuple):
    """What is to be done, and where on the picture."""

    name: str
    point: tuple[float, float] | None


def coffee(options: dict[str, str], seed: int) -> list[Deed]:
    """What makes coffee in the first play of a project with these options."""
    seats = {"commander": "", "follower": ""}
    chosen = find("teach", "teach-tatc", options, seats, "generated", seed, ["Coffee"], 0)
    spec = Spec("teach", "teach-tatc", options, chosen.reference, chosen.number, {"follower": ""})
    return _solved(spec)


def tutorial(options: dict[str, str], seed: int) -> list[Deed]:
    """What passes a tutorial."""
    lesson = page("teach-tutorial").lesson(seed)
    return _solved(Spec("teach-tutorial", "teach-tatc", options, lesson.reference, 0, lesson.seats))


def _solved(spec: Spec) -> list[Deed]:
    table, deeds = Table(spec), []

    def note(_: Session, step: Step) -> None:
        if step.role == "follower" and step.act and step.act.name in (*KEYS, *LABELS):
            assert step.outcome.success
            deeds.append(Deed(step.act.name, step.outcome.data.get("point")))

    pair = make_agents(type(table.benchmark), {role: Seating("rule") for role in ("commander", "follower")})
    play(table.session, pair, table.instance, on_step=note)
    assert table.session.complete  # type: ignore[attr-defined]
    return deeds


def do(browser: Any, deed: Deed) -> None:
    """Do it as people do: a key for a move; for a thing a click on the frame, then what the menu offers."""
    acted(browser, lambda: _do(browser, deed))


def _do(browser: Any, deed: Deed) -> None:
    if deed.point is None:
        browser.keyboard.press(KEYS[deed.name])
        return
    canvas = browser.locator(".view canvas.screen")
    box = canvas.bounding_box()
    canvas.click(position={"x": deed.point[0] * box["width"], "y": deed.point[1] * box["height"]})
    browser.get_by_role("menuitem", name=LABELS[deed.name]).first.click()
