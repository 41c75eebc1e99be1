"""The language of the rule-based pair."""

from __future__ import annotations

from housemates.agents.teach.rule.action_language import instruction, parse_instruction
from housemates.core.actions import Act


def test_what_is_said_is_what_is_understood() -> None:
    pickup = {"point": (0.57, 0.25), "object": "Mug|+00.00|+00.00|+00.00"}
    acts = [Act("TurnLeft"), Act("Forward"), Act("Pickup", pickup)]
    text = instruction(acts)
    assert text == "TurnLeft Forward Pickup Mug at 0.570 0.250"
    assert parse_instruction(text) == [
        Act("TurnLeft"),
        Act("Forward"),
        Act("Pickup", {"point": (0.57, 0.25)}),
    ]


def test_a_word_that_is_no_action_is_named() -> None:
    assert parse_instruction("Forward please") == "please"
