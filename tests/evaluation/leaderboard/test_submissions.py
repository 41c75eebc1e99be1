"""Submissions: what is packed, what is confirmed, and what is refused."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from auditing import UNMADE, audit_forged, packed
from forgeries import FORGERIES
from submitting import files_of, play, recorded, toml, zipped

from housemates.cli.main import main
from housemates.errors import ExtraMissing, HousematesError
from housemates.evaluation import referee
from housemates.evaluation.leaderboard.card import parse_card
from housemates.evaluation.leaderboard.check import Terms, check_submission
from housemates.evaluation.leaderboard.submission import opened, write_submission
from housemates.evaluation.runner import evaluate

CARD = """
name = "Mine"
authors = ["A. Author"]
eyes = "none"
training = "nothing"
"""


@pytest.fixture
def card(tmp_path: Path) -> Path:
    path = tmp_path / "card.toml"
    path.write_text(CARD)
    return path


@pytest.fixture
def run(counting, tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    evaluate(counting.run_of("good", episodes=10), workers=1, out=folder)
    return folder


def submit(*words: object) -> None:
    main([*map(str, words)])


def test_a_run_is_packed_and_confirmed_by_command(run, card, tmp_path, capsys) -> None:
    submit("submit", run, "--card", card, "--out", tmp_path / "mine.zip")
    submit("leaderboard", "check", tmp_path / "mine.zip", "--workers", "1", "--seed", "3", "--json")
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["holds"] is True
    (checked,) = found["runs"]
    assert (checked["episodes"], checked["acts"], checked["evidence"]) == (10, 45, "run again")
    assert (checked["findings"], found["findings"]) == ([], [])


def test_the_same_runs_make_the_same_file(run, card, tmp_path) -> None:
    made = [write_submission([run], card, tmp_path / name).sha256 for name in ("a.zip", "b.zip")]
    assert made[0] == made[1]


def test_what_does_not_hold_is_one_line_and_exit_code_1(run, card, tmp_path, capsys) -> None:
    path = run / "episodes.jsonl"
    path.write_text(path.read_text().replace('"success":1.0', '"success":0.5', 1))
    submit("submit", run, "--card", card, "--out", tmp_path / "mine.zip")
    with pytest.raises(SystemExit, match="1"):
        submit("leaderboard", "check", tmp_path / "mine.zip", "--workers", "1")
    said = capsys.readouterr().out
    assert "  wrong: count-0: scores: success was 0.5, is now 1.0\n" in said
    assert "mine.zip does not hold" in said


def test_folders_of_this_machine_are_no_part_of_a_submission(counting, tmp_path, card) -> None:
    agent = tmp_path / "secret" / "mine.py"
    agent.parent.mkdir()
    agent.write_text("class Mine:\n reset = lambda s, b: None\n act = lambda s, p: 'Take 1'\n")
    run = tmp_path / "run"
    evaluate(counting.run_of("good", episodes=2), workers=1, out=run)
    header = json.loads((run / "run.json").read_text())
    header["agents"]["counter"] |= {"name": f"{agent}:Mine", "options": {"weights": str(agent)}}
    (run / "run.json").write_text(json.dumps(header))
    made = write_submission([run], card, tmp_path / "mine.zip").path
    with zipfile.ZipFile(made) as archive:
        stored = json.loads(archive.read("runs/run/run.json"))
        everything = b"".join(map(archive.read, archive.namelist()))
    assert stored["agents"]["counter"]["name"] == "mine.py:Mine"
    assert stored["agents"]["counter"]["options"] == {"weights": "mine.py"}
    assert b"secret" not in everything
    check = check_submission(made, Terms(), workers=1)
    assert check.holds and check.runs[0].evidence == "replayed"
    assert [each.line() for each in check.marks] == ["marked: episodes: 2, where the board's are 10"]


def test_a_run_that_a_trusted_referee_has_signed_is_refereed_and_no_other(counting, card, tmp_path) -> None:
    (tmp_path / "agent").mkdir()
    agent = tmp_path / "agent" / "mine.py"
    agent.write_text("class Mine:\n reset = lambda s, b: None\n act = lambda s, p: 'Take 1'\n")
    public = referee.new_key(tmp_path / "key.pem")
    secret, key = referee.draw("counting", {}, 3), referee.read_key(tmp_path / "key.pem")
    referee.referee(secret, [f"{agent}:Mine"], {}, key, tmp_path / "run", 1, progress=False)
    path = write_submission([tmp_path / "run"], card, tmp_path / "a.zip").path
    (run,) = check_submission(path, Terms(referees=(public,)), workers=1).runs
    assert (run.evidence, run.holds) == ("refereed", True)
    (run,) = check_submission(path, Terms(), workers=1).runs
    assert (run.evidence, run.findings[-1].where) == ("replayed", "referee.json")
    header = tmp_path / "run" / "run.json"
    header.write_text(header.read_text() + "\n")
    path = write_submission([tmp_path / "run"], card, tmp_path / "b.zip").path
    (run,) = check_submission(path, Terms(referees=(public,)), workers=1).runs
    assert run.findings[-1].says == "referee.json: run.json is not the file that was signed"


def test_an_agent_of_the_package_that_acts_otherwise_here_is_found(counting, run, card, tmp_path) -> None:
    header = json.loads((run / "run.json").read_text())
    header["agents"]["counter"]["name"] = "bad"
    (run / "run.json").write_text(json.dumps(header))
    found = check_submission(write_submission([run], card, tmp_path / "a.zip").path, Terms(), workers=1)
    assert found.runs[0].findings[0].line() == (
        "wrong: count-1: run again, the agents act otherwise: act 0 is Take 2.0, recorded is Take 1.0"
    )


def test_an_agent_whose_extra_is_not_installed_is_a_mark(run, card, tmp_path, monkeypatch) -> None:
    def missing(*_: object) -> None:
        raise ExtraMissing("needs onnxruntime: install the extra 'infer'.")

    monkeypatch.setattr("housemates.evaluation.leaderboard.episodes._made", missing)
    check = check_submission(write_submission([run], card, tmp_path / "a.zip").path, Terms(), workers=1)
    assert check.holds and check.runs[0].evidence == "replayed"
    assert [each.line() for each in check.marks] == [
        "marked: agents: good cannot be run here: needs onnxruntime: install the extra 'infer'"
    ]


def test_data_are_asked_for_and_never_taken_from_a_submission(honest_runs, tmp_path) -> None:
    run = recorded(honest_runs / "handmethat random")
    run.header["options"]["data"] = "/etc/passwd"
    path = tmp_path / "a.zip"
    path.write_bytes(zipped(files_of({"run": run}, run.card)))
    (finding,) = check_submission(path, Terms(), workers=1).runs[0].findings
    assert finding.says == "needs data of its own (/etc/passwd): give --option data=PATH"


def test_data_of_several_files_become_names_and_are_asked_for(honest_runs, card, tmp_path) -> None:
    run = tmp_path / "run"
    shutil.copytree(honest_runs / "teach-edh stop", run)
    header = json.loads((run / "run.json").read_text())
    header["options"]["data"] = "/games/a.jsonl, /games/b.jsonl"
    (run / "run.json").write_text(json.dumps(header))
    path = write_submission([run], card, tmp_path / "a.zip").path
    (finding,) = check_submission(path, Terms(), workers=1).runs[0].findings
    assert finding.says == "needs data of its own (a.jsonl,b.jsonl): give --option data=PATH"
    given = Terms({"data": "/nothing", "teach-edh.data": "/else"})
    (finding,) = check_submission(path, given, workers=1).runs[0].findings
    assert finding.says.startswith("/else: ")


def test_the_sample_is_of_chance_unless_a_seed_is_given(honest_runs, tmp_path) -> None:
    path = packed(honest_runs / "handmethat random", tmp_path)
    assert check_submission(path, Terms(), workers=1).seed != check_submission(path, Terms(), workers=1).seed
    assert check_submission(path, Terms(), 7, workers=1).seed == 7


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "<b>Best</b>"}, "name: expected plain words, found markup"),
        ({"notes": "a\u202eb"}, "notes: expected plain words, found the hidden character U.202E"),
        ({"link": "http://example.org"}, "link: expected an address that begins with https://"),
        ({"eyes": "sharp"}, "eyes"),
        ({"rank": 1}, "rank"),
        ({"authors": []}, "authors"),
    ],
)
def test_a_card_says_what_a_page_can_show_and_no_more(change, said) -> None:
    card = {"name": "Mine", "authors": ["A"], "eyes": "none", "training": "nothing"}
    assert parse_card(toml(card), "card.toml").name == "Mine"
    with pytest.raises(HousematesError, match=said):
        parse_card(toml(card | change), "card.toml")


def test_what_is_refused_leaves_nothing_behind(honest_runs, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = packed(honest_runs / "handmethat random", tmp_path)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(HousematesError, match=r"honest\.zip: expected a submission, .*it is torn"):
        opened(path).__enter__()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["card.toml", "honest.zip"]


@pytest.mark.slow
def test_forgeries_of_every_other_class_are_refused_or_marked(honest_runs) -> None:
    openly = {each.says for each in FORGERIES if each.open}
    numbers = range(1, len(FORGERIES), 2)
    found = [each for each in audit_forged(honest_runs, numbers, 1) if each[2].why != UNMADE]
    assert [each for each in found if each[2].says == "accepted" and each[1] not in openly] == []
    assert len(found) >= 30
    assert Counter(verdict.says for _, _, verdict in found)["refused"] >= 6


def test_agents_that_are_run_again_act_no_longer_than_was_recorded(tmp_path, card) -> None:
    """Else a short recording of an endless episode would keep those busy who check it."""
    play(tmp_path / "run", "home", "first", 1, {"steps": "20"})
    run = recorded(tmp_path / "run")
    run.header["options"]["steps"] = str(10**12)
    run.episodes[0]["ended"] = run.told[0]["ended"] = "left"
    run.told[0]["briefs"] = {}
    path = tmp_path / "a.zip"
    path.write_bytes(zipped(files_of({"run": run}, run.card)))
    says = [each.says for each in check_submission(path, Terms(), workers=1).runs[0].findings]
    assert "run again, the agents act otherwise: they go on after 20 acts" in says
