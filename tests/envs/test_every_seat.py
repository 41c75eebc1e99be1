"""Agents that know no benchmark play every role of every benchmark from text and offers alone."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from housemates.agents.basic import FirstAgent, RandomAgent
from housemates.core import registry
from housemates.core.actions import Act, Offer, understand
from housemates.core.agent import Agent
from housemates.core.benchmark import Benchmark, Instance
from housemates.core.episode import play
from housemates.core.outcome import Outcome
from housemates.core.percepts import Limits, Percept

NAMES = sorted(name for each in registry.specs().values() for name in each.benchmarks)
STEPS = 60


class Words(NamedTuple):
    """What can be put into words of a percept."""

    role: str
    turn: int
    text: str
    offers: tuple[Any, ...]
    last: Outcome | None


class Reader(Agent):
    """Lets another agent see words only, and answers as language models do: with JSON."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.reset = agent.reset

    def act(self, percept: Percept) -> str:
        """The other agent's act, made of words and turned into words."""
        assert percept.text.strip()
        for offer in percept.offers:
            assert offer.name.isidentifier() and offer.help
            json.dumps(offer.schema())
        words = Words(percept.role, percept.turn, percept.text, percept.offers, percept.last)
        act: Act = self.agent.act(words)
        assert act.name in {offer.name for offer in percept.offers}
        return json.dumps(act.plain())


@functools.cache
def opened(name: str) -> tuple[Benchmark, Instance]:
    """A benchmark and its first generated instance."""
    benchmark = registry.benchmark(name)
    return benchmark, benchmark.open(next(iter(benchmark.references("generated", 2))))[0]


@pytest.mark.parametrize("agent", [FirstAgent, RandomAgent])
@pytest.mark.parametrize("name", NAMES)
def test_any_agent_plays_every_role_from_words_alone(name: str, agent: type[Agent]) -> None:
    benchmark, instance = opened(name)
    session = benchmark.session(instance)
    session.limits = Limits(STEPS, STEPS)
    trace = play(session, {role: Reader(agent()) for role in benchmark.roles}, instance)
    assert trace.error == ""
    assert trace.steps
    assert all(step.act is not None and step.text for step in trace.steps)
    scores = benchmark.score(instance, session, trace)
    assert 0.0 <= scores["success"] <= 1.0


def acts_of(offer: Offer) -> Iterator[Act]:
    """An offer with some of the choices of each of its arguments."""
    fillers = {"text": "x", "number": 1, "point": (0.5, 0.5)}
    usual = {
        each.name: each.choices[0] if each.choices else fillers[each.kind]
        for each in offer.arguments
        if each.required
    }
    for argument in offer.arguments:
        for choice in argument.choices[:3]:
            yield Act(offer.name, {**usual, argument.name: choice})


@pytest.mark.parametrize("name", NAMES)
def test_what_is_offered_is_in_the_menu_and_understood(name: str) -> None:
    benchmark, instance = opened(name)
    session = benchmark.session(instance)
    agents = {role: RandomAgent() for role in benchmark.roles}
    for role in benchmark.roles:
        agents[role].reset(session.brief(role))
    for _ in range(20):
        if session.role is None:
            break
        role, menu = session.role, session.menu(session.role)
        assert session.brief(role).offers == tuple(menu.values())
        for offer in session.observe().offers:
            kinds = {each.name: each.kind for each in menu[offer.name].arguments}
            assert {each.name: each.kind for each in offer.arguments}.items() <= kinds.items()
            for act in acts_of(offer):
                assert isinstance(understand(act, menu), Act)
        session.act(agents[role].act(session.observe()))


@pytest.mark.parametrize("name", NAMES)
def test_nonsense_is_refused_in_one_sentence_in_every_seat(name: str) -> None:
    benchmark, instance = opened(name)
    session = benchmark.session(instance)
    for answer in (None, "", "qwertz uiop", 7, {"name": "Levitate"}, {"name": "Stop", "why": "tired"}):
        if session.role is None:
            break
        outcome = session.act(answer)
        assert not outcome.success
        assert outcome.message
