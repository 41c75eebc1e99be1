"""How things are named to each role: by their ids, or by short names that last as long as the episode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from housemates.core.actions import Act, Offer
from housemates.core.outcome import Outcome, spoken
from housemates.core.percepts import Percept
from housemates.core.session import Session
from housemates.home.things import Thing
from housemates.home.world import World

NamesOption = Literal["ids", "short"]
"""The option `names` of a benchmark. With short ones, only who can point is told places on the picture."""


class Names:
    """Things by what they are and their ids: `mug (dirty) [Mug|-01.18|+00.91|+00.53]`."""

    short = False

    def called(self, thing: Thing, note: str = "") -> str:
        """A thing in a text, with a note of its state."""
        return f"{spoken(thing.type)}{note} [{thing.id}]"

    def pointed(self, name: str) -> str:
        """A thing in a text that says elsewhere what it is."""
        return f"[{name}]"

    def word(self, name: str) -> str:
        """What a thing is called where it is chosen."""
        return name

    def meant(self, told: str) -> str:
        """The id of what is called so; whatever is not known stays as it is."""
        return told

    def offers(self, offers: Iterable[Offer]) -> tuple[Offer, ...]:
        """Offers with the choices that a role is told."""
        return tuple(offers)


class ShortNames(Names):
    """Things by short names: `mug 2` is the second mug that the role was told of, and it stays that.

    Numbers follow from what the role was told, in order, and tell nothing else. Ids are understood, too.

    Args:
        home: Where the things are.
    """

    short = True

    def __init__(self, home: World) -> None:
        self._home = home
        self._words: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def called(self, thing: Thing, note: str = "") -> str:
        """The name, with a note of the state."""
        return f"{self.word(thing.id)}{note}"

    def pointed(self, name: str) -> str:
        """The name without brackets."""
        return self.word(name)

    def word(self, name: str) -> str:
        """The name of a thing; it gets one when it is first told of."""
        thing = self._home.things.get(name)
        if name not in self._words and thing is not None:
            kind = spoken(thing.type)
            self._counts[kind] += 1
            word = f"{kind} {self._counts[kind]}"
            self._words[name], self._ids[_bare(word)] = word, name
        return self._words.get(name, name)

    def meant(self, told: str) -> str:
        """The id of what is called so, whatever the case and the spaces."""
        return self._ids.get(_bare(told), told)

    def offers(self, offers: Iterable[Offer]) -> tuple[Offer, ...]:
        """Offers whose choices are names."""
        return tuple(
            replace(offer, arguments=tuple(map(self._choosing, offer.arguments))) for offer in offers
        )

    def _choosing(self, argument: Any) -> Any:
        if argument.kind != "object" or not argument.choices:
            return argument
        return replace(argument, choices=tuple(map(self.word, argument.choices)))


class NamingSession(Session):
    """A session in a home, whose things have names for each role."""

    names: Mapping[str, Names]
    """Role -> what things are called to it."""
    _told_at = -1

    def name_things(self, how: str, home: World, roles: Iterable[str]) -> None:
        """Say how things are named: one of `NamesOption`."""
        self.names = {role: Names() if how == "ids" else ShortNames(home) for role in roles}

    def observe(self, role: str | None = None) -> Percept:
        """What a role perceives now."""
        self._tell()
        return super().observe(role)

    def act(self, action: Any) -> Outcome:
        """Let the role whose turn it is act."""
        self._tell()
        return super().act(action)

    def meant(self, role: str, act: Act) -> Act:
        """The act with the ids of things."""
        name = act.arguments.get("object")
        found = self.names[role].meant(name) if isinstance(name, str) else name
        return act if found == name else Act(act.name, {**act.arguments, "object": found})

    def _tell(self) -> None:
        """Name what there is to be told at this moment, to all, so that names do not depend on who reads."""
        if self._told_at == self.turn:
            return
        self._told_at = self.turn
        for role, names in self.names.items():
            if names.short and self.role is not None:
                self.goal(role)
                self.text(role)
                self.offers(role)


def _bare(told: str) -> str:
    return "".join(told.lower().replace("_", " ").split())
