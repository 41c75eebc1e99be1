"""Goals: a PDDL formula is made into a test of the few facts that can still decide it.

Variables are bound by the facts that never change (types, places, abilities), so that what is left is a tree
of changing facts; a fact that most branches share is asked first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from housemates.benchmarks.alfworld.formats.pddl import Expression
from housemates.benchmarks.alfworld.world.game import FACTS, FLAGS, Game
from housemates.benchmarks.alfworld.world.state import State
from housemates.errors import HousematesError

Fact = tuple[str, ...]
Check = Callable[[State], bool]
CHANGING = frozenset(
    (*FLAGS, "atlocation", "opened", "inreceptacle", "holds", "holdsany", "objectatlocation")
)
"""The predicates that actions change; all others are decided when the goal is read."""
_UNKNOWN = frozenset({"ison", "checked", "examined", "wasinreceptacle"})
"""What actions of the domain change too, without any text or goal of a published game asking for it."""
MOST = 20_000
"""Branches that a goal may have."""


class Branch(NamedTuple):
    """All (`and`) or one (`or`) of its parts; without parts it is true or false."""

    operator: str
    parts: tuple[Tree, ...]


class Negated(NamedTuple):
    """That something does not hold."""

    part: Tree


Tree = Branch | Negated | Fact
TRUE, FALSE = Branch("and", ()), Branch("or", ())


class Goal(NamedTuple):
    """When a game is won."""

    tree: Tree
    predicates: frozenset[str]
    """The changing predicates that it depends on."""
    reached: Check


def read_goal(game: Game) -> Goal:
    """The goal of a game; one that cannot be understood raises HousematesError."""
    tree = _Reader(game).read(game.goal, {})
    predicates = frozenset(fact[0] for fact in _facts(tree))
    return Goal(tree, predicates, _check(_factored(tree), game))


class _Reader:
    """Binds the variables of a formula by what never changes."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.fixed = {name: {tuple(each) for each in facts} for name, facts in game.facts.items()}
        self.left = MOST

    def read(self, formula: Expression, bound: Mapping[str, str]) -> Tree:
        if isinstance(formula, str) or not formula:
            raise HousematesError(f"Its goal cannot be read: expected a formula, found {str(formula)!r}.")
        head, *rest = formula
        if head in ("and", "or"):
            return _joined(str(head), [self.read(each, bound) for each in rest])
        if head == "not" and len(rest) == 1:
            part = self.read(rest[0], bound)
            return FALSE if part == TRUE else TRUE if part == FALSE else Negated(part)
        if head == "imply" and len(rest) == 2:
            return self.read(["or", ["not", rest[0]], rest[1]], bound)
        if head in ("exists", "forall") and len(rest) == 2:
            return self._quantified(str(head), rest[0], rest[1], bound)
        if isinstance(head, str) and all(isinstance(each, str) for each in rest):
            return self._fact(head, [bound.get(str(each), str(each)) for each in rest])
        named = head if isinstance(head, str) else "a list"
        raise HousematesError(f"Its goal cannot be read: {named} stands where no formula of it is known.")

    def _fact(self, name: str, arguments: list[str]) -> Tree:
        loose = [each for each in arguments if each.startswith("?")]
        if loose:
            raise HousematesError(f"Its goal cannot be read: nothing says what {loose[0]} is.")
        if name == "=":
            return TRUE if len(set(arguments)) == 1 else FALSE
        if name in _UNKNOWN:
            raise HousematesError(f"Its goal cannot be read: it asks for {name}, which no game tells.")
        kinds = tuple(self.game.types.get(each, "") for each in arguments)
        if len(FACTS.get(name, kinds)) != len(kinds) or name not in {*FACTS, *self.fixed}:
            asked = " ".join((name, *arguments))
            raise HousematesError(f"Its goal cannot be read: it asks for ({asked}), which no problem tells.")
        if name in CHANGING:
            told = kinds == FACTS[name] and self.game.numbers.keys() >= set(arguments)
            return (name, *arguments) if told else FALSE
        return TRUE if tuple(arguments) in self.fixed.get(name, ()) else FALSE

    def _quantified(
        self, head: str, variables: Expression, body: Expression, bound: Mapping[str, str]
    ) -> Tree:
        kinds = self._variables(variables)
        while head == "exists" and body[:1] == ["exists"] and len(body) == 3:
            kinds, body = {**kinds, **self._variables(body[1])}, body[2]
        hidden = {name: value for name, value in bound.items() if name not in kinds}
        if head == "forall":
            found = [self.read(body, {**hidden, **each}) for each in self._every(kinds)]
            return _joined("and", found)
        narrowing = _conjuncts(body)
        found = [self.read(body, each) for each in self._bindings(kinds, narrowing, hidden)]
        return _joined("or", found)

    def _variables(self, words: Expression) -> dict[str, str]:
        if isinstance(words, str) or not all(isinstance(each, str) for each in words) or len(words) % 3:
            raise HousematesError("Its goal cannot be read: expected variables with types.")
        return {str(name): str(kind) for name, kind in zip(words[::3], words[2::3], strict=True)}

    def _every(self, kinds: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """All ways to bind variables of these types."""
        if not kinds:
            yield {}
            return
        (name, kind), *rest = kinds.items()
        for each in self._of_type(kind):
            for more in self._every(dict(rest)):
                yield {name: each, **more}

    def _of_type(self, kind: str) -> list[str]:
        return [each for each, its in self.game.types.items() if its == kind and each in self.game.numbers]

    def _bindings(
        self, kinds: Mapping[str, str], narrowing: Sequence[Fact], bound: Mapping[str, str]
    ) -> Iterator[dict[str, str]]:
        """The ways to bind variables that the facts which never change leave open."""
        free = {name: kind for name, kind in kinds.items() if name not in bound}
        if not free:
            self.left -= 1
            if self.left < 0:
                raise HousematesError(f"Its goal cannot be read: it has more than {MOST} branches.")
            yield dict(bound)
            return
        fixed = [each for each in narrowing if each[0] not in CHANGING and any(v in free for v in each[1:])]
        if fixed:
            first = min(
                fixed, key=lambda each: len(self.fixed.get(each[0], ())) / (1 + len(_known(each, bound)))
            )
            for values in self.fixed.get(first[0], ()):
                more = _matched(first[1:], values, bound)
                if more is not None and all(
                    self.game.types.get(more[v]) == free[v] for v in free if v in more
                ):
                    yield from self._bindings(kinds, [each for each in narrowing if each != first], more)
            return
        name, kind = next(iter(free.items()))
        for value in self._of_type(kind):
            yield from self._bindings(kinds, narrowing, {**bound, name: value})


def _known(fact: Fact, bound: Mapping[str, str]) -> list[str]:
    return [each for each in fact[1:] if each in bound or not each.startswith("?")]


def _matched(names: Fact, values: Fact, bound: Mapping[str, str]) -> dict[str, str] | None:
    """The binding with what the values of a fact add; None where they do not agree."""
    found = dict(bound)
    if len(names) != len(values):
        return None
    for name, value in zip(names, values, strict=True):
        if (found.setdefault(name, value) if name.startswith("?") else name) != value:
            return None
    return found


def _conjuncts(formula: Expression) -> list[Fact]:
    """The facts that a formula asks for without condition, those inside further quantifiers left out."""
    if isinstance(formula, str) or not formula:
        return []
    if formula[0] == "and":
        return [fact for each in formula[1:] for fact in _conjuncts(each)]
    plain = all(isinstance(each, str) for each in formula) and formula[0] not in ("=", "or", "not")
    return [tuple(str(each) for each in formula)] if plain else []


def _joined(operator: str, parts: list[Tree]) -> Tree:
    """`and` or `or` of parts, where what is decided already falls away."""
    neutral, decisive = (TRUE, FALSE) if operator == "and" else (FALSE, TRUE)
    if decisive in parts:
        return decisive
    found: list[Tree] = []
    for part in parts:
        if isinstance(part, Branch) and part.operator == operator:
            found += part.parts
        elif part != neutral:
            found.append(part)
    found = list(dict.fromkeys(found))
    return found[0] if len(found) == 1 else Branch(operator, tuple(found))


def _facts(tree: Tree) -> Iterator[Fact]:
    if isinstance(tree, Branch):
        for part in tree.parts:
            yield from _facts(part)
    elif isinstance(tree, Negated):
        yield from _facts(tree.part)
    else:
        yield tree


def _factored(tree: Tree) -> Tree:
    """The same test, where branches that ask for the same thing ask for it once."""
    if not isinstance(tree, Branch):
        return tree
    parts = [_factored(each) for each in tree.parts]
    if tree.operator == "and":
        return Branch("and", tuple(sorted(parts, key=lambda each: sum(1 for _ in _facts(each)))))
    shared = Counter(each for part in parts for each in _all_of(part))
    common, times = shared.most_common(1)[0] if shared else ((), 0)
    if times < 2:
        return Branch("or", tuple(parts))
    inside = [
        _joined("and", [x for x in _all_of(part) if x != common]) for part in parts if common in _all_of(part)
    ]
    rest = [part for part in parts if common not in _all_of(part)]
    first = Branch("and", (common, _factored(_joined("or", inside))))
    return _factored_or(first, rest)


def _factored_or(first: Tree, rest: list[Tree]) -> Tree:
    if not rest:
        return first
    other = _factored(Branch("or", tuple(rest)))
    more = other.parts if isinstance(other, Branch) and other.operator == "or" else (other,)
    return Branch("or", (first, *more))


def _all_of(tree: Tree) -> tuple[Tree, ...]:
    return tree.parts if isinstance(tree, Branch) and tree.operator == "and" else (tree,)


def _check(tree: Tree, game: Game) -> Check:
    """A function of the state that says whether a tree holds."""
    if isinstance(tree, Negated):
        part = _check(tree.part, game)
        return lambda state: not part(state)
    if not isinstance(tree, Branch):
        return _asked(tree[0], [game.numbers[each] for each in tree[1:]])
    checks = [_check(each, game) for each in tree.parts]
    if tree.operator == "and":

        def every(state: State) -> bool:
            for check in checks:  # noqa: SIM110  (a third of the time of `all`)
                if not check(state):
                    return False
            return True

        return every

    def some(state: State) -> bool:
        for check in checks:  # noqa: SIM110
            if check(state):
                return True
        return False

    return some


def _asked(name: str, numbers: Sequence[int]) -> Check:
    """Whether one changing fact holds."""
    if name in FLAGS:
        (one,) = numbers
        return lambda state: bool(state.flags[name] >> one & 1)
    if name == "opened":
        (one,) = numbers
        return lambda state: bool(state.opened >> one & 1)
    if name == "holdsany":
        return lambda state: state.held >= 0
    first, second = numbers
    if name == "holds":
        return lambda state: state.held == second
    if name == "atlocation":
        return lambda state: state.location == second
    if name == "inreceptacle":
        return lambda state: first in state.inside[second]
    return lambda state: (first, second) in state.object_at


def holds(fact: Fact, state: State) -> bool:
    """Whether a changing fact holds now."""
    return _asked(fact[0], [state.game.numbers[each] for each in fact[1:]])(state)
