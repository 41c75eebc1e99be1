"""What the documents promise holds: links, files, commands, flags, options and samples."""

from __future__ import annotations

import importlib.util
import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from housemates.cli import benchmark as common
from housemates.cli import leaderboard, scenes, thor
from housemates.cli.benchmarks import Benchmarks
from housemates.cli.evaluate import Evaluate
from housemates.cli.main import VERBS
from housemates.cli.play import Play
from housemates.core import registry
from housemates.core.options import pairs

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "housemates"
README = ROOT / "README.md"
FOLDERS = (ROOT, ROOT / "docs", ROOT / "perf", *(SOURCE / "benchmarks" / name for name in registry.specs()))
DOCUMENTS = [path for folder in FOLDERS for path in sorted(folder.glob("*.md"))]
OWN = [path for path in DOCUMENTS if path.parent.parent == SOURCE / "benchmarks"]
"""Those that tell of one benchmark and its agents alone."""
COMMAND = re.compile(r"(?:^|[`(]|&& )housemates ([a-z][a-z-]+(?: [^`\n]*)?)", re.MULTILINE)
FILE = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|toml|json|pddl|css|txt))`")
MADE = {
    "run.json",
    "referee.json",
    "card.toml",
    "cold_mug.json",
    "plan.toml",
    "traj_data.json",
    "report.json",
    "my_agent.py",
    "HandMeThat_data_info.json",
}
"""Files that commands write or read, or that are the reader's own."""


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def files() -> list[str]:
    """All files of the project, each as a path that begins with a slash."""
    places = [ROOT / name for name in ("src", "tests", "perf", "docs", "examples")]
    return [f"/{named(path)}" for place in places for path in place.rglob("*.*")]


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def commands(document: Path) -> Iterator[list[str]]:
    """The words of every command that a document names; what is in brackets may be left out."""
    text = re.sub(r"\\\n\s*", " ", text_of(document))
    text = re.sub(r"(?<=[^\n`])\n(?=[^\n`|#-]*`)", " ", text)
    for found in COMMAND.findall(text):
        words = found.partition(" #")[0].replace("\\|", "|").replace("[", " ").replace("]", " ")
        yield shlex.split(words, posix=False)


@cache
def command_class(verb: str, noun: str) -> Any:
    """The dataclass whose fields are the flags of a command; None if it has none of its own."""
    own = {"eval": Evaluate, "play": Play, "benchmarks": Benchmarks}
    nouns = {"scenes": scenes.COMMANDS, "thor": thor.COMMANDS, "leaderboard": leaderboard.COMMANDS}
    if verb in own:
        return own[verb]
    if verb in nouns:
        return nouns[verb][noun]
    if VERBS[verb].module != "benchmark":
        return None
    if noun in common.COMMON.get(verb, {}):
        return common._common(common.COMMON[verb][noun])
    spec, where = {noun: (spec, where) for noun, spec, where in registry.commands(verb)}[noun]
    return spec.load(where)


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text_of(document)):
        assert target.startswith("http") or (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_files_that_are_named_are_there(document: Path) -> None:
    agents = f"/src/housemates/agents/{document.parent.name}/"
    within = (f"/{named(document.parent)}/", agents) if document in OWN else ("/",)
    for name in FILE.findall(text_of(document)):
        own = any(path.startswith(within) and path.endswith(f"/{name}") for path in files())
        whole = "/" in name and any(path.endswith(f"/{name}") for path in files())
        assert own or whole or (ROOT / name).exists() or name in MADE, name


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_commands_and_their_flags_are_there(document: Path) -> None:
    for words in commands(document):
        verb, noun = words[0], words[1] if len(words) > 1 else ""
        assert verb in VERBS, words
        kind = command_class(verb, noun)
        if kind is None or not noun or noun.startswith(("-", "<")) or noun.isupper():
            continue
        known = {f"--{each.name.replace('_', '-')}" for each in fields(kind)}
        known |= {each.replace("--", "--no-") for each in known} | {"--help"}
        for word in words:
            flag = re.match(r"--[a-z][a-z-]*", word)
            assert flag is None or flag[0] in known, f"{' '.join(words)}: {flag[0]}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_options_that_benchmarks_are_given_are_theirs(document: Path) -> None:
    for words in commands(document):
        if words[0] not in ("eval", "play") or len(words) < 2 or not words[1].islower():
            continue
        benchmark = registry.benchmark_class(registry.played(words[1]))
        known = {each.name for each in fields(benchmark.Options)}
        for index, word in enumerate(words):
            if word == "--option":
                given = [each for each in words[index + 1 :] if re.fullmatch(r"[a-z_]+=\S*", each)]
                assert set(pairs(given, "--option")) <= known, words


def pages_of_the_site() -> dict[str, Path]:
    """Where a page is on the site -> the document that it shows."""
    own = {path.name: path for path in (ROOT / "docs").glob("*.md")}
    return own | {place: ROOT / document for place, document in site().ORIGIN.items()}


@cache
def site(name: str = "site") -> Any:
    """A module of the documents, the one that builds the site."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_site_has_every_document_in_its_contents() -> None:
    listed = re.findall(r"^ +- .*: (\S+\.md)$", text_of(ROOT / "mkdocs.yml"), re.MULTILINE)
    assert sorted(listed) == sorted(pages_of_the_site())


def test_links_of_the_site_lead_to_its_pages() -> None:
    pages = pages_of_the_site()
    for place, document in pages.items():
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", site().linked(text_of(document), place)):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
            assert path in pages or (ROOT / "docs" / path).is_file(), f"{place}: {target}"


def test_the_loop_of_the_readme_runs() -> None:
    code = re.search(r"```python\n(.*?)```", text_of(README), re.DOTALL)
    assert code is not None
    assert len([line for line in code[1].splitlines() if line.strip()]) <= 6
    names: dict[str, Any] = {}
    exec(code[1], names)
    assert names["observation"]["rgb"].shape == (300, 300, 3)


def test_the_readme_names_every_benchmark() -> None:
    assert all(
        f"src/housemates/benchmarks/{name}" in text_of(README) for name in registry.specs() if name != "home"
    )


@pytest.mark.parametrize("folder", registry.specs())
def test_the_readme_of_a_benchmark_names_its_agents(folder: str) -> None:
    text = text_of(SOURCE / "benchmarks" / folder / "README.md")
    classes = [registry.benchmark_class(name) for name in registry.specs()[folder].benchmarks]
    names = {
        name for each in classes for role in each.roles for name in registry.agents_of(each.name, role)
    } - {"first", "random"}
    assert [name for name in sorted(names) if f"`{name}`" not in text] == []


def test_the_page_about_environments_is_what_the_code_says() -> None:
    written = text_of(ROOT / "docs" / "environments.md")
    assert written == site("environments").page(), "run python docs/environments.py"
