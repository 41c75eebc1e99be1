"""Forms: surveys and quizzes as data, read from a table, JSON or TOML, and what people answer to them.

A form is a list of questions. Every question has a `name`, a `kind` and a `label`:

| kind | answer | its own fields |
| --- | --- | --- |
| `scale` | one of a row of steps | `steps`, `low`, `high`; or `choices` |
| `choice` | one of some choices | `choices` |
| `several` | any number of them | `choices` |
| `text` | words | `longest` |

`needed` says whether it has to be answered: a `text` not, all others unless they say `needed = false`.
`right` names the right answer of a `scale` or `choice`: in a quiz all have to be right, in a survey such a
question is an attention check, and who answers otherwise is counted, not told.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from housemates.errors import nearest
from housemates.studio.pages import SCALE, page_of
from housemates.studio.storage.tables import Project, Refused, keepable

COMMON = ("name", "kind", "label", "needed")
FIELDS: Mapping[str, tuple[str, ...]] = {
    "scale": ("steps", "low", "high", "choices", "right"),
    "choice": ("choices", "right"),
    "several": ("choices",),
    "text": ("longest",),
}
"""The kinds of questions, and the fields that each has of its own."""
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
MOST = 60
"""Questions of a form."""
MOST_CHOICES, MOST_STEPS, LONGEST_LABEL, LONGEST_CHOICE, LONGEST_TEXT = 30, 11, 500, 200, 4000
BETWEEN = "|"
"""Separates choices in one cell of a table."""
Which = Literal["survey", "quiz"]
Answers = dict[str, str | list[str]]


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question, as it is kept."""

    name: str
    """A word: the column of the answers."""
    kind: str
    label: str
    choices: tuple[str, ...] = ()
    right: str = ""
    """The right answer, if there is one."""
    needed: bool = True
    longest: int = 2000
    """Characters of a text."""

    def asked(self) -> dict[str, Any]:
        """The question as people are asked it, without the right answer."""
        return {**msgspec.to_builtins(msgspec.structs.replace(self, right="")), "needed": self.needed}


Form = tuple[Question, ...]


def parse(text: str, where: str) -> Form:
    """A form from JSON, TOML or a table with a line of column names.

    Args:
        text: JSON: a list of questions; TOML: `[[question]]` tables; else comma- or tab-separated values in
            which choices are separated by `|`.
        where: What it is, for the sentence that refuses it.
    """
    start = text.lstrip()
    if start.startswith(("[{", "{")) or re.match(r"\[\s*(\{|\])", start):
        return check(_json(text, where), where)
    if re.search(r"^\s*\[\[|^\s*\w+\s*=", text, re.MULTILINE):
        return check(_toml(text, where), where)
    return check(_table(text, where), where)


