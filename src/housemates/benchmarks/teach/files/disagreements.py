"""A report on a replay: where it disagrees with the recordings, with pictures of the worst."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from housemates.benchmarks.teach.files.agreement import KINDS, Case, breakdown, cases
from housemates.benchmarks.teach.files.episodes import Game
from housemates.benchmarks.teach.files.film import marked
from housemates.benchmarks.teach.files.replay import Replay, Step
from housemates.benchmarks.teach.files.replay import replay as replay_game
from housemates.benchmarks.teach.tasks.tdl.changes import type_of
from housemates.data.records import Skipped
from housemates.files import read_text, write_json, write_text
from housemates.home.things import Scene
from housemates.render.frames import Frame
from housemates.render.maps import top_down
from housemates.render.scene import Renderer
from housemates.reporting.filming import squared
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
    wrong_click = by == "click" and case.kind == "interactions" and not case.right_thing
    return wrong_click or not case.compared.agree


def groups(replays: Sequence[Replay], by: str) -> list[Group]:
    """The disagreements by action, object and what is said here, the most frequent causes first."""
    found: dict[str, list[Case]] = {}
    firsts: dict[str, list[Case]] = {}
    for replay in replays:
        led = False
        for case in cases([replay]):
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
    if by == "click" and case.kind == "interactions" and not case.right_thing:
        here = type_of(compared.pointed) if compared.pointed else "nothing"
        moved = "" if compared.unmoved else ", moved before"
        return f"{compared.action} {case.object_type}{moved}: the click means {here} here"
    if compared.recorded:
        return f"{compared.action} {case.object_type}: {compared.message.partition(': ')[2]}"
    return f"{compared.action} {case.object_type}: failed for people, works here"


def _spread(group: Sequence[Case]) -> list[Case]:
    """A few cases of different plans."""
    by_plan = {case.replay.plan: case for case in reversed(group)}
    return list(by_plan.values())[::-1][:EXAMPLES]


def file_of(case: Case) -> str:
    """The name of a case's picture."""
    return f"frames/{case.replay.game}-{case.compared.index:04}.png"


def photograph(game: Game, scene: Scene, by: str, wanted: Iterable[Case], folder: Path) -> None:
    """Replay a game again and take pictures of these of its cases."""
    at = {case.compared.index: case for case in wanted}
    renderers: list[Renderer] = []

    def on_step(step: Step) -> None:
        case = at.get(step.index)
        if case is None or step.frame is None:
            return
        if not renderers:
            renderers.append(Renderer(step.world.home))
        view = marked(_outlined(step.frame, case), step.interaction)
        plan = squared(top_down(renderers[0], SIDE_PX), SIDE_PX)
        save_png(folder / file_of(case), np.concatenate([view, plan], axis=1))

    replay_game(game, scene, by, on_step=on_step, every_frame=True)


def _outlined(frame: Frame, case: Case) -> Picture:
    """The frame with the edges of the recorded thing and of the one that the click means here."""
    rgb = frame.rgb.copy()
    for name, colour in ((case.compared.pointed, OURS), (case.compared.target, THEIRS)):
        if name:
            rgb[_edge(frame.mask(name))] = colour
    return np.asarray(Image.fromarray(rgb).resize((SIDE_PX, SIDE_PX), Image.Resampling.NEAREST))


def _edge(mask: Any) -> Any:
    inner = mask.copy()
    inner[1:-1, 1:-1] &= mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
    inner[[0, -1]] = False
    inner[:, [0, -1]] = False
    return mask & ~inner


def write_report(
    folder: Path,
    replays: Sequence[Replay],
    summary: Mapping[str, Any],
    by: str,
    found: Sequence[Group],
    skipped: Sequence[Skipped],
) -> Path:
    """Write `report.json` and `index.html`, and return the page's path."""
    tables = breakdown(replays, by)
    incomplete = [each for each in replays if not each.success]
    report = {
        "summary": summary,
        "tables": tables,
        "incomplete": [{"game": each.game, "plan": each.plan, "task": each.task} for each in incomplete],
        "disagreements": {group.name: [_entry(case) for case in group.cases] for group in found},
        "skipped": [each._asdict() for each in skipped],
    }
    write_json(folder / "report.json", report)
    parts = [
        f"<h1>TEACh replay by {by}</h1>",
        "<p>" + escape(", ".join(f"{key} {_plain(value)}" for key, value in summary.items())),
        *(_named_table(name, rows) for name, rows in tables.items()),
        "<h2>Sessions that do not end complete</h2>",
        "".join(f"<li>{escape(f'{each.game} {each.plan} {each.task}')}" for each in incomplete) or "none",
        "<h2>Disagreements, the most frequent causes first</h2>",
        "<p>Ring: the click. Edges: cyan the recorded thing, pink what the click means here.</p>",
        *(_shown(group) for group in found[:GROUPS]),
        "<h2>Skipped</h2>",
        "".join(f"<li>{escape(f'{each.name}: {each.reason}')}" for each in skipped) or "none",
    ]
    style = read_text(Path(__file__).with_name("page.css"))
    head = (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>TEACh replay</title><style>{style}</style>"
    )
    write_text(folder / "index.html", f"{head}<body>{''.join(parts)}</body></html>\n")
    return folder / "index.html"


def _entry(case: Case) -> dict[str, Any]:
    compared = case.compared
    return {
        "game": case.replay.game,
        "plan": case.replay.plan,
        "index": compared.index,
        "action": compared.action,
        "recorded": compared.recorded,
        "here": compared.ours,
        "message": compared.message,
        "target": compared.target,
        "pointed": compared.pointed,
    }


def _shown(group: Group) -> str:
    figures = "".join(
        f'<figure><img src="{file_of(case)}"><figcaption>{escape(_caption(case))}</figcaption></figure>'
        for case in group.examples
    )
    return f"<h3>{len(group.cases)} × {escape(group.name)}</h3><p>{group.first} not after another.{figures}"


def _caption(case: Case) -> str:
    compared = case.compared
    words = f"{case.replay.plan}, {case.replay.game}, step {compared.index}: {compared.action}"
    return f"{words} {compared.target or compared.pointed}. Here: {compared.message or 'it works'}"


def _named_table(name: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    columns = [kind for kind in (*KINDS, "clicks") if any(kind in row for row in rows.values())]
    head = "".join(f"<th>{column}" for column in columns)
    body = "".join(
        f"<tr><td>{escape(key)}" + "".join(f"<td>{_cell(row.get(column))}" for column in columns)
        for key, row in rows.items()
    )
    return f"<h2>By {name.removesuffix('s')}</h2><table><tr><th>{head}{body}</table>"


def _cell(counts: Mapping[str, Any] | None) -> str:
    return "" if counts is None else f"{counts['share']:.1%} of {counts['n']}"


def _plain(value: Any) -> str:
    return " ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)
