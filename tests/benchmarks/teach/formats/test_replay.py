"""Replays of real sessions: they agree with what happened, twice the same, and what is broken is skipped."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.teach.formats.ingestion import import_games
from housemates.cli.main import main
from housemates.data.store import Store
from housemates.files import read_text_lines, write_text_lines


@pytest.fixture(scope="module")
def texts(real_data: Path) -> list[str]:
    lines = islice(read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst"), 60)
    return sorted((text.strip() for _, text in lines), key=_interactions)[:5]


def _interactions(text: str) -> int:
    return text.count('"action_id"')


@pytest.fixture(scope="module")
def pack(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("teach") / "short.jsonl.zst"
    write_text_lines(path, texts)
    return path


@pytest.fixture(scope="module")
def store(pack: Path) -> Path:
    folder = pack.parent / "store"
    import_games(Store(folder), pack)
    return folder


def replayed(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    main(["replay", "teach", *(str(word) for word in words), "--workers", "1", "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_sessions_end_complete_and_twice_the_same(
    capsys: pytest.CaptureFixture[str], pack: Path, store: Path
) -> None:
    first = replayed(capsys, pack, "--store", store)
    second = replayed(capsys, pack, "--store", store)
    assert first["digest"] == second["digest"]
    assert first["succeeded"] == first["sessions"] == 5
    assert first["moves"]["share"] >= 0.98
    assert first["interactions"]["share"] >= 0.98
    assert first["goal_conditions"]["share"] == 1.0


def test_an_interrupted_replay_goes_on_to_the_same_end(
    capsys: pytest.CaptureFixture[str], pack: Path, store: Path, tmp_path: Path
) -> None:
    out = tmp_path / "replays.jsonl"
    whole = replayed(capsys, pack, "--store", store, "--out", out)
    lines = out.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + whole["sessions"]
    out.write_text("".join(lines[:3]) + lines[3][:50])
    assert _but_speed(replayed(capsys, pack, "--store", store, "--out", out)) == _but_speed(whole)
    assert len(out.read_text().splitlines()) == len(lines)


def _but_speed(summary: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in summary.items() if key != "steps_per_cpu_s"}


def test_drawing_every_step_changes_nothing(
    capsys: pytest.CaptureFixture[str], pack: Path, store: Path
) -> None:
    plain = replayed(capsys, pack, "--store", store, "--limit", 2)
    drawn = replayed(capsys, pack, "--store", store, "--limit", 2, "--render")
    assert plain["digest"] == drawn["digest"]


def test_clicks_are_counted_and_the_report_shows_what_went_wrong(
    capsys: pytest.CaptureFixture[str], pack: Path, store: Path, tmp_path: Path
) -> None:
    summary = replayed(capsys, pack, "--store", store, "--by", "point", "--report", tmp_path)
    assert summary["clicks"]["n"] == summary["interactions"]["n"]
    assert summary["clicks_unmoved"]["n"] <= summary["clicks"]["n"]
    report = json.loads((tmp_path / "report.json").read_text())
    page = (tmp_path / "index.html").read_text()
    assert set(report["tables"]) == {"actions", "objects", "plans", "tasks"}
    for picture in (tmp_path / "frames").glob("*.png"):
        assert f"frames/{picture.name}" in page
    listed = sum(len(group) for group in report["disagreements"].values())
    assert listed >= summary["moves"]["n"] - summary["moves"]["agree"]
    assert "goal conditions" in page and "goal_conditions" not in page


def test_a_session_becomes_a_video(
    capsys: pytest.CaptureFixture[str], pack: Path, store: Path, tmp_path: Path
) -> None:
    replayed(capsys, pack, "--store", store, "--limit", 1, "--video", tmp_path)
    (video,) = tmp_path.glob("*.mp4")
    assert video.stat().st_size > 10_000


def test_the_games_of_a_store_are_replayed_like_those_of_a_pack(
    capsys: pytest.CaptureFixture[str], pack: Path, store: Path
) -> None:
    from_pack = replayed(capsys, pack, "--store", store, "--limit", 1)
    assert replayed(capsys, store, "--store", store, "--limit", 1)["digest"] == from_pack["digest"]


def test_a_game_with_a_bad_definition_is_skipped_by_name(
    capsys: pytest.CaptureFixture[str], texts: list[str], store: Path, tmp_path: Path
) -> None:
    bad = json.loads(texts[1])
    bad["tasks"][0]["task_nparams"] = 7
    write_text_lines(tmp_path / "some.jsonl", [json.dumps(bad), texts[0]])
    main(["replay", "teach", str(tmp_path / "some.jsonl"), "--store", str(store), "--workers", "1"])
    said = capsys.readouterr().out
    assert said.splitlines()[0].split() == ["sessions", "1"]
    assert f"skipped {bad['game_id']}" in said


def test_broken_games_are_skipped_and_the_rest_go_on(
    capsys: pytest.CaptureFixture[str], texts: list[str], tmp_path: Path
) -> None:
    strange = json.loads(texts[1])
    strange["tasks"][0]["episodes"][0]["initial_state"]["objects"][0]["objectType"] = "Dragon"
    write_text_lines(tmp_path / "some.jsonl", [texts[0][:500], json.dumps(strange), texts[0]])
    summary = replayed(capsys, tmp_path / "some.jsonl")
    assert (summary["sessions"], summary["skipped"]) == (1, 2)
