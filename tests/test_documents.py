"""What the documents promise holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from housemates.benchmarks import registry
from housemates.cli.main import VERBS

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]


def test_the_loop_of_the_readme_runs() -> None:
    code = re.search(r"```python\n(.*?)```", DOCUMENTS[0].read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    assert len([line for line in code[1].splitlines() if line.strip()]) <= 6
    names: dict[str, object] = {}
    exec(code[1], names)
    assert names["observation"]["rgb"].shape == (300, 300, 3)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target


def test_the_commands_of_the_readme_exist() -> None:
    used = re.findall(r"^housemates (\w+)", DOCUMENTS[0].read_text(encoding="utf-8"), re.MULTILINE)
    assert used
    assert set(used) <= set(VERBS)


def test_the_readme_names_every_benchmark() -> None:
    text = DOCUMENTS[0].read_text(encoding="utf-8")
    assert all(f"src/housemates/benchmarks/{name}" in text for name in registry.specs() if name != "home")
