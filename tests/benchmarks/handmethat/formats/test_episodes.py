"""Official episodes are read, replayed and written as they are; broken ones are refused clearly."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.handmethat.formats import episodes
from housemates.benchmarks.handmethat.formats.agreement import verify
from housemates.benchmarks.handmethat.formats.forms import Record
from housemates.benchmarks.handmethat.formats.observations import observations
from housemates.benchmarks.handmethat.formats.records import objects_of
from housemates.benchmarks.handmethat.generate.synthesis import Settings, generate_one
from housemates.data.records import Skipped
from housemates.errors import HousematesError
from housemates.files import read_lines
from housemates.typed_json import convert


@pytest.fixture(scope="module")
def official(real_data: Path) -> Path:
    return real_data / "handmethat" / "official_samples.jsonl.zst"


def test_official_episodes_agree_in_every_way(official: Path) -> None:
    skipped: list[Skipped] = []
    found = verify(official, skipped)
    assert found.episodes == found.demos_succeed == found.objects_agree == found.levels_agree == 8
    assert found.lines == found.lines_equal > 1900
    assert found.differences == skipped == []


def test_official_objects_are_written_to_the_letter(official: Path) -> None:
    for line in read_lines(official):
        episode = episodes.from_record(convert(line.value, Record, "x"), "x")
        assert json.dumps(objects_of(episode.initial)) == json.dumps(line.value["initial_object_dict"])
        for key in ("_meaning", "utterance", "_useful_objects", "action_list", "demo_actions", "level"):
            assert episodes.to_record(episode)[key] == line.value[key]


@pytest.mark.parametrize("version", [1, 2])
def test_both_forms_carry_an_episode_whole(version: int) -> None:
    episode = generate_one(5, 1, Settings(version, balanced=version == 1))
    for record in (episodes.to_record(episode), episodes.to_official(episode, observations(episode))):
        again = episodes.from_record(convert(json.loads(json.dumps(record)), Record, "x"), "x")
        assert episodes.to_record(again) == episodes.to_record(episode)
        assert again.current.digest() == episode.current.digest()
        assert again.wanted == episode.wanted


RECORD = episodes.to_official(generate_one(5, 0), {})


def broken(change: Any) -> dict[str, Any]:
    record = copy.deepcopy(RECORD)
    change(record)
    return record


def in_two_places(record: dict[str, Any]) -> None:
    entry = next(entry for entry in record["initial_object_dict"].values() if "inside" in entry)
    entry["ontop"] = "table"


def rename(record: dict[str, Any]) -> None:
    record["initial_object_dict"]["dragon#0"] = record["initial_object_dict"].pop("rag#0")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (in_two_places, "is in two places"),
        (rename, "unknown category"),
        (lambda record: record.update(_goal="(and (nonsense"), "_goal: word"),
        (lambda record: record.update(level=9), "level: expected a whole number of at most 4, found 9"),
        (lambda record: record.pop("utterance"), "the field 'utterance' is missing"),
        (
            lambda record: record.update(_meaning=["steal", {}, None]),
            '_meaning[0]: expected a known value, found "steal"',
        ),
        (lambda record: record["action_list"].reverse(), "is impossible"),
        (
            lambda record: record["action_list"].append({"name": "human-fly", "arguments": ["h"]}),
            "unknown action",
        ),
        (lambda record: record["initial_object_dict"].pop("floor"), "locations first"),
        (
            lambda record: record["initial_object_dict"]["rag#0"].update(states=None),
            "rag#0.states: expected an object",
        ),
    ],
)
def test_a_broken_episode_is_refused_in_one_sentence(change: Any, says: str) -> None:
    with pytest.raises(HousematesError) as caught:
        episodes.from_record(convert(broken(change), Record, "file.json"), "file.json")
    assert str(caught.value).startswith("file.json") and says in str(caught.value)
