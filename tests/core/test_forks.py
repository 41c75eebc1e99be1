"""An episode is copied by its state: twins go on alike and know nothing of each other."""

from __future__ import annotations

import copy
import os
from typing import Any

import numpy as np
import pytest

from fixtures.branching import SEATS, any_act, check_forks, instances
from housemates.core import registry
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.episode import Episode
from housemates.core.loading import make_agents, seat_all
from housemates.errors import HousematesError

FORKS = int(os.environ.get("HOUSEMATES_FORKS", "72"))
"""How many random forks there are in all benchmarks together; `make test-forks` tries 10,000."""
PAIRS = {
    "talk and random": ("teach-tatc", ["commander=talk", "follower=random"]),
    "rule": ("teach-tatc", ["commander=rule", "follower=rule"]),
    "expert in a home": ("alfred", ["agent=expert"]),
    "random with masks": ("alfred", ["agent=random"]),
    "expert in text": ("handmethat", ["robot=expert"]),
    "listener": ("handmethat", ["robot=listener"]),
    "planner": ("cerealbar", ["leader=planner", "follower=planner"]),
    "talking": ("cerealbar", ["leader=talking", "follower=talking"]),
    "oracle": ("cerealbar-recorded", ["follower=oracle"]),
    "random": ("home", ["agent=random"]),
}


@pytest.mark.parametrize(("name", "options"), SEATS, ids=lambda value: str(value)[:40])
def test_twins_at_random_moments_go_on_alike_and_apart(name: str, options: dict[str, Any]) -> None:
    share = FORKS // len(SEATS)
    check_forks(name, options, max(1, share // 4 if "acts" in options else share))


def countdown(counting: Any, number: int = 3, agent: Agent | None = None) -> Episode:
    benchmark = counting.Counting()
    agents = {} if agent is None else {"counter": agent}
    return Episode(benchmark, Instance("count", "odd", number), agents)


def test_an_episode_that_is_over_is_not_forked_but_may_be_looked_back_from(counting) -> None:
    episode = countdown(counting, 2)
    moment = episode.snapshot()
    for _ in range(2):
        episode.act("counter", "Take 1")
    with pytest.raises(HousematesError, match=r"The episode is over: there is nothing to go on with\."):
        episode.fork()
    assert copy.deepcopy(episode).scores() == episode.scores()
    end = episode.snapshot()
    with pytest.raises(HousematesError, match="nothing to go on with"):
        end.fork()
    episode.restore(moment)
    assert (episode.over, episode.session.number, len(episode.trace.steps)) == (False, 2, 0)
    episode.restore(end)
    assert (episode.over, episode.session.number, len(episode.trace.steps)) == (True, 0, 2)


def test_a_moment_of_another_benchmark_or_other_options_is_refused(counting) -> None:
    episode = countdown(counting)
    other = Episode(None, None, session=episode.session).snapshot()
    with pytest.raises(HousematesError, match="snapshot is of another benchmark"):
        episode.restore(other)
    assert episode.session.number == 3


class Counting(Agent):
    """Takes one away, and remembers how often; knows the session if it is privileged."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.session: Any = None

    def observe_privileged(self, instance: Any, session: Any) -> None:
        self.session = session

    def act(self, percept: Any) -> Any:
        self.done.append(percept.data if self.session is None else self.session.number)
        return "Take 1"


@pytest.mark.parametrize("privileged", [False, True])
def test_agents_are_copied_with_what_they_know_of_the_session(counting, privileged: bool) -> None:
    agent = Counting()
    agent.privileged = privileged
    episode = countdown(counting, 4, agent)
    episode.step()
    twin = episode.fork()
    episode.run()
    copied: Any = twin.agents["counter"]
    assert (agent.done, copied.done, twin.session.number) == ([4, 3, 2, 1], [4], 3)
    if privileged:
        assert copied.session is twin.session
    twin.step()
    assert (agent.done, copied.done) == ([4, 3, 2, 1], [4, 3])


def test_an_agent_that_cannot_be_copied_is_named(counting) -> None:
    class Planning(Counting):
        def reset(self, brief: Any) -> None:
            self.plan = (step for step in range(3))

    episode = countdown(counting, 3, Planning())
    with pytest.raises(HousematesError, match=r"The counter \(Planning\) cannot be copied: TypeError: .*gen"):
        episode.fork()
    assert episode.run().ended == "done"


def test_percepts_of_one_do_not_show_the_other(counting) -> None:
    episode = countdown(counting)
    twin = episode.fork()
    before, mine = episode.percept(), twin.percept()
    twin.act("counter", "Take 1")
    assert (before.data, twin.percept().data) == (3, 2)
    with pytest.raises(HousematesError, match="must be looked at before the next act"):
        _ = mine.data


def answers(episode: Episode) -> list[Any]:
    return [each.answer if each.act is None else each.act.plain() for each in episode.trace.steps]


@pytest.mark.parametrize(("name", "seats"), PAIRS.values(), ids=PAIRS)
def test_agents_that_can_be_copied_play_on_alike(name: str, seats: list[str]) -> None:
    benchmark, instance = next(instances(name, {}))
    kind = registry.benchmark_class(name)
    episode = Episode(benchmark, instance, make_agents(kind, seat_all(kind, seats, {})))
    twins: list[tuple[Episode, int]] = []
    for number in range(24):
        if number in (3, 11, 19) and not episode.over:
            twins.append((episode.fork(), number))
        if not episode.over:
            episode.step()
    assert twins
    for twin, number in twins:
        assert len(twin.trace.steps) == number
        while not twin.over and len(twin.trace.steps) < len(episode.trace.steps):
            twin.step()
        assert answers(twin) == answers(episode)
        assert twin.session.digest() == episode.session.digest()


def test_a_group_of_rollouts_from_one_moment_has_the_same_beginning() -> None:
    benchmark, instance = next(instances("handmethat", {}))
    episode, rng = Episode(benchmark, instance), np.random.default_rng(0)
    for _ in range(3):
        episode.act("robot", any_act(episode, rng))
    moment = episode.snapshot()
    group = [moment.fork() for _ in range(4)]
    assert {each.session.digest() for each in group} == {episode.session.digest()}
    for each in group[1:]:
        each.act("robot", "examine")
    assert len(group[0].trace.steps) == 3
