"""The one parser: whatever an agent answers becomes an act or a refusal in one sentence, never an error."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from housemates.core.actions import LONGEST, Act, Argument, Offer, understand
from housemates.core.masks import runs_of
from housemates.core.outcome import Outcome
from housemates.errors import nearest

POINTING = (
    Argument("object", "object", required=False),
    Argument("point", "point", required=False),
    Argument("mask", "mask", required=False),
)
MENU = {
    offer.name: offer
    for offer in (
        Offer("Forward", "Go."),
        Offer("TurnLeft", "Turn."),
        Offer("Pickup", "Take.", POINTING, ("object", "point", "mask")),
        Offer("Say", "Speak.", (Argument("text", "text"),)),
        Offer("Do", "Carry out.", (Argument("command", "choice"),)),
        Offer("Take", "Take away.", (Argument("number", "number"),)),
        Offer("Put", "Put.", (Argument("object", "object"), Argument("count", "number", required=False))),
        Offer("Click", "Click.", (Argument("point", "point"),)),
    )
}
NOW = (
    *(MENU[name] for name in MENU if name != "Do"),
    Offer("Do", "", (Argument("command", "choice", choices=("pick-up the red box", "stop")),)),
)
MASK = np.zeros((3, 4), bool)
MASK[1, 1:3] = True


def understood(action: Any) -> Act | Outcome:
    return understand(action, MENU, lambda: NOW)


def plain(action: Any) -> dict[str, Any]:
    act = understood(action)
    assert isinstance(act, Act), act
    return act.plain()


def act(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments} if arguments else {"name": name}


@pytest.mark.parametrize(
    ("action", "meant"),
    [
        (Act("Forward"), act("Forward")),
        (Act("forward", {}), act("Forward")),
        (Act("Say", {"text": "hi"}), act("Say", text="hi")),
        ("Forward", act("Forward")),
        ("  forward\n", act("Forward")),
        ("turn left", act("TurnLeft")),
        ("turn_left", act("TurnLeft")),
        ("TURN-LEFT", act("TurnLeft")),
        ("Pickup Mug|-01.18|+00.91|+00.53", act("Pickup", object="Mug|-01.18|+00.91|+00.53")),
        ("pickup 0.25 0.5", act("Pickup", point=[0.25, 0.5])),
        ("pickup (0.25, .5)", act("Pickup", point=[0.25, 0.5])),
        ("click 0 1", act("Click", point=[0.0, 1.0])),
        ("say Where is it?", act("Say", text="Where is it?")),
        ('Say "Turn left."', act("Say", text="Turn left.")),
        ("say say say", act("Say", text="say say")),
        ("Say 1 2", act("Say", text="1 2")),
        ("take 3", act("Take", number=3.0)),
        ("pick-up the red box", act("Do", command="pick-up the red box")),
        ("do pick-up the red box", act("Do", command="pick-up the red box")),
        ("stop", act("Do", command="stop")),
    ],
)
def test_names_and_lines_are_understood(action, meant) -> None:
    assert plain(action) == meant


@pytest.mark.parametrize(
    ("action", "meant"),
    [
        ({"name": "Forward"}, act("Forward")),
        ({"action": "turn left"}, act("TurnLeft")),
        ({"name": "Say", "text": "hi"}, act("Say", text="hi")),
        ({"name": "Say", "arguments": {"text": "hi"}}, act("Say", text="hi")),
        ({"name": "Forward", "arguments": None}, act("Forward")),
        ({"name": "Forward", "arguments": ""}, act("Forward")),
        ({"name": "Pickup", "arguments": {"object": "Mug|1", "point": None}}, act("Pickup", object="Mug|1")),
        ({"name": "Take", "number": "2"}, act("Take", number=2.0)),
        ({"name": "Take", "number": np.int64(2)}, act("Take", number=2.0)),
        ({"name": "Click", "point": {"x": 0.5, "y": 1}}, act("Click", point=[0.5, 1.0])),
        ({"name": "Click", "point": np.array([0.5, 0.25])}, act("Click", point=[0.5, 0.25])),
        ({"name": "Put", "object": "Cup|1", "count": 2}, act("Put", object="Cup|1", count=2.0)),
        (
            {"id": "call_1", "type": "function", "function": {"name": "Say", "arguments": '{"text": "hi"}'}},
            act("Say", text="hi"),
        ),
        ({"type": "function_call", "name": "Say", "arguments": '{"text": "hi"}'}, act("Say", text="hi")),
        ({"type": "tool_use", "id": "t1", "name": "Say", "input": {"text": "hi"}}, act("Say", text="hi")),
        ({"type": "tool_use", "id": "t1", "name": "Forward", "input": {}}, act("Forward")),
        (
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "Say", "arguments": {"text": "hi"}},
            },
            act("Say", text="hi"),
        ),
    ],
)
def test_mappings_and_tool_calls_are_understood_also_as_json(action, meant) -> None:
    assert plain(action) == meant
    try:
        line = json.dumps(action)
    except TypeError:
        return
    assert plain(line) == meant


@pytest.mark.parametrize("mask", [MASK, MASK.astype(int), MASK.astype(float), MASK.tolist(), runs_of(MASK)])
def test_masks_are_arrays_rows_or_runs(mask) -> None:
    found = understood(Act("Pickup", {"mask": mask}))
    assert isinstance(found, Act)
    assert found.arguments["mask"].dtype == bool
    assert (found.arguments["mask"] == MASK).all()


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (None, "Expected an act, found"),
        (3, "Expected an act, found 'int 3'."),
        (b"Forward", "Expected an act"),
        ([], "Expected an act"),
        (["Forward"], "Expected an act"),
        (object(), "Expected an act"),
        (float("nan"), "Expected an act"),
        ("", "Unknown act ''"),
        ("   ", "Unknown act ''"),
        ("fly", "Unknown act 'fly'"),
        ("Foward", "did you mean 'Forward'? Known are"),
        ("ñandú", "Unknown act"),
        ("forward now", "Forward needs nothing more, found 'now'."),
        ("say", "Say: expected text."),
        ("Pickup", "Pickup: expected object or point or mask."),
        ("take two", "Take: number: expected a number, found 'two'."),
        ("take nan", "Take: number: expected a number"),
        ("take inf", "Take: number: expected a number"),
        ("click 0.5", "Click: point: expected x and y between 0 and 1"),
        ("click 0.5 1.5", "Click: point: expected x and y between 0 and 1"),
        ("click -0.1 0", "Click: point: expected x and y between 0 and 1"),
        ("{", "Expected an act as JSON, found '{'."),
        ('{"name": ', "Expected an act as JSON"),
        ("{}", "Expected an act with a name"),
        ({}, "Expected an act with a name"),
        ({"name": 3}, "Expected an act with a name"),
        ({"function": "Forward"}, "Expected an act"),
        ({"name": "Forward", "speed": 2}, "Forward: unknown argument 'speed': it needs none."),
        ({"name": "Say", "txt": "hi"}, "Say: unknown argument 'txt': did you mean 'text'?"),
        ({"name": "Say", 3: "hi"}, "Say: unknown argument 'int 3'"),
        ({"name": "Say", "arguments": ["hi"]}, "Say: expected its arguments by name"),
        ({"name": "Say", "arguments": "hi"}, "Say: expected its arguments as JSON, found 'hi'."),
        ({"name": "Say", "arguments": "[1]"}, "Say: expected its arguments by name"),
        ({"name": "Say", "text": 3}, "Say: text: expected a text of at most"),
        ({"name": "Say", "text": "\ud800"}, "Say: text: expected a text"),
        ({"name": "Take", "number": float("nan")}, "Take: number: expected a number"),
        ({"name": "Take", "number": True}, "Take: number: expected a number"),
        ({"name": "Take", "number": np.complex128(1)}, "Take: number: expected a number"),
        ({"name": "Take", "number": 10**400}, "Take: number: expected a number"),
        ({"name": "Take", "number": [1]}, "Take: number: expected a number"),
        ({"name": "Click", "point": [0.5, float("nan")]}, "Click: point: expected"),
        ({"name": "Click", "point": [0.5]}, "Click: point: expected"),
        ({"name": "Click", "point": "0.5,0.5"}, "Click: point: expected"),
        ({"name": "Click", "point": np.array(0.5)}, "Click: point: expected"),
        ({"name": "Click", "point": {"x": 0.5}}, "Click: point: expected"),
        ({"name": "Pickup", "mask": "everything"}, "Pickup: mask: expected pixels"),
        ({"name": "Pickup", "mask": [[0, 1], [1]]}, "Pickup: mask: expected pixels"),
        ({"name": "Pickup", "mask": np.zeros(4)}, "Pickup: mask: expected pixels"),
        ({"name": "Pickup", "mask": np.zeros((1, 5000))}, "Pickup: mask: expected pixels"),
        ({"name": "Pickup", "mask": {"size": [2, 2], "runs": [3, 2]}}, "Pickup: mask: expected pixels"),
        ({"name": "Pickup", "mask": {"size": [2, 2], "runs": [0]}}, "Pickup: mask: expected pixels"),
        ({"name": "Pickup", "mask": {"size": [10**9, 10**9], "runs": []}}, "Pickup: mask: expected pixels"),
        ({"name": "Pickup", "mask": {"size": [2, 2], "runs": [0, 1] * 9}}, "Pickup: mask: expected pixels"),
        (
            {"name": "Pickup", "mask": {"size": [float("inf"), 2], "runs": []}},
            "Pickup: mask: expected pixels",
        ),
        ({"name": "Put", "count": 2}, "Put: expected object."),
        (Act("Say", ["hi"]), "Expected an act, found"),
        (Act(["Say"]), "Unknown act"),
        (Act("Fly"), "Unknown act 'Fly'"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(action, said) -> None:
    refusal = understood(action)
    assert isinstance(refusal, Outcome)
    assert not refusal.success
    assert said in refusal.message
    assert refusal.message.endswith(".")
    assert "\n" not in refusal.message
    assert len(refusal.message) < 300


@pytest.mark.parametrize(
    "action",
    [
        "say " + "x" * LONGEST,
        "x " * 1_000_000,
        "{" * 1_000_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        '{"name": "Take", "number": ' + "1" * 10_000 + "}",
        {"name": "Say", "text": "x" * 10_000_000},
        {"name": "x" * 10_000_000},
        {"name": "Say", "x" * 1_000_000: 1},
        {"name": "Say", "arguments": "[" * 1_000_000},
        {"name": "Pickup", "mask": {"size": [4096, 4096], "runs": [0, 1] * 20_000_000}},
        [[]] * 10_000_000,
    ],
    ids=range(11),
)
def test_huge_answers_are_refused_quickly_and_shortly(action) -> None:
    refusal = understood(action)
    assert isinstance(refusal, Outcome)
    assert len(refusal.message) < 300


class Hostile:
    """Does not even have a text."""

    def __repr__(self) -> str:
        raise RuntimeError("no")

    __str__ = __repr__


def test_an_object_that_cannot_be_shown_is_refused() -> None:
    refusal = understood(Hostile())
    assert isinstance(refusal, Outcome)
    assert refusal.message == "Expected an act, found 'Hostile <Hostile instance>'."
    assert isinstance(understood({"name": "Say", "text": Hostile()}), Outcome)


def test_the_offers_of_the_moment_are_asked_for_only_where_they_matter() -> None:
    def never() -> tuple[Offer, ...]:
        raise AssertionError

    assert understand("Forward", MENU, never) == Act("Forward")
    assert understand({"name": "Say", "text": "hi"}, MENU, never) == Act("Say", {"text": "hi"})


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=[]))
    | st.binary()
    | st.sampled_from([*MENU, "name", "arguments", "object", "point", "mask", "text", "number", "function"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["name", "arguments", "function", "object", "point", "mask", "text", "size", "runs"]
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(anything)
def test_whatever_comes_is_an_act_of_the_menu_or_a_refusal(action) -> None:
    found = understood(action)
    if isinstance(found, Outcome):
        assert not found.success and "\n" not in found.message
    else:
        assert found.name in MENU
        json.dumps(found.plain(), allow_nan=False).encode()
        again = understood(found.plain())
        assert isinstance(again, Act)
        assert again.plain() == found.plain()


def test_the_nearest_name_is_offered_first() -> None:
    assert nearest("strat", ["start", "times"]) == "did you mean 'start'? Known are start, times"
    assert nearest("zzz", ["start", "times"]) == "expected one of start, times"
    assert nearest("zzz", map(str, range(100))).endswith("39, ...")
