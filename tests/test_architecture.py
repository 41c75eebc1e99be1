"""The shape of the code base: imports point down, help loads nothing heavy, modules stay short."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import housemates

SOURCE = Path(housemates.__file__).parent
LAYERS = [
    ["compiling", "errors", "files", "parallel"],
    ["home"],
    ["render"],
    ["data", "reporting"],
    ["benchmarks"],
    ["agents", "models"],
    ["evaluation"],
    ["studio", "thor", "cli"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
HEAVY = {"torch", "fastapi", "ray"}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path: Path) -> None:
    own = path.relative_to(SOURCE).with_suffix("").parts[0]
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "housemates" and len(parts) > 1 and parts[1] in LEVEL and own in LEVEL:
            assert LEVEL[parts[1]] <= LEVEL[own], f"{own} must not import {name}"


@pytest.mark.parametrize("folder", ["home", "render"])
def test_modules_of_the_home_and_its_eyes_are_short(folder: str) -> None:
    lengths = {
        path.name: len(path.read_text(encoding="utf-8").splitlines())
        for path in (SOURCE / folder).rglob("*.py")
    }
    assert {name: lines for name, lines in lengths.items() if lines > 500} == {}


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
