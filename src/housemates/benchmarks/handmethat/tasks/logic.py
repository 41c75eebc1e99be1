"""First-order logic over a home: formulas, the notation of the goal templates, and PDDL text.

Templates are written `exists y: box(y) and forall x: book(x) implies inside(x, y)`; official episodes
hold PDDL. Both become the same formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from housemates.benchmarks.handmethat.world.catalog import FLAGS, categories
from housemates.benchmarks.handmethat.world.dynamics import World
from housemates.errors import HousematesError

RELATIONS = ("inside", "ontop")
MAX_DEPTH = 50


@dataclass(frozen=True)
class Atom:
    """A predicate of variables or object names: `inside(x, box#0)`, `apple(x)`, `dusty(x)`."""

    predicate: str
    args: tuple[str, ...]


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Formula


@dataclass(frozen=True)
class And:
    """A conjunction of formulas."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Or:
    """At least one part holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Exists:
    """Some object makes the body true."""

    variable: str
    body: Formula


@dataclass(frozen=True)
class Forall:
    """Every object makes the body true."""

    variable: str
    body: Formula


Formula = Atom | Not | And | Or | Exists | Forall


def holds(formula: Formula, world: World, bound: Mapping[str, int] | None = None) -> bool:
    """Whether the formula is true in this state."""
    bound = bound or {}
    match formula:
        case Atom():
            return _atom_holds(formula, world, bound)
        case Not(part):
            return not holds(part, world, bound)
        case And(parts):
            return all(holds(part, world, bound) for part in parts)
        case Or(parts):
            return any(holds(part, world, bound) for part in parts)
        case Exists(variable, body):
            return any(holds(body, world, {**bound, variable: x}) for x in range(world.scene.size))
        case Forall(variable, body):
            return all(holds(body, world, {**bound, variable: x}) for x in range(world.scene.size))


def _atom_holds(atom: Atom, world: World, bound: Mapping[str, int]) -> bool:
    numbers = [bound[arg] if arg in bound else world.scene.index[arg] for arg in atom.args]
    kind = world.scene.kinds[numbers[0]]
    if atom.predicate in RELATIONS:
        number, holder = numbers
        if kind.is_location or world.parent(number) != holder or holder >= world.scene.size:
            return False
        return world.scene.kinds[holder].relation == atom.predicate
    if atom.predicate in FLAGS:
        return world.flag(numbers[0], atom.predicate)
    return kind.name == atom.predicate


def atoms(formula: Formula) -> Iterator[Atom]:
    """Every atom of the formula, from left to right."""
    match formula:
        case Atom():
            yield formula
        case Not(part) | Exists(_, part) | Forall(_, part):
            yield from atoms(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from atoms(part)


def substitute(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula with predicates and arguments renamed."""
    match formula:
        case Atom(predicate, args):
            return Atom(names.get(predicate, predicate), tuple(names.get(arg, arg) for arg in args))
        case Not(part):
            return Not(substitute(part, names))
        case And(parts):
            return And(tuple(substitute(part, names) for part in parts))
        case Or(parts):
            return Or(tuple(substitute(part, names) for part in parts))
        case Exists(variable, body):
            return Exists(variable, substitute(body, names))
        case Forall(variable, body):
            return Forall(variable, substitute(body, names))


class _Tokens:
    """Words of a text and a place in them."""

    def __init__(self, words: list[str], source: str) -> None:
        self.words, self.source, self.position = words, source, 0

    @property
    def next(self) -> str:
        return self.words[self.position] if self.position < len(self.words) else "the end"

    def take(self, expected: str | None = None) -> str:
        word = self.next
        if self.position >= len(self.words) or (expected is not None and word != expected):
            raise HousematesError(
                f"{self.source}: word {self.position + 1}: expected {expected or 'more'}, found {word!r:.40}."
            )
        self.position += 1
        return word


def parse_template(text: str) -> Formula:
    """Read the notation of the goal templates."""
    tokens = _Tokens(re.findall(r"\[[\w* ]+\]\d*|[\w#]+|[(),:]", text), f"template {text!r}")
    formula = _implication(tokens)
    if tokens.next != "the end":
        tokens.take("the end")
    return formula


