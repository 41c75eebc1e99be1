"""Exploration: which unseen place most likely holds what the human means."""

from __future__ import annotations

from housemates.benchmarks.handmethat.tasks.meanings import Meaning
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS, categories
from housemates.benchmarks.handmethat.world.memory import Memory

LOOK_BUDGET = 28
"""Commands that may be spent on looking."""
WORTH = 0.04
"""Least probability at which a place is worth a look ..."""
SURE = 0.97
"""... and the confidence in the best guess from which none is."""
EARLIER = 0.3
"""Weight of categories that the human used earlier, beside that of the last one."""


class Explorer:
    """Chooses the next look by the demonstration, the utterance and what was seen."""

    def __init__(self, memory: Memory, utterance: Meaning) -> None:
        """Begin with the memory and the utterance."""
        self.memory = memory
        self.said = dict(utterance.spec)
        self.spent = 0
        self.kinds = self._likely_kinds()
        last = memory.deeds[-1] if memory.deeds else None
        moves = [deed.args[1] for deed in memory.deeds if deed.name == "move"]
        self.heading = moves[-1] if last is not None and not last.name.startswith("put") and moves else None

    def _likely_kinds(self) -> dict[str, float]:
        known = categories()
        found: dict[str, float] = {}
        for deed in self.memory.deeds:
            if deed.name.startswith("pick-up"):
                found = dict.fromkeys(found, EARLIER)
                found[deed.args[0].partition("#")[0]] = 1.0
        if "type" in self.said:
            found = {str(self.said["type"]): 1.0}
        elif "subclass" in self.said:
            found = {name: 1.0 for name, kind in known.items() if kind.subclass == self.said["subclass"]}
        elif "class" in self.said:
            alike = {
                name: weight for name, weight in found.items() if known[name].class_ == self.said["class"]
            }
            found = alike or found
        return found

    def next_look(self, confidence: float, something_fits: bool) -> list[str]:
        """Commands that show the most promising unseen place; none if looking is not worth it any more.

        As long as nothing seen fits the words, every place is worth a look.
        """
        if self.spent >= LOOK_BUDGET:
            return []
        floor = 0.0 if something_fits else WORTH
        options = [(max(self._chance(name), floor), name) for name in self._unseen()]
        options = [option for option in options if option[0] > 0]
        if not options:
            return []
        total = sum(chance for chance, _ in options)
        chance, name = max(options)
        if chance < WORTH or confidence * (1 - min(total, 1.0)) >= SURE:
            return []
        commands = self._commands(name)
        self.spent += len(commands)
        return commands

    def _unseen(self) -> list[str]:
        seen = self.memory.looked_into
        places = [name for name in LOCATIONS if name not in seen]
        boxes = [
            name
            for name, known in self.memory.objects.items()
            if known.seen
            and known.holder in LOCATIONS
            and name not in seen
            and categories()[name.partition("#")[0]].is_receptacle
        ]
        return places + boxes

    def _chance(self, name: str) -> float:
        """Probability that a wanted object is found at a place."""
        kind = categories()[name.partition("#")[0]]
        said = self.said.get("inside", self.said.get("ontop"))
        if said is not None:
            return self._chance_of_place(name, str(said))
        if name == self.heading:
            return 1.0
        chance = 0.0
        for wanted, weight in self.kinds.items():
            positions = categories()[wanted].positions
            if kind.is_location and kind.name in positions:
                chance += weight / len(positions)
            elif not kind.is_location and kind.subclass in positions:
                chance += weight / len(positions) / 3
            elif kind.is_location:
                holders = [place for place in positions if place not in LOCATIONS]
                chance += sum(_stands(holder, kind.name) for holder in holders) * weight / len(positions) / 2
        return min(chance / max(sum(self.kinds.values()), 1e-9), 1.0)

    def _chance_of_place(self, name: str, said: str) -> float:
        if name == said:
            return 1.0
        if said in LOCATIONS or name not in LOCATIONS:
            return 0.0
        known = self.memory.objects.get(said)
        if known is not None and known.holder is not None:
            return float(known.holder == name)
        return _stands(categories()[said.partition("#")[0]].subclass, name)

    def _commands(self, name: str) -> list[str]:
        shown = name.replace("#", " ")
        if name in LOCATIONS:
            kind = categories()[name]
            shut = "openable" in kind.abilities and "open" not in self.memory.places.get(name, ())
            return [f"move to {name}", *([f"open {name}"] if shut else [])]
        holder = self.memory.objects[name].holder
        return [f"move to {holder}", f"open {shown}"]


def _stands(subclass: str, place: str) -> float:
    """Prior probability that a receptacle of a subclass stands at a place."""
    positions = next(kind.positions for kind in categories().values() if kind.subclass == subclass)
    return positions.count(place) / len(positions)
