"""How far replays agree with what happened to people: counts in all, and by action, object and plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from housemates.benchmarks.teach.formats.replay import Compared
from housemates.data.replays import Replayed, counted, grouped, share
from housemates.home.things import type_in


class Case(NamedTuple):
    """One compared action and the session it belongs to."""

    replay: Replayed[Compared]
    compared: Compared

    @property
    def kind(self) -> str:
        """`moves`, `interactions` (they succeeded for people) or `refusals` (they failed)."""
        if self.compared.moves:
            return "moves"
        return "interactions" if self.compared.recorded else "refusals"

    @property
    def object_type(self) -> str:
        """The type of the recorded object; of a refusal, of what the click means here."""
        name = self.compared.target or self.compared.pointed
        return type_in(name) if name else "nothing"

    @property
    def right_thing(self) -> bool:
        """Whether the click picks the recorded object or another piece of the same whole."""
        return self.compared.same_thing or self.compared.sibling


KINDS = ("moves", "interactions", "refusals")


def cases(replays: Iterable[Replayed[Compared]]) -> list[Case]:
    """Every compared action of the sessions."""
    return [Case(replay, compared) for replay in replays for compared in replay.compared]


def summary(replays: Sequence[Replayed[Compared]], by: str) -> dict[str, Any]:
    """The counts of a whole run; `by` is how it was replayed."""
    found = cases(replays)
    satisfied = sum(min(replay.satisfied, replay.goal_conditions) for replay in replays)
    wanted = sum(replay.goal_conditions for replay in replays)
    report: dict[str, Any] = {
        "sessions": len(replays),
        "succeeded": sum(replay.success for replay in replays),
        "goal_conditions": {"n": wanted, "satisfied": satisfied, "share": share(satisfied, wanted)},
    }
    for kind in KINDS:
        report[kind] = counted(case.compared.agree for case in found if case.kind == kind)
    if by == "point":
        clicks = [case for case in found if case.kind == "interactions"]
        siblings = sum(case.compared.sibling for case in clicks)
        report["clicks"] = {**counted(case.right_thing for case in clicks), "siblings": siblings}
        report["clicks_unmoved"] = counted(case.right_thing for case in clicks if case.compared.unmoved)
    return report


def breakdown(replays: Sequence[Replayed[Compared]], by: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Agreement by action, object type, floor plan and task: table -> row -> counts."""
    found = cases(replays)
    touches = [case for case in found if not case.compared.moves]
    return {
        "actions": _table(found, lambda case: case.compared.action, by),
        "objects": _table(touches, lambda case: case.object_type, by),
        "plans": _table(found, lambda case: case.replay.plan, by),
        "tasks": _table(found, lambda case: case.replay.task, by),
    }


def _table(found: Sequence[Case], key: Callable[[Case], str], by: str) -> dict[str, dict[str, Any]]:
    rows = {name: _row(group, by) for name, group in grouped(found, key).items()}
    return dict(sorted(rows.items(), key=lambda row: (_worst(row[1]), row[0])))


def _row(group: Sequence[Case], by: str) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for kind in KINDS:
        mine = [case for case in group if case.kind == kind]
        if mine:
            row[kind] = counted(case.compared.agree for case in mine)
        if mine and kind == "interactions" and by == "point":
            row["clicks"] = counted(case.right_thing for case in mine)
    return row


def _worst(row: Mapping[str, Mapping[str, Any]]) -> int:
    """Rows with the most disagreements come first; refusals are a measure of their own."""
    return -sum(int(cell["n"] - cell["agree"]) for kind, cell in row.items() if kind != "refusals")
