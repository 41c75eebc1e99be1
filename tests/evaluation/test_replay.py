"""Playing recorded episodes again: what is the same, what differs, what is refused, and films."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.core.benchmark import Reference
from housemates.core.outcome import Reason, done, refuse
from housemates.errors import HousematesError
from housemates.evaluation.replay import Replay, replay_run
from housemates.evaluation.runner import evaluate


@pytest.fixture
def run(counting, tmp_path: Path) -> Path:
    """The results of three episodes that went well."""
    folder = tmp_path / "run"
    evaluate(counting.run_of("good", episodes=3, options={"start": "1"}), workers=1, out=folder)
    return folder


def again(folder: Path, **settings) -> list[Replay]:
    return list(replay_run(folder, workers=1, **settings))


def test_every_act_is_done_again_with_the_same_end(counting, run) -> None:
    assert again(run) == [Replay("count-0", 1), Replay("count-1", 2), Replay("count-2", 3)]
    assert again(run, only=["count-2", "count-0"]) == [Replay("count-0", 1), Replay("count-2", 3)]


@pytest.mark.parametrize(
    ("attribute", "changed", "differs"),
    [
        (
            "do",
            lambda self, role, act: refuse(Reason.BLOCKED, "Never."),
            "act 0: success was true, is now false",
        ),
        ("digest", lambda self: "other", "the world at the end is another one"),
        (
            "role",
            property(lambda self: "counter"),
            "it goes on after its last act",
        ),
        ("role", property(lambda self: None), "it has 0 acts, not 1"),
    ],
)
def test_what_differs_is_told(counting, run, monkeypatch, attribute, changed, differs) -> None:
    monkeypatch.setattr(counting.Countdown, attribute, changed)
    assert again(run)[0].differs == differs


def test_other_words_are_told_and_no_difference(counting, run, monkeypatch, capsys) -> None:
    before = counting.Countdown.do
    monkeypatch.setattr(counting.Countdown, "do", lambda *given: before(*given) and done("Counted.", left=0))
    assert again(run)[0].differs == 'act 0: data was not given, is now {"left": 0}'
    monkeypatch.setattr(counting.Countdown, "do", lambda *given: before(*given) and done("Counted."))
    found = again(run)
    assert {each.differs for each in found} == {""}
    assert found[0].wording == 'act 0: message was "", is now "Counted."'
    main(["verify", "run", str(run), "--workers", "1"])
    assert "3 told in other words, first count-0: act 0" in capsys.readouterr().out


def test_what_runs_of_before_did_not_record_is_no_difference(counting, run, monkeypatch) -> None:
    path = run / "transcripts.jsonl"
    path.write_text(path.read_text().replace('"reason":"done"', '"data":{"kept":1}'))
    before = counting.Countdown.do
    monkeypatch.setattr(counting.Countdown, "do", lambda *given: before(*given) and done(kept=1, new=2))
    assert {each.differs for each in again(run)} == {""}
    monkeypatch.setattr(counting.Countdown, "do", lambda *given: before(*given) and done(kept=2))
    assert again(run)[0].differs == "act 0: data: kept was 1, is now 2"


def test_another_reason_is_told(counting, run) -> None:
    path = run / "transcripts.jsonl"
    path.write_text(path.read_text().replace('"reason":"done"', '"reason":"already"'))
    assert again(run)[0].differs == 'act 0: reason was "already", is now "done"'


def test_other_scores_are_told(counting, run, monkeypatch) -> None:
    monkeypatch.setattr(counting.Counting, "score", lambda *_: {"success": 0.0, "steps": 1.0})
    assert again(run)[0].differs == "scores: success was 1.0, is now 0.0"


def test_episodes_that_ended_in_an_error_are_played_up_to_it(counting, tmp_path) -> None:
    folder = tmp_path / "run"
    evaluate(counting.run_of("raising", options={"start": "-1"}, episodes=3), workers=1, out=folder)
    assert [each.differs for each in again(folder)] == ["", "", ""]


def test_what_is_gone_is_told(counting, run, monkeypatch) -> None:
    monkeypatch.setattr(counting.Counting, "open", lambda self, reference: [])
    assert again(run)[0].differs == "it is not in its file any more"

    def broken(self, reference) -> None:
        raise OSError("disk")

    monkeypatch.setattr(counting.Counting, "open", broken)
    assert again(run)[0].differs == "it cannot be opened: disk"
    monkeypatch.setattr(counting.Counting, "references", lambda self, split, seed: iter(()))
    with pytest.raises(HousematesError, match="'count-0' is not in split 'generated' any more"):
        again(run)
    monkeypatch.setattr(counting.Counting, "references", lambda self, split, seed: endless())
    with pytest.raises(HousematesError, match="'count-0' is not in split 'generated' any more"):
        again(run)


def endless() -> Iterator[Reference]:
    """References that are none of a run's."""
    return (Reference(f"other-{number}") for number in itertools.count())


