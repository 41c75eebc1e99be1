"""EB-ALFRED: skills, what is answered to them, its list of tasks, and who does them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.eb_alfred.session import EBAlfredSession
from housemates.benchmarks.eb_alfred.world.robot import DROP, PUT_DOWN, base_skills
from housemates.core import registry
from housemates.core.episode import play
from housemates.core.loading import maker
from housemates.data.store import Store
from housemates.errors import HousematesError, NothingDone
from housemates.files import read_text_lines, write_text_lines

TASKS = 10
"""How many tasks of the subset are tried here."""


def made(number: int = 0, kind: str = "") -> EBAlfredSession:
    benchmark = registry.benchmark("eb-alfred", size="60")
    for reference in benchmark.references("generated", 0):
        (instance,) = benchmark.open(reference)
        if kind in instance.task:
            found = benchmark.session(instance)
            assert isinstance(found, EBAlfredSession)
            return found
    raise AssertionError


def do(session: EBAlfredSession, skill: str) -> str:
    return session.act({"name": "Skill", "arguments": {"skill": skill}}).message


def test_the_base_skills_are_numbered_as_in_the_original() -> None:
    skills = base_skills()
    assert len(skills) == len(set(skills)) == 162
    assert (skills[0], skills[79], skills[80]) == ("find a Cart", "find a Sink", "pick up the KeyChain")
    assert skills[133:135] == (PUT_DOWN, DROP)
    assert (skills[135], skills[-1]) == ("open the Safe", "slice the Bread")


def test_skills_answer_in_the_original_words() -> None:
    session = made(kind="pick_heat")
    assert do(session, PUT_DOWN) == "Last action is invalid. Robot is not holding any object"
    assert do(session, "find a Microwave") == "Last action executed successfully."
    assert do(session, "open the Microwave") == "Last action executed successfully."
    assert do(session, "open the Microwave").endswith("Open action failed. The Microwave is already open")
    assert do(session, "close the Microwave") == "Last action executed successfully."
    assert do(session, "close the Microwave").endswith("Close action failed. The Microwave is already closed")
    assert "Cannot find BaseballBat" in do(session, "find a BaseballBat")
    assert session.view("agent").feedback.startswith("Last action is invalid. Cannot find BaseballBat.")
    assert not session.act("fly").success


def test_the_expert_does_generated_tasks() -> None:
    benchmark, done = registry.benchmark("eb-alfred", size="60"), 0
    expert = maker("eb-alfred", "agent", "expert")()
    for reference in islice(benchmark.references("generated", 0), 5):
        (instance,) = benchmark.open(reference)
        session = benchmark.session(instance)
        play(session, {"agent": expert}, instance)
        done += session.progress.success
    assert done >= 4


@pytest.fixture(scope="module")
def base(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The first tasks of the subset, with the trials that they need and one that is not there."""
    splits = real_data / "eb_alfred" / "splits.json"
    if not splits.exists():
        pytest.skip(f"no tasks of EB-ALFRED at {splits}")
    folder = tmp_path_factory.mktemp("eb_alfred")
    asked = json.loads(splits.read_text(encoding="utf-8"))["base"][:TASKS]
    trials = {each["task"].rpartition("/")[2] for each in asked}
    packed = real_data / "alfred" / "valid_seen.jsonl.zst"
    lines = (text for _, text in read_text_lines(packed) if any(each in text for each in trials))
    write_text_lines(folder / "valid_seen.jsonl", lines)
    Store(folder / "store").learn_layouts(real_data / "alfred" / "layouts.json.zst")
    asked.insert(1, {"task": "a/trial_T0", "repeat_idx": 0, "instruction": "Do what cannot be done."})
    (folder / "splits.json").write_text(json.dumps({"base": asked, "spatial": []}), encoding="utf-8")
    given = {"tasks": folder / "splits.json", "data": folder / "valid_seen.jsonl", "store": folder / "store"}
    return registry.benchmark("eb-alfred", size="60", **given)


@pytest.mark.parametrize(("agent", "least"), [("expert", 9), ("reader", 6)])
def test_published_tasks_are_done(base: Any, agent: str, least: int) -> None:
    done, player = 0, maker("eb-alfred", "agent", agent)()
    for number, reference in enumerate(base.references("base", 0)):
        if number == 1:
            with pytest.raises(HousematesError, match="has no trial trial_T0"):
                base.open(reference)
            continue
        (instance,) = base.open(reference)
        session = base.session(instance)
        play(session, {"agent": player}, instance)
        done += session.progress.success
    assert done >= least


def test_a_subset_without_tasks_says_so(base: Any) -> None:
    with pytest.raises(NothingDone, match="no tasks of the subset 'spatial'"):
        list(base.references("spatial", 0))
    with pytest.raises(HousematesError, match="Unknown split"):
        list(base.references("hard", 0))
    with pytest.raises(HousematesError, match="needs tasks and trajectories"):
        next(registry.benchmark("eb-alfred").references("base", 0))
