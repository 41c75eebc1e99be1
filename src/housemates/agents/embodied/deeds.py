"""Deeds: what an agent's own object actions changed, and the sentence that reports it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from housemates.core.outcome import Outcome, spoken
from housemates.home.kinds import BASINS
from housemates.home.types import object_type, object_types

OPPOSITE = {"Open": "Close", "Close": "Open", "ToggleOn": "ToggleOff", "ToggleOff": "ToggleOn"}
WORDS = {
    "Open": "opened the {x}",
    "Close": "closed the {x}",
    "ToggleOn": "turned on the {x}",
    "ToggleOff": "turned off the {x}",
    "Slice": "sliced the {x}",
}
NAMES = {
    "StoveKnob": "stove",
    "StoveBurner": "stove",
    "CounterTop": "counter",
    "SinkBasin": "sink",
    "BathtubBasin": "bathtub",
    "GarbageCan": "trash can",
    "HousePlant": "plant",
}
"""What a type is called where that is not its own name."""
DEEP = ("Pot", "Bowl", "Mug", "Cup", "Box", "GarbageCan", "LaundryHamper", "Toaster", "CoffeeMachine", "Safe")
"""Types that things are put into, besides those that open."""
MOST = 4
"""Most clauses of a report."""


Clause = tuple[str, str, str]
"""What was done, with `{x}` for the object, and the object's type and key."""


class Deed(NamedTuple):
    """An object action that succeeded."""

    action: str
    key: str
    type: str
    load: str = ""
    """Type of what was in the hand."""
    load_key: str = ""
    origin: str = ""
    """Key of what held it before it was taken."""
    inside: tuple[tuple[str, str], ...] = ()
    """Keys and types of what was in or on it, and in view."""
    liquid: str = ""
    """What was poured."""


def told(deed: Deed, outcome: Outcome) -> Deed:
    """The deed with the types that its outcome tells."""
    data = outcome.data
    return deed._replace(
        type=str(data.get("type") or deed.type),
        load=str(data.get("held") or deed.load),
        liquid=str(data.get("liquid") or ""),
    )


def name_of(kind: str) -> str:
    """What people call a type: `slice of bread`, `counter`."""
    if kind.endswith("Sliced"):
        return f"slice of {spoken(kind.removesuffix('Sliced'))}"
    return NAMES.get(kind) or spoken(kind)


def preposition(kind: str) -> str:
    """`in` or `on`, as a place of this type takes it."""
    known = object_types().get(kind)
    opens = known is not None and known.can("open") and known.can("receptacle")
    return "in" if opens or kind in (*BASINS, *DEEP) else "on"


def report(deeds: Sequence[Deed]) -> str:
    """A sentence about what some deeds left behind; empty if they left nothing behind."""
    said = [*dict.fromkeys(_counted(list(_clauses(deeds))))][-MOST:]
    if not said:
        return ""
    listed = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
    return f"I {listed}."


def _counted(clauses: list[Clause]) -> Iterator[str]:
    """Clauses with their objects; those that differ in nothing but the object are one with a number."""
    counts = Counter((clause, kind) for clause, kind, _ in dict.fromkeys(clauses))
    for clause, kind, _ in clauses:
        number = counts[clause, kind]
        name = f"{number} {plural(name_of(kind))}" if number > 1 else f"the {name_of(kind)}"
        yield clause.replace("the {x}", name)


def _clauses(deeds: Sequence[Deed]) -> Iterator[Clause]:
    """What lasted, each with the type and the key of its object, in the order in which it was done."""
    for number, deed in enumerate(deeds):
        if not _is_undone(deed, deeds[number + 1 :], deeds[:number]):
            yield from _words(deed, deeds[:number])


def _is_undone(deed: Deed, later: Sequence[Deed], before: Sequence[Deed]) -> bool:
    """Whether something else became of it later, or it only undid what was done before."""
    if deed.action == "Pickup":
        return any(each.load_key == deed.key and each.action == "Place" for each in later)
    if deed.action == "Place":
        return any(each.action == "Pickup" and each.key == deed.load_key for each in later)
    if deed.action not in OPPOSITE:
        return False
    alike = [each for each in (*before, deed, *later) if each.key == deed.key and each.action in OPPOSITE]
    doors = {"Open", "Close"}
    alike = [each for each in alike if (each.action in doors) == (deed.action in doors)]
    if deed.action == "ToggleOn" and _effects(deed, before):
        return False
    return deed is not alike[-1] or alike[0].action != deed.action


def _words(deed: Deed, before: Sequence[Deed]) -> Iterator[Clause]:
    if deed.action == "Pickup":
        yield "took the {x}", deed.type, deed.key
    elif deed.action == "Place":
        yield f"put the {{x}} {preposition(deed.type)} the {name_of(deed.type)}", deed.load, deed.load_key
    elif deed.action == "Pour":
        liquid = deed.liquid or "water"
        yield f"poured the {liquid} from the {name_of(deed.load)} into the {{x}}", deed.type, deed.key
    elif deed.action in WORDS:
        yield from _effects(deed, before) or [(WORDS[deed.action], deed.type, deed.key)]


def _effects(deed: Deed, before: Sequence[Deed]) -> list[Clause]:
    """What switching something on did to what was put into it before."""
    if deed.action != "ToggleOn":
        return []
    brought = treated(before, "Place")
    inside = [(kind, key) for key, kind in deed.inside if key in brought]
    if deed.type == "Faucet":
        return [("washed the {x}", *each) for each in inside if object_type(each[0]).can("dirty")]
    clause = "toasted the {x}" if deed.type == "Toaster" else "cooked the {x}"
    return [(clause, *each) for each in inside if object_type(each[0]).can("cook")]


def plural(words: str) -> str:
    """The plural of a name: `slice of bread` becomes `slices of bread`."""
    head, separator, rest = words.partition(" of ")
    ending = {"knife": "knives", "shelf": "shelves"}.get(head.rsplit(" ", 1)[-1])
    if ending is not None:
        head = head.removesuffix(head.rsplit(" ", 1)[-1]) + ending
    elif not head.endswith("s"):
        head += "es" if head.endswith(("ch", "sh", "x", "ss", "ato")) else "s"
    return head + separator + rest


def treated(deeds: Iterable[Deed], action: str) -> set[str]:
    """Keys of what an action of the home was done with."""
    return {each.load_key if action == "Place" else each.key for each in deeds if each.action == action}
