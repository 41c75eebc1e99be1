"""The folder of results: what it holds, what is gone on with, and what is refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from housemates.data.claims import claimed
from housemates.errors import HousematesError
from housemates.evaluation import results
from housemates.evaluation.runner import evaluate
from housemates.evaluation.transcripts import Done


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Where results go."""
    return tmp_path / "run"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def cut(path: Path, characters: int) -> None:
    path.write_bytes(path.read_bytes()[:-characters])


def without_seconds(folder: Path) -> list[results.Result]:
    return [msgspec.structs.replace(each, seconds=0.0) for each in results.read_episodes(folder)]


def test_a_folder_holds_a_header_episodes_and_transcripts(counting, run) -> None:
    evaluate(counting.run_of("bad", episodes=2, seed=3, options={"start": "1"}), workers=1, out=run)
    header = json.loads((run / "run.json").read_text())
    assert header == {
        "format": 1,
        "benchmark": "housemates/counting-v1",
        "name": "counting",
        "version": results.__version__,
        "split": "generated",
        "seed": 3,
        "episodes": 2,
        "options": {"start": "1"},
        "agents": {
            "counter": {
                "name": "bad",
                "options": {},
                "privileged": False,
                "sha256": "",
                "isolate": False,
                "isolated": {},
            }
        },
        "files": [],
        "act_timeout": None,
        "memory": None,
        "tokenizer": "an estimate: up to seven letters, a digit, a sign or the end of a line",
    }
    assert [each.id for each in results.read_episodes(run)] == ["count-0", "count-1"]
    told = next(iter(results.read_transcripts(run)))
    assert told.briefs["counter"].goal == "Count down to zero."
    assert told.briefs["counter"].offers == ["Take", "Stop"]
    turn = told.steps[0]
    assert (turn.role, turn.act) == ("counter", Done("Take", {"number": 2.0}))
    assert (turn.success, turn.message, turn.text) == (False, "2 is not 1.", None)
    assert (len(told.steps), told.ended) == (5, "failures")


def test_a_transcript_has_what_was_read_and_what_made_no_sense(counting, run, monkeypatch) -> None:
    monkeypatch.setattr(counting.Good, "act", lambda self, percept: percept.text)
    evaluate(counting.run_of("good", episodes=2), workers=1, out=run)
    turn = list(results.read_transcripts(run))[1].steps[0]
    assert (turn.text, turn.act, turn.answer) == ("The number is 1.", None, "The number is 1.")


def test_a_finished_run_is_not_played_again(counting, run, monkeypatch) -> None:
    first = evaluate(counting.run_of("good", episodes=5, options={"times": "2"}), workers=1, out=run)
    before = contents(run)
    monkeypatch.setattr(counting.Counting, "open", None)
    assert evaluate(counting.run_of("good", episodes=5, options={"times": "2"}), workers=1, out=run) == first
    assert contents(run) == before


@pytest.mark.parametrize("name", ["episodes.jsonl", "transcripts.jsonl"])
@pytest.mark.parametrize("characters", [1, 20, 500])
def test_torn_lines_are_cut_off_and_played_again(counting, run, name, characters) -> None:
    settings = counting.run_of("random", episodes=7, options={"times": "2"})
    evaluate(settings, workers=1, out=run)
    whole, told = without_seconds(run), (run / "transcripts.jsonl").read_bytes()
    cut(run / name, characters)
    report = evaluate(settings, workers=1, out=run)
    assert report["episodes"] == 7
    assert without_seconds(run) == whole
    assert (run / "transcripts.jsonl").read_bytes() == told


def test_a_reference_counts_only_if_all_its_episodes_are_there(counting, run, monkeypatch) -> None:
    settings = counting.run_of("good", episodes=6, options={"times": "3"})
    evaluate(settings, workers=1, out=run)
    cut(run / "episodes.jsonl", 5)
    opened = []
    every = counting.Counting.open
    monkeypatch.setattr(
        counting.Counting,
        "open",
        lambda self, reference: opened.append(reference.id) or every(self, reference),
    )
    evaluate(settings, workers=1, out=run)
    assert opened == ["count-1"]
    assert [each.id for each in results.read_episodes(run)][3:] == ["count-1", "count-1-1", "count-1-2"]


