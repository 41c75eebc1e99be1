"""The shape of the code base: imports point down, folders look alike, pieces stay short, nothing is dead."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import housemates

SOURCE = Path(housemates.__file__).parent
TESTS = Path(__file__).parent
BENCHMARKS = ("alfred", "alfworld", "cerealbar", "handmethat", "teach")
BUILT_ON = {"alfworld": ("alfred",), "eb_alfred": ("alfred",)}
"""Benchmarks that are other questions about another one's world."""
LAYERS = [
    ["jit", "typed_json", "errors", "files", "file_locks", "folders", "guard", "parallel"],
    ["core"],
    ["home"],
    ["render"],
    ["data", "reporting"],
    ["benchmarks"],
    ["models", "agents"],
    ["envs", "evaluation"],
    ["adapters", "studio", "thor"],
    ["cli"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
HEAVY = {"torch", "fastapi", "ray"}
FOLDER = {
    "README.md",
    "__init__.py",
    "published.toml",
    "benchmark.py",
    "session.py",
    "metrics.py",
    "env.py",
    "world",
    "tasks",
    "formats",
    "generate",
    "commands",
}
"""What a benchmark's folder holds."""
VERBS = {"demo", "export", "generate", "import_", "play", "replay", "stats", "tasks", "verify"}
"""What the files in a benchmark's `commands` are named after."""
MODULE = re.compile(r"housemates(\.[a-z_0-9]+)+")
"""A string that names a module, as `module:name` does; it counts as an import."""
LONGEST_MODULE, LONGEST_FUNCTION = 400, 60


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names |= {name for name in [node.value.partition(":")[0]] if MODULE.fullmatch(name)}
    return names


@pytest.mark.parametrize("path", modules(), ids=named)
def test_imports_point_down(path: Path) -> None:
    own = path.relative_to(SOURCE).with_suffix("").parts[0]
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "housemates" and len(parts) > 1 and parts[1] in LEVEL and own in LEVEL:
            assert LEVEL[parts[1]] <= LEVEL[own], f"{own} must not import {name}"


def test_one_class_holds_a_session_with_agents_and_a_trace() -> None:
    holders, makers = set(), set()
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                kept = {
                    each.attr.lstrip("_")
                    for each in ast.walk(node)
                    if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
                }
                if {"session", "agents", "trace"} <= kept:
                    holders.add(f"{named(path)}: {node.name}")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Trace":
                makers.add(named(path))
    assert holders == {"core/episode.py: Episode"}
    assert makers == {"core/episode.py"}


def test_torch_is_imported_by_models_and_the_one_agent_that_has_no_other_form() -> None:
    users = {named(path) for path in modules() if "torch" in {name.split(".")[0] for name in imported(path)}}
    assert {each for each in users if not each.startswith("models/")} == {"agents/handmethat/drrn.py"}


@pytest.mark.parametrize("benchmark", sorted({*BENCHMARKS, *BUILT_ON}))
def test_no_benchmark_imports_another_that_it_is_not_built_on(benchmark: str) -> None:
    known = {benchmark, *BUILT_ON.get(benchmark, ())}
    others = {f"housemates.benchmarks.{name}" for name in {*BENCHMARKS, *BUILT_ON} if name not in known}
    for path in (SOURCE / "benchmarks" / benchmark).rglob("*.py"):
        crossing = {name for name in imported(path) if ".".join(name.split(".")[:3]) in others}
        assert not crossing, f"{named(path)} imports {sorted(crossing)}"


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_the_benchmark_folders_hold_the_same_entries(benchmark: str) -> None:
    folder = SOURCE / "benchmarks" / benchmark
    assert {each.name for each in folder.iterdir() if each.name != "__pycache__"} == FOLDER


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_commands_are_one_file_a_verb(benchmark: str) -> None:
    files = {each.stem for each in (SOURCE / "benchmarks" / benchmark / "commands").glob("*.py")}
    assert files - {"__init__"} <= VERBS


def test_tests_are_where_what_they_test_is() -> None:
    for folder in (each for each in TESTS.rglob("*") if each.is_dir() and list(each.glob("test_*.py"))):
        path = folder.relative_to(TESTS)
        assert (SOURCE / path).is_dir() or path.as_posix().startswith(("fuzz", "thor/outside")), (
            f"tests/{path} mirrors no folder of the package"
        )


def test_modules_and_functions_are_short() -> None:
    long = []
    for path in modules():
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > LONGEST_MODULE:
            long.append(f"{named(path)}: {text.count(chr(10))} lines")
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
                lines = node.end_lineno - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    long.append(f"{named(path)}: {node.name}: {lines} lines")
    assert long == []


def test_every_public_thing_says_what_it_is() -> None:
    silent = []
    for path in modules():
        tree = parsed(path)
        if not ast.get_docstring(tree):
            silent.append(named(path))
        for node in ast.walk(tree):
            public = isinstance(node, ast.ClassDef) or (
                isinstance(node, ast.FunctionDef) and node in tree.body
            )
            if public and not node.name.startswith("_") and not ast.get_docstring(node):
                silent.append(f"{named(path)}: {node.name}")
    assert silent == []


def terse(path: Path) -> list[str]:
    """The public things of a module, methods among them, whose docstrings have three words or fewer."""
    found = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = "" if isinstance(node, ast.Module) else node.name
            if not name.startswith("_") and 0 < len((ast.get_docstring(node) or "").split()) <= 3:
                found.append(f"{named(path)}: {name}")
    return found


def test_no_public_docstring_is_three_words_or_fewer() -> None:
    assert [each for path in modules() for each in terse(path)] == []


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from housemates.cli.main import main; main(['--help']); sys.exit(' '.join(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "usage: housemates" in run.stdout
    assert not (HEAVY | {"numpy", "numba", "tyro", "rich"}) & set(run.stderr.split())


def test_a_wrong_verb_is_one_sentence_and_exit_code_2() -> None:
    run = subprocess.run([sys.executable, "-m", "housemates.cli.main", "fly"], capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stderr.strip().count("\n") == 0
    assert "fly" in run.stderr
