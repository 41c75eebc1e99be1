"""Agents by name, by module and by file, with their options; what cannot be had is one sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from housemates.agents.basic import FirstAgent, RandomAgent
from housemates.core import registry
from housemates.core.agent import Agent
from housemates.core.benchmark import Benchmark
from housemates.core.loading import Seating, is_foreign, make_agent, make_agents, seat_all, seat_others
from housemates.core.registry import AgentSpec
from housemates.errors import HousematesError

FILE = """
from neighbour import WORD

class Mine:
    def __init__(self, depth: int = 1, word: str = WORD): self.depth, self.word = depth, word
    def reset(self, brief): pass
    def act(self, percept):
        from later import ANSWER
        return ANSWER

class Open(Mine):
    def __init__(self, **given): self.given = given

class Unmade(Mine):
    def __init__(self): raise OSError("no model\\nhere")

class Leaving(Mine):
    def __init__(self): raise SystemExit(4)

class NoAgent:
    def act(self, percept): return "Stop"

def made(depth: float = 0.5): return Mine(depth)
def unmade(): return 3
number = 3
"""


class Pair(Benchmark):
    """Two seats and nothing to do."""

    name = "pair"
    roles = ("leader", "follower")


@pytest.fixture(autouse=True)
def pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """The agents of `Pair`, beside those that come with the package."""
    first = "housemates.agents.basic:FirstAgent"
    own = (
        AgentSpec("chief", first, ("pair",), ("leader",), partner=True),
        AgentSpec("random", first, ("pair",), ("follower",)),
    )
    specs = (*registry.agent_specs(), *own)
    monkeypatch.setattr(registry, "agent_specs", lambda: specs)


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of agents, with neighbours that it imports."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("neighbour", "neighbouring", "later"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    path = tmp_path / "mine.py"
    path.write_text(FILE, encoding="utf-8")
    (tmp_path / "neighbour.py").write_text("WORD = 'hello'")
    (tmp_path / "later.py").write_text("ANSWER = 'Stop'")
    (tmp_path / "json.py").write_text("raise RuntimeError('shadows the standard library')")
    (tmp_path / "broken.py").write_text("class Mine(\n")
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(4)\n")
    return path


def made(name: str, **options: str) -> Agent:
    return make_agent(Pair, "leader", Seating(name, options))


def test_one_agent_can_sit_everywhere_and_each_role_can_have_its_own() -> None:
    assert {role: seat.name for role, seat in seat_all(Pair, ["random"], {}).items()} == {
        "leader": "random",
        "follower": "random",
    }
    seats = seat_all(Pair, ["follower=a/b.py:C", "chief"], {})
    assert (seats["leader"].name, seats["follower"].name) == ("chief", "a/b.py:C")


@pytest.mark.parametrize(
    ("words", "options", "said"),
    [
        (["leader=chief"], {}, "pair: nobody is the follower: give --agents follower=NAME."),
        ([], {}, "pair: nobody is the leader: give --agents leader=NAME."),
        (
            ["folower=random"],
            {},
            "pair has no role 'folower': did you mean 'follower'? Known are",
        ),
        (
            ["random"],
            {"boss.depth": "1"},
            "--agent-option boss.depth: pair has no role 'boss': expec",
        ),
    ],
)
def test_seats_that_make_no_sense_are_refused(words, options, said) -> None:
    with pytest.raises(HousematesError) as refused:
        seat_all(Pair, words, options)
    assert said in str(refused.value)


def test_who_takes_a_seat_leaves_the_others_to_the_usual_partners() -> None:
    role, others = seat_others(Pair, None, [])
    assert (role, {name: seat.name for name, seat in others.items()}) == ("follower", {"leader": "chief"})
    with pytest.raises(HousematesError, match="nobody is the follower"):
        seat_others(Pair, "leader", [])
    with pytest.raises(HousematesError, match="no role 'cook'"):
        seat_others(Pair, "cook", [])


def test_names_of_the_benchmark_come_before_those_that_sit_anywhere() -> None:
    assert isinstance(made("random"), RandomAgent)
    assert isinstance(make_agent(Pair, "follower", Seating("random")), FirstAgent)


def test_a_file_is_imported_once_and_finds_its_neighbours(mine: Path) -> None:
    first, second = made("mine.py:Mine"), made(f"{mine}:Mine")
    assert type(first) is type(second)
    assert first.word == "hello"
    assert first.act(None) == "Stop"
    assert is_foreign("mine.py:Mine")


def test_a_module_beside_where_the_program_was_started_is_found(mine: Path) -> None:
    mine.rename("neighbouring.py")
    assert made("neighbouring:Mine").word == "hello"


def test_a_function_can_make_an_agent(mine: Path) -> None:
    assert made("mine.py:made", depth="2").depth == 2.0


def test_options_are_read_as_they_are_annotated(mine: Path) -> None:
    assert made("mine.py:Mine", depth="3").depth == 3
    assert made("mine.py:Open", depth="3").given == {"depth": "3"}


def test_options_for_all_go_to_those_who_have_them(mine: Path) -> None:
    words = ["leader=mine.py:Mine", "follower=first"]
    agents = make_agents(Pair, seat_all(Pair, words, {"depth": "3", "leader.word": "hi"}))
    assert (agents["leader"].depth, agents["leader"].word) == (3, "hi")
    with pytest.raises(HousematesError, match="dpth: no agent has this option: did you mean 'depth'"):
        make_agents(Pair, seat_all(Pair, words, {"dpth": "3"}))
    with pytest.raises(HousematesError, match="first has no option 'depth': it has none"):
        make_agents(Pair, seat_all(Pair, words, {"follower.depth": "3"}))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("chef", "Unknown agent 'chef' for the leader of pair: did you mean 'chief'? Known are "),
        ("mine.py:Missing", "mine.py:Missing: there is no 'Missing' in mine.py: expected one of WORD, Mine"),
        ("mine.py:Mines", "did you mean 'Mine'?"),
        (
            "mine.py:NoAgent",
            "mine.py:NoAgent is no agent: expected a class with reset(brief) and act(",
        ),
        ("mine.py:number", "mine.py:number is no agent: expected a class with"),
        ("mine.py:unmade", "mine.py:unmade is no agent: expected reset(brief) and act(percept)."),
        ("mine.py:", "mine.py:: expected module:Class or file.py:Class."),
        (":Mine", ":Mine: expected module:Class or file.py:Class."),
        ("mine.py:Unmade", "mine.py:Unmade: cannot be made (OSError: no model here)."),
        ("mine.py:Leaving", "mine.py:Leaving: cannot be made (SystemExit: 4)."),
        ("gone.py:Mine", "gone.py: no such file."),
        ("broken.py:Mine", "broken.py:Mine: cannot be imported (SyntaxError: "),
        ("leaving.py:Mine", "leaving.py:Mine: cannot be imported (SystemExit: 4)."),
        ("no.such.module:Mine", "no.such.module:Mine: cannot be imported (ModuleNotFoundError: "),
        ("housemates.agents.basic:filled", "cannot be made (TypeError: "),
    ],
)
def test_an_agent_that_cannot_be_had_is_one_sentence(mine, name, said) -> None:
    with pytest.raises(HousematesError) as refused:
        made(name)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_option_of_the_wrong_kind_is_refused(mine: Path) -> None:
    with pytest.raises(HousematesError, match="Mine: depth: expected a whole number, found 'deep'"):
        made("mine.py:Mine", depth="deep")


@pytest.mark.parametrize("name", ["C:\\agents\\x", "C:/agents/x", "no module:Agent", "os:two words"])
def test_a_path_with_a_drive_is_no_module(name: str) -> None:
    """Attack, low: `C:\\x` was told as a ModuleNotFoundError of a module named C."""
    with pytest.raises(HousematesError, match=r"module:Class(, file.py:Class, http| or file.py:Class)"):
        make_agent(Pair, "leader", Seating(name))
    assert is_foreign(name) is not name.startswith("C:")
