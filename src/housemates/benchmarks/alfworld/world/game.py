"""A game as it was read: what never changes while it is played, numbered in the order in which it is told."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from housemates.benchmarks.alfworld.formats.domain import Domain
from housemates.benchmarks.alfworld.formats.grammar import Grammar
from housemates.benchmarks.alfworld.formats.pddl import Problem
from housemates.errors import HousematesError

FLAGS = ("isclean", "ishot", "iscool", "issliced", "istoggled")
"""What an object can become; a state keeps a number for each, whose bits are the objects."""
ABLE = ("pickupable", "cleanable", "heatable", "coolable", "toggleable", "sliceable", "isreceptacleobject")
"""What an object can be used for, kept the same way."""

FACTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((*FLAGS, *ABLE), ("object",)),
    "atlocation": ("agent", "location"),
    "receptacleatlocation": ("receptacle", "location"),
    "objectatlocation": ("object", "location"),
    "inreceptacle": ("object", "receptacle"),
    "inreceptacleobject": ("object", "object"),
    "holds": ("agent", "object"),
    "holdsany": ("agent",),
    "openable": ("receptacle",),
    "opened": ("receptacle",),
    "objecttype": ("object", "otype"),
    "receptacletype": ("receptacle", "rtype"),
    "cancontain": ("rtype", "otype"),
}
"""The kinds of what a problem's facts are about."""


class Game:
    """The objects, receptacles and places of a game, what fits where, and how things are at its start."""

    def __init__(self, problem: Problem, domain: Domain, grammar: Grammar, task: str) -> None:
        self.domain, self.grammar, self.task = domain, grammar, task
        facts: defaultdict[str, list[list[str]]] = defaultdict(list)
        for predicate, *arguments in problem.init:
            kinds = FACTS.get(predicate)
            if kinds is not None and kinds != tuple(map(problem.objects.get, arguments)):
                told = " ".join((predicate, *arguments))
                raise HousematesError(f"Its problem has a fact that fits nothing: ({told}).")
            facts[predicate].append(arguments)
        self.facts: Mapping[str, list[list[str]]] = facts
        self.goal = problem.goal
        self.types = problem.objects
        mentioned = {each for known in facts.values() for arguments in known for each in arguments}
        names = numbered(mentioned & problem.objects.keys())
        self.ids = {kind: sorted(each for each in names if problem.objects[each] == kind)
                    for kind in ("agent", "object", "receptacle", "location")}  # fmt: skip
        self.numbers = {each: i for ids in self.ids.values() for i, each in enumerate(ids)}
        self.names = {kind: [names[each] for each in ids] for kind, ids in self.ids.items()}
        self.called = {kind: {name: i for i, name in enumerate(names)} for kind, names in self.names.items()}
        self._place()
        self._sort()

    def _place(self) -> None:
        """Where receptacles stand, where the agent begins, and what is where."""
        facts, numbers, receptacles = self.facts, self.numbers, self.ids["receptacle"]
        if len(facts["atlocation"]) != 1:
            raise HousematesError(f"Expected one agent at one place, found {len(facts['atlocation'])}.")
        self.start = numbers[facts["atlocation"][0][1]]
        self.place_of = [-1] * len(receptacles)
        at: list[list[int]] = [[] for _ in self.ids["location"]]
        for receptacle, location in facts["receptacleatlocation"]:
            self.place_of[numbers[receptacle]] = numbers[location]
            at[numbers[location]].append(numbers[receptacle])
        self.receptacles_at = [tuple(sorted(each)) for each in at]
        inside: list[set[int]] = [set() for _ in receptacles]
        for thing, receptacle in facts["inreceptacle"]:
            inside[numbers[receptacle]].add(numbers[thing])
        self.inside = [tuple(sorted(each)) for each in inside]
        self.object_at = frozenset((numbers[o], numbers[at]) for o, at in facts["objectatlocation"])
        self.holds = next((numbers[o] for _, o in facts["holds"]), -1)
        self.inner: dict[int, list[int]] = defaultdict(list)
        for inner, outer in facts["inreceptacleobject"]:
            self.inner[numbers[outer]].append(numbers[inner])
        for each in self.inner.values():
            each.sort()

    def _sort(self) -> None:
        """What things can be used for, and which receptacles do what."""
        facts, numbers = self.facts, self.numbers
        self.flags = {name: self._bits(facts[name]) for name in (*FLAGS, *ABLE)}
        self.openable = self._bits(facts["openable"])
        self.opened = self._bits(facts["opened"])
        self.type_of = dict([*facts["objecttype"], *facts["receptacletype"]])
        contains = {(kind, held) for kind, held in facts["cancontain"]}
        by_type: defaultdict[str, list[int]] = defaultdict(list)
        for receptacle, kind in facts["receptacletype"]:
            by_type[kind].append(numbers[receptacle])
        takes: defaultdict[str, set[int]] = defaultdict(set)
        for kind, held in contains:
            takes[held].update(by_type[kind])
        self.fits: list[set[int]] = [set() for _ in self.ids["object"]]
        """For each object the receptacles that can take it."""
        for thing, kind in facts["objecttype"]:
            if thing in numbers:
                self.fits[numbers[thing]] |= takes[kind]
        self.works = {
            name: frozenset(numbers[r] for r, kind in facts["receptacletype"] if kind in action.types)
            for name, action in self.domain.items()
        }
        """For each action the receptacles it works with."""
        knives = self.domain["sliceobject"].types
        self.knives = frozenset(numbers[o] for o, kind in facts["objecttype"] if kind in knives)

    def _bits(self, known: Iterable[list[str]]) -> int:
        bits = 0
        for (each,) in known:
            bits |= 1 << self.numbers[each]
        return bits


def numbered(ids: Iterable[str]) -> dict[str, str]:
    """The names in which things are told: of several of a kind, the first by id has the highest number."""
    ordered = sorted(ids)
    left = Counter(_kind(each) for each in ordered)
    found = {}
    for each in ordered:
        kind = _kind(each)
        found[each] = f"{kind} {left[kind]}" if kind else f"{each} "
        left[kind] -= 1
    return found


def _kind(name: str) -> str:
    """What a thing is called, from its id; nothing if it has no coordinates."""
    kind, coordinates, _ = name.partition("_bar_")
    if not coordinates:
        return ""
    return f"{kind}basin" if "basin" in name else kind
