"""Short names of things: stable, telling nothing beyond what was told, and understood wherever ids are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.benchmark import Benchmark, Instance
from housemates.core.episode import Episode
from housemates.core.session import Session

ID = re.compile(r"\w\|[+-]?\d")
SEATS = [("alfred", {"acts": "skills"}), ("alfred", {}), ("teach-tatc", {"acts": "skills"}), ("home", {})]


def begun(name: str, **options: str) -> tuple[Benchmark, Instance]:
    benchmark = registry.benchmark(name, **options)
    return benchmark, benchmark.open(next(iter(benchmark.references("generated", 1))))[0]


def acts(session: Session, most: int = 12) -> Iterator[dict[str, Any]]:
    """Acts on things, each on the last of what it is offered for, and steps or words in between."""
    for number in range(most):
        if session.role is None:
            return
        offers = session.observe().offers
        things = [each for each in offers if each.arguments and each.arguments[0].choices]
        if things:
            offer = things[number % len(things)]
            yield {"name": offer.name, "arguments": {"object": offer.arguments[0].choices[-1]}}
        else:
            yield {"name": offers[number % 4].name}
        if session.role == "commander":
            yield {"name": "Pass"}


def told(session: Session) -> str:
    """All that the role whose turn it is reads."""
    percept = session.observe()
    last = "" if percept.last is None else percept.last.message
    return f"{session.brief(percept.role).goal}\n{percept.text}\n{percept.offers}\n{last}"


@pytest.mark.parametrize(("name", "options"), SEATS)
def test_no_id_is_told_and_acts_are_recorded_by_ids_that_do_the_same_elsewhere(name, options) -> None:
    benchmark, instance = begun(name, names="short", **options)
    session = benchmark.session(instance)
    recorded: list[Act | None] = []
    for act in acts(session):
        assert not ID.search(told(session))
        session.act(act)
        recorded.append(session.acted)
    assert any(ID.search(str(act and act.arguments)) for act in recorded)
    by_ids = registry.benchmark(name, **options).session(instance)
    for again in recorded:
        by_ids.act(again)
    assert by_ids.digest() == session.digest()


@pytest.mark.parametrize(("name", "options"), SEATS)
def test_names_last_and_do_not_depend_on_who_reads_or_forks(name, options) -> None:
    benchmark, instance = begun(name, names="short", **options)
    read, unread = benchmark.session(instance), benchmark.session(instance)
    named: dict[str, str] = {}
    for act in acts(read):
        unread.act(act)
        read.act(act)
        thing = act.get("arguments", {}).get("object")
        if thing is not None and read.acted is not None:
            assert named.setdefault(thing, read.acted.arguments["object"]) == unread.acted.arguments["object"]
    assert told(read) == told(unread)
    assert len(set(named.values())) == len(named)
    episode = Episode(benchmark, instance, session=read)
    assert told(episode.fork().session) == told(read)


def test_what_is_hidden_changes_no_name() -> None:
    benchmark, instance = begun("home", names="short", scene="kitchen-seed-7")
    shut = benchmark.session(instance)
    world = shut.world
    hidden = next(
        each.id for each in world.things.values() if world.enclosing(each) and not world.contents(each)
    )
    kept = [each for each in instance.data.things if each.id != hidden]
    fewer = benchmark.session(
        replace(instance, data=msgspec.structs.replace(instance.data, things=tuple(kept)))
    )
    for name in ("TurnLeft", "Forward", "TurnLeft", "TurnLeft"):
        shut.act(name)
        fewer.act(name)
        assert told(shut) == told(fewer)


def test_ids_and_names_mean_the_same_thing() -> None:
    benchmark, instance = begun("alfred", names="short", acts="skills")
    session = benchmark.session(instance)
    (take,) = (each for each in session.observe().offers if each.name == "Take")
    name = take.arguments[0].choices[0]
    session.act(f"Take {name.upper().replace(' ', '_')}")
    again = benchmark.session(instance)
    again.act({"name": "Take", "arguments": {"object": session.acted.arguments["object"]}})
    assert again.digest() == session.digest() != benchmark.session(instance).digest()


def test_searching_for_a_name_shows_the_thing_that_has_it() -> None:
    benchmark, instance = begun("teach-tatc", names="short")
    session = benchmark.session(instance)
    (select,) = (each for each in session.observe("commander").offers if each.name == "Select")
    for name in select.arguments[0].choices:
        outcome = session.act({"name": "Search", "arguments": {"text": name}})
        assert session.acted.name == "Select"
        assert outcome.data["oid"] == session.acted.arguments["object"]
        assert name in outcome.message