def test_errors_are_kept_unless_they_are_to_be_tried_again(counting, run, monkeypatch) -> None:
    settings = counting.run_of("good", episodes=6)

    def unlucky(self, percept) -> str:
        if percept.turn == 0 and percept.data in (2, 4):
            raise RuntimeError("out of luck")
        return "Take 1"

    lucky = counting.Good.act
    monkeypatch.setattr(counting.Good, "act", unlucky)
    assert evaluate(settings, workers=1, out=run)["errors"] == 2
    monkeypatch.setattr(counting.Good, "act", lucky)
    assert evaluate(settings, workers=1, out=run)["errors"] == 2
    assert evaluate(settings, workers=1, out=run, retry_errors=True)["errors"] == 0
    names = [f"count-{number}" for number in range(6)]
    assert [each.id for each in results.read_episodes(run)] == names
    assert [each.id for each in results.read_transcripts(run)] == names


def test_what_is_to_be_tried_again_needs_a_folder(counting) -> None:
    with pytest.raises(HousematesError, match=r"^--retry-errors: name the folder"):
        evaluate(counting.run_of("good"), workers=1, retry_errors=True)


@pytest.mark.parametrize(
    ("agent", "settings", "differs"),
    [
        ("bad", {}, 'agents: counter: name was "good", is now "bad"'),
        ("good", {"seed": 1}, "seed was 0, is now 1"),
        ("good", {"options": {"start": "1"}}, 'options: start was not given, is now "1"'),
    ],
)
def test_another_run_is_refused_and_says_what_differs(counting, run, agent, settings, differs) -> None:
    evaluate(counting.run_of("good", episodes=2), workers=1, out=run)
    before = contents(run)
    with pytest.raises(HousematesError) as refused:
        evaluate(counting.run_of(agent, **{"episodes": 2, **settings}), workers=1, out=run)
    assert str(refused.value) == f"{run}: holds the results of another run ({differs}); name another folder."
    assert contents(run) == before


@pytest.mark.parametrize("times", ["1", "3"])
def test_a_run_is_extended_to_what_one_of_as_many_episodes_is(counting, run, tmp_path, times) -> None:
    """Walk 14: a run of 40 episodes could not be extended to 50."""
    settings = {"options": {"times": times}}
    evaluate(counting.run_of("good", episodes=4, **settings), workers=1, out=run)
    longer = evaluate(counting.run_of("good", episodes=7, **settings), workers=1, out=run)
    assert longer["episodes"] == 7 == results.read_header(run).episodes
    evaluate(counting.run_of("good", episodes=7, **settings), workers=1, out=tmp_path / "fresh")
    again, fresh = (list(results.read_episodes(each)) for each in (run, tmp_path / "fresh"))
    assert [replace(each, seconds=0) for each in again] == [replace(each, seconds=0) for each in fresh]


def test_a_run_does_not_shrink(counting, run) -> None:
    evaluate(counting.run_of("good", episodes=4), workers=1, out=run)
    before = contents(run)
    with pytest.raises(
        HousematesError, match="holds 4 episodes; ask for as many or more, or name another folder"
    ):
        evaluate(counting.run_of("good", episodes=3), workers=1, out=run)
    assert contents(run) == before


@pytest.mark.parametrize("attribute", ["id", "version"])
def test_another_version_is_refused(counting, run, monkeypatch, attribute) -> None:
    evaluate(counting.run_of("good"), workers=1, out=run)
    before = contents(run)
    if attribute == "id":
        monkeypatch.setattr(counting.Counting, "id", "housemates/counting-v2")
    else:
        monkeypatch.setattr(results, "__version__", "99.0")
    with pytest.raises(HousematesError, match=r"another run \((benchmark|version) was .*, is now .*\)"):
        evaluate(counting.run_of("good"), workers=1, out=run)
    assert contents(run) == before


