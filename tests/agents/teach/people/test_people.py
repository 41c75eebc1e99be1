"""The Commander that speaks as people do: what is counted, what it says, and how it is judged."""

from __future__ import annotations

from typing import get_args

import pytest

from housemates.agents.teach.people.acts import Tagger
from housemates.agents.teach.people.commander import PeopleCommander
from housemates.agents.teach.people.counts import shipped_people
from housemates.agents.teach.people.delexicalisation import instruction, tokens_of, whole_task
from housemates.agents.teach.people.manner import MannerName
from housemates.agents.teach.people.places import place_of
from housemates.agents.teach.people.policy import Context, contexts_of
from housemates.agents.teach.people.statistics import LEAST
from housemates.agents.teach.people.turns import Event, Turn, turns_of
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import session_of
from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.episode import play
from housemates.core.loading import Seating, make_agent
from housemates.errors import HousematesError


def _said(manner: MannerName, number: int, task: str = "Salad") -> list[str]:
    """What it says in a dozen turns to a Follower that does nothing."""
    session = session_of(sampling.draws(11, 1, [task], first=number)[0])
    commander = PeopleCommander(manner)
    commander.reset(session.brief("commander"))
    for _ in range(12):
        while session.role == "commander":
            session.act(commander.act(session.observe("commander")))
        if session.role is not None:
            session.act(Act("Pass"))
    return [each.text for each in session.dialogue]


def test_a_turn_is_what_one_says_until_the_partner_speaks_or_touches_something() -> None:
    events = [
        Event("commander", "Say", "hi"),
        Event("follower", "Forward"),
        Event("commander", "Say", "slice the bread"),
        Event("follower", "Pickup", touched="Knife"),
        Event("commander", "Say", "good"),
        Event("follower", "Slice", touched="Bread"),
        Event("commander", "Say", "done"),
    ]
    turns = turns_of(events)
    assert [(each.lines, each.touched, each.ahead) for each in turns] == [
        (["hi", "slice the bread"], (), ("Knife",)),
        (["good"], ("Knife",), ("Bread",)),
    ]


def test_silence_is_where_the_follower_speaks_twice() -> None:
    said = [("follower", "done"), ("follower", "what next"), ("commander", "slice it")]
    turns = [Turn(role, [text], []) for role, text in said]
    tags = {"done": ("acknowledge",), "what next": ("next",), "slice it": ("instruct",)}
    found = list(contexts_of(turns, lambda turn: tags[turn.text]))
    assert [acts for _, acts in found] == ["silent", "silent", "instruct"]
    assert found[-1][0] == Context("begin", "next", False, "-")


def test_an_instruction_is_taken_apart_into_what_can_be_said_of_other_things() -> None:
    found = instruction("now please slice the tomato with a knife")
    assert found is not None and found[0] == (
        "slice thing -",
        "now please",
        "slice the <thing>",
        "with a knife",
    )
    assert instruction("put the mug on the table")[0].key == "put thing goal"  # type: ignore[index]
    assert instruction("the lady gave me a mug") is None
    assert whole_task("boil the potato please", ("Potato",)) == "boil the <0> please"


def test_a_place_has_a_shape_and_words() -> None:
    found = place_of("the knife is in the drawer left of the stove")
    assert found is not None and (found.subject, found.shape) == ("the <thing> is", "in left")
    assert place_of("slice it") is None


def test_the_tagger_tells_what_it_was_shown() -> None:
    tagger = Tagger.of([("good job", "praise"), ("slice the bread", "instruct")] * 6)
    assert tagger.acts(["good job! slice the tomato"]) == ("praise", "instruct")


def test_every_phrase_of_the_package_was_said_in_several_sessions_and_none_is_long() -> None:
    people = shipped_people()
    tables = (people.cores, people.openers, people.closers, people.tasks, people.relations, people.phrases)
    phrases = {phrase: count for table in tables for row in table.values() for phrase, count in row.items()}
    assert min(phrases.values()) >= LEAST
    assert max(len(tokens_of(each)) for each in phrases) <= 12


def test_it_is_somebody_else_for_each_seed_and_the_same_for_the_same() -> None:
    first, again, other = (_said("people", number) for number in (0, 0, 1))
    assert first == again != other


def test_a_follower_that_does_nothing_is_not_praised() -> None:
    praise = set(shipped_people().phrases["praise"])
    said = [line.lower().strip(" .") for text in _said("chatty", 2) for line in text.split("\n")]
    assert len(said) > 5 and not praise & set(said)


def test_manners_differ_as_their_names_say() -> None:
    words = {}
    for manner in ("terse", "chatty"):
        lines = [
            line.split() for number in range(4) for text in _said(manner, number) for line in text.split("\n")
        ]
        long = [len(each) for each in lines if len(each) > 2]
        words[manner] = sum(long) / len(long)
    assert words["terse"] < words["chatty"]


@pytest.mark.parametrize("manner", get_args(MannerName))
def test_every_manner_gives_orders(manner: MannerName) -> None:
    said = " ".join(_said(manner, 3, "Clean All X"))
    assert any(verb in said.lower() for verb in ("clean", "wash", "rinse", "put"))


def test_an_unknown_manner_is_refused_in_one_sentence() -> None:
    tatc = registry.benchmark_class("teach-tatc")
    with pytest.raises(HousematesError, match=r"manner.*terse.*rude") as refused:
        make_agent(tatc, "commander", Seating("people", {"manner": "rude"}))
    assert "\n" not in str(refused.value)


def test_the_talking_follower_finishes_what_it_asks_for() -> None:
    tatc = registry.benchmark_class("teach-tatc")
    session = session_of(sampling.draws(11, 1, ["Coffee"])[0])
    follower = make_agent(tatc, "follower", Seating("talk"))
    play(session, {"commander": PeopleCommander(), "follower": follower})
    assert session.complete