def _implication(tokens: _Tokens) -> Formula:
    left = _conjunction(tokens)
    if tokens.next == "implies":
        tokens.take()
        return Or((Not(left), _implication(tokens)))
    return left


def _conjunction(tokens: _Tokens) -> Formula:
    parts = [_unit(tokens)]
    while tokens.next == "and":
        tokens.take()
        parts.append(_unit(tokens))
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _unit(tokens: _Tokens) -> Formula:
    word = tokens.take()
    if word == "not":
        return Not(_unit(tokens))
    if word in ("exists", "forall"):
        variable = tokens.take()
        tokens.take(":")
        body = _implication(tokens)
        return Exists(variable, body) if word == "exists" else Forall(variable, body)
    tokens.take("(")
    if word == "(":
        raise HousematesError(f"{tokens.source}: word {tokens.position}: expected a predicate.")
    args = [tokens.take()]
    while tokens.next == ",":
        tokens.take()
        args.append(tokens.take())
    tokens.take(")")
    return Atom(word, tuple(args))


def parse_pddl(text: str, source: str = "goal") -> Formula:
    """Read a PDDL goal; predicates must be known and every variable bound."""
    tokens = _Tokens(re.findall(r"[()]|[^\s()]+", text), source)
    formula = _expression(tokens, frozenset(), 0)
    if tokens.next != "the end":
        tokens.take("the end")
    return formula


def _expression(tokens: _Tokens, bound: frozenset[str], depth: int) -> Formula:
    if depth > MAX_DEPTH:
        raise HousematesError(f"{tokens.source}: nested deeper than {MAX_DEPTH} levels.")
    tokens.take("(")
    head = tokens.take()
    if head in ("exists", "forall"):
        tokens.take("(")
        variable = tokens.take().removeprefix("?")
        tokens.take("-")
        tokens.take()
        tokens.take(")")
        body = _expression(tokens, bound | {variable}, depth + 1)
        made: Formula = Exists(variable, body) if head == "exists" else Forall(variable, body)
    elif head == "not":
        made = Not(_expression(tokens, bound, depth + 1))
    elif head in ("and", "or"):
        parts = []
        while tokens.next == "(":
            parts.append(_expression(tokens, bound, depth + 1))
        made = And(tuple(parts)) if head == "and" else Or(tuple(parts))
    else:
        made = _pddl_atom(tokens, head, bound)
    tokens.take(")")
    return made


def _pddl_atom(tokens: _Tokens, head: str, bound: frozenset[str]) -> Atom:
    predicate = head.removeprefix("type-")
    if predicate not in FLAGS and predicate not in RELATIONS and predicate not in categories():
        raise HousematesError(f"{tokens.source}: word {tokens.position}: unknown predicate {head!r:.40}.")
    args = []
    while tokens.next not in (")", "(", "the end"):
        word = tokens.take()
        if word.startswith("?") and word[1:] not in bound:
            raise HousematesError(f"{tokens.source}: word {tokens.position}: {word} is not bound.")
        args.append(word.removeprefix("?"))
    expected = 2 if predicate in RELATIONS else 1
    if len(args) != expected:
        raise HousematesError(
            f"{tokens.source}: word {tokens.position}: {head} takes {expected} arguments, not {len(args)}."
        )
    return Atom(predicate, tuple(args))


def write_pddl(formula: Formula, bound: frozenset[str] = frozenset()) -> str:
    """The formula as PDDL text."""

    def many(word: str, parts: tuple[Formula, ...]) -> str:
        return f"({word} {' '.join(write_pddl(part, bound) for part in parts)})"

    match formula:
        case Atom(predicate, args):
            head = predicate if predicate in (*FLAGS, *RELATIONS) else f"type-{predicate}"
            return f"({' '.join((head, *(f'?{arg}' if arg in bound else arg for arg in args)))})"
        case Not(part):
            return f"(not {write_pddl(part, bound)})"
        case And(parts):
            return many("and", parts)
        case Or(parts):
            return many("or", parts)
        case Exists(variable, body):
            return f"(exists (?{variable} - phyobj) {write_pddl(body, bound | {variable})})"
        case Forall(variable, body):
            return f"(forall (?{variable} - phyobj) {write_pddl(body, bound | {variable})})"
