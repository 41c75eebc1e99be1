"""How far replays agree with the recordings: counts in all, by class of object, by task and by plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from housemates.benchmarks.alfred.formats.replay import Compared
from housemates.data.replays import Replayed, counted, grouped, share

Case = tuple[Replayed[Compared], Compared]


def summary(replays: Sequence[Replayed[Compared]]) -> dict[str, Any]:
    """The counts of a whole run."""
    scored = [each for each in replays if each.scored]
    moves = [case for each in replays for case in each.compared if case.moves]
    touches = [case for each in replays for case in each.compared if not case.moves]
    seen = [case for case in touches if case.overlap is not None]
    wanted = sum(each.goal_conditions for each in scored)
    satisfied = sum(each.satisfied for each in scored)
    report: dict[str, Any] = {
        "trajectories": len(replays),
        "scored": len(scored),
        "succeeded": sum(each.success for each in scored),
        "goal_conditions": {"n": wanted, "satisfied": satisfied, "share": share(satisfied, wanted)},
        "moves": counted(case.success for case in moves),
        "interactions": counted(case.success for case in touches),
    }
    if seen:
        report |= {
            "mask_picks_target": counted(case.picks_target for case in seen),
            "mask_picks_exactly": counted(case.picked == case.target for case in seen),
            "mask_iou": _median(seen),
        }
    if len(scored) < len(replays):
        unscored = f"{len(replays) - len(scored)} of {len(replays)}"
        report["note"] = f"{unscored} tell neither goal nor plan, so they are not scored."
    return report


def refused(replays: Sequence[Replayed[Compared]]) -> list[dict[str, Any]]:
    """Every recorded action that does not work here, and why."""
    return [
        {
            "task_id": each.id,
            "index": case.index,
            "action": case.action,
            "reason": case.reason,
            "message": case.message,
        }
        for each in replays
        for case in each.compared
        if not case.success
    ]


def breakdown(replays: Sequence[Replayed[Compared]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Agreement by class of object, action, task type and floor plan: table -> row -> counts."""
    cases = [(each, case) for each in replays for case in each.compared if not case.moves]
    return {
        "class of object": _table(cases, lambda each: each[1].kind),
        "action": _table(cases, lambda each: each[1].action),
        "task": _table(cases, lambda each: each[0].task),
        "floor plan": _table(cases, lambda each: each[0].plan),
    }


def shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the breakdown for people: shares in percent."""
    return {
        "interactions": row["n"],
        "agree, %": 100 * row["agree"],
        "mask picks target, %": 100 * row["mask_picks_target"] if "mask_picks_target" in row else None,
        "mask IoU, %": 100 * row["mask_iou_median"] if "mask_iou_median" in row else None,
    }


def _table(cases: Iterable[Case], key: Callable[[Case], str]) -> dict[str, dict[str, Any]]:
    return {name: _row([case for _, case in found]) for name, found in sorted(grouped(cases, key).items())}


def _row(cases: Sequence[Compared]) -> dict[str, Any]:
    seen = [case for case in cases if case.overlap is not None]
    row: dict[str, Any] = {"n": len(cases), "agree": share(sum(case.success for case in cases), len(cases))}
    if seen:
        row |= {
            "mask_picks_target": share(sum(case.picks_target for case in seen), len(seen)),
            "mask_iou_median": _median(seen),
        }
    return row


def _median(cases: Sequence[Compared]) -> float:
    return round(median(case.overlap or 0.0 for case in cases), 3)
