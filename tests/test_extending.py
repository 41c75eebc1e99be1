"""What `docs/extending.md` adds to the package works, in the places that it names and no others.

Its blocks are applied to a copy of the package, which processes of their own then use.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
TITLED = re.compile(r'^```\w+ title="([\w./]+)"\n(.*?)^```', re.DOTALL | re.MULTILINE)
PROGRAM = ROOT / "tests" / "fixtures" / "extended.py"
MAIN = "import sys; from housemates.cli.main import main; main(sys.argv[1:])"


def apply(root: Path, name: str, text: str) -> None:
    """Put a block into the file of its title: a new one, at the end of one, or before its last bracket."""
    place = root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    before = place.read_text(encoding="utf-8").rstrip() if place.exists() else ""
    place.unlink(missing_ok=True)
    if before.endswith("\n]"):
        listed = before[:-1].rstrip().removesuffix(",")
        place.write_text(f"{listed},\n{text}]\n", encoding="utf-8")
    else:
        gap = "\n\n\n" if before else ""
        place.write_text(f"{before}{gap}{text}", encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, and of what tests of the home need, with all blocks of the page."""
    root = tmp_path_factory.mktemp("copy")
    for part in ("src/housemates", "tests/home"):
        shutil.copytree(ROOT / part, root / part, copy_function=os.symlink, ignore=lambda *_: ["__pycache__"])
        for compiled in (ROOT / part).rglob("__pycache__"):
            (root / compiled.relative_to(ROOT)).symlink_to(compiled)
    for name, text in TITLED.findall(PAGE):
        apply(root, name, text)
    return root


def python(copy: Path, *words: str) -> str:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    known = {**kept, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        env=known,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def facts(copy: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(python(copy, str(PROGRAM)).splitlines()[-1])
    return found


def test_an_action_takes_at_most_four_places() -> None:
    wipe = PAGE[PAGE.index("## An action") : PAGE.index("## A type")]
    assert len(TITLED.findall(wipe)) == 4


def test_a_new_action_is_in_every_menu_with_its_words_and_its_key(facts) -> None:
    assert facts["home"][-1] == "Wipe" and facts["numbers"] == len(facts["home"])
    assert facts["teach"].index("Wipe") == facts["teach"].index("Pour") + 1
    assert facts["help"].startswith("Wipe a thing") and facts["ways"] == ["object", "point"]
    assert (facts["official id"], facts["key"]) == (213, "9")


def test_a_new_action_is_offered_where_it_makes_sense_and_works(facts) -> None:
    empty_handed, with_cloth, wiped = facts["offered"]
    assert empty_handed == [] and with_cloth == [facts["mirror"]] and wiped == []
    assert facts["success"] and not facts["dirty"]


def test_the_test_of_the_new_action_passes(copy) -> None:
    tests = ("tests/home/test_interactions.py", "-k", "wiped")
    assert "1 passed" in python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


def test_a_new_type_is_known_and_has_the_last_number(facts) -> None:
    number, count = facts["number"]
    assert facts["type"] and number == count


def test_the_commands_of_the_page_play_the_new_benchmark_with_the_new_agent(facts, copy) -> None:
    assert "bisect" in facts["agents"]
    commands = re.search(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert commands is not None
    told = [
        json.loads(python(copy, "-c", MAIN, *command.split()[2:], "--json", "--workers", "1"))["metrics"]
        for command in commands[1].splitlines()
    ]
    assert told[0]["success"] == 100.0 and told[0]["guesses"] <= 4
    assert told[1]["success"] < 100.0
