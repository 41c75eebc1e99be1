"""What everybody saw in a recorded episode, drawn again step by step, and what changed, for pages."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from PIL import Image

from housemates.core import registry
from housemates.core.benchmark import Benchmark, Instance, Result
from housemates.core.episode import Episode
from housemates.core.session import Session
from housemates.core.trace import Step
from housemates.evaluation.replay import Piece, made_once
from housemates.evaluation.transcripts import Turn

SIDE_PX, QUALITY = 280, 75
LISTED = ("id", "task", "steps", "failures", "ended", "error", "seconds")


class Views(msgspec.Struct):
    """What was to be seen in an episode, or in a part of it; each picture is kept once."""

    id: str
    pictures: list[bytes] = []
    """JPEG files."""
    steps: list[dict[str, int]] = []
    """For the start and after each act, `role: name` -> the number of a picture."""
    texts: list[dict[str, str]] = []
    """For the same moments, what roles without pictures could read."""
    changes: list[list[str]] = []
    """For the same moments, what had changed in the world by the act, in words."""

    def addressed(self) -> dict[str, Any]:
        """As JSON for pages: pictures are addresses that hold what they lead to."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return {**plain, "pictures": [f"data:image/jpeg;base64,{each}" for each in plain["pictures"]]}


class Watcher:
    """Looks through all eyes at once, and then after each act.

    Args:
        name: Of the episode.
        session: What is looked at.
        roles: Through whose eyes.
        side: Pixels of the longer side of a picture.
        above: Whether to look from above, too, if no role does.
    """

    def __init__(
        self, name: str, session: Session, roles: Sequence[str], side: int = SIDE_PX, above: bool = False
    ) -> None:
        self.views = Views(name)
        self._roles, self._side, self._above = roles, side, above
        self._known: dict[bytes, int] = {}
        self._facts = session.facts()
        self._look(session)

    def shoot(self, session: Session, _: Step) -> None:
        """Look, after an act."""
        self._look(session)

    def _look(self, session: Session) -> None:
        found, texts = {}, {}
        for role in self._roles:
            percept = session.observe(role)
            for name, draw in percept.pictures.items():
                found[f"{role}: {name}"] = self._number(draw())
            if not percept.pictures:
                texts[role] = percept.text
        if self._above and (overview := session.overview()) is not None:
            found["map"] = self._number(overview)
        facts = session.facts()
        self.views.steps.append(found)
        self.views.texts.append(texts)
        self.views.changes.append(list(changed(self._facts, facts)))
        self._facts = facts

    def _number(self, picture: np.ndarray) -> int:
        key = picture.tobytes()
        if key not in self._known:
            self._known[key] = len(self.views.pictures)
            self.views.pictures.append(self._packed(picture))
        return self._known[key]

    def _packed(self, picture: np.ndarray) -> bytes:
        image = Image.fromarray(picture)
        image.thumbnail((self._side, self._side), reducing_gap=1.0)
        stream = io.BytesIO()
        image.save(stream, "JPEG", quality=QUALITY)
        return stream.getvalue()


def changed(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """What is no longer as it was, in words."""
    for name in {**before, **now}:
        if before.get(name) != now.get(name):
            was, is_ = (each.get(name, "not there") or "as always" for each in (before, now))
            yield f"{name}: {was} → {is_}"


class Again:
    """A recorded episode that is done again, one act after the other."""

    def __init__(self, benchmark: Benchmark, instance: Instance, turns: Sequence[Turn]) -> None:
        self._episode = Episode(benchmark, instance)
        self.session = self._episode.session
        self.roles = benchmark.roles
        self._turns = turns

    def do(self, number: int) -> Step:
        """Do the act of a number; those before it have been done."""
        return self._episode.take(self._turns[number].again())


def watch(name: str, options: Mapping[str, str], piece: Piece) -> list[Views]:
    """The pictures of the episodes of a reference; none of those that cannot be played any more."""
    benchmark = made_once(registry.benchmark_class(name), tuple(options.items()))
    instances = {each.id: each for each in benchmark.open(piece.reference)}
    found = []
    for result, told in piece.recordings:
        instance = instances.get(result.id)
        if instance is None or not told.steps:
            continue
        again = Again(benchmark, instance, told.steps)
        watcher = Watcher(result.id, again.session, again.roles)
        for number in range(len(told.steps)):
            watcher.shoot(again.session, again.do(number))
        found.append(watcher.views)
    return found


def listed(result: Result) -> dict[str, Any]:
    """An episode in a list of them."""
    return {**{name: getattr(result, name) for name in LISTED}, "success": result.scores.get("success")}
