"""The seat of ALFRED's agent: what it is told and offered, how it points, what it cannot know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from housemates.agents.alfred.expert import Expert
from housemates.agents.basic import FirstAgent, RandomAgent
from housemates.benchmarks.alfred.session import AGENT, AlfredSession, View
from housemates.benchmarks.alfred.tasks.episode import Episode
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.alfred.tasks.subgoals import Target
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS, STOP, AlfredWorld
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.episode import play
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.home import Scene, Thing, World

Begin = Callable[..., AlfredSession]


def at_the_counter(session: AlfredSession, acts: int = 11) -> AlfredSession:
    """The expert has gone to a counter and holds a knife."""
    expert = Expert()
    for _ in range(acts):
        assert session.act(expert.advise(session)).success
    return session


def test_the_brief_tells_goal_instructions_rules_and_thirteen_offers(begin: Begin) -> None:
    session = begin()
    brief = session.brief(AGENT)
    assert session.episode.goal in brief.goal
    assert all(text in brief.goal for text in session.episode.instructions)
    assert "1.5 m" in brief.rules and "10 failed" in brief.rules
    assert tuple(offer.name for offer in brief.offers) == ACTIONS
    assert brief.data == {"width": 300, "height": 300, "pointing": "any"}


def test_those_who_watch_see_the_home_from_above_and_what_an_act_changed(begin: Begin) -> None:
    session = begin()
    view, above, facts = session.drawn(AGENT, "view"), session.overview(), session.facts()
    assert np.array_equal(session.drawn(AGENT, "view"), view)
    at_the_counter(session)
    changed = {name for name, told in session.facts().items() if facts[name] != told}
    assert session.world.home.agent.held in changed
    assert not np.array_equal(session.overview(), above)


def test_words_tell_what_is_seen_and_held_and_what_happened(begin: Begin) -> None:
    session = at_the_counter(begin())
    session.act("PickupObject Nothing")
    text = session.observe().text
    assert session.episode.goal in text and session.episode.instructions[0] in text
    assert f"You hold: butter knife [{session.world.home.agent.held}]." in text
    assert "Last action: failed." in text
    for seen in session.sight.seen():
        assert f"[{seen.thing.id}] at ({seen.point[0]:.2f}, {seen.point[1]:.2f})" in text


def test_the_point_that_is_told_of_a_thing_means_that_thing(begin: Begin) -> None:
    session = at_the_counter(begin())
    told = [seen for seen in session.sight.seen() if session.sight.usable(seen.thing)]
    assert len(told) > 5
    assert [session.sight.pick_at(seen.point) for seen in told] == [seen.thing.id for seen in told]


def test_a_point_a_little_beside_things_means_the_nearest_and_one_far_from_all_means_none(
    begin: Begin,
) -> None:
    session = at_the_counter(begin())
    frame, sight = session.sight.look(), session.sight
    usable = [
        n
        for n, label in enumerate(frame.labels)
        if label.id and sight.usable(session.world.home.things[label.id])
    ]
    shown = np.isin(frame.ids, usable)
    rows, columns = np.nonzero(shown)
    found = {True: 0, False: 0}
    for row in range(0, 300, 25):
        for column in range(0, 300, 25):
            away = np.sqrt(((rows - row) ** 2 + (columns - column) ** 2).min())
            picked = sight.pick_at(sight.place(column, row))
            assert (picked is not None) == (away <= 10)
            if picked is not None:
                apart = np.argwhere(frame.mask(picked)) - (row, column)
                assert np.sqrt((apart**2).sum(axis=1).min()) == away
            found[picked is not None] += 1
    assert found[True] and found[False]


def test_offers_name_what_is_seen_in_reach_and_fits(begin: Begin) -> None:
    session = at_the_counter(begin(), 10)
    home = session.world.home
    offers = {offer.name: offer for offer in session.observe().offers}
    near = {seen.thing.id for seen in session.sight.seen() if seen.away_m <= 1.5}
    choices = {name: set(offers[name].arguments[0].choices) for name in INTERACTIONS if name in offers}
    assert choices["PickupObject"] and all(
        home.things[each].can("pickup") for each in choices["PickupObject"]
    )
    assert set().union(*choices.values()) <= near
    assert "PutObject" not in offers and "SliceObject" not in offers
    assert {"MoveAhead", STOP} <= offers.keys()
    session.act({"action": "PickupObject", "object": min(choices["PickupObject"])})
    assert "PickupObject" not in {offer.name for offer in session.observe().offers}


def test_nonsense_is_a_failed_action_and_changes_nothing(begin: Begin) -> None:
    session = begin()
    before = session.digest()
    empty, wide = np.zeros((300, 300), bool), np.ones((2, 2), bool)
    wrong: list[Any] = [
        "Fly",
        None,
        {"verb": "x"},
        "PutObject",
        Act("PickupObject", {"mask": empty}),
        Act("PickupObject", {"mask": wide}),
        Act("PickupObject", {"mask": "mask"}),
        Act("PickupObject", {"point": (2, 0)}),
        Act("OpenObject", {"point": (0.5, 0.5), "object": "Fridge"}),
    ]
    for action in wrong:
        outcome = session.act(action)
        assert not outcome.success and outcome.message and "\n" not in outcome.message
    assert session.digest() == before
    assert session.taken == len(wrong)
    assert session.role == AGENT
    assert session.act(STOP).success
    assert (session.role, session.taken) == (None, len(wrong))


@pytest.mark.parametrize("track", ["object", "point", "mask"])
def test_a_track_takes_only_its_own_way_of_pointing(begin: Begin, track: str) -> None:
    session = begin(pointing=track)
    given = {"object": "Fridge", "point": (0.5, 0.5), "mask": np.ones((300, 300), bool)}
    for way, value in given.items():
        outcome = session.act(Act("OpenObject", {way: value}))
        assert ("unknown argument" in outcome.message) == (way != track)
    assert [each.name for each in session.menu(AGENT)["OpenObject"].arguments] == [track]


@pytest.mark.parametrize("track", ["any", "point", "mask"])
def test_the_expert_reaches_the_goal_in_every_track_and_earns_one(
    begin: Begin, instance: Instance, track: str
) -> None:
    session = begin(pointing=track)
    earned = []
    trace = play(session, {AGENT: Expert()}, instance, on_step=lambda s, _: earned.append(s.reward(AGENT)))
    assert session.progress.success and not trace.failures
    assert sum(earned) == pytest.approx(1.0)
    assert trace.pointed() == (("object",) if track == "any" else (track,))


@pytest.mark.parametrize("agent", [FirstAgent(), RandomAgent()], ids=["first", "random"])
def test_agents_that_know_no_benchmark_play_from_offers_alone(
    begin: Begin, instance: Instance, agent: Agent
) -> None:
    trace = play(begin(), {AGENT: agent}, instance)
    assert trace.steps and not trace.error
    assert all(step.act is not None for step in trace.steps)


def test_a_picture_is_a_copy_that_names_only_what_it_shows(begin: Begin) -> None:
    session = at_the_counter(begin())
    percept = session.observe()
    view: View = percept.data
    frame = view.frame()
    shown = set(session.sight.look().visible())
    assert {label.id for label in frame.labels if label.id} == shown < set(session.world.home.things)
    kept = frame.rgb.copy()
    assert np.array_equal(percept.pictures["view"](), kept)
    session.act("RotateLeft")
    session.sight.look()
    assert np.array_equal(frame.rgb, kept)
    with pytest.raises(HousematesError, match="over"):
        view.frame()


def test_pictures_and_masks_have_the_size_that_is_asked_for(begin: Begin) -> None:
    session = begin(size="160x120")
    assert session.observe().pictures["view"]().shape == (120, 160, 3)
    assert "shape" in session.act(Act("OpenObject", {"mask": np.ones((300, 300), bool)})).message
    with pytest.raises(HousematesError, match="size"):
        begin(size="99999")


def test_an_episode_can_be_written_down(instance: Instance) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(instance.data), type=Episode) == instance.data


SECRETS = (Session, AlfredWorld, World, Instance, Episode, Scene, Thing, Task, Target)


def test_neither_task_nor_world_nor_demonstration_is_reachable_for_the_agent(begin: Begin) -> None:
    session = at_the_counter(begin())
    percept = session.observe()
    told = [session.brief(AGENT), percept, percept.text, percept.offers, percept.said, percept.data]
    told += [percept.pictures, percept.data.frame(), percept.pictures["view"]()]
    found = list(reachable(told))
    assert len(found) > 50
    assert not [each for each in found if isinstance(each, SECRETS)]


def reachable(start: Any) -> Iterator[Any]:
    """Everything that attributes, containers and closures lead to; modules and classes aside."""
    known: set[int] = set()
    stack = [start]
    kept = []
    while stack:
        each = stack.pop()
        if id(each) in known or isinstance(each, type | str | int | float | bytes | np.ndarray):
            continue
        known.add(id(each))
        kept.append(each)
        yield each
        if isinstance(each, dict) or hasattr(each, "items"):
            stack += [part for pair in each.items() for part in pair]
        elif isinstance(each, list | tuple | set | frozenset):
            stack += list(each)
        slots = [name for kind in type(each).__mro__ for name in getattr(kind, "__slots__", ())]
        stack += [
            getattr(each, name) for name in (*slots, *getattr(each, "__dict__", {})) if hasattr(each, name)
        ]
        stack += [
            getattr(each, name)
            for name in ("__self__", "__closure__", "__func__")
            if getattr(each, name, None)
        ]
        stack += [
            cell.cell_contents
            for cell in (each if isinstance(each, tuple) else ())
            if hasattr(cell, "cell_contents")
        ]


def test_varied_looks_change_what_is_seen_and_nothing_else(begin: Begin) -> None:
    plain, varied = (at_the_counter(begin(looks=looks)) for looks in ("plain", "varied"))
    assert np.mean(plain.draw(AGENT, "view") != varied.draw(AGENT, "view")) > 0.5
    assert plain.digest() == varied.digest()
