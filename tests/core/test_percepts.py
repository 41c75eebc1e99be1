"""What passes between a session and an agent: lazy percepts, dead handles, schemas, plain acts."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from housemates.core.actions import KINDS, Act, Argument, Offer, understand
from housemates.core.benchmark import Instance
from housemates.core.masks import mask_of, runs_of
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.core.percepts import Limits, Utterance
from housemates.core.session import Session
from housemates.errors import HousematesError

MENU = {"Wait": Offer("Wait", "Do nothing."), "Leave": Offer("Leave", "Go away.")}


class Room(Session):
    """A room in which one can wait; it counts what it is asked for."""

    def __init__(self, instance: Instance, limits: Limits) -> None:
        super().__init__(instance, limits)
        self.asked: list[str] = []
        self.picture = np.zeros((2, 2, 3), np.uint8)

    @property
    def role(self) -> str | None:
        return ("host", "guest")[self.turn % 2] if self.turn < 4 else None

    def menu(self, role: str) -> Mapping[str, Offer]:
        return MENU

    def rules(self, role: str) -> str:
        return "Wait."

    def goal(self, role: str) -> str:
        return f"Be a good {role}."

    def text(self, role: str) -> str:
        self.asked.append("text")
        return "A room."

    def said(self, role: str) -> list[Utterance]:
        return [Utterance("host", "Welcome")]

    def view(self, role: str) -> Any:
        self.asked.append("view")
        return {"window": self.handle("outside", "north")}

    def outside(self, where: str) -> str:
        return f"Rain in the {where}."

    def pictures(self, role: str) -> tuple[str, ...]:
        return ("room",)

    def draw(self, role: str, name: str) -> np.ndarray:
        self.asked.append("draw")
        return self.picture

    def settings(self, role: str) -> dict[str, Any]:
        return {"size": 2}

    def do(self, role: str, act: Act) -> Outcome:
        return done() if act.name == "Wait" else refuse(Reason.CLOSED, "The door is locked.")

    def digest(self) -> str:
        return str(self.turn)


@pytest.fixture
def room() -> Room:
    """A new session."""
    return Room(Instance("secret-task-7", "waiting", None, seed=3), Limits(10, 5))


def test_a_brief_tells_a_role_what_it_may_know(room) -> None:
    brief = room.brief("guest")
    assert (brief.role, brief.rules, brief.goal) == ("guest", "Wait.", "Be a good guest.")
    assert brief.offers == tuple(MENU.values())
    assert (brief.limits, brief.data) == (Limits(10, 5), {"size": 2})


def test_the_id_of_a_brief_tells_episodes_apart_and_nothing_else(room) -> None:
    other = Room(Instance("secret-task-8", "waiting", None, seed=3), Limits())
    again = Room(Instance("secret-task-7", "waiting", None, seed=3), Limits())
    assert room.brief("guest").id == room.brief("host").id == again.brief("guest").id
    assert other.brief("guest").id != room.brief("guest").id
    assert re.fullmatch(r"[0-9a-f]{16}", room.brief("guest").id)


def test_seeds_differ_between_roles_and_episodes_and_are_the_same_every_time(room) -> None:
    other = Room(Instance("secret-task-7", "waiting", None, seed=4), Limits())
    seeds = {session.brief(role).seed for session in (room, other) for role in ("host", "guest")}
    assert len(seeds) == 4
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert room.brief("guest").seed == 99406195338915298


def test_what_is_not_asked_for_is_not_computed(room) -> None:
    percept = room.observe()
    assert (percept.role, percept.turn, percept.last, percept.read) == ("host", 0, None, None)
    assert room.asked == []
    assert percept.text == percept.text == percept.read == "A room."
    assert room.asked == ["text"]
    assert list(percept.pictures) == ["room"]
    assert room.asked == ["text"]
    assert percept.said == [Utterance("host", "Welcome")]


def test_pictures_are_copies(room) -> None:
    draw = room.observe().pictures["room"]
    drawn = draw()
    drawn[:] = 9
    assert room.picture.max() == 0
    assert draw().max() == 0


def test_percepts_and_handles_go_stale_with_the_next_act(room) -> None:
    percept = room.observe()
    assert len(percept.offers) == 2
    view, draw = percept.data["window"], percept.pictures["room"]
    assert view() == "Rain in the north."
    room.act("Wait")
    assert percept.offers == tuple(MENU.values())
    for stale in (view, draw, percept.pictures["room"], lambda: percept.text):
        with pytest.raises(HousematesError, match="This is over: what a percept shows must be looked at"):
            stale()


def test_handles_die_with_their_session(room) -> None:
    other = Room(Instance("x", "waiting", None), Limits())
    percept = other.observe()
    del other
    gc.collect()
    with pytest.raises(HousematesError, match="This is over"):
        _ = percept.text


def test_each_role_hears_what_came_of_its_own_last_act(room) -> None:
    assert room.act("Leave") == refuse(Reason.CLOSED, "The door is locked.")
    assert room.observe().last is None
    room.act("fly")
    assert room.observe().last.message == "The door is locked."
    assert room.observe("guest").last.message.startswith("Unknown act 'fly'")


def test_whoever_acts_after_the_end_is_told(room) -> None:
    for _ in range(4):
        room.act("Wait")
    assert room.role is None
    for late in (room.observe, lambda: room.act("Wait")):
        with pytest.raises(HousematesError, match="The episode is over"):
            late()
    assert room.observe("guest").last is not None


def test_limits_say_which_one_is_reached() -> None:
    limits = Limits(steps=10, failures=3)
    assert [limits.reached(*each) for each in [(9, 2), (10, 2), (9, 3), (10, 3)]] == [
        "",
        "steps",
        "failures",
        "failures",
    ]


ARGUMENTS = {
    "text": (["hello", ""], [3, None, ["x"]]),
    "choice": (["red"], ["blue", 3]),
    "object": (["Mug|1"], ["Cup|1"]),
    "number": ([3, 0.5], ["3", [1]]),
    "point": ([[0.5, 1]], [[0.5], [0.5, 2], "0.5 0.5", [0.1, 0.2, 0.3]]),
    "mask": ([{"size": [1, 2], "runs": [0, 1]}], [[[1]], {"size": [1, 2]}, {"size": [1], "runs": []}]),
}
CHOICES = {"choice": ("red", "green"), "object": ("Mug|1",)}


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_of_an_offer_accepts_what_it_means_and_nothing_else(kind) -> None:
    argument = Argument("it", kind, "What is meant.", CHOICES.get(kind, ()))
    schema = Offer("Do", "Do it.", (argument,)).schema()
    assert json.loads(json.dumps(schema)) == schema
    good, bad = ARGUMENTS[kind]
    assert all(fits({"it": value}, schema) for value in good)
    assert not any(fits(value, schema) for value in [*({"it": each} for each in bad), {}, {"that": 1}])
    assert schema["properties"]["it"]["description"] == "What is meant."


def test_a_schema_says_which_arguments_are_needed() -> None:
    pointing = (Argument("object", "object", required=False), Argument("point", "point", required=False))
    schema = Offer("Pickup", "Take it.", pointing, ("object", "point")).schema()
    assert schema["required"] == []
    assert fits({"object": "Mug|1"}, schema)
    assert fits({"point": [0.1, 0.2]}, schema)
    assert not fits({}, schema)


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value is what a schema describes, as far as our schemas go."""
    known = {"object": dict, "array": list, "string": str, "number": int | float, "integer": int}
    if not isinstance(value, known[schema["type"]]) or ("enum" in schema and value not in schema["enum"]):
        return False
    if isinstance(value, dict):
        needed = set(schema["required"]) <= set(value)
        some = any(set(each["required"]) <= set(value) for each in schema.get("anyOf", [{"required": []}]))
        extra = set(value) - set(schema["properties"]) and not schema.get("additionalProperties", True)
        inside = (fits(value[key], schema["properties"][key]) for key in value if key in schema["properties"])
        return needed and some and not extra and all(inside)
    if isinstance(value, list):
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        return least <= len(value) <= most and all(fits(each, schema["items"]) for each in value)
    if isinstance(value, int | float):
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_an_act_is_read_back_from_its_plain_form(kind) -> None:
    offer = Offer("Do", "Do it.", (Argument("it", kind),))
    for value in ARGUMENTS[kind][0]:
        act = understand({"name": "Do", "it": value}, {"Do": offer})
        assert isinstance(act, Act)
        plain = json.loads(json.dumps(act.plain()))
        again = understand(plain, {"Do": offer})
        assert isinstance(again, Act)
        assert again.plain() == plain


@pytest.mark.parametrize("seed", range(5))
def test_masks_are_read_back_as_they_were(seed) -> None:
    rng = np.random.default_rng(seed)
    mask = rng.random((rng.integers(1, 40), rng.integers(1, 40))) < rng.random()
    packed = json.loads(json.dumps(runs_of(mask)))
    assert (mask_of(packed) == mask).all()
    assert Act("Pickup", {"mask": mask}).plain()["arguments"]["mask"] == packed


@pytest.mark.parametrize("mask", [np.zeros((3, 4), bool), np.ones((3, 4), bool), np.eye(5, dtype=bool)])
def test_empty_full_and_scattered_masks_are_kept(mask) -> None:
    assert (mask_of(runs_of(mask)) == mask).all()


def test_numbers_and_points_of_numpy_become_plain() -> None:
    act = Act("Do", {"point": (np.float64(0.5), 0.25), "count": np.int64(3), "row": np.array([1, 2])})
    assert json.dumps(act.plain()) == (
        '{"name": "Do", "arguments": {"point": [0.5, 0.25], "count": 3, "row": [1, 2]}}'
    )
