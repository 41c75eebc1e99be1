"""What a game's PDDL domain says, held beside the actions that `world/dynamics.py` carries out.

The published dialects have the same actions with few differences: which types clean, heat, cool and cut are
read from the file; anything else that is not as in `actions.toml` is an unknown dialect.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from housemates.benchmarks.alfworld.formats.pddl import Expression, parse
from housemates.errors import HousematesError
from housemates.files import shipped

_TYPED = ("receptacletype", "objecttype")


class Action(NamedTuple):
    """An action of the domain, as far as dialects differ."""

    parameters: dict[str, str]
    """Name without its question mark -> type."""
    types: frozenset[str]
    """The types of receptacle it works with, or of the tool it needs; empty where that does not matter."""


Domain = dict[str, Action]
"""The actions of a domain by their names."""


def read_domain(text: str) -> Domain:
    """The actions of a domain; one that is not as in the known dialects raises HousematesError."""
    tree = parse(text, "domain")
    found: Domain = {}
    for part in tree if isinstance(tree, list) else ():
        if isinstance(part, list) and len(part) > 1 and part[0] == ":action":
            name = str(part[1])
            found[name] = _action(name, part)
    known = shipped(__package__, "actions.toml")
    missing = [name for name in known if name not in found and not known[name].get("optional")]
    if missing:
        raise HousematesError(f"Unknown dialect: its domain has no action {missing[0]}.")
    return found


def _action(name: str, part: list[Expression]) -> Action:
    known = shipped(__package__, "actions.toml")
    if name not in known:
        raise HousematesError(f"Unknown dialect: its domain has an action {name}, which no known one has.")
    types: set[str] = set()
    bare = str(_without_types(part, types))
    form = hashlib.blake2b(bare.encode(), digest_size=8).hexdigest()
    if form not in known[name]["forms"]:
        raise HousematesError(
            f"Unknown dialect: the action {name} of its domain is not as in dialects 2.1.1, 2.1.2 and 2.1.3."
        )
    words = part[part.index(":parameters") + 1]
    parameters = dict(zip(words[::3], words[2::3], strict=True))
    return Action({str(key)[1:]: str(kind) for key, kind in parameters.items()}, frozenset(types))


def _without_types(tree: Expression, types: set[str]) -> Expression:
    """The same expression, where a choice between types is left out and its types are noted."""
    if isinstance(tree, str):
        return tree
    if tree[:1] == ["or"] and all(isinstance(each, list) and each[0] in _TYPED for each in tree[1:]):
        types.update(str(each[2]) for each in tree[1:])
        return ["or", str(tree[1][0])]
    return [_without_types(each, types) for each in tree]
