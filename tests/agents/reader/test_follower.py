"""What the Follower makes of what people type, sensible or not."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from housemates.agents.embodied.semantics import NounPhrase, Order
from housemates.agents.reader.follower import Follower
from housemates.agents.reader.language.move_commands import moves_of
from housemates.agents.teach.talk.vocabulary import grammar_words
from housemates.benchmarks.teach.formats.starts import Start
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.session import LIMITS, TatcSession
from housemates.core.actions import Act
from housemates.core.benchmark import Instance
from housemates.core.outcome import spoken
from housemates.home.types import object_types

MOVES = {"Forward", "TurnLeft", "TurnRight", "LookUp", "LookDown"}


@cache
def _start() -> Start:
    return sampling.start(sampling.draws(11, 1, ["Coffee"])[0])


def _told(*orders: str) -> tuple[list[str], list[str]]:
    """What it answers to orders, and what it touches."""
    session = TatcSession(Instance("talk", "Coffee", _start(), 11), LIMITS)
    follower = Follower()
    follower.reset(session.brief("follower"))
    said, done = [], []
    for text in orders:
        session.act(Act("Say", {"text": text}))
        while session.role == "follower":
            act = follower.act(session.observe("follower"))
            if act.name == "Say":
                said.append(str(act.arguments["text"]))
            elif act.name not in MOVES:
                done.append(act.name)
            session.act(act)
    return said, done


@pytest.mark.parametrize(
    "text",
    ["asdkjh qwe zxc", "por favor limpia el plato que esta en la mesa", "xyzzy " * 2000],
    ids=["nonsense", "another language", "ten thousand letters"],
)
def test_it_says_that_it_does_not_understand(text: str) -> None:
    said, done = _told(text)
    assert not done
    assert len(said) == 1
    assert "understand" in said[0] or "what should I do" in said[0] or "What should I do" in said[0]


def test_it_says_what_cannot_be_done() -> None:
    said, done = _told("toast the sofa")
    assert not done
    assert "sofa" in said[0]


def test_an_order_that_is_taken_back_is_not_carried_out() -> None:
    assert _told("clean a mug. no, don't clean a mug")[1] == []


def test_it_stays_what_was_spoken_of() -> None:
    said, done = _told("wash the mug", "put it in the coffee machine")
    assert done[-2:] == ["Pickup", "Place"]
    assert "faucet" not in said[-1]


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("hi", "Hello!"),
        ("thanks!", "You are welcome."),
        ("what are you doing?", "I am waiting for you."),
        ("where is the mug?", "I have not seen the mug yet."),
        ("stop it", "stop"),
        ("ok", "I am ready."),
        ("whats in your hand?", "My hand is empty."),
        ("come over here", "I cannot see where you are. What should I go to?"),
        ("actually, don't", "stop"),
        ("do you need help?", "No, thank you."),
        ("where's the mug", "I have not seen the mug yet."),
        ("is the mug clean?", "I have not seen the mug yet."),
        ("no!", "I am sorry. What should I do instead?"),
    ],
)
def test_it_answers_what_is_no_order(text: str, reply: str) -> None:
    (said,), done = _told(text)
    assert reply in said
    assert not done


@pytest.mark.parametrize("text", ["take it", "open it", "put everything away", "put the mug on it"])
def test_it_asks_where_nobody_knows_what_it_is(text: str) -> None:
    said, done = _told(text)
    assert not done
    assert "what should I do" in said[0].replace("What", "what")


def test_it_tells_what_is_somewhere_and_how_things_are() -> None:
    said, done = _told("what's in the fridge?", "is it open?", "close it", "is it open?")
    assert done == ["Open", "Close"]
    assert said[0].startswith("I see ") and "in the fridge" in said[0]
    assert said[1].startswith("Yes, the fridge is open")
    assert said[3].startswith("No, the fridge is not open")


def test_it_tells_where_it_is_and_what_it_did() -> None:
    said, _ = _told("open the fridge", "where are you?", "what are you doing?")
    assert said[1].startswith("I am by the ")
    assert "opened the fridge" in said[2]


@pytest.mark.parametrize(
    ("text", "verb", "kind"),
    [
        ("bring me a mug", "take", "Mug"),
        ("grab me an apple", "take", "Apple"),
        ("turn on teh cofee machin", "start", "CoffeeMachine"),
        ("slice the tomto", "slice", "Tomato"),
        ("crack the egg", "slice", "Egg"),
        ("bring me a clean plate with a tomato on it", "put", "Tomato"),
        ("get the plate with the tomato on it", "take", "Plate"),
        ("you don't need the cup, get a bowl", "take", "Bowl"),
        ("what's in the microwave?", "inspect", "Microwave"),
        ("Hello! I would like a cup of coffee.", "task", ""),
    ],
)
def test_people_may_say_it_in_their_own_words(text: str, verb: str, kind: str) -> None:
    (order,) = [each for each in _listener().interpreter.read(text) if isinstance(each, Order)]
    assert order.verb == verb
    assert order.theme is not None
    assert order.theme.types[:1] == ((kind,) if kind else ())


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("turn around please", "TurnRight TurnRight"),
        ("can you turn left?", "TurnLeft"),
        ("take two steps back", "Backward Backward"),
        ("go forward", "Forward"),
        ("move 3 steps to the right", "PanRight PanRight PanRight"),
        ("Look up!", "LookUp"),
        ("turn around and walk 2 steps forward", "TurnRight TurnRight Forward Forward"),
        ("right", ""),
        ("take the mug", ""),
        ("turn right, then open the fridge", ""),
    ],
)
def test_a_move_that_is_asked_for_is_made(text: str, moves: str) -> None:
    assert " ".join(moves_of(text)) == moves


def test_what_is_not_understood_again_and_again_is_no_thing() -> None:
    said, _ = _told(*["asdkjh qwe zxc"] * 5)
    assert not any("the it" in each for each in said)


def test_the_other_one_is_another_one() -> None:
    follower = _listener()
    follower.interpreter.said = [Order("take", NounPhrase(("Mug",), "mug"))]
    (order,) = follower.interpreter.read("no, the other one")
    assert order == Order("take", NounPhrase(("Mug",), "mug", traits=frozenset({"other"})))


def test_the_same_with_something_else_is_the_last_order_with_that() -> None:
    follower = _listener()
    follower.interpreter.said = [Order("clean", NounPhrase(("Mug",), "mug"))]
    (order,) = follower.interpreter.read("now the same with the cup")
    assert isinstance(order, Order) and order.theme is not None
    assert (order.verb, order.theme.types[0]) == ("clean", "Cup")


@pytest.mark.parametrize("seed", range(3))
def test_whatever_words_come_in_whatever_order_it_answers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nouns = [spoken(each) for each in object_types()]
    common = [
        "it",
        "them",
        "the other one",
        "what's in",
        "is",
        "don't",
        "same with",
        "with",
        "on",
        "in",
        "and",
        ",",
    ]
    words = [*sorted(grammar_words()), *nouns, *common * 20]
    texts = [" ".join(rng.choice(words, rng.integers(1, 10))) for _ in range(15)]
    said, _ = _told(*texts)
    assert len(said) >= len(texts)


def _listener() -> Follower:
    follower = Follower()
    follower.reset(TatcSession(Instance("talk", "Coffee", _start(), 11), LIMITS).brief("follower"))
    return follower


def _interrupted(after: int, text: str) -> tuple[list[str], TatcSession]:
    """What the Follower says and does once it is spoken to in the middle of a task, as in the studio."""
    session = TatcSession(Instance("talk", "Coffee", _start(), 11), LIMITS)
    follower = Follower()
    follower.reset(session.brief("follower"))
    session.act(Act("Say", {"text": "put a mug in the fridge"}))
    for _ in range(after):
        session.act(follower.act(session.observe("follower")))
    session.act("Pass")
    session.act(Act("Say", {"text": text}))
    found: list[str] = []
    while session.role == "follower":
        act = follower.act(session.observe("follower"))
        found.append(str(act.arguments.get("text", act.name)))
        session.act(act)
    return found, session


@pytest.mark.parametrize("after", range(2, 12, 3))
def test_it_stops_at_once_where_it_is_told_to(after: int) -> None:
    (said,), _ = _interrupted(after, "stop!")
    assert "stop" in said.lower()


def test_it_knows_what_it_took_though_it_was_spoken_to_at_that_moment() -> None:
    held = set()
    for after in (20, 22, 23):
        said, session = _interrupted(after, "what is in your hand?")
        thing = session.world.home.held
        held.add(None if thing is None else thing.type)
        assert said[0].startswith("My hand is empty." if thing is None else "I hold the mug.")
    assert held == {None, "Mug"}


def test_it_goes_on_with_what_it_was_doing_once_it_has_answered() -> None:
    found, session = _interrupted(4, "hurry up!")
    assert found[0].startswith("Sorry, I am as quick")
    session.act("Pass")
    assert session.role == "follower"
