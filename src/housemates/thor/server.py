"""Posing as AI2-THOR's Unity build: what the published clients start, and how it comes to an end."""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.thor.actions import Simulation
from housemates.thor.events import Event
from housemates.thor.metadata import Entry
from housemates.thor.settings import FAR_M, FOV_DEG, NEAR_M, OLD_FOV_DEG, Settings

CHECK_S = 0.5
"""How often it is looked whether the client is still there."""
OLD_DEPTH_M = 10.0
"""The depth that version 2 reads from the brightest pixel."""
SIZES = {"-screen-width": "width", "-screen-height": "height"}
"""Words of the command line that are understood; Unity's others mean nothing here."""


class Image(NamedTuple):
    """A picture on its way to the client: its kind, whether an added camera took it, and its bytes."""

    kind: str
    added: bool
    data: bytes


class Answer(NamedTuple):
    """What is sent to the client after an action."""

    metadata: dict[str, Any]
    images: list[Image]


@dataclass(frozen=True)
class Client:
    """What the client has told by its command line and the environment."""

    settings: Settings
    kind: str
    """`FIFO` or `WSGI`."""
    old: bool
    """Whether it is version 2."""
    environment: Mapping[str, str]

    def told(self, name: str) -> str:
        """A variable that the client sets."""
        try:
            return self.environment[f"AI2THOR_{name}"]
        except KeyError:
            raise HousematesError(
                f"AI2THOR_{name} is not set: `housemates thor-server` is started by AI2-THOR's own client, "
                "whose local_executable_path names it."
            ) from None


def client_of(argv: Sequence[str], environment: Mapping[str, str]) -> Client:
    """Read what the client has told."""
    sizes = {"width": 300, "height": 300}
    for word, value in itertools.pairwise(argv):
        if word in SIZES:
            if not value.isdigit() or not int(value):
                raise HousematesError(f"{word} {value}: expected a number of pixels.")
            sizes[SIZES[word]] = int(value)
    old = "AI2THOR_SERVER_TYPE" not in environment
    settings = Settings(sizes["width"], sizes["height"], fov=OLD_FOV_DEG if old else FOV_DEG, old=old)
    return Client(settings, environment.get("AI2THOR_SERVER_TYPE", "WSGI"), old, environment)


class Backend:
    """A simulation whose moments are put into the client's form."""

    def __init__(self, client: Client, store: Store | None) -> None:
        self.client = client
        self.simulation = Simulation(client.settings, store)
        self._entries: dict[str, Entry] = {}
        self._sequence = 0

    def begin(self) -> Answer:
        """What is sent before anything was asked."""
        return self._answer()

    def perform(self, text: bytes) -> Answer | None:
        """Do what a message asks; None if it asks for nothing any more."""
        message = _message(text)
        if not message:
            return None
        number = message.pop("sequenceId", self._sequence + 1)
        self._sequence = number if isinstance(number, int) else self._sequence + 1
        before = self.simulation.place
        self.simulation.perform(message)
        if self.simulation.place is not before:
            self._entries = {}
        return self._answer()

    def _answer(self) -> Answer:
        moment, stage = self.simulation.last, self.simulation.stage
        events = [Event(stage, moment, number, self._entries) for number in range(len(moment.agents))]
        agents = [event.shared_metadata() for event in events]
        images = [image for event in events for image in self._pictures(event)]
        images += self._added(events[moment.active])
        told = {
            "agents": agents,
            "thirdPartyCameras": agents[0]["thirdPartyCameras"],
            "activeAgentId": moment.active,
            "sequenceId": self._sequence,
        }
        return Answer(told, images)

    def _pictures(self, event: Event) -> Iterator[Image]:
        yield from _images(
            False,
            rgb=event.frame,
            depth=self._packed(event.depth_frame),
            instances=event.instance_segmentation_frame,
            classes=event.semantic_segmentation_frame,
        )

    def _added(self, event: Event) -> Iterator[Image]:
        for rgb in event.third_party_camera_frames:
            yield from _images(True, rgb=rgb)
        for depth in event.third_party_depth_frames:
            yield from _images(True, depth=self._packed(depth))
        for instances in event.third_party_instance_segmentation_frames:
            yield from _images(True, instances=instances)
        for classes in event.third_party_semantic_segmentation_frames:
            yield from _images(True, classes=classes)

    def _packed(self, depth: NDArray[np.float32] | None) -> NDArray[np.uint8] | None:
        """Depths as three bytes a pixel."""
        if depth is None:
            return None
        farthest = OLD_DEPTH_M if self.client.old else FAR_M - NEAR_M
        steps = np.minimum(depth * np.float32(2**24 / farthest), np.float32(2**24 - 1)).astype(np.uint32)
        return np.stack([steps >> 16, (steps >> 8) & 255, steps & 255], axis=-1).astype(np.uint8)


def _message(text: bytes) -> dict[str, Any]:
    """What the client says; what is no message at all becomes one with no action."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"action": "a message that is no JSON object"}


def _images(added: bool, **pictures: NDArray[np.uint8] | None) -> Iterator[Image]:
    """Pictures as Unity sends them, the lowest row first."""
    for kind, picture in pictures.items():
        if picture is not None:
            yield Image(kind, added, picture[::-1].tobytes())


def leave_with_parent() -> None:
    """End this process as soon as the one that started it is gone, whatever it is waiting for."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(CHECK_S)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def serve(argv: Sequence[str], environment: Mapping[str, str], store: Store | None) -> None:
    """Serve the client that has started this process until it is gone."""
    from housemates.thor import fifo, web

    client = client_of(argv, environment)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    leave_with_parent()
    try:
        (fifo if client.kind == "FIFO" else web).run(Backend(client, store))
    except (BrokenPipeError, ConnectionError):
        print("The client is gone.", file=sys.stderr)
