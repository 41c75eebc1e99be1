"""How far replays agree with the recordings: counts in all, by class of object, by task and by plan."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

from housemates.benchmarks.alfred.files.replay import Compared, Replay


def summary(replays: Sequence[Replay]) -> dict[str, Any]:
    """The counts of a whole run."""
    scored = [each for each in replays if each.scored]
    moves = [case for each in replays for case in each.compared if case.moves]
    touches = [case for each in replays for case in each.compared if not case.moves]
    seen = [case for case in touches if case.overlap is not None]
    wanted = sum(each.goal_conditions for each in scored)
    report: dict[str, Any] = {
        "trajectories": len(replays),
        "scored": len(scored),
        "succeeded": sum(each.success for each in scored),
        "success": _share(sum(each.success for each in scored), len(scored)),
        "goal_conditions": _share(sum(each.satisfied for each in scored), wanted),
        "moves_agree": _share(sum(case.success for case in moves), len(moves)),
        "interactions_agree": _share(sum(case.success for case in touches), len(touches)),
    }
    if seen:
        report |= {
            "mask_picks_target": _share(sum(case.picks_target for case in seen), len(seen)),
            "mask_picks_exactly": _share(sum(case.picked == case.target for case in seen), len(seen)),
            "mask_iou": _median(seen),
            "mask_iou_median": _by_class(seen, _median),
        }
    return report


def breakdown(replays: Sequence[Replay]) -> dict[str, dict[str, dict[str, Any]]]:
    """Agreement by class of object, action, task type and floor plan: table -> row -> counts."""
    return {
        "classes": _table(replays, lambda each, case: case.kind),
        "actions": _table(replays, lambda each, case: case.action),
        "tasks": _table(replays, lambda each, case: each.task_type),
        "plans": _table(replays, lambda each, case: each.plan),
    }


def digest(replays: Sequence[Replay]) -> str:
    """A fingerprint of how all demonstrations ended."""
    text = "".join(f"{each.task_id} {each.digest}\n" for each in replays)
    return hashlib.sha256(text.encode()).hexdigest()


def _table(replays: Sequence[Replay], key: Callable[[Replay, Compared], str]) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[Compared]] = {}
    for each in replays:
        for case in each.compared:
            if not case.moves:
                groups.setdefault(key(each, case), []).append(case)
    return {name: _row(cases) for name, cases in sorted(groups.items())}


def _row(cases: Sequence[Compared]) -> dict[str, Any]:
    seen = [case for case in cases if case.overlap is not None]
    row: dict[str, Any] = {"n": len(cases), "agree": _share(sum(case.success for case in cases), len(cases))}
    if seen:
        row |= {
            "mask_picks_target": _share(sum(case.picks_target for case in seen), len(seen)),
            "mask_iou_median": _median(seen),
        }
    return row


def _by_class(cases: Iterable[Compared], measure: Callable[[Sequence[Compared]], float]) -> dict[str, float]:
    groups: dict[str, list[Compared]] = {}
    for case in cases:
        groups.setdefault(case.kind, []).append(case)
    return {name: measure(groups[name]) for name in sorted(groups)}


def _median(cases: Sequence[Compared]) -> float:
    return round(median(case.overlap or 0.0 for case in cases), 3)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
