"""Reading a game's text grammar: rules with conditions, and how each action is worded.

The notation is TextWorld's: `#name#` is another rule, `{o.name}` a value, `[{... | condition}]` a list of
what fulfils a condition, in which every variable has a type.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from housemates.errors import HousematesError


class Atom(NamedTuple):
    """A predicate of a condition with the names of its variables."""

    name: str
    variables: tuple[str, ...]


class Value(NamedTuple):
    """What stands in braces: texts and attributes such as `o.name`, one after the other."""

    parts: tuple[str | tuple[str, str], ...]


class Rule(NamedTuple):
    """The name of another rule."""

    name: str


class Listing(NamedTuple):
    """A list of whatever fulfils a condition."""

    each: Value | Rule
    given: tuple[Atom, ...]


Symbol = str | Value | Rule | Listing


class Alternative(NamedTuple):
    """One way to word a rule; the first whose condition holds is taken."""

    condition: tuple[Atom, ...]
    symbols: tuple[Symbol, ...]


class Worded(NamedTuple):
    """How an action is told: the command, and what is answered."""

    template: str
    feedback: tuple[Symbol, ...]


class Grammar(NamedTuple):
    """All rules of a game by name, and its actions by their names in lower case."""

    rules: dict[str, tuple[Alternative, ...]]
    actions: dict[str, Worded]


_TASK = re.compile(r'"task"\s*:\s*\[\s*\{\s*"rhs"\s*:\s*("(?:[^"\\]|\\.)*")')
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_PART = re.compile(
    r'\s*(?:action\s+(?P<action>[\w/-]+)\s*\{|grammar\s*::\s*"""(?P<grammar>.*?)"""\s*;'
    r'|template\s*::\s*"(?P<template>[^"]*)"\s*;|feedback\s*::\s*"(?P<feedback>[^"]*)"\s*;'
    r'|pddl\s*::\s*"""(?P<pddl>.*?)"""\s*;|(?P<end>\}))',
    re.DOTALL,
)
_SYMBOL = re.compile(r"#(?P<rule>[\w()/!<>\-\s,.]+)#|\[\{(?P<list>[^\[\]{}]*)\}\]|\{(?P<value>[^{}]*)\}"
                     r"|\[(?P<bare>[^\[\]{}|]*)\|(?P<given>[^\[\]{}|]*)\]")  # fmt: skip
_ATOM = re.compile(r"\s*(\w+)\s*\(([^()]*)\)\s*")
_TERM = re.compile(r"\s*(?:'([^']*)'|(\w+)\.(\w+)(?:\s+or\s+\w+\.\w+)?)\s*")


def without_task(text: str) -> tuple[str, str]:
    """The text of a grammar without the words of its task, and those words."""
    found = _TASK.search(text)
    if found is None:
        raise HousematesError('Its grammar has no rule "task" with the words of the task.')
    task: str = json.loads(found.group(1), strict=False)
    return text[: found.start(1)] + '""' + text[found.end(1) :], task


def read_grammar(text: str) -> Grammar:
    """The rules and actions of a grammar."""
    rules: dict[str, tuple[Alternative, ...]] = {}
    actions: dict[str, Worded] = {}
    at, name, told = 0, "", dict[str, str]()
    while text[at:].strip():
        part = _PART.match(text, at)
        if part is None:
            raise HousematesError(f"Its grammar cannot be read at {text[at : at + 40].strip()!r}.")
        at = part.end()
        kind, value = next((key, value) for key, value in part.groupdict().items() if value is not None)
        if kind == "action":
            name, told = value.lower(), {}
        elif kind == "grammar":
            rules.update(_rules(value))
        elif kind == "end":
            actions[name] = Worded(told.get("template", ""), _symbols(told.get("feedback", "")))
        else:
            told[kind] = value
    return Grammar(rules, actions)


def _rules(block: str) -> dict[str, tuple[Alternative, ...]]:
    try:
        data = json.loads(_COMMENT.sub("", block))
        return {name: tuple(map(_alternative, rules)) for name, rules in data.items()}
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise HousematesError(f"The rules of its grammar cannot be read ({error}).") from None


def _alternative(rule: dict[str, str]) -> Alternative:
    return Alternative(_atoms(rule.get("condition", "")), _symbols(rule["rhs"]))


def _symbols(text: str) -> tuple[Symbol, ...]:
    """The symbols of a text, which loses blanks and line breaks at its start."""
    text = text.lstrip().replace("\\n", "\n")
    found: list[Symbol] = []
    at = 0
    for each in _SYMBOL.finditer(text):
        found.append(text[at : each.start()])
        at = each.end()
        found.append(_symbol(each))
    found.append(text[at:])
    return tuple(symbol for symbol in found if symbol != "")


def _symbol(found: re.Match[str]) -> Symbol:
    if found["rule"] is not None:
        return Rule(found["rule"])
    if found["value"] is not None:
        return _value(found["value"])
    listed = found["list"] if found["list"] is not None else f"{found['bare']}|{found['given']}"
    each, _, given = listed.partition("|")
    each = each.strip()
    rule = each.startswith("#") and each.endswith("#")
    return Listing(Rule(each[1:-1]) if rule else _value(each), _atoms(given))


def _value(text: str) -> Value:
    """`o.indefinite + ' ' + o.name` as its parts; of `r.name or r.id` the first, for all have names."""
    parts: list[str | tuple[str, str]] = []
    for term in text.split("+"):
        found = _TERM.fullmatch(term)
        if found is None:
            raise HousematesError(f"Its grammar has an expression that is not understood: {text.strip()!r}.")
        parts.append(found[1] if found[1] is not None else (found[2], found[3]))
    return Value(tuple(parts))


def _atoms(text: str) -> tuple[Atom, ...]:
    found = []
    for part in text.split("&") if text.strip() else ():
        atom = _ATOM.fullmatch(part)
        if atom is None:
            raise HousematesError(f"Its grammar has a condition that is not understood: {text.strip()!r}.")
        variables = tuple(each.partition(":")[0].strip() for each in atom[2].split(",") if each.strip())
        found.append(Atom(atom[1].lower(), variables))
    return tuple(found)
