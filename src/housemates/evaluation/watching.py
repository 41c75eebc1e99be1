"""What everybody saw in a recorded episode, drawn again step by step, for pages."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from PIL import Image

from housemates.benchmarks import registry
from housemates.benchmarks.base import Session, Step
from housemates.evaluation.replaying import Piece, made_once, play_again

SIDE_PX, QUALITY = 280, 75


class Views(msgspec.Struct):
    """The pictures of an episode, each kept once."""

    id: str
    pictures: list[bytes] = []
    """JPEG files."""
    steps: list[dict[str, int]] = []
    """For the start and after each act, `role: name` -> the number of a picture."""


class Watcher:
    """Looks through all eyes at the start and after each act."""

    def __init__(self, name: str, session: Session, roles: Sequence[str]) -> None:
        self.views = Views(name)
        self._roles = roles
        self._known: dict[bytes, int] = {}
        self._look(session)

    def shoot(self, session: Session, _: Step) -> None:
        """A hook of `play`."""
        self._look(session)

    def _look(self, session: Session) -> None:
        found = {}
        for role in self._roles:
            for name, draw in session.observe(role).pictures.items():
                found[f"{role}: {name}"] = self._number(draw())
        self.views.steps.append(found)

    def _number(self, picture: np.ndarray) -> int:
        key = picture.tobytes()
        if key not in self._known:
            self._known[key] = len(self.views.pictures)
            self.views.pictures.append(_packed(picture))
        return self._known[key]


def watch(name: str, options: Mapping[str, str], piece: Piece) -> list[Views]:
    """The pictures of the episodes of a reference; none of those that cannot be played any more."""
    benchmark = made_once(registry.benchmark_class(name), tuple(options.items()))
    instances = {each.id: each for each in benchmark.open(piece.reference)}
    found = []
    for result, told in piece.recordings:
        instance = instances.get(result.id)
        if instance is None or not told.steps:
            continue
        session = benchmark.session(instance)
        watcher = Watcher(result.id, session, benchmark.roles)
        play_again(benchmark, instance, session, told, watcher.shoot)
        found.append(watcher.views)
    return found


def _packed(picture: Any) -> bytes:
    image = Image.fromarray(picture)
    image.thumbnail((SIDE_PX, SIDE_PX))
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=QUALITY)
    return stream.getvalue()
