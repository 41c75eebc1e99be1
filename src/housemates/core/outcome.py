"""What comes of an action."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def nothing() -> Mapping[str, Any]:
    """An empty mapping that cannot be changed, the same for all who have nothing to tell."""
    return _NOTHING


class Reason(StrEnum):
    """Why an action did not work, for programs; the message says it to people."""

    DONE = "done"
    """It worked."""
    UNKNOWN_ACT = "unknown_act"
    """The role has no act of this name."""
    MALFORMED = "malformed"
    """The answer, or an argument of it, is not of the expected form."""
    NOT_POSSIBLE = "not_possible"
    """The thing cannot be used that way, or the world does not allow it."""
    NOT_NOW = "not_now"
    """The rules do not allow it at this moment."""
    NOT_YOUR_TURN = "not_your_turn"
    """It is another role's turn."""
    NOT_OFFERED = "not_offered"
    """The role, or the options of the benchmark, do not allow it."""
    OVER = "over"
    """The game is over, or the time was up."""
    INCOMPLETE = "incomplete"
    """Something else has to be given first."""
    NO_SUCH_THING = "no_such_thing"
    """Nothing has this id or name."""
    NOT_SEEN = "not_seen"
    """The agent has not seen the thing yet."""
    NOTHING_THERE = "nothing_there"
    """Nothing that fits the action is where the agent points."""
    NOT_VISIBLE = "not_visible"
    """The thing is not in view."""
    TOO_FAR = "too_far"
    """The thing is out of reach, or the agent would leave its range."""
    UNREACHABLE = "unreachable"
    """There is no place from where it can be done, or no way there."""
    BLOCKED = "blocked"
    """Something stands in the agent's way."""
    IN_THE_WAY = "in_the_way"
    """The agent stands in the way of what should move."""
    ALREADY = "already"
    """The thing is in this state already."""
    CLOSED = "closed"
    """The target is closed and has to be open."""
    SHUT_IN = "shut_in"
    """The target is inside something that is closed."""
    CLOSE_FIRST = "close_first"
    """The target is open and has to be closed."""
    TURN_OFF_FIRST = "turn_off_first"
    """The target is running and has to be off."""
    FULL = "full"
    """The target takes no more."""
    NO_ROOM = "no_room"
    """No free room on or in the target is large enough."""
    ROOM_TOO_FAR = "room_too_far"
    """There is room, but out of reach."""
    IN_HAND = "in_hand"
    """The target is in the hand."""
    HANDS_FULL = "hands_full"
    """The hand is full and has to be empty."""
    HANDS_EMPTY = "hands_empty"
    """The hand is empty."""
    NEEDS_KNIFE = "needs_knife"
    """There is no knife in the hand."""
    NOTHING_TO_POUR = "nothing_to_pour"
    """There is no liquid in the hand."""
    CUT_UP = "cut_up"
    """It cannot be cut any further."""
    UNRECORDED = "unrecorded"
    """A recorded action failed, and its record does not say why."""


class Outcome(msgspec.Struct, frozen=True):
    """Whether an action worked, and what the one who acted is told of it.

    Whatever an agent may infer from the message it can read from `reason` and `data`, and no more.
    """

    success: bool
    reason: Reason = Reason.DONE
    message: str = ""
    """For people; no program looks into it."""
    data: Mapping[str, Any] = msgspec.field(default_factory=nothing)
    """What the message tells, and what a tool answers beside it; plain values and arrays.

    Of a touch it is `type`, the type of what was touched, and where the message tells them `held` and
    `inside` (types), `open`, `count`, `capacity`, `pieces`, `takes`, `liquid`.
    """


_DONE = Outcome(True)


def done(message: str = "", **data: Any) -> Outcome:
    """The outcome of an act that worked, with what it tells."""
    return Outcome(True, Reason.DONE, message, data or _NOTHING) if message or data else _DONE


def refuse(reason: Reason, message: str, **data: Any) -> Outcome:
    """The action did not work; the message tells a person what is wrong and what would help."""
    return Outcome(False, reason, message, data or _NOTHING)


def retold(outcome: Outcome, act: str) -> Outcome:
    """A refusal of one act told as that of another which it is a part of: `Place: ...` as `Put: ...`."""
    sentence = outcome.message.partition(": ")[2] or outcome.message
    return refuse(outcome.reason, f"{act}: {sentence}", **outcome.data)


@cache
def spoken(type_name: str) -> str:
    """A type's name as a person says it: `CounterTop` is a "counter top"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type_name).lower()
