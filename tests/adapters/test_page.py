"""The page about doors is true: its samples run, its commands can be given, its examples are there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import tyro

from housemates.adapters.inspect_ai import TASKS
from housemates.cli.evaluate import Evaluate
from housemates.cli.mcp import Mcp
from housemates.cli.serve import Serve
from housemates.core import registry
from housemates.core.loading import make_agents, seat_all, seat_others
from housemates.core.options import pairs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")


def samples(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def commands(program: str) -> list[list[str]]:
    """The words after the name of a program, wherever a sample runs it."""
    lines = [line.partition("   #")[0] for sample in samples("sh") for line in sample.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith(f"{program} ")]


def test_the_python_of_the_page_runs(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(samples("python")) == 2
    for sample in samples("python"):
        exec(compile(sample, "docs/adapters.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == ["100.0", "-1.0"]


def test_the_commands_of_the_page_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    kinds = {"eval": Evaluate, "mcp": Mcp, "serve": Serve}
    found = commands("housemates")
    assert {words[0] for words in found} == set(kinds)
    for verb, *words in found:
        given = tyro.cli(kinds[verb], args=words, config=(tyro.conf.OmitArgPrefixes,))
        benchmark = registry.benchmark(given.benchmark, **pairs(given.option, "--option"))
        options = pairs(given.agent_option, "--agent-option")
        if verb != "eval":
            make_agents(type(benchmark), seat_others(type(benchmark), given.role, given.agents, options)[1])
            continue
        seats = seat_all(type(benchmark), given.agents, options)
        if not any("http" in each.name or "offline" in each.shared for each in seats.values()):
            for agent in make_agents(type(benchmark), seats).values():
                agent.close()


def test_the_tasks_of_the_page_are_there() -> None:
    named = {words[1].partition("/")[2] for words in commands("inspect")}
    listed = re.search(r"is a task: (.*?) and so on\.", PAGE)
    assert listed is not None
    known = {name.replace("-", "_") for name in TASKS}
    assert named | set(re.findall(r"`(\w+)`", listed[1])) <= known


@pytest.mark.parametrize("name", re.findall(r"`(examples/adapters/\w+\.py)`", PAGE))
def test_the_examples_of_the_page_are_there(name) -> None:
    compile((ROOT / name).read_text(encoding="utf-8"), name, "exec")


def test_the_example_for_trl_plays(tmp_path) -> None:
    example = ROOT / "examples" / "adapters" / "trl_environment.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "reward: -1.0" in done.stdout
