"""Agents kept apart play as they do elsewhere, and results say from what they were kept."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from housemates.core import registry
from housemates.core.episode import Episode
from housemates.core.isolation import keeper, process, sandbox
from housemates.core.isolation.agent import IsolatedAgent, Isolation, belongings
from housemates.core.isolation.seccomp import MACHINES, program
from housemates.core.isolation.wire import as_json, from_json
from housemates.core.loading import Seating, make_agents, seat_all
from housemates.errors import HousematesError

ROOT = Path(__file__).parents[3]
KEPT = dict.fromkeys(sandbox.PROTECTIONS, True)
MINE = '''
from housemates.core.actions import Act

class Mine:
    """Takes 1, and tells what it uses."""
    def __init__(self, patience: int = 1): self.patience, self.usage = patience, {}
    def reset(self, brief): self.usage = {"patience": self.patience}
    def act(self, percept):
        assert percept.text == f"The number is {percept.data}."
        assert percept.pictures["view"]()[8, 4 * percept.data - 1].all()
        print("thinking")
        return Act("Take", {"number": 1})

class Late(Mine):
    """Looks at a percept of before."""
    last = None
    def act(self, percept):
        before, self.last = self.last, percept
        return super().act(percept) if before is None else before.text

class Odd(Mine):
    """Answers what is no act."""
    odd = [object(), {1: {2: object()}}, {(1, 2): 3}, float("nan"), None]
    def act(self, percept): return self.odd[percept.turn % 5]

class Privileged(Mine):
    privileged = True

class Loud(Mine):
    """Prints more than anybody reads, and what would rule a terminal."""
    def act(self, percept):
        self.usage = {"\\x1b[2Jtokens": 1}
        print("\\x1b[2J\\x1b]0;mine\\x07 " + "é" * 300_000)
        print("\\x9b2J" * 300_000)
        return super().act(percept)

class Curious(Mine):
    """Asks for the same handle over and over."""
    def act(self, percept):
        while True: type(percept)(percept.role, percept.turn, percept.last, percept._key).data

class Leaving(Mine):
    def act(self, percept):
        from housemates.core.agent import Left
        raise Left
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of agents in a folder of its own."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mine.py").write_text(MINE, encoding="utf-8")
    return folder / "mine.py"


def counted(counting: Any, name: str, number: int = 3, **options: str) -> tuple[Episode, IsolatedAgent]:
    """An episode that counts down from a number with an agent that is kept apart."""
    seats = {"counter": Seating(name, options, isolation=Isolation(400, 10.0))}
    agents = make_agents(counting.Counting, seats)
    benchmark = counting.Counting()
    instance = benchmark.open(counting.Reference(f"count-{number}", number))[0]
    episode = Episode(benchmark, instance, agents)
    episode.run()
    agent = agents["counter"]
    assert isinstance(agent, IsolatedAgent)
    agent.close()
    return episode, agent


def test_an_agent_is_told_and_shown_the_same_and_its_options_and_usage_count(
    counting: Any, mine: Path
) -> None:
    episode, agent = counted(counting, f"{mine}:Mine", patience="7")
    assert (episode.trace.error, episode.session.digest()) == ("", "0 False")
    assert episode.trace.usage == {"counter": {"patience": 7}}
    assert [step.text for step in episode.trace.steps] == [f"The number is {number}." for number in (3, 2, 1)]
    assert agent.isolated.keys() == KEPT.keys()


def test_pictures_come_by_the_wire_where_memory_cannot_be_shared(counting, mine, monkeypatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    assert counted(counting, f"{mine}:Mine")[0].trace.error == ""


def test_what_is_over_is_told_no_more(counting: Any, mine: Path) -> None:
    episode, _ = counted(counting, f"{mine}:Late")
    assert "must be looked at before the next act" in episode.trace.error


def test_what_makes_no_sense_is_a_failed_act_as_elsewhere(counting: Any, mine: Path) -> None:
    episode, _ = counted(counting, f"{mine}:Odd")
    assert (episode.trace.ended, episode.trace.failures) == ("failures", 5)


def test_what_is_printed_is_shown_as_text_and_not_all_of_it(counting: Any, mine: Path, capfd) -> None:
    episode, _ = counted(counting, f"{mine}:Loud")
    shown = capfd.readouterr().err
    assert (episode.trace.error, episode.trace.usage) == ("", {"counter": {"\\x1b[2Jtokens": 1}})
    assert "\\x1b[2J" in shown and shown.isascii() is False
    assert not {"\x1b", "\x07", "\x9b"} & set(shown)
    assert shown.count("more is printed than is shown") == 1 and len(shown) < 2 * keeper.PRINTED_BYTES


def test_so_many_handles_are_given_and_no_more(counting: Any, mine: Path, monkeypatch) -> None:
    monkeypatch.setattr("housemates.core.isolation.agent.MOST_HANDLES", 20)
    monkeypatch.setattr(counting.Countdown, "view", lambda self, role: self.handle("text", role))
    episode, _ = counted(counting, f"{mine}:Curious")
    assert "asked for more than 20 handles in one act" in episode.trace.error


def test_who_leaves_ends_the_episode_as_elsewhere(counting: Any, mine: Path) -> None:
    assert counted(counting, f"{mine}:Leaving")[0].trace.ended == "left"


def test_a_privileged_agent_of_ones_own_is_refused_in_one_sentence(counting: Any, mine: Path) -> None:
    with pytest.raises(HousematesError, match="is privileged: it needs the instance"):
        counted(counting, f"{mine}:Privileged")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("Nobody", "there is no 'Nobody'"), ("Mine", "has no option 'speed'")],
)
def test_an_agent_that_cannot_be_made_is_refused_in_one_sentence(counting, mine, name, sentence) -> None:
    with pytest.raises(HousematesError, match=sentence):
        counted(counting, f"{mine}:{name}", speed="3")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("benchmark", "agents"),
    [
        ("handmethat", ["listener"]),
        ("teach-tatc", ["talk"]),
        ("teach-edh", ["examples/looker.py:Looker"]),
        ("alfred", ["examples/wanderer.py:Wanderer"]),
    ],
)
def test_digests_are_the_same_as_in_the_same_process(benchmark, agents, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    made = registry.benchmark(benchmark)
    instance = next(each for ref in made.references("generated", 1) for each in made.open(ref))
    ends = []
    for isolation in (None, Isolation()):
        seated = make_agents(type(made), seat_all(type(made), agents, {}, isolation))
        episode = Episode(made, instance, seated)
        episode.run()
        acts = [step.act and step.act.plain() for step in episode.trace.steps]
        ends.append((episode.session.digest(), episode.trace.error, acts, episode.scores()))
        for agent in seated.values():
            getattr(agent, "close", lambda: None)()
    assert ends[0] == ends[1] and ends[0][1] == ""


def test_results_declare_it_and_a_run_of_another_kind_does_not_go_on(program, mine, tmp_path) -> None:
    words = [
        "eval",
        "counting",
        "--agents",
        f"{mine}:Mine",
        "--episodes",
        "3",
        "--workers",
        "1",
        "--out",
        "run",
    ]
    done = program(*words, "--isolate", "--json")
    assert done.returncode == 0, done.stderr
    report, header = json.loads(done.stdout), json.loads((tmp_path / "run" / "run.json").read_text())
    seat = header["agents"]["counter"]
    assert report["isolated"]["counter"] == seat["isolated"] and seat["isolate"] is True
    assert report["success"] == 100.0
    told = program(*words, "--isolate").stdout
    assert "isolated: counter (" in told
    other = program(*words)
    assert other.returncode == 2 and "holds the results of another run" in other.stderr


def test_nothing_is_left_of_an_agent_that_was_let_go(
    counting: Any, mine: Path, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    _, agent = counted(counting, f"{mine}:Mine")
    assert not list(tmp_path.glob("housemates-agent-*"))
    agent.close()


@pytest.mark.skipif(sys.platform != "linux", reason="has no Landlock")
def test_a_system_that_lacks_something_says_so(counting, mine, monkeypatch) -> None:
    lacking = "import housemates.core.isolation.landlock as it; it.shut_files = lambda *_: 1; "
    begin = process.BEGIN.replace("from housemates", f"{lacking}from housemates")
    monkeypatch.setattr(process, "BEGIN", begin)
    episode, agent = counted(counting, f"{mine}:Mine")
    assert (episode.trace.error, agent.isolated) == ("", {**KEPT, "files": False})


def test_an_agents_own_is_its_folder_unless_that_holds_more(tmp_path: Path, monkeypatch) -> None:
    folder = tmp_path / "work" / "agent"
    folder.mkdir(parents=True)
    file = folder / "mine.py"
    file.touch()
    assert belongings(f"{file}:Mine") == ([folder], {})
    monkeypatch.chdir(folder)
    assert belongings(f"{file}:Mine") == ([file], {})
    assert belongings("mine:Mine") == ([], {"mine.py": file})
    assert belongings("nowhere:Mine") == ([], {})


def test_a_system_that_can_do_nothing_of_it_says_so(monkeypatch) -> None:
    monkeypatch.setattr(os, "name", "nt")
    assert sandbox.tried("nothing", os.getpid(), 10) == dict.fromkeys(KEPT, False)


@pytest.mark.parametrize("machine", MACHINES)
def test_no_jump_of_the_filter_leads_out_of_it(machine: str) -> None:
    steps = program(machine, 1234)
    assert len(steps) < 4096
    for place, (_, yes, no, _) in enumerate(steps[:-1]):
        assert max(yes, no) < 256 and place + 1 + max(yes, no) < len(steps)
    assert steps[-1] == (0x06, 0, 0, 0x7FFF0000)


def test_answers_with_arrays_become_plain() -> None:
    mask = np.zeros((2, 3), bool)
    mask[1, 1:] = True
    act = {"name": "Pickup", "mask": mask, "point": np.array([0.5, 0.25]), "number": np.float32(2)}
    assert from_json(as_json({"act": act}))["act"] == {
        "name": "Pickup",
        "mask": {"size": [2, 3], "runs": [4, 2]},
        "point": [0.5, 0.25],
        "number": 2.0,
    }
