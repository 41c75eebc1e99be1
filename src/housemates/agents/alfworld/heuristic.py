"""An agent that reads: it looks for things where they are kept, and does the rest by rote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from housemates.benchmarks.alfworld.session import View
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept
from housemates.home.types import object_types

STATIONS = {"clean": "sinkbasin", "heat": "microwave", "cool": "fridge"}
"""What each treatment is done with."""
_TREATED = {
    "clean": r"\bclean\b|\bwash|\brinse", "heat": r"\bhot\b|\bheat|\bwarm|\bmicrowaved\b|\bcook",
    "cool": r"\bcool|\bcold\b|\bchill",
}  # fmt: skip
_SEEN = re.compile(r"\ba (\w+ \d+)")
_NAME = re.compile(r"\w+ \d+")
OUT_OF_THE_WAY = ("garbagecan", "safe", "toilet")
"""Where one looks last."""


class HeuristicAgent(Agent):
    """Remembers what it has seen where, and goes where the thing it wants is most likely."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self._seen: dict[str, list[str]] = {}
        self._here = self._held = ""
        self._placed: list[str] = []
        self._treated: set[str] = set()
        self._wants: _Task | None = None
        self._last = ""

    def act(self, percept: Percept) -> Act:
        """Read what came of the last command and give the next one."""
        view: View = percept.data
        if self._wants is None:
            self._places = [
                each.removeprefix("go to ") for each in view.commands if each.startswith("go to ")
            ]
            self._wants = _Task(view.task, self._places)
        self._read(view)
        now = set(view.commands)
        self._last = next((each for each in self._ideas(self._wants, view.commands) if each in now), "look")
        return Act("Command", {"command": self._last})

    def _read(self, view: View) -> None:
        """Keep what the last answer tells."""
        verb, _, rest = self._last.partition(" ")
        names = _NAME.findall(rest)
        if view.text == "Nothing happens.":
            return
        if verb == "go":
            self._here = names[0]
        if verb in ("go", "open") and "closed" not in view.text:
            self._seen[self._here] = _SEEN.findall(view.text)
        elif verb == "take":
            self._held = names[0]
            self._seen[self._here] = [each for each in self._seen.get(self._here, ()) if each != self._held]
        elif verb in ("put", "move"):
            self._placed.append(self._held)
            self._seen.setdefault(self._here, []).append(self._held)
            self._held = ""
        elif verb in STATIONS:
            self._treated.add(self._held)

    def _ideas(self, task: _Task, commands: Sequence[str]) -> Iterator[str]:
        """Commands to try, the best first."""
        if self._held:
            yield from self._carry(task, commands)
        else:
            for each in commands:
                if each.startswith(f"take {task.thing} ") and _NAME.findall(each)[0] not in self._placed:
                    yield each
            yield from self._search(task.thing)
        yield from self._search("")

    def _carry(self, task: _Task, commands: Sequence[str]) -> Iterator[str]:
        if task.lamp:
            yield from (each for each in commands if each.startswith(f"use {task.lamp}"))
            yield from self._search(task.lamp)
            return
        if task.treatment and self._held not in self._treated:
            station = STATIONS[task.treatment]
            yield from (each for each in commands if each.startswith(f"{task.treatment} {self._held}"))
            yield from (f"go to {each}" for each in self._places if each.startswith(f"{station} "))
        targets = self._targets(task)
        if self._here in targets:
            yield from (
                each for each in commands if each.startswith((f"put {self._held} ", f"move {self._held} "))
            )
            yield f"open {self._here}"
        yield from (f"go to {each}" for each in targets)

    def _targets(self, task: _Task) -> list[str]:
        """Where the thing may go: where the first of two went, if there is one."""
        there = [each for each, inside in self._seen.items() if set(inside) & set(self._placed)]
        targets = [each for each in self._places if each.rpartition(" ")[0] == task.target]
        return [each for each in targets if each in there] or targets

    def _search(self, kind: str) -> Iterator[str]:
        """Go where such a thing was seen, else look into what has not been looked into."""
        if self._here and self._here not in self._seen:
            yield f"open {self._here}"
        for place, inside in self._seen.items():
            if kind and any(each.startswith(f"{kind} ") and each not in self._placed for each in inside):
                yield f"go to {place}"
        unseen = [each for each in self._places if each not in self._seen]
        yield from (f"go to {each}" for each in sorted(unseen, key=lambda each: _unlikely(kind, each)))


class _Task:
    """What a task asks, by the words in it."""

    def __init__(self, task: str, places: Sequence[str]) -> None:
        words = task.lower().partition("task is to:")[2] or task.lower()
        named = [kind for word in re.findall(r"\w+", words) for kind in _KINDS if word in (kind, f"{kind}s")]
        here = {each.rpartition(" ")[0] for each in places}
        self.lamp = next((each for each in named if each.endswith("lamp")), "")
        things = [each for each in named if each != self.lamp]
        targets = [each for each in things[1:] if each in here]
        self.target = targets[-1] if targets else ""
        self.thing = next(iter(things), "")
        self.treatment = next((name for name, said in _TREATED.items() if re.search(said, words)), "")


def _unlikely(kind: str, place: str) -> tuple[bool, bool, int]:
    """The less a thing is likely to be at a place, the more."""
    found = _FOUND.get(kind, ())
    where = place.rpartition(" ")[0]
    rank = found.index(where) if where in found else len(found)
    return (where not in found, where in OUT_OF_THE_WAY, rank)


_KINDS = {name.lower() for name in object_types()} | {"sinkbasin", "bathtubbasin"}
_FOUND = {name.lower(): [each.lower() for each in kind.found] for name, kind in object_types().items()}
"""Where each kind of thing is kept."""
