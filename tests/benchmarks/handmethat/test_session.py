"""The robot's seat: what commands do, what they cost, what nonsense does not do, and what is not told."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from housemates.benchmarks.handmethat.generate.synthesis import Settings, generate_one
from housemates.benchmarks.handmethat.session import MOVES, HandMeThatSession
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.benchmarks.handmethat.tasks.goals import Goal
from housemates.benchmarks.handmethat.tasks.meanings import Meaning
from housemates.benchmarks.handmethat.tasks.questions import TOPICS
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS
from housemates.benchmarks.handmethat.world.commands import FREE
from housemates.benchmarks.handmethat.world.dynamics import ROBOT, Scene, World
from housemates.benchmarks.handmethat.world.operators import applicable, ground
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.episode import play
from housemates.core.percepts import Percept

EPISODE = generate_one(1, 0)
CASES = [*((2, number) for number in range(10)), (1, 0), (1, 1), (1, 2)]


def session_of(episode: Episode = EPISODE, **options: Any) -> HandMeThatSession:
    return HandMeThatSession(Instance(episode.name, "level 1", episode), **options)


@pytest.mark.parametrize(("version", "number"), CASES)
def test_the_demonstration_earns_100_less_one_a_command(version: int, number: int) -> None:
    episode = generate_one(2, number, Settings(version, balanced=version == 1))
    for fully in (True, False):
        session = session_of(episode, fully=fully)
        rewards = []
        for command in episode.demo:
            assert session.act(command).success
            rewards.append(session.reward("robot"))
        assert session.success and session.role is None
        assert sum(rewards) == 100 - len(episode.demo) == session.score


@pytest.mark.parametrize("fully", [True, False])
def test_offered_commands_are_just_those_that_work(fully: bool) -> None:
    session = session_of(fully=fully)
    rng = np.random.default_rng(0)
    scene = session.world.scene
    for _ in range(60):
        valid = session.offers("robot")[0].arguments[0].choices
        assert len(valid) == len(set(valid))
        for command in valid:
            action = session.commands.parse(command)
            if command in FREE:
                continue
            assert action is not None, command
            operator = ground(scene, ROBOT, action)
            assert operator is not None and applicable(session.world, operator), command
        for name in rng.choice(scene.displayed[16:], 25):
            for verb in ("pick up {}", "open {}", "close {}", "toggle on {}", "heat {}", "give {} to human"):
                command = verb.format(name)
                action = session.commands.parse(command)
                operator = ground(scene, ROBOT, action) if action else None
                works = operator is not None and applicable(session.world, operator)
                assert works == (command in valid), command
        session.act(valid[int(rng.integers(len(valid)))])
        session.moves = 0


NONSENSE = [
    "",
    "x" * 10_000,
    "把苹果给我",
    "возьми яблоко",
    "pick up unicorn 7",
    "put table onto table",
    "move to to to",
    "open human",
    "slice human with human",
    "\x00\n\t",
    "stop it",
    "{not json",
    '{"name": "Fly"}',
    None,
    -1,
    {"name": "Command"},
    {"name": "Command", "arguments": {"command": 5}},
    Act("Command", {"command": "x" * 30_000}),
    Act("Ask", {"question": "Why?"}),
]


@pytest.mark.parametrize("answer", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_refused_costs_a_move_and_changes_nothing(answer: Any) -> None:
    session = session_of(question_price=1.0)
    before = session.world.digest()
    outcome = session.act(answer)
    assert not outcome.success and outcome.message
    assert (session.reward("robot"), session.role, session.moves) == (-1, "robot", 1)
    assert session.world.digest() == before


@pytest.mark.parametrize(
    "answer",
    [
        "move to sofa",
        "go to the sofa",
        "Command move to sofa",
        '{"name": "Command", "arguments": {"command": "move to sofa"}}',
        {"function": {"name": "command", "arguments": '{"command": "move to sofa"}'}},
        Act("Command", {"command": "MOVE TO SOFA"}),
    ],
    ids=range(6),
)
def test_a_command_is_understood_however_it_is_given(answer: Any) -> None:
    session = session_of()
    assert session.act(answer).success
    assert session.view("robot").place == "sofa"
    assert session.acted is not None and session.acted.name == "Command"


def test_looking_is_free_and_forty_moves_are_the_end() -> None:
    session = session_of(fully=False)
    for command in ("examine", "look", "inventory"):
        assert session.act(command).success and session.reward("robot") == 0
    assert session.moves == 0
    for number in range(MOVES):
        assert not session.limits.reached(session.turn, 0)
        session.act("move to sofa" if number % 2 else "move to bed")
    assert session.limits.reached(session.turn, 0) == "steps"
    assert session.score == -MOVES


def test_whoever_only_looks_comes_to_the_limit_of_steps() -> None:
    class Onlooker(Agent):
        def act(self, percept: Percept) -> str:
            return "examine"

    trace = play(session_of(), {"robot": Onlooker()})
    assert (trace.ended, len(trace.steps), trace.failures) == ("steps", 400, 0)


def test_stopping_is_free_and_ends_the_episode() -> None:
    session = session_of()
    assert session.act("stop").success and session.role is None and session.score == 0


def test_shut_places_show_nothing_until_they_are_open() -> None:
    session = session_of(fully=False)
    text = session.act("move to microwave").message
    assert "closed toggled-off" in text and "you can see" not in text
    assert "you can see" in session.act("open microwave").message


def test_questions_are_answered_from_the_meaning_at_their_price() -> None:
    session = session_of(question_price=2.0)
    assert session.act(Act("Ask", {"question": TOPICS["type"]})).message.startswith("Human answers")
    assert session.reward("robot") == -2
    session.act("question: can you say it clearly")
    assert session.reward("robot") == -6
    assert (session.asked, session.moves) == (2, 0)
    assert [each.role for each in session.said("robot")] == ["human", "robot", "human", "robot", "human"]
    silent = session_of()
    assert silent.act(TOPICS["type"]).message == "I can't understand."
    assert "Ask" not in silent.menu("robot")


def test_every_text_tells_where_one_stands_and_what_was_asked() -> None:
    session = session_of()
    assert EPISODE.story in session.observe().text
    session.act("move to sofa")
    text = session.observe().text
    assert "You are at the sofa, holding nothing. 39 moves are left." in text
    assert EPISODE.instruction in text


def test_the_reference_style_has_the_words_of_the_reference_alone() -> None:
    session = session_of(style="reference")
    session.act("move to sofa")
    assert session.observe().text == "You move from the floor to the sofa."


def test_memory_follows_what_was_done_whenever_it_is_asked_for() -> None:
    asked, silent = session_of(fully=False), session_of(fully=False)
    for command in [*EPISODE.demo, "move to sofa"][:-2]:
        for session in (asked, silent):
            session.act(command)
        asked.view("robot")
    one, other = asked.view("robot").memory, silent.view("robot").memory
    assert one.objects == other.objects and one.places == other.places
    assert one.looked_into == other.looked_into
    one.objects.clear()
    assert asked.view("robot").memory.objects == other.objects


def test_two_sessions_that_do_the_same_have_the_same_texts_and_digests() -> None:
    sessions = [session_of(fully=False), session_of(generate_one(1, 0), fully=False)]
    for command in sessions[0].commands.possible()[:20]:
        assert len({session.act(command).message for session in sessions}) == 1
        assert len({session.observe().text for session in sessions}) == 1
    assert sessions[0].digest() == sessions[1].digest() != session_of(fully=False).digest()


def reachable(*roots: Any) -> Iterator[Any]:
    """Everything that can be come to from some objects by looking into them."""
    waiting, seen = list(roots), set()
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type | types.ModuleType):
            continue
        seen.add(id(each))
        yield each
        if isinstance(each, Mapping):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple | set | frozenset):
            waiting += each
        waiting += getattr(each, "__dict__", {}).values()
        slots = (name for kind in type(each).__mro__ for name in getattr(kind, "__slots__", ()))
        waiting += [getattr(each, name) for name in slots if hasattr(each, name)]
        if isinstance(each, types.MethodType):
            waiting.append(each.__self__)
        if isinstance(each, types.FunctionType):
            waiting += [cell.cell_contents for cell in each.__closure__ or ()]


@pytest.mark.parametrize("fully", [True, False])
def test_neither_brief_nor_percept_leads_to_the_answer(fully: bool) -> None:
    session = session_of(fully=fully, question_price=1.0)
    session.act("move to sofa")
    percept = session.observe()
    asked = [percept.text, percept.offers, percept.said, percept.data, percept.pictures]
    found = list(reachable(session.brief("robot"), percept, asked))
    hidden = (HandMeThatSession, Instance, Episode, World, Scene, Goal, Meaning)
    assert not [each for each in found if isinstance(each, hidden)]
    assert EPISODE.goal_pddl not in found and EPISODE.demo not in found and EPISODE.name not in found
    if not fully:
        assert len(percept.data.memory.objects) < len(EPISODE.objects)


def test_with_one_object_the_episode_ends_right_or_wrong() -> None:
    right = session_of(one_object=True)
    for command in EPISODE.demo:
        right.act(command)
    assert right.success and right.role is None
    wrong = session_of(one_object=True)
    assert "Choose one object." in wrong.brief("robot").rules
    places = iter(LOCATIONS)
    while wrong.role is not None:
        held, possible = wrong.view("robot").held, wrong.offers("robot")[0].arguments[0].choices
        wanted = ("give ", "move to human") if held else ("pick ",)
        found = [each for word in wanted for each in possible if each.startswith(word)]
        wrong.act(found[0] if found else f"move to {next(places)}")
    assert wrong.stopped and wrong.moves < MOVES
