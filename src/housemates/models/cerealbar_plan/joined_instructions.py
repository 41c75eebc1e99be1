"""Data augmentation: consecutive instructions joined to one, as if said at once."""

from __future__ import annotations

from dataclasses import replace

from housemates.models.cerealbar_plan.data import LONGEST, Example

JOINTS = ("", ".", "then", "and", "and then", ". then", ", then")
"""Words between the two."""


def joined(first: Example, second: Example, joint: list[int]) -> Example | None:
    """Both as one instruction; None if the second did not begin in the state in which the first ended, or the
    result is longer than `LONGEST`.
    """
    actions = first.actions[:-1] + second.actions
    tokens = first.tokens + joint + second.tokens
    apart = first.end != second.pose or bool((first.cards != second.cards).any())
    if apart or max(len(actions), len(tokens)) > LONGEST:
        return None
    return replace(
        first,
        tokens=tokens,
        actions=actions,
        visited=first.visited[:-1] + second.visited,
        changed=sorted({*first.changed} ^ {*second.changed}),
        end=second.end,
    )