def test_other_versions_other_data_and_no_results_are_refused(counting, run, monkeypatch, tmp_path) -> None:
    with pytest.raises(HousematesError, match="there is no episode 'count-7'"):
        again(run, only=["count-7"])
    with pytest.raises(HousematesError, match=r"expected a folder of results with a run\.json"):
        again(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(counting.Counting, "id", "housemates/counting-v2")
        with pytest.raises(HousematesError, match="holds results of housemates/counting-v1, and this is"):
            again(run)
    monkeypatch.setattr(counting.Counting, "files", lambda self: [run / "run.json"])
    with pytest.raises(HousematesError, match=r"the data are not what they were \(run\.json was not given"):
        again(run)


def test_a_film_shows_what_the_role_that_acts_sees(counting, run, tmp_path) -> None:
    films = [Path(each.video) for each in again(run, video=tmp_path / "films")]
    assert [film.name for film in films] == ["count-0.mp4", "count-1.mp4", "count-2.mp4"]
    assert all(film.stat().st_size > 500 for film in films)


def test_where_nobody_sees_anything_there_is_no_film(counting, run, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(counting.Countdown, "pictures", lambda self, role: ())
    assert {each.video for each in again(run, video=tmp_path / "films")} == {""}


@pytest.mark.parametrize(
    ("name", "old", "new", "differs"),
    [
        ("episodes", '"success":1.0', '"success":0.0', "scores: success was 0.0, is now 1.0"),
        ("episodes", '"digest":"0 False"', '"digest":"0 True"', "the world at the end is another one"),
        ("episodes", '"failures":0', '"failures":1', "failures was 1, is now 0"),
        ("transcripts", '"success":true', '"success":false', "act 0: success was false, is now true"),
        ("transcripts", '"number":1.0', '"number":1.5', "act 0: success was true, is now false"),
        ("transcripts", "Count down", "Count up", "briefs: counter: goal was "),
    ],
)
def test_what_was_altered_is_found_and_nothing_else(counting, run, capsys, name, old, new, differs) -> None:
    path = run / f"{name}.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    assert old in lines[1]
    path.write_text("".join([lines[0], lines[1].replace(old, new, 1), *lines[2:]]))
    with pytest.raises(SystemExit, match="1"):
        main(["verify", "run", str(run), "--workers", "1", "--json"])
    (wrong,) = json.loads(capsys.readouterr().out)["wrong"]
    assert (wrong["line"], wrong["id"]) == (2, "count-1")
    assert wrong["differs"].startswith(differs)


def test_a_run_as_it_was_is_confirmed_and_a_broken_line_is_one_sentence(counting, run, capsys) -> None:
    main(["verify", "run", str(run), "--workers", "1"])
    assert capsys.readouterr().out == "3 of 3 episodes confirmed, 6 acts played again\n"
    path = run / "transcripts.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    for broken, said in (
        ([lines[0], "{nonsense\n", lines[2]], "transcripts.jsonl: line 2: "),
        (lines[:2], "line 3 is count-2 in episodes.jsonl, missing in transcripts.jsonl."),
    ):
        path.write_text("".join(broken))
        with pytest.raises(SystemExit, match="2"):
            main(["verify", "run", str(run), "--workers", "1"])
        assert said in capsys.readouterr().err
