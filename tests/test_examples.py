"""The examples do what their first lines say, and the page about agents is true."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from housemates.cli.evaluate import Evaluate
from housemates.core import registry
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
from housemates.core.options import pairs
from housemates.core.percepts import Limits

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGE = (ROOT / "docs" / "your-agent.md").read_text(encoding="utf-8")
LINES = 22
"""Lines of code that an example has at most."""


def command_of(path: Path) -> str:
    """The command in the docstring of an example."""
    found = re.search(r"^housemates (eval .*)$", ast.get_docstring(ast.parse(path.read_text())) or "", re.M)
    assert found is not None
    return found[1]


def parsed(command: str) -> Evaluate:
    import tyro

    return tyro.cli(Evaluate, args=shlex.split(command)[1:], config=(tyro.conf.OmitArgPrefixes,))


def played(command: str, episodes: int = 2) -> list[float]:
    """Whether each episode of a command was a success, with agents of this process and little patience."""
    given = parsed(command)
    benchmark = registry.benchmark(given.benchmark, **pairs(given.option, "--option"))
    options = pairs(given.agent_option, "--agent-option")
    agents = make_agents(type(benchmark), seat_all(type(benchmark), given.agents, options))
    references = benchmark.references(given.split, given.seed)
    found = []
    for _ in range(episodes):
        instance = benchmark.open(next(references))[0]
        session = benchmark.session(instance)
        session.limits = Limits(150, 60)
        trace = play(session, agents, instance)
        assert trace.error == "", trace.traceback
        assert trace.steps
        found.append(benchmark.score(instance, session, trace)["success"])
    return found


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs_as_its_first_lines_say(path: Path, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    assert f"examples/{path.name}:" in command_of(path)
    played(command_of(path))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_short_and_needs_no_more_than_the_seat(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert isinstance(tree.body.pop(), ast.If), "at the end it says how it is run by itself"
    code = ast.unparse(_without_docstrings(tree)).splitlines()
    assert len([line for line in code if line.strip()]) <= LINES
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"housemates.core.agent", "housemates.core.actions", "housemates.core.percepts"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs_by_itself(path: Path) -> None:
    done = ran(path, *(["--episodes", "1", "--seed", "7"] if path.name == "asker.py" else []))
    assert done.returncode == 0, done.stderr
    assert "0 errors" in done.stdout
    assert (", seed 7, " if path.name == "asker.py" else ", 3 episodes") in " ".join(done.stdout.split())


@pytest.mark.parametrize("words", [[], ["handmethat"]])
def test_the_mcp_client_plays_any_benchmark(words: list[str]) -> None:
    """Walk 8: all acts of the home were refused, and without an argument it ended in an IndexError."""
    pytest.importorskip("mcp")
    done = ran(ROOT / "examples" / "adapters" / "mcp_client.py", *words)
    assert done.returncode == 0, done.stderr
    acts = [line for line in done.stdout.splitlines() if line.startswith("> ")]
    assert len(acts) >= 2 and all("'success': True" in line for line in acts)


def test_the_class_for_trl_shows_itself() -> None:
    done = ran(ROOT / "examples" / "adapters" / "trl_environment.py")
    assert (done.returncode, "reward:" in done.stdout) == (0, True), done.stderr


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
@pytest.mark.parametrize("words", [[], ["0"]])
def test_the_follower_in_javascript_listens(words: list[str]) -> None:
    command = ["node", str(ROOT / "examples" / "follower.js"), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert "listening on http://127.0.0.1:" in server.stdout.readline()
        finally:
            server.kill()


def ran(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What comes of an example that is run as a program."""
    command = [sys.executable, str(path), *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=100)


def _without_docstrings(tree: ast.AST) -> ast.AST:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def test_every_benchmark_has_an_example() -> None:
    named = {parsed(command_of(path)).benchmark for path in EXAMPLES}
    assert {"alfred", "cerealbar", "handmethat", "teach-tatc"} <= named


@pytest.mark.parametrize("name", ["alfred", "handmethat", "teach-edh", "teach-tfd", "cerealbar-recorded"])
def test_the_first_example_sits_in_every_seat_that_is_alone(name: str, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    played(f"eval {name} --agents examples/first.py:First", episodes=1)


def test_the_one_who_asks_is_told_what_is_meant(monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    assert sum(played(command_of(ROOT / "examples" / "asker.py"), episodes=8)) >= 2


def samples(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_python_of_the_page_runs(monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    assert samples("python")
    names: dict[str, object] = {}
    for sample in samples("python"):
        exec(compile(sample, "docs/your-agent.md", "exec"), names)
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_the_commands_of_the_page_can_be_given(monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    commands = [line for sample in samples("sh") for line in sample.splitlines() if " eval " in line]
    assert len(commands) >= 5
    for command in commands:
        given = parsed(command.partition("#")[0].removeprefix("housemates ").strip())
        benchmark = registry.benchmark_class(given.benchmark)
        seats = seat_all(benchmark, given.agents, pairs(given.agent_option, "--agent-option"))
        if not any("my_agent" in each.name or "package." in each.name for each in seats.values()):
            make_agents(benchmark, seats)


def test_what_the_page_shows_of_a_results_folder_is_what_it_holds() -> None:
    for sample in samples("json"):
        json.loads(sample)


def test_the_files_that_the_page_names_are_there() -> None:
    for name in re.findall(r"`((?:examples|tests|src|docs)/[\w./-]+)`", PAGE):
        assert (ROOT / name).exists(), name
