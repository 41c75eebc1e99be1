"""Two instructions as one: what leaders who say everything at once would have said."""

from __future__ import annotations

from dataclasses import replace

from housemates.models.cerealbar_plan.data import LONGEST, Example

JOINTS = ("", ".", "then", "and", "and then", ". then", ", then")
"""What is said between the two."""


def joined(first: Example, second: Example, joint: list[int]) -> Example | None:
    """Both as one instruction.

    None where the second was not begun with the same cards where the first was done, or both are too long.
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