def test_other_data_are_refused(counting, run, monkeypatch, tmp_path) -> None:
    data = tmp_path / "data"
    (data / "deep").mkdir(parents=True)
    (data / "deep" / "games.json").write_text("[]")
    single = tmp_path / "single.json"
    single.write_text("[1]")
    monkeypatch.setattr(counting.Counting, "files", lambda self: [data, single])
    evaluate(counting.run_of("good"), workers=1, out=run)
    files = json.loads((run / "run.json").read_text())["files"]
    assert files[1] == {"name": "single.json", "size": 3, "sha256": hashlib.sha256(b"[1]").hexdigest()}
    evaluate(counting.run_of("good"), workers=1, out=run)
    single.write_text("[2]")
    with pytest.raises(HousematesError, match=r"another run \(files: single\.json was"):
        evaluate(counting.run_of("good"), workers=1, out=run)
    single.write_text("[1]")
    (data / "deep" / "games.json").write_text("[{}]")
    with pytest.raises(HousematesError, match=r"another run \(files: data was"):
        evaluate(counting.run_of("good"), workers=1, out=run)


def test_another_format_a_broken_header_and_no_header_are_refused(counting, run) -> None:
    evaluate(counting.run_of("good"), workers=1, out=run)
    header = (run / "run.json").read_text()
    for text, said in [
        (header.replace('"format": 1', '"format": 99'), "expected results of format 1"),
        (header[:40], "expected JSON"),
        (header.replace('"seed": 0', '"seed": "x"'), r"run\.json: seed: expected a whole number"),
    ]:
        (run / "run.json").write_text(text)
        before = contents(run)
        with pytest.raises(HousematesError, match=said):
            evaluate(counting.run_of("good"), workers=1, out=run)
        assert contents(run) == before
    (run / "run.json").unlink()
    with pytest.raises(HousematesError, match=r"holds results without a run\.json"):
        evaluate(counting.run_of("good"), workers=1, out=run)


def test_a_broken_line_in_the_middle_is_named_and_kept(counting, run) -> None:
    evaluate(counting.run_of("good"), workers=1, out=run)
    path = run / "episodes.jsonl"
    path.write_text(path.read_text().replace('"steps":1,', '"steps":"one",'))
    before = contents(run)
    with pytest.raises(HousematesError, match=r"episodes\.jsonl: line 2: steps: expected a whole number"):
        evaluate(counting.run_of("good"), workers=1, out=run)
    assert contents(run) == before


def test_lines_that_do_not_belong_together_are_refused(counting, run) -> None:
    evaluate(counting.run_of("good"), workers=1, out=run)
    path = run / "transcripts.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(HousematesError, match=r"line 1 is 'count-0' in episodes\.jsonl, 'count-1' in"):
        evaluate(counting.run_of("good"), workers=1, out=run)


def test_a_second_writer_is_refused(counting, run) -> None:
    with (
        claimed(folders=[run]),
        pytest.raises(HousematesError, match=r"^\S+run: another run is writing there"),
    ):
        evaluate(counting.run_of("good"), workers=1, out=run)
    assert evaluate(counting.run_of("good"), workers=1, out=run)["episodes"] == 10


def test_a_file_is_no_folder_and_what_is_in_a_folder_is_kept(counting, tmp_path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("milk, bread\n")
    with pytest.raises(HousematesError, match=r"notes\.txt: expected a folder, found a file"):
        evaluate(counting.run_of("good"), workers=1, out=notes)
    assert notes.read_text() == "milk, bread\n"
    with pytest.raises(HousematesError, match=r"notes\.txt.run: cannot be (read|written) \(Not a directory"):
        evaluate(counting.run_of("good"), workers=1, out=notes / "run")
    evaluate(counting.run_of("good"), workers=1, out=tmp_path)
    assert notes.read_text() == "milk, bread\n"


def test_agents_that_cannot_be_made_leave_no_folder(counting, run) -> None:
    with pytest.raises(HousematesError, match="Unknown agent 'god' for the counter of counting: did you"):
        evaluate(counting.run_of("god"), workers=1, out=run)
    assert not run.exists()


def test_the_time_that_acts_may_take_can_be_changed(counting, run) -> None:
    evaluate(counting.run_of("good"), workers=1, out=run)
    evaluate(counting.run_of("good", act_timeout=9.0), workers=1, out=run)
    assert results.read_header(run).benchmark == "housemates/counting-v1"
