"""Anybody's own agents: however badly they behave, the runner goes on or says why not in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
AGENTS = '''
import ctypes, os, signal, sys, threading, time

class Plain:
    """Derives from nothing."""
    def reset(self, brief): self.seed = brief.seed
    def act(self, percept): return "Take 1"

class Chatty(Plain):
    """Prints while it works, and says when it is closed."""
    def __init__(self, loud: bool = False, number: int = 1): self.loud, self.number = loud, number
    def act(self, percept):
        print("thinking")
        return {"name": "Take", "number": self.number}
    def close(self): print("closed", self.loud)

class Nonsense(Plain):
    def act(self, percept): return [None, {1: 2}][percept.turn % 2]

class Deadly(Plain):
    """Dies of the number 2 in its first turn, in whatever way `how` says."""
    how = staticmethod(lambda: os._exit(0))
    def act(self, percept):
        if percept.turn == 0 and percept.data == 2:
            self.how()
        return super().act(percept)

class Exiting(Deadly):
    how = staticmethod(lambda: sys.exit(3))

class Killed(Deadly):
    how = staticmethod(lambda: os.kill(os.getpid(), signal.SIGKILL))

class Crashing(Deadly):
    how = staticmethod(lambda: ctypes.string_at(0))

class Interrupting(Deadly):
    @staticmethod
    def how(): raise KeyboardInterrupt

class Sleepy(Deadly):
    how = staticmethod(lambda: time.sleep(60))

class Endless(Deadly):
    @staticmethod
    def how():
        while True: pass

class Stubborn(Deadly):
    """Does not give in."""
    @staticmethod
    def how():
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try: time.sleep(60)
            except BaseException: pass

class Holding(Deadly):
    """Lets nothing else of its process run."""
    how = staticmethod(lambda: sum(range(10**12)))

class Hungry(Plain):
    """Eats more and more of the number 2, and keeps what it ate."""
    eaten = []
    def act(self, percept):
        while percept.turn == 0 and percept.data == 2:
            self.eaten.append(bytearray(2**24))
        return super().act(percept)

class Resetting(Plain):
    def reset(self, brief): raise ValueError("not today")

class Garbled(Plain):
    def act(self, percept): raise RuntimeError("half a character: \\ud800\\n" + "x" * 10_000)

class Suicidal(Plain):
    def __init__(self): os._exit(5)

class NoAgent:
    pass
'''


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    """A file of agents."""
    path = tmp_path / "mine.py"
    path.write_text(AGENTS, encoding="utf-8")
    return path


def episodes(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "episodes.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", ["mine.py:Plain", "mine:Plain"])
def test_a_file_and_a_module_beside_one_can_be_named(program, agents, name) -> None:
    words = ["--agents", f"counter={name}", "--episodes", "3", "--workers", "1", "--json"]
    done = program("eval", "counting", *words)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["success"], report["agents"]) == (100.0, {"counter": name})


def test_options_reach_the_agent_and_what_it_prints_is_not_in_the_way(program, agents, tmp_path) -> None:
    words = ["eval", "counting", "--agents", "mine.py:Chatty", "--episodes", "2", "--workers", "2", "--json"]
    done = program(*words, "--agent-option", "loud=yes", "counter.number=1", "--out", "run")
    assert json.loads(done.stdout)["agent_options"] == {"counter": {"loud": "yes", "number": "1"}}
    assert "thinking" in done.stderr
    assert "closed True" in done.stderr
    header = json.loads((tmp_path / "run" / "run.json").read_text())
    assert len(header["agents"]["counter"]["sha256"]) == 64
    agents.write_text(AGENTS + "\n")
    changed = program(*words, "--agent-option", "loud=yes", "counter.number=1", "--out", "run")
    assert changed.returncode == 2
    assert "holds the results of another run (agents: counter: sha256 was" in changed.stderr


@pytest.mark.parametrize(
    ("agent", "workers", "error"),
    [
        ("Deadly", 1, "The process ended with exit code 0 in the middle of the episode."),
        ("Killed", 2, "The process was ended by SIGKILL (is there enough memory?) in the middle of the ep"),
        ("Crashing", 2, "The process was ended by SIGSEGV in the middle of the episode."),
        ("Hungry", 1, "The process used up its memory in the middle of the episode."),
        ("Exiting", 1, "counter (Exiting) raised in act: SystemExit: 3"),
        ("Interrupting", 1, "counter (Interrupting) raised in act: KeyboardInterrupt"),
    ],
)
def test_an_agent_that_dies_costs_its_episode_only(program, agents, tmp_path, agent, workers, error) -> None:
    words = ["--agents", f"mine.py:{agent}", "--option", "times=2", "--episodes", "8", "--workers", workers]
    done = program("eval", "counting", *words, "--memory", "800", "--json", "--out", "run")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["episodes"], report["errors"], report["success"]) == (8, 2, 75.0)
    ((message, count),) = report["messages"].items()
    assert message.startswith(error)
    even = report["tables"]["by task"]["even"]
    assert (even["episodes"], even["success"]) == (4, 50.0)
    assert even["interval"] == pytest.approx((15.0, 85.0), abs=0.01)
    assert f"2 of 8 episodes ended in an error:\n  {count} x {message}\n" in done.stderr
    found = episodes(tmp_path / "run")
    assert [each["id"] for each in found if each["error"]] == ["count-2", "count-2-1"]
    if agent == "Crashing":
        assert "string_at" in found[4]["traceback"]


@pytest.mark.parametrize(
    ("agent", "error"),
    [
        ("Sleepy", "counter (Sleepy) took more than 0.5 s to act."),
        ("Stubborn", "An agent took more than 0.5 s and did not give in; its process was ended."),
        ("Holding", "An agent took more than 0.5 s and did not give in; its process was ended."),
    ],
)
def test_an_agent_that_hangs_costs_its_episode_only(program, agents, tmp_path, agent, error) -> None:
    words = ["--agents", f"mine.py:{agent}", "--episodes", "4", "--workers", "1", "--act-timeout", "0.5"]
    done = program("eval", "counting", *words, "--json", "--out", "run")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["errors"], report["messages"]) == (1, {error: 1})


@pytest.mark.parametrize(
    ("agent", "error"),
    [
        ("Deadly", "The process ended with exit code 0 in the middle of the episode."),
        ("Holding", "An agent took more than 0.5 s and did not give in; its process was ended."),
        ("Endless", "counter (Endless) took more than 0.5 s to act."),
    ],
)
def test_among_threads_too_an_agent_costs_its_episode_only(program, agents, tmp_path, agent, error) -> None:
    words = ["--agents", f"mine.py:{agent}", "--episodes", "6", "--act-timeout", "0.5", "--json"]
    done = program("eval", "counting", *words, "--executor", "threads", "--workers", "3", "--out", "run")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["episodes"], report["messages"]) == (6, {error: 1})


def test_threads_cannot_have_memory_of_their_own(program, agents) -> None:
    words = ["--agents", "mine.py:Plain", "--executor", "threads", "--memory", "500"]
    done = program("eval", "counting", *words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("--memory: threads share theirs")


@pytest.mark.parametrize(
    ("agent", "error"),
    [
        ("Resetting", "counter (Resetting) raised in reset: ValueError: not today"),
        ("Garbled", "counter (Garbled) raised in act: RuntimeError: half a character: ? xxx"),
    ],
)
def test_an_agent_that_raises_is_recorded(program, agents, tmp_path, agent, error) -> None:
    words = ["--agents", f"mine.py:{agent}", "--episodes", "2", "--workers", "1", "--out", "run"]
    done = program("eval", "counting", *words)
    first, last = episodes(tmp_path / "run")
    assert done.returncode == (1 if first["error"] else 0), done.stderr
    assert last["error"].startswith(error)
    assert len(last["error"]) < 700
    assert "mine.py" in last["traceback"]


def test_nonsense_is_a_failed_act(program, agents, tmp_path) -> None:
    words = ["--agents", "mine.py:Nonsense", "--episodes", "2", "--workers", "1", "--out", "run"]
    done = program("eval", "counting", *words)
    assert done.returncode == 0, done.stderr
    last = episodes(tmp_path / "run")[1]
    assert (last["ended"], last["failures"], last["error"]) == ("failures", 5, "")
    assert program("replay", "run", "run", "--workers", "1", "--json").returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mine.py:NoAgent"], "mine.py:NoAgent is no agent: expected a class with reset(brief) and act(perc"),
        (["mine.py:Suicidal"], "mine.py:Suicidal: the process ended with exit code 5 while its agents were"),
        (["leaving.py:Plain"], "leaving.py:Plain: cannot be imported (SystemExit: 4)."),
        (["mine.py:Chatty", "--agent-option", "lout=yes"], "no agent has this option: did you mean 'loud'?"),
    ],
)
def test_an_agent_that_cannot_be_had_is_one_sentence(program, agents, tmp_path, words, said) -> None:
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(4)\n")
    done = program("eval", "counting", "--agents", *words, "--out", "run", "--workers", "2")
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not (tmp_path / "run").exists()
