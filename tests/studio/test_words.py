"""ALFRED's language: described by people, compared by others, exported as official files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from studio_server import Player, Server

from housemates.benchmarks.alfred.benchmark import AlfredOptions
from housemates.core import registry

PASSWORD = "a password for tests"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A studio with an administrator."""
    made = Server(tmp_path_factory.mktemp("words"), env={"HOUSEMATES_STUDIO_PASSWORD": PASSWORD}).start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def admin(studio: Server) -> dict[str, str]:
    """The administrator's cookie, as a header."""
    return {"Cookie": f"admin={studio.login(PASSWORD)}"}


def described(studio: Server, path: str, words: str) -> Player:
    """Somebody who writes the same about every part and hands it in."""
    player = Player(studio, path.removeprefix("/seat/")).connect()
    assert player.act("Submit")["type"] == "done" and not player.state["last"]["success"]
    for nothing in ("asdf", "asdf jklö", "the", "1 2 3"):
        player.act("Write", part="1", text=nothing)
        assert not player.state["last"]["success"]
        assert "1" in player.state["views"]["missing"]
    for part in player.state["views"]["missing"]:
        player.act("Write", part=part, text=f"{words} {part}")
    player.act("Submit")
    player.wait_for("ended") if not player.ended else None
    player.close()
    return player


def test_three_describe_two_compare_and_the_odd_one_is_left_out(
    studio: Server, admin: dict[str, str], tmp_path: Path
) -> None:
    for name, benchmark, plan in (
        ("words", "alfred-annotation", {}),
        ("odd", "alfred-validation", {"of": "words"}),
    ):
        asked = {"id": name, "title": name, "benchmark": benchmark, "plan": plan}
        assert studio.ask("POST", "/api/admin/projects", asked, **admin)[0] == 200
    assert studio.ask("POST", "/api/admin/projects/odd/plays", {}, **admin)[0] == 400
    for words in ("Take it", "Take the thing", "Dance on the table"):
        links = studio.ask("POST", "/api/admin/projects/words/plays", {}, **admin)[1]
        player = described(studio, links["annotator"], words)
        assert len(player.pictures) == player.state["views"]["segments"][-1]["last"] + 1
    for _ in range(2):
        links = studio.ask("POST", "/api/admin/projects/odd/plays", {}, **admin)[1]
        judge = Player(studio, links["judge"].removeprefix("/seat/")).connect()
        assert [each["goal"] for each in judge.state["views"]["directives"]] == [
            "Take it goal",
            "Take the thing goal",
            "Dance on the table goal",
        ]
        judge.act("Judge", different="3")
        judge.close()
    data = studio.download("/api/admin/projects/words/export/official", **admin)
    exported = zipfile.ZipFile(io.BytesIO(data))
    (name,) = exported.namelist()
    said = json.loads(exported.read(name))["turk_annotations"]["anns"]
    assert [(each["task_desc"], each["votes"]) for each in said] == [
        ("Take it goal", [1, 1]),
        ("Take the thing goal", [1, 1]),
    ]
    exported.extractall(tmp_path / "train")
    benchmark = registry.benchmark_class("alfred")(AlfredOptions(data=tmp_path, directive="all"))
    opened = [each for found in benchmark.references("train", 0) for each in benchmark.open(found)]
    assert [each.data.goal for each in opened] == ["Take it goal", "Take the thing goal"]
    _rejected_words_are_written_anew(studio, admin, name)


def _rejected_words_are_written_anew(studio: Server, admin: dict[str, str], name: str) -> None:
    """The same demonstration is described by another, and the three are compared once more."""
    assert studio.ask("POST", "/api/admin/projects/odd/plays", {}, **admin)[0] == 400
    for words, wanted in (("Fetch it", True), ("Do it another way", False)):
        links = studio.ask("POST", "/api/admin/projects/words/plays", {}, **admin)[1]
        described(studio, links["annotator"], words)
        listed = _exported(studio, admin)
        assert ([f"{words} goal" in each for each in listed.values()] == [True]) == wanted
    for _ in range(2):
        links = studio.ask("POST", "/api/admin/projects/odd/plays", {}, **admin)[1]
        judge = Player(studio, links["judge"].removeprefix("/seat/")).connect()
        goals = [each["goal"] for each in judge.state["views"]["directives"]]
        assert goals == ["Take it goal", "Take the thing goal", "Fetch it goal"]
        judge.act("Judge", different="same")
        judge.close()
    assert studio.ask("POST", "/api/admin/projects/odd/plays", {}, **admin)[0] == 400
    votes = {"Take it goal": [1] * 4, "Take the thing goal": [1] * 4, "Fetch it goal": [1] * 2}
    assert _exported(studio, admin)[name] == votes


def _exported(studio: Server, admin: dict[str, str]) -> dict[str, dict[str, list[int]]]:
    """File -> goal -> votes."""
    data = studio.download("/api/admin/projects/words/export/official", **admin)
    archive = zipfile.ZipFile(io.BytesIO(data))
    return {
        each: {
            said["task_desc"]: said["votes"]
            for said in json.loads(archive.read(each))["turk_annotations"]["anns"]
        }
        for each in archive.namelist()
    }


def test_a_comparison_names_the_project_that_it_is_about(studio: Server, admin: dict[str, str]) -> None:
    asked = {"id": "lost", "title": "lost", "benchmark": "alfred-validation", "plan": {"of": "nowhere"}}
    status, said = studio.ask("POST", "/api/admin/projects", asked, **admin)
    assert status == 400 and "alfred-annotation" in said["error"]
