"""A report on a replay: where it disagrees with the recordings, with pictures of the worst."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from housemates.benchmarks.teach.formats.agreement import KINDS, Case, breakdown, cases
from housemates.benchmarks.teach.formats.episodes import Game
from housemates.benchmarks.teach.formats.film import marked
from housemates.benchmarks.teach.formats.replay import Compared, ReplayedInteraction, replay
from housemates.data.replays import Replayed
from housemates.files import file_name
from housemates.home.things import Scene, type_in
from housemates.render.frames import Frame
from housemates.render.maps import top_down
from housemates.render.overlay import edge
from housemates.render.scene import Renderer
from housemates.reporting.facts import told
from housemates.reporting.film import squared
from housemates.reporting.pages import Figure, Page
from housemates.reporting.video import Picture, save_png

GROUPS = 30
"""Kinds of disagreement that are shown."""
EXAMPLES = 2
"""Pictures of each."""
SIDE_PX = 360
OURS, THEIRS = (255, 40, 160), (0, 230, 255)
"""Edges of the thing that the click means here, and of the recorded one."""


class Group(NamedTuple):
    """Disagreements of one sort."""

    name: str
    cases: list[Case]
    first: int
    """How many of them are the first that went wrong in their session; later ones often follow from it."""
    examples: list[Case]


def disagrees(case: Case, by: str) -> bool:
    """Whether it came out otherwise than recorded, or the click picks another thing."""
    wrong_click = by == "point" and case.kind == "interactions" and not case.right_thing
    return wrong_click or not case.compared.agree


def groups(replays: Sequence[Replayed[Compared]], by: str) -> list[Group]:
    """The disagreements by action, object and what is said here, the most frequent causes first."""
    found: dict[str, list[Case]] = {}
    firsts: dict[str, list[Case]] = {}
    for each in replays:
        led = False
        for case in cases([each]):
            if disagrees(case, by):
                name = _sort_of(case, by)
                found.setdefault(name, []).append(case)
                if case.kind != "interactions" or not led:
                    firsts.setdefault(name, []).append(case)
                led = led or case.kind == "interactions"
    ranked = sorted(found, key=lambda name: (-len(firsts.get(name, ())), -len(found[name]), name))
    return [
        Group(name, found[name], len(firsts.get(name, ())), _spread(firsts.get(name) or found[name]))
        for name in ranked
    ]


def _sort_of(case: Case, by: str) -> str:
    compared = case.compared
    if compared.moves:
        return f"{compared.action}: {'blocked' if compared.recorded else 'free'} here"
    if by == "point" and case.kind == "interactions" and not case.right_thing:
        here = type_in(compared.pointed) if compared.pointed else "nothing"
        moved = "" if compared.unmoved else ", moved before"
        return f"{compared.action} {case.object_type}{moved}: the click means {here} here"
    if compared.recorded:
        return f"{compared.action} {case.object_type}: {compared.reason.replace('_', ' ')}"
    return f"{compared.action} {case.object_type}: failed for people, works here"


def _spread(group: Sequence[Case]) -> list[Case]:
    """A few cases of different plans."""
    by_plan = {case.replay.plan: case for case in reversed(group)}
    return list(by_plan.values())[::-1][:EXAMPLES]


def file_of(case: Case) -> str:
    """The name of a case's picture."""
    return f"frames/{file_name(case.replay.id)}-{case.compared.index:04}.png"


def photograph(game: Game, scene: Scene, by: str, wanted: Iterable[Case], folder: Path) -> None:
    """Replay a game again and take pictures of these of its cases."""
    at = {case.compared.index: case for case in wanted}
    renderers: list[Renderer] = []

    def on_step(step: ReplayedInteraction) -> None:
        case = at.get(step.index)
        if case is None or step.frame is None:
            return
        if not renderers:
            renderers.append(Renderer(step.world.home))
        view = marked(_outlined(step.frame, case), step.interaction)
        plan = squared(top_down(renderers[0], SIDE_PX), SIDE_PX)
        save_png(folder / file_of(case), np.concatenate([view, plan], axis=1))

    replay(game, scene, by, on_step=on_step, every_frame=True)


def _outlined(frame: Frame, case: Case) -> Picture:
    """The frame with the edges of the recorded thing and of the one that the click means here."""
    rgb = frame.rgb.copy()
    for name, colour in ((case.compared.pointed, OURS), (case.compared.target, THEIRS)):
        if name:
            rgb[edge(frame.mask(name))] = colour
    return np.asarray(Image.fromarray(rgb).resize((SIDE_PX, SIDE_PX), Image.Resampling.NEAREST))


def tell(
    page: Page, replays: Sequence[Replayed[Compared]], by: str, found: Sequence[Group]
) -> dict[str, Any]:
    """Add tables and disagreements to a page, and return them as plain values."""
    tables = breakdown(replays, by)
    for name, rows in tables.items():
        kinds = [kind for kind in (*KINDS, "clicks") if any(kind in row for row in rows.values())]
        page.section(f"By {name.removesuffix('s')}")
        page.table({key: {kind: _cell(row.get(kind)) for kind in kinds} for key, row in rows.items()})
    incomplete = [
        {"game": each.id, "plan": each.plan, "task": each.task} for each in replays if not each.success
    ]
    page.section("Sessions that do not end complete")
    page.rows(incomplete)
    page.section("Disagreements, the most frequent causes first")
    page.text("Ring: the click. Edges: cyan the recorded thing, pink what the click means here.")
    for group in found[:GROUPS]:
        page.heading(f"{len(group.cases)} × {group.name}")
        page.text(f"{group.first} not after another.")
        page.figures(Figure(_caption(case), file_of(case)) for case in group.examples)
    listed = {group.name: [_entry(case) for case in group.cases] for group in found}
    return {"tables": tables, "incomplete": incomplete, "disagreements": listed}


def _entry(case: Case) -> dict[str, Any]:
    compared = case.compared
    return {
        "game": case.replay.id,
        "plan": case.replay.plan,
        "index": compared.index,
        "action": compared.action,
        "recorded": compared.recorded,
        "here": compared.ours,
        "reason": compared.reason,
        "message": compared.message,
        "target": compared.target,
        "pointed": compared.pointed,
    }


def _caption(case: Case) -> str:
    compared = case.compared
    words = f"{case.replay.plan}, {case.replay.id}, step {compared.index}: {compared.action}"
    return f"{words} {compared.target or compared.pointed}. Here: {compared.message or 'it works'}"


def _cell(counts: Mapping[str, Any] | None) -> str:
    return "" if counts is None else told(counts)
