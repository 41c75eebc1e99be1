"""Every sample of the documents is run, or `samples.toml` says why it is not.

Python is run here. Commands take minutes in all: `make test-docs` runs them, in the order of each document.
"""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from housemates.cli.main import main
from housemates.files import read_text_lines, write_text_lines
from housemates.parallel import crew

ROOT = Path(__file__).parents[1]
TABLE = tomllib.loads((ROOT / "tests" / "samples.toml").read_text(encoding="utf-8"))
NOT_RUN: dict[str, str] = TABLE["not_run"]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("README.md")])
BLOCK = re.compile(r'^```(\w*)(?: title="([\w./]+)")?\n(.*?)^```', re.DOTALL | re.MULTILINE)
PROGRAMS = ("housemates ", "inspect ", "make ", "pip ", "git ", "node ", "torchrun ", "tensorboard ")
GAMES = 2


def blocks(document: Path, *languages: str) -> list[str]:
    found = BLOCK.findall(document.read_text(encoding="utf-8"))
    return [text for language, _, text in found if language in languages]


def commands(document: Path) -> list[str]:
    """The commands of a document, each on one line; blocks without a language may hold other things."""
    found = []
    for language in ("sh", ""):
        for block in blocks(document, language):
            for line in re.sub(r"\\\n\s*", " ", block).splitlines():
                words = re.split(r"\s+# ", line)[0].strip()
                if words and (language == "sh" or words.startswith(PROGRAMS)):
                    found.append(words)
    return found


def excuse(command: str) -> str | None:
    """Why a command is not run."""
    return next((why for start, why in NOT_RUN.items() if command.startswith(start)), None)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


ALL = [each for each in DOCUMENTS if commands(each) and named(each) not in TABLE["documents_not_run"]]


def test_what_is_not_run_is_named_with_a_reason_that_holds() -> None:
    said = [command for document in ALL for command in commands(document)]
    for start in NOT_RUN:
        assert any(each.startswith(start) for each in said), f"samples.toml: {start!r} is in no document"
    for why in (*NOT_RUN.values(), *TABLE["documents_not_run"].values(), *TABLE["python_not_run"].values()):
        for path in re.findall(r"[\w/]+\.(?:py|md)", why):
            assert (ROOT / path).exists(), path
    foreign = [each for each in said if excuse(each) is None and not each.startswith("housemates ")]
    assert foreign == [], "only commands of this package are run; say in samples.toml why these are not"
    assert sum(excuse(command) is None for command in said) > len(said) / 3


@pytest.mark.parametrize(
    "document",
    [each for each in DOCUMENTS if each.name == "README.md" or each.parent.name == "docs"],
    ids=named,
)
def test_python_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = blocks(document, "python")
    if not samples or named(document) in TABLE["python_not_run"]:
        pytest.skip(TABLE["python_not_run"].get(named(document), "has none"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names: dict[str, Any] = {}
    for sample in samples:
        exec(compile(sample, named(document), "exec"), names)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, real_data: Path) -> dict[str, Path]:
    """A few official episodes, and a store that knows them."""
    folder = tmp_path_factory.mktemp("real")
    found = {"layouts": real_data / "alfred" / "layouts.json.zst", "store": folder / "store"}
    for name, benchmark in (("games", "teach"), ("trajectories", "alfred")):
        lines = read_text_lines(real_data / benchmark / "valid_seen.jsonl.zst")
        found[name] = folder / benchmark / "valid_seen.jsonl.zst"
        write_text_lines(found[name], [text.strip() for _, text in islice(lines, GAMES)])
        main(
            [
                "import",
                benchmark,
                str(found[name]),
                "--layouts",
                str(found["layouts"]),
                "--store",
                str(found["store"]),
            ]
        )
    return found


@pytest.mark.skipif("HOUSEMATES_SAMPLES" not in os.environ, reason="takes minutes: make test-docs")
@pytest.mark.parametrize("document", ALL, ids=named)
def test_commands_run(
    document: Path, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(crew, "workers_available", lambda: 1)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    own = [block for block in blocks(document, "python") if "class " in block]
    (tmp_path / "my_agent.py").write_text(own[-1] if own else "", encoding="utf-8")
    for _, name, text in BLOCK.findall(document.read_text(encoding="utf-8")):
        if name:
            (tmp_path / name).write_text(text, encoding="utf-8")
    # What others read is generated first, also where a document tells of it later.
    for command in sorted(commands(document), key=lambda each: not each.startswith("housemates generate")):
        if excuse(command) is None:
            run(shortened(command, request))


def shortened(command: str, request: pytest.FixtureRequest) -> str:
    """The command for a few episodes, and for data that is there."""
    for pattern, short in TABLE["shorter"].items():
        command = re.sub(pattern, short, command)
    for pattern, place in TABLE["real"].items():
        if re.search(pattern, command):
            command = re.sub(pattern, place.format(**request.getfixturevalue("real")), command)
    if command.startswith(("housemates eval", "housemates generate")) and "--episodes" not in command:
        command += " --episodes 2"
    return command


def run(command: str) -> None:
    try:
        main(shlex.split(command)[1:])
    except SystemExit as stop:
        assert not stop.code, command
