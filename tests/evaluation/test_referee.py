"""Refereed runs: what was committed to, who may play, what is signed, and what a check finds."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from housemates.cli.main import main
from housemates.core import registry
from housemates.core.agent import Halt
from housemates.core.percepts import keyed
from housemates.core.wire import brief_of
from housemates.errors import HousematesError
from housemates.evaluation import referee
from housemates.evaluation.results import read_transcripts
from housemates.evaluation.runner import evaluate

AGENT = """
class Plain:
    def reset(self, brief): print("told", brief.id, brief.seed)
    def act(self, percept): return "Take 1"
"""
SEES_ALL = {("teach-tatc", "commander"), ("cerealbar", "leader")}
"""Roles that know the whole world, where there is no more to be found out about it."""
GENERATING = ("handmethat", "cerealbar", "home", "teach-tatc", "alfred", "alfworld", "eb-alfred")


@pytest.fixture
def played(counting: Any, tmp_path: Path) -> Callable[..., tuple[Path, referee.Secret]]:
    """Plays a refereed run of four episodes: its folder and its secret."""
    (tmp_path / "agent").mkdir()
    agent = tmp_path / "agent" / "mine.py"
    agent.write_text(AGENT)
    key = tmp_path / "key.pem"
    referee.new_key(key)

    def play(agents: str = f"{agent}:Plain", episodes: int = 4) -> tuple[Path, referee.Secret]:
        secret = referee.draw("counting", {}, episodes)
        referee.referee(secret, [agents], {}, referee.read_key(key), tmp_path / "run", 1, progress=False)
        return tmp_path / "run", secret

    return play


def edited(path: Path, change: Callable[[Any], Any]) -> None:
    """Change a file of JSON, or the first line of one with a value a line."""
    first, _, rest = (
        path.read_text().partition("\n") if path.suffix == ".jsonl" else (path.read_text(), "", "")
    )
    value = json.loads(first)
    change(value)
    path.write_text(json.dumps(value) + "\n" + rest)


def test_a_run_holds_and_whatever_is_changed_is_found(played, capfd) -> None:
    run, secret = played()
    seal = json.loads((run / referee.SEAL).read_text())
    public, commitment = seal["public_key"], secret.commitment
    assert list(referee.check(run, secret, commitment, public, 1)) == []
    assert secret.secret not in "".join(each.read_text() for each in run.iterdir())
    assert (seal["episodes"], seal["errors"], seal["success"]) == (4, 0, 100.0)
    assert seal["isolated"].keys() == {"counter"}
    other = msgspec.structs.replace(secret, secret="0" * 64)
    assert "the secret is not the one that was committed to" in list(referee.check(run, other, None, None, 1))
    (wrong,) = referee.check(run, secret, "f" * 64, public, 1)
    assert "for the commitment" in wrong
    (wrong,) = referee.check(run, secret, commitment, "f" * 64, 1)
    assert "signed by" in wrong
    whole = {each: each.read_bytes() for each in run.iterdir() if each.is_file()}
    forgeries: list[tuple[str, Callable[[Any], Any], str]] = [
        ("referee.json", lambda seal: seal.update(success=50.0), "the signature is not that of the seal"),
        ("referee.json", lambda seal: seal.update(signature="00" * 64), "the signature is not"),
        ("referee.json", lambda seal: seal.update(public_key="zz"), "the signature is not"),
        ("episodes.jsonl", lambda line: line["scores"].update(success=0.5), "episodes.jsonl is not the file"),
        ("episodes.jsonl", lambda line: line["scores"].update(success=0.5), "line 1, count-0: "),
        ("run.json", lambda header: header.update(seed=7), "seed: the run has 7"),
        ("run.json", lambda header: header["agents"]["counter"].update(isolated={}), "isolated: the run has"),
    ]
    for name, change, sentence in forgeries:
        edited(run / name, change)
        assert any(sentence in line for line in referee.check(run, secret, commitment, None, 1)), sentence
        for path, content in whole.items():
            path.write_bytes(content)
    for path in (run / "episodes.jsonl", run / "transcripts.jsonl"):
        path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    dropped = list(referee.check(run, secret, commitment, public, 1))
    assert any("line 1 is 'count-1', and the secret's instance 1 is 'count-0'" in line for line in dropped)
    assert any(line.startswith("episodes: the run has 3, expected 4") for line in dropped)
    told = {line for line in capfd.readouterr().err.splitlines() if line.startswith("told")}
    briefs = {each.briefs["counter"].id for each in read_transcripts(run)}
    assert len(told) == 4 and not any(brief in line for line in told for brief in briefs)


def test_who_knows_the_instance_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    referee.new_key(key)
    secret = referee.draw("handmethat", {}, 1)
    with pytest.raises(HousematesError, match="expert: is privileged"):
        referee.referee(secret, ["expert"], {}, referee.read_key(key), tmp_path / "run", 1)
    assert not (tmp_path / "run").exists()


def test_a_secret_that_an_agent_may_read_is_refused(counting: Any, tmp_path: Path, capsys) -> None:
    (tmp_path / "agent").mkdir()
    agent, secret, key = (tmp_path / "agent" / name for name in ("mine.py", "secret.json", "key.pem"))
    agent.write_text(AGENT)
    referee.write_secret(referee.draw("counting", {}, 2), secret)
    referee.new_key(key)
    words = ["referee", "counting", "--seeds", secret, "--key", key, "--agents", f"{agent}:Plain"]
    with pytest.raises(SystemExit):
        main([*map(str, words), "--out", str(tmp_path / "run")])
    said = capsys.readouterr().err
    assert "secret.json: lies in" in said and "move one of them" in said
    assert not (tmp_path / "run").exists()


def test_an_agent_that_says_that_nobody_can_go_on_has_failed(counting, monkeypatch) -> None:
    def act(self: Any, percept: Any) -> Any:
        raise Halt("I am away.")

    monkeypatch.setattr(counting.Good, "act", act)
    run = msgspec.structs.replace(counting.run_of("good", episodes=3), key="secret")
    report = evaluate(run, workers=1)
    assert (report["episodes"], report["errors"], report["halted"]) == (3, 2, "")


@pytest.mark.parametrize("name", GENERATING)
def test_no_brief_and_no_percept_tells_the_seed_or_the_id(name: str) -> None:
    secret = referee.draw(name, {}, 1)
    secret = msgspec.structs.replace(secret, secret="5" * 64)
    benchmark = registry.benchmark(name)
    assert secret.seed >= 2**30
    references = benchmark.references("generated", secret.seed)
    reference, instance = next((ref, each) for ref in references for each in benchmark.open(ref))
    session = benchmark.session(instance)
    for role in benchmark.roles:
        brief = session.brief(role)
        told = json.dumps(brief_of(keyed(brief, f"{secret.key} {brief.id}")))
        if role == session.role and (name, role) not in SEES_ALL:
            percept = session.observe(role)
            told += percept.text + repr(percept.data) + repr(percept.said) + repr(percept.offers)
        for telling in (secret.seed, instance.seed, instance.id, reference.id, brief.id, brief.seed):
            assert str(telling) not in told


@pytest.mark.parametrize("name", GENERATING)
def test_every_benchmark_takes_the_largest_seed_there_can_be(name: str) -> None:
    most = 2**referee.SEED_BITS - 1
    reference = next(registry.benchmark(name).references("generated", most))
    assert reference.seed <= 2**63 - 1
    if name == "cerealbar":
        assert registry.benchmark(name).open(reference)[0].seed <= 2**63 - 1


def test_secrets_are_private_and_never_written_over(tmp_path: Path, capsys) -> None:
    path = tmp_path / "secret.json"
    main(["referee", "commit", "handmethat", "--episodes", "3", "--out", str(path)])
    commitment = capsys.readouterr().out.strip()
    assert referee.read_secret(path).commitment == commitment
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(SystemExit) as end:
        main(["referee", "commit", "handmethat", "--out", str(path)])
    assert end.value.code == 2 and "is there already" in capsys.readouterr().err
    main(["referee", "reveal", str(path)])
    assert json.loads(capsys.readouterr().out)["secret"] == referee.read_secret(path).secret
    assert referee.draw("handmethat", {}, 3).commitment != commitment


def test_bad_files_are_refused_in_one_sentence(tmp_path: Path) -> None:
    for text, sentence in (("{}", "benchmark"), ("[", "expected"), ('{"secret": 3}', "expected")):
        path = tmp_path / "secret.json"
        path.write_text(text)
        with pytest.raises(HousematesError, match=sentence):
            referee.read_secret(path)
    path.write_text("no key")
    with pytest.raises(HousematesError, match="expected an Ed25519 key"):
        referee.read_key(path)


def test_what_signs_is_named_where_it_is_absent(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(SystemExit):
        main(["referee", "key", "--out", str(tmp_path / "key.pem")])
    assert "pip install 'housemates[referee]'" in capsys.readouterr().err
