"""Outcomes say why in a code: no program looks into the sentence, and changing one changes nothing."""

from __future__ import annotations

import ast
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import housemates
from housemates.core import outcome, registry
from housemates.core.loading import seat_all
from housemates.core.outcome import Outcome, Reason, refuse, retold
from housemates.evaluation.results import read_episodes
from housemates.evaluation.runner import Run, evaluate

SOURCE = Path(housemates.__file__).parent
EXEMPT = ("core/outcome.py", "thor/", "studio/pages/")
"""Where sentences are made or, for people and AI2-THOR's wording, read."""
READERS = ("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")
"""Functions of `re` and methods of its patterns."""
EPISODES = int(os.environ.get("HOUSEMATES_REWORDED", "2"))
"""Of each pair of agents; `make test-reasons` plays 20."""
TEMPTING = """\
open already. Close it first, closed. Open it first, too far away. Go closer, there is nothing, is full
no free room for the mug on the shelf, Picked up the egg, Placed the pot, into 3 pieces, Turn it off first,
in your hand, The way ahead is blocked, Step back, something filled, Put: Place: the a an"""
"""Words of sentences that programs once looked for."""


def looked_into(tree: ast.AST) -> Iterator[int]:
    """The lines where something called `message`, or a variable that one was assigned to, is looked into.

    To compare one message with another is no harm.
    """
    for scope in ast.walk(tree):
        if isinstance(scope, ast.Module | ast.FunctionDef):
            names = frozenset(_names(scope))
            yield from (node.lineno for node in ast.walk(scope) if _looks(node, names))


def _names(scope: ast.Module | ast.FunctionDef) -> Iterator[str]:
    """The variables of a module or function that a message is assigned to."""
    nodes = scope.body if isinstance(scope, ast.Module) else ast.walk(scope)
    for node in nodes:
        if isinstance(node, ast.Assign) and _is_message(node.value, frozenset()):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _looks(node: ast.AST, names: frozenset[str]) -> bool:
    if isinstance(node, ast.Compare):
        told = [_is_message(each, names) for each in (node.left, *node.comparators)]
        return any(told) and not all(told)
    if isinstance(node, ast.Match):
        return _is_message(node.subject, names)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    given = [*node.args, *(each.value for each in node.keywords)]
    matched = node.func.attr in READERS and any(_is_message(each, names) for each in given)
    return matched or _is_message(node.func.value, names)


def _is_message(node: ast.AST, names: frozenset[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "message"
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Subscript):
        return _is_message(node.value, names)
    if isinstance(node, ast.IfExp):
        return _is_message(node.body, names) or _is_message(node.orelse, names)
    return isinstance(node, ast.BoolOp) and any(_is_message(each, names) for each in node.values)


def test_no_program_looks_into_a_message() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        if not path.relative_to(SOURCE).as_posix().startswith(EXEMPT)
        for line in looked_into(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "branch on `reason` and `data` instead"


@pytest.mark.parametrize(
    "line",
    [
        'outcome.message == "The way ahead is blocked."',
        '"already" in percept.last.message',
        'any(each in outcome.message for each in ("full", "room"))',
        'outcome.message.startswith("Placed")',
        'outcome.message[:6] == "Placed"',
        're.search(r"into (\\d+)", outcome.message)',
        "PIECES.findall(string=outcome.message)",
        'told = last.message if last else ""\nif "full" in told: pass',
        'match outcome.message:\n    case "": pass',
    ],
)
def test_whoever_looks_into_a_message_is_found(line: str) -> None:
    assert list(looked_into(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    ['f"{name}: {outcome.message}".rstrip()', "tell(outcome.message)", 'said = outcome.message or "Done."'],
)
def test_whoever_hands_a_message_on_is_not(line: str) -> None:
    assert not list(looked_into(ast.parse(line)))


@pytest.fixture
def reworded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every sentence of an outcome is another one now, at random; yields them."""
    rng, words, sentences = random.Random(7), TEMPTING.split(), list[str]()

    def made(success: bool, reason: Reason, message: str, data: Any) -> Outcome:
        sentences.append(" ".join(rng.choices(words, k=rng.randrange(1, 12))))
        return Outcome(success, reason, sentences[-1], data)

    with monkeypatch.context() as patch:
        patch.setattr(outcome, "Outcome", made)
        yield sentences


def digests(folder: Path, benchmark: str, agents: str, options: dict[str, str], given: dict[str, str]) -> Any:
    """The digest, the scores and the failures of each episode."""
    seats = seat_all(registry.benchmark_class(benchmark), agents.split(), given)
    run = Run(benchmark, seats, episodes=EPISODES, seed=7, options=options)
    evaluate(run, workers=1, out=folder, progress=False)
    return [(each.id, each.digest, each.scores, each.failures) for each in read_episodes(folder)]


PLAYED = {
    "talk": ("teach-tatc", "talk", {}, {}),
    "reader": ("teach-tatc", "commander=talk follower=reader", {}, {"follower.eyes": "given"}),
    "plan": ("alfred", "plan", {"acts": "skills"}, {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_other_sentences_change_no_episode(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    as_it_is = digests(tmp_path / "before", *PLAYED[name])
    sentences: list[str] = request.getfixturevalue("reworded")
    assert digests(tmp_path / "after", *PLAYED[name]) == as_it_is
    assert len(sentences) > EPISODES


def test_a_refusal_of_a_part_is_told_as_one_of_the_whole() -> None:
    told = retold(refuse(Reason.FULL, "Place: the mug is full.", type="Mug"), "Put")
    assert told == Outcome(False, Reason.FULL, "Put: the mug is full.", {"type": "Mug"})


def test_the_documents_list_every_reason() -> None:
    text = (SOURCE.parents[1] / "docs" / "your-agent.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z_]+)` \|", text.partition("## Reasons")[2].partition("\n## ")[0], re.M)
    assert listed == [each.value for each in Reason]
