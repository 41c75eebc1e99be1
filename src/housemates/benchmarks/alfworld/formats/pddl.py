"""Reading PDDL: nested lists of lower-case words, and the sections of a problem."""

from __future__ import annotations

import re
from typing import NamedTuple

from housemates.errors import HousematesError

Expression = str | list["Expression"]
"""A word, or a list in parentheses."""
_COMMENT = re.compile(r";[^\n]*")
_WORD = re.compile(r"[()]|[^\s()]+")
_FACT = re.compile(r"\(([^()]*)\)")


class Problem(NamedTuple):
    """A PDDL problem, in lower case."""

    objects: dict[str, str]
    """Name -> type."""
    init: list[list[str]]
    """The facts at the start: a predicate and its arguments."""
    goal: Expression


def uncommented(text: str) -> str:
    """A PDDL text in lower case without its comments."""
    text = text.lower()
    return _COMMENT.sub("", text) if ";" in text else text


def parse(text: str, what: str) -> Expression:
    """The one expression of a text; `what` names it in the error where its parentheses do not match."""
    stack: list[list[Expression]] = [[]]
    for word in _WORD.findall(uncommented(text)):
        if word == "(":
            stack.append([])
        elif word == ")":
            if len(stack) == 1:
                raise HousematesError(f"{what}: expected no more after the last parenthesis, found ')'.")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    if len(stack) != 1 or len(stack[0]) != 1:
        raise HousematesError(f"{what}: expected one expression in matching parentheses.")
    return stack[0][0]


def read_problem(text: str, what: str) -> Problem:
    """The objects, first facts and goal of a problem."""
    text = uncommented(text)
    objects = _section(text, "objects", what)
    init = _section(text, "init", what)
    goal = _section(text, "goal", what)
    facts = [fact.split() for fact in _FACT.findall(init)]
    return Problem(_typed(objects, what), [fact for fact in facts if fact], parse(goal, f"{what}: goal"))


def _section(text: str, name: str, what: str) -> str:
    """What stands between `(:name` and the parenthesis that closes it."""
    found = re.search(rf"\(\s*:{name}(?=[\s()])", text)
    if found is None:
        raise HousematesError(f"{what}: expected a section (:{name} ...) in the problem, found none.")
    depth = 1
    for each in re.finditer(r"[()]", text[found.end() :]):
        depth += 1 if each.group() == "(" else -1
        if not depth:
            return text[found.end() : found.end() + each.start()]
    raise HousematesError(f"{what}: the section (:{name} is not closed.")


def _typed(text: str, what: str) -> dict[str, str]:
    """Names and types of a list such as `a b - object c - location`."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    words = iter(text.split())
    for word in words:
        if word != "-":
            waiting.append(word)
            continue
        kind = next(words, "")
        if not kind or not waiting:
            raise HousematesError(f"{what}: objects: expected names before '-' and a type after it.")
        found.update(dict.fromkeys(waiting, kind))
        waiting = []
    if waiting:
        raise HousematesError(f"{what}: objects: expected a type for {waiting[0]!r}.")
    return found