def check(questions: Any, where: str) -> Form:
    """Questions as records; the first thing that is wrong is refused by the question and the field."""
    if not isinstance(questions, Sequence) or isinstance(questions, str):
        raise Refused(f"{where}: expected a list of questions.")
    if len(questions) > MOST:
        raise Refused(f"{where}: expected at most {MOST} questions, found {len(questions)}.")
    found = tuple(_question(each, f"{where}: question {n}") for n, each in enumerate(questions, 1))
    names = [each.name for each in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Refused(f"{where}: two questions are named {twice!r}.")
    return found


def check_quiz(questions: Any, where: str) -> Form:
    """The same for a quiz, in which every question has a right answer."""
    found = check(questions, where)
    for number, each in enumerate(found, 1):
        if not each.right:
            raise Refused(f"{where}: question {number} ({each.name}): right: a quiz needs the right answer.")
    return found


def of_project(project: Project, which: Which) -> Form:
    """The survey or the quiz of a project: its own, or that of the benchmark's page."""
    kept = project.plan.get(which)
    return built_in(project.benchmark, which) if kept is None else msgspec.convert(kept, Form)


@cache
def built_in(benchmark: str, which: Which) -> Form:
    """The survey or the quiz that a benchmark's page has."""
    shown = page_of(benchmark)
    return check(shown.survey if which == "survey" else shown.quiz, f"{shown.name}: {which}")


def as_toml(form: Sequence[Question]) -> str:
    """A form as text that `parse` reads again."""
    tables = []
    for each in form:
        lines = [f"{key} = {_literal(value)}" for key, value in msgspec.to_builtins(each).items()]
        tables.append("\n".join(["[[question]]", *lines]))
    return "\n\n".join(tables)


def read(form: Sequence[Question], given: Mapping[str, Any], longest: int) -> Answers:
    """The answers to a form; what was not asked, and what cannot be answered so, is refused."""
    known = {each.name: each for each in form}
    answers: Answers = {}
    for name, value in given.items():
        if name not in known:
            raise Refused(f"{name[:40]!r} was not asked.")
        answers[name] = _answer(known[name], value, longest)
    missing = [each for each in form if each.needed and not answers.get(each.name)]
    if missing:
        raise Refused(f"Please answer: {missing[0].label}")
    return answers


def wrong(form: Sequence[Question], answers: Mapping[str, Any]) -> int:
    """How many questions with a right answer were answered otherwise."""
    return sum(bool(each.right) and answers.get(each.name) != each.right for each in form)


def _answer(question: Question, value: Any, longest: int) -> str | list[str]:
    if question.kind == "several":
        chosen = [value] if isinstance(value, str) else value
        if not isinstance(chosen, list) or any(each not in question.choices for each in chosen):
            raise Refused(f"{question.name}: expected some of {', '.join(question.choices)}.")
        return [each for each in question.choices if each in chosen]
    most = min(longest, question.longest)
    if not isinstance(value, str) or len(value) > most or not keepable(value):
        raise Refused(f"{question.name}: expected a text of at most {most} characters.")
    if question.choices and value not in question.choices:
        raise Refused(f"{question.name}: expected one of {', '.join(question.choices)}.")
    return value


def _question(given: Any, where: str) -> Question:
    if not isinstance(given, Mapping):
        raise Refused(f"{where}: expected a table of fields such as name, kind and label.")
    name = given.get("name", "")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise Refused(
            f"{where}: name: expected a word of at most 40 letters, digits and _, found {_short(name)}."
        )
    where = f"{where} ({name})"
    kind = given.get("kind", "choice")
    if kind not in FIELDS:
        raise Refused(f"{where}: kind: {nearest(str(kind), FIELDS)}.")
    for key in given:
        if key not in (*COMMON, *FIELDS[kind]):
            raise Refused(f"{where}: a {kind} has no {key!r}: {nearest(str(key), (*COMMON, *FIELDS[kind]))}.")
    label = _text(given, "label", where, LONGEST_LABEL)
    if not label:
        raise Refused(f"{where}: label: expected what is asked.")
    choices = _choices(given, kind, where)
    right = _text(given, "right", where, LONGEST_CHOICE)
    if right and right not in choices:
        raise Refused(f"{where}: right: {nearest(right, choices)}.")
    needed = given.get("needed", kind != "text")
    if not isinstance(needed, bool):
        raise Refused(f"{where}: needed: expected true or false, found {_short(needed)}.")
    longest = _number(given, "longest", where, 1, LONGEST_TEXT, 2000)
    return Question(name, kind, label, choices, right, needed, longest)


def _choices(given: Mapping[str, Any], kind: str, where: str) -> tuple[str, ...]:
    """The choices, or the steps of a scale by their number and what its ends mean."""
    if kind == "text":
        return ()
    listed = given.get("choices")
    if listed is None and kind == "scale":
        if not {"steps", "low", "high"} & set(given):
            return SCALE
        steps = _number(given, "steps", where, 2, MOST_STEPS, len(SCALE))
        ends = {1: _text(given, "low", where, 100), steps: _text(given, "high", where, 100)}
        return tuple(f"{n}: {ends[n]}" if ends.get(n) else str(n) for n in range(1, steps + 1))
    if "choices" in given and {"steps", "low", "high"} & set(given):
        raise Refused(f"{where}: choices: a scale has either choices, or steps, low and high.")
    if not isinstance(listed, list | tuple) or not 2 <= len(listed) <= MOST_CHOICES:
        raise Refused(f"{where}: choices: expected a list of 2 to {MOST_CHOICES} texts.")
    texts = tuple(each if isinstance(each, str) else "" for each in listed)
    if any(not each.strip() or len(each) > LONGEST_CHOICE or not keepable(each) for each in texts):
        raise Refused(f"{where}: choices: expected texts of 1 to {LONGEST_CHOICE} characters.")
    if len(set(texts)) < len(texts):
        raise Refused(f"{where}: choices: two of them are the same.")
    return texts


def _text(given: Mapping[str, Any], key: str, where: str, longest: int) -> str:
    value = given.get(key, "")
    if not isinstance(value, str) or len(value) > longest or not keepable(value):
        raise Refused(f"{where}: {key}: expected a text of at most {longest} characters.")
    return value.strip()


def _number(given: Mapping[str, Any], key: str, where: str, low: int, high: int, usual: int) -> int:
    value = given.get(key, usual)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise Refused(f"{where}: {key}: expected a whole number from {low} to {high}, found {_short(value)}.")
    return value


def _json(text: str, where: str) -> Any:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{where}: this is no JSON: {error}.") from None
    return found.get("question", found.get("questions")) if isinstance(found, dict) else found


def _toml(text: str, where: str) -> Any:
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{where}: this is no TOML: {error}.") from None
    if set(found) != {"question"}:
        raise Refused(f"{where}: expected [[question]] tables and nothing else.")
    return found["question"]


CELLS: Mapping[str, Callable[[str], Any]] = {
    "choices": lambda cell: [each.strip() for each in cell.split(BETWEEN)],
    **dict.fromkeys(
        ("steps", "longest"), lambda cell: int(cell) if cell.isdecimal() and len(cell) < 10 else cell
    ),
    "needed": lambda cell: {"yes": True, "true": True, "no": False, "false": False}.get(cell.lower(), cell),
}
"""How cells of a table that are no text are read."""


def _table(text: str, where: str) -> list[dict[str, Any]]:
    """The rows of a table; empty cells say nothing."""
    lines = io.StringIO(text.strip(), newline=None).read()
    between = "\t" if "\t" in lines.partition("\n")[0] else ","
    try:
        rows = list(csv.reader(io.StringIO(lines), delimiter=between))
    except csv.Error as error:
        raise Refused(f"{where}: this is no table: {error}.") from None
    heads = [each.strip() for each in rows[0]] if rows else []
    if "name" not in heads or "label" not in heads:
        raise Refused(
            f"{where}: expected JSON, TOML, or a table whose first line has the columns name, kind, label."
        )
    for number, row in enumerate(rows[1:], 2):
        if len(row) > len(heads):
            raise Refused(f"{where}: line {number}: expected {len(heads)} cells, found {len(row)}.")
    return [
        {
            head: CELLS.get(head, str)(cell.strip())
            for head, cell in zip(heads, row, strict=False)
            if cell.strip()
        }
        for row in rows[1:]
        if any(row)
    ]


def _literal(value: Any) -> str:
    """A value as TOML has it."""
    return json.dumps(value, ensure_ascii=False)


def _short(value: Any) -> str:
    return repr(value)[:60]
