"""Recorded episodes in files, and into the store, for a benchmark made up here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from housemates.data import intake
from housemates.data.intake import Intake
from housemates.data.journal import Journal
from housemates.data.records import Records, Skipped, Text, choose, work_on
from housemates.data.replays import Done, Replayed, digest, share, summed
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.files import write_text_lines
from housemates.home.scenes.plans.knowledge import PlanKnowledge


class Walk:
    """An episode: where somebody walked in a floor plan."""

    def __init__(self, name: str, plan: str, cells: Sequence[Sequence[int]]) -> None:
        self.name, self.plan, self.cells = name, plan, [tuple(cell) for cell in cells]

    def to_json(self) -> bytes:
        return json.dumps({"name": self.name, "plan": self.plan, "cells": self.cells}).encode()


class WalkText(Text[Walk]):
    @property
    def id(self) -> str:
        try:
            return str(json.loads(self.text)["name"])
        except ValueError:
            return self.source

    def parse(self) -> Walk:
        try:
            return Walk(**json.loads(self.text))
        except (TypeError, ValueError):
            raise HousematesError(f"{self.source}: expected a walk.") from None

    def packed(self) -> str:
        return self.text.strip()


def place(walk: Walk) -> str:
    return f"{walk.name}/walk.json"


def learn(knowledge: PlanKnowledge, walk: Walk) -> None:
    knowledge.learn_steps((x * 0.25, z * 0.25) for x, z in walk.cells)


WALKS = Records("walks", ("walk", "walks"), "walk.json", WalkText, place)
INTAKE = Intake(WALKS, plan=lambda text: text.parse().plan, learn=learn, layouts=("layouts.json.zst",))


@pytest.fixture
def walks() -> list[Walk]:
    return [
        Walk(f"w{number}", f"FloorPlan{number % 2 + 1}", [[number, 0], [number, 1]]) for number in range(7)
    ]


@pytest.fixture
def pack(walks: list[Walk], tmp_path: Path) -> Path:
    path = tmp_path / "walks.jsonl.zst"
    assert WALKS.write(path, walks) == 7
    return path


def names(paths: list[Path], skipped: list[Skipped], only: set[str] | None = None) -> list[str]:
    return [walk.name for walk in WALKS.read(paths, skipped, only)]


def test_folders_packs_and_stores_hold_the_same(walks: list[Walk], pack: Path, tmp_path: Path) -> None:
    WALKS.write(tmp_path / "tree", walks)
    INTAKE.take(Store(tmp_path / "store"), pack)
    skipped: list[Skipped] = []
    expected = [walk.name for walk in walks]
    for path in (pack, tmp_path / "tree", tmp_path / "store"):
        assert names([path], skipped) == expected
    assert names([tmp_path / "tree" / "w3" / "walk.json"], skipped) == ["w3"]
    assert names([pack], skipped, {"w2", "w5"}) == ["w2", "w5"]
    assert skipped == []


def test_what_is_broken_is_named_and_what_is_nowhere_refused(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text("{")
    skipped: list[Skipped] = []
    assert len(names([tmp_path / "one.json", pack], skipped)) == 7
    assert skipped == [(str(tmp_path / "one.json"), f"{tmp_path / 'one.json'}: expected a walk.")]
    with pytest.raises(HousematesError, match="no such file or folder"):
        names([tmp_path / "nowhere"], [])


def test_one_can_choose_by_id_and_number(pack: Path) -> None:
    texts = list(WALKS.texts([pack], []))
    assert [each.id for each in choose(texts, ["w6", "w1"], None)] == ["w1", "w6"]
    assert [each.id for each in choose(texts, None, 2)] == ["w0", "w1"]
    assert list(choose(texts, None, 0)) == []
    with pytest.raises(HousematesError, match="--limit -1"):
        choose(texts, None, -1)


def measured(text: Text[Walk]) -> int | Skipped:
    return Skipped(text.id, "too far") if text.id == "w2" else len(text.parse().cells)


def test_work_is_not_done_again(pack: Path, tmp_path: Path) -> None:
    journal: Journal[tuple[str, int]] = Journal(tmp_path / "done.jsonl", {"pack": pack}, tuple[str, int])
    for _ in range(2):
        skipped: list[Skipped] = []
        assert work_on(measured, WALKS.texts([pack], skipped), skipped, journal, 1, None) == [2] * 6
        assert skipped == [("w2", "too far")]
        assert len((tmp_path / "done.jsonl").read_text().splitlines()) == 7


def plans_of(store: Store) -> dict[str, Any]:
    return {plan: Store(store.folder).knowledge(plan) for plan in store.plans()}


def test_an_interrupted_import_goes_on_and_teaches_nothing_twice(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "PART_EPISODES", 2)
    whole = Store(tmp_path / "whole")
    INTAKE.take(whole, pack)
    original, saves = Store.save, iter([None, KeyboardInterrupt])

    def save(store: Store) -> None:
        if next(saves) is KeyboardInterrupt:
            raise KeyboardInterrupt
        original(store)

    monkeypatch.setattr(Store, "save", save)
    with pytest.raises(KeyboardInterrupt):
        INTAKE.take(Store(tmp_path / "broken"), pack)
    monkeypatch.setattr(Store, "save", original)
    resumed = Store(tmp_path / "broken")
    assert len(resumed.episodes("walks")) == 2
    INTAKE.take(resumed, pack)
    assert plans_of(resumed) == plans_of(whole)
    assert resumed.episodes("walks") == whole.episodes("walks")


def test_an_import_says_what_there_is_now(pack: Path, tmp_path: Path) -> None:
    write_text_lines(tmp_path / "layouts.json.zst", [json.dumps({"6": {"grid": [[0, 1]]}})])
    more = tmp_path / "more.jsonl"
    write_text_lines(more, [Walk("w9", "FloorPlan1", []).to_json().decode(), "{"])
    report, skipped = INTAKE.take_all(Store(tmp_path / "s"), [pack, more], None, progress=False)
    assert report == {
        "store": str(tmp_path / "s"),
        "walks": 8,
        "layouts": str(tmp_path / "layouts.json.zst"),
        "layout_plans": 1,
        "in_store": 8,
        "plans": 3,
    }
    assert [each.reason for each in skipped] == [f"{more}: line 2: expected a walk."]


def test_replays_are_summed_up(walks: list[Walk]) -> None:
    done: list[Done[int]] = [
        Done(Replayed(walk.name, walk.plan, "walk", len(walk.cells), digest=walk.name), 0.5) for walk in walks
    ]
    assert summed(done) == {"steps": 14, "steps_per_cpu_s": 4, "digest": digest(each.replay for each in done)}
    assert summed([])["steps_per_cpu_s"] == 0
    assert (share(1, 3), share(0, 0)) == (0.3333, None)
