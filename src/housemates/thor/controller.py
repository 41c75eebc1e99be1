"""The Controller: AI2-THOR's calls in both styles, answered in this process."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from housemates.core.copies import copied
from housemates.data.store import Store, open_store
from housemates.thor import scenes
from housemates.thor.actions import Simulation
from housemates.thor.arguments import plain
from housemates.thor.events import Event, MultiAgentEvent
from housemates.thor.metadata import Entry
from housemates.thor.moments import Moment
from housemates.thor.replies import RAISED, Refused
from housemates.thor.settings import OLD_FOV_DEG, Settings

STORE = "HOUSEMATES_STORE"
"""The variable of the environment that names the store of imported floor plans."""
MM = 1000.0
MEANINGLESS = frozenset(
    (
        "port", "start_unity", "local_build", "commit_id", "branch", "x_display", "host", "image_dir",
        "save_image_per_frame", "add_depth_noise", "include_private_scenes", "server_class", "gpu_device",
        "platform", "server_timeout", "server_start_timeout",
    )
)  # fmt: skip
"""Arguments of AI2-THOR's controller about builds, servers and displays."""


class DepthFormat(Enum):
    """In what depths are told."""

    Meters = 0
    Normalized = 1
    Millimeters = 2


def store_named(folder: str | Path | None = None) -> Store | None:
    """The store of a folder, else of the one that the environment names, else the user's own."""
    named = folder or os.environ.get(STORE)
    return open_store(Path(named) if named else None)


class Controller:
    """Answers AI2-THOR's actions.

    All arguments of AI2-THOR's own controller are taken; those about builds, servers and displays mean
    nothing here. What is not named below goes to Initialize. One that is made without a scene waits: `start`
    begins as version 2 does, anything else as later versions do.

    Args:
        quality: Means nothing here, as pictures have one quality.
        fullscreen: Means nothing here.
        headless: Draw no pictures unless they are asked for.
        width: Of the pictures, in pixels.
        height: Of the pictures, in pixels.
        scene: Where to begin.
        depth_format: In what depths are told.
        download_only: Do not begin at all.
        local_executable_path: Means nothing here, but can be read and set as in version 2.
        store: The folder of imported floor plans, if it is not the user's own.
        parameters: What is handed to Initialize at every reset.
    """

    def __init__(
        self,
        quality: str = "Ultra",
        fullscreen: bool = False,
        headless: bool = False,
        *,
        width: int = 300,
        height: int = 300,
        scene: str | None = None,
        depth_format: Any = DepthFormat.Meters,
        download_only: bool = False,
        local_executable_path: str | None = None,
        store: str | Path | None = None,
        **parameters: Any,
    ) -> None:
        self.quality, self.fullscreen, self.headless = quality, fullscreen, headless
        self.width, self.height = width, height
        self.local_executable_path = local_executable_path
        self.depth_format = depth_format
        self.initialization_parameters = {
            name: value for name, value in parameters.items() if name not in MEANINGLESS
        }
        self.scene: str | None = None
        self.last_action: dict[str, Any] = {}
        self._last_event: Any = None
        self._store = store_named(store)
        self._simulation: Simulation | None = None
        self._entries: dict[str, Entry] = {}
        self._old = False
        if scene is not None and not download_only:
            self.reset(scene)

    @property
    def simulation(self) -> Simulation:
        """The home behind it."""
        if self._simulation is None:
            self.reset(scenes.FIRST)
        assert self._simulation is not None
        return self._simulation

    @property
    def last_event(self) -> Any:
        """What the last step answered."""
        if self._last_event is None:
            self._last_event = self._event(self.simulation.last)
        return self._last_event

    @last_event.setter
    def last_event(self, event: Any) -> None:
        self._last_event = event

    def _begin(self, settings: Settings, scene: str = scenes.FIRST) -> None:
        self._simulation = Simulation(settings, self._store, scene)
        self._last_event = self._event(self._simulation.last)

    def __enter__(self) -> Controller:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(
        self,
        *_: Any,
        player_screen_width: int | None = None,
        player_screen_height: int | None = None,
        **__: Any,
    ) -> Any:
        """Begin as version 2 does: a field of view of 60 degrees, depths in millimetres."""
        self.width = player_screen_width or self.width
        self.height = player_screen_height or self.height
        self._old = True
        self._begin(Settings(self.width, self.height, fov=OLD_FOV_DEG, old=True))
        return self.last_event

    def fork(self) -> Controller:
        """An independent controller at this moment."""
        return copied(self, {id(shared): shared for shared in (self._store, self._last_event)})

    def snapshot(self) -> Controller:
        """This moment, as `restore` takes it."""
        return self.fork()

    def restore(self, snapshot: Controller) -> Any:
        """Go back to a moment, as often as wanted, and return its event."""
        self.__dict__.update(snapshot.fork().__dict__)
        return self.last_event

    def stop(self) -> None:
        """Nothing runs that would have to be stopped."""

    def reset(self, scene: str | Mapping[str, Any] | None = None, **init_params: Any) -> Any:
        """Go to a scene, and set it up with these parameters and those of the constructor."""
        house = scene if isinstance(scene, Mapping) else None
        wanted = init_params.pop("scene_name", scene) or self.scene or scenes.FIRST
        name = self.normalize_scene(scenes.PROCEDURAL if isinstance(wanted, Mapping) else wanted)
        width, height = init_params.pop("width", self.width), init_params.pop("height", self.height)
        self._open(name)
        self.scene = name
        now = self.simulation.settings
        if (width, height) != (now.width, now.height):
            self.step("ChangeResolution", x=width, y=height, raise_for_failure=True)
            self.width, self.height = width, height
        self.initialization_parameters.update(init_params)
        if not self._old:
            self.step("Initialize", raise_for_failure=True, **self.initialization_parameters)
        if house is not None:
            self.step("CreateHouse", house=house)
        return self.last_event

    def _open(self, name: str) -> None:
        try:
            if self._simulation is None:
                self._begin(Settings(width=self.width, height=self.height), name)
            elif not self._perform({"action": "Reset", "sceneName": name}):
                raise Refused(self._simulation.last.reply.message)
        except Refused as refusal:
            known = ", ".join(scenes.names())
            raise ValueError(f"\n{refusal.message}\nPlease choose one of:\n\n{known}") from None

    def step(
        self,
        action: str | Mapping[str, Any] | None = None,
        raise_for_failure: bool = False,
        **action_args: Any,
    ) -> Any:
        """Do an action, given by name and arguments or as one mapping.

        Raises:
            ValueError: if there is no such action or its arguments are wrong.
            RuntimeError: if it fails and `raise_for_failure` is set.
        """
        message = plain(action) if isinstance(action, Mapping) else {"action": action}
        message.update(plain(action_args))
        raise_for_failure = bool(message.pop("raise_for_failure", raise_for_failure))
        if self.headless:
            message.setdefault("renderImage", False)
        self.last_action = message
        event = self._perform(message)
        reply = self.simulation.last.reply
        if not reply.success and reply.code in RAISED:
            raise ValueError(reply.message)
        if not reply.success and raise_for_failure:
            raise RuntimeError(reply.message)
        return event

    def _perform(self, message: Mapping[str, Any]) -> Any:
        before = self.simulation.place
        moment = self.simulation.perform(message)
        if self.simulation.place is not before:
            self._entries = {}
        self.last_event = self._event(moment)
        return self.last_event

    def _event(self, moment: Moment) -> Any:
        stage, unit = self.simulation.stage, self._depth_unit()
        events = [Event(stage, moment, number, self._entries, unit) for number in range(len(moment.agents))]
        return events[0] if len(events) == 1 else MultiAgentEvent(moment.active, events)

    def _depth_unit(self) -> float:
        name = getattr(self.depth_format, "name", "Meters")
        return MM if self._old or name == "Millimeters" else 1.0 / 19.9 if name == "Normalized" else 1.0

    @staticmethod
    def normalize_scene(scene: str) -> str:
        """The name of a floor plan as AI2-THOR's builds have it."""
        return f"{scene}_physics" if re.fullmatch(r"FloorPlan[0-9]+", scene) else scene

    @property
    def scenes_in_build(self) -> set[str]:
        """The names of all floor plans."""
        return set(scenes.names())

    def ithor_scenes(
        self,
        include_kitchens: bool = True,
        include_living_rooms: bool = True,
        include_bedrooms: bool = True,
        include_bathrooms: bool = True,
    ) -> list[str]:
        """The names of the floor plans of some kinds of rooms."""
        wanted = (include_kitchens, False, include_living_rooms, include_bedrooms, include_bathrooms)
        return [f"FloorPlan{number}_physics" for number in scenes.NUMBERS if wanted[number // 100]]

    def scene_names(self) -> list[str]:
        """The names of all floor plans."""
        return scenes.names()

    def multi_step_physics(self, action: Mapping[str, Any], **_: Any) -> list[Any]:
        """The events of an action; nothing moves on by itself."""
        return [self.step(action)]


def step_all(controllers: Sequence[Controller], actions: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Step several controllers, one action each, and return their events."""
    return [controller.step(action) for controller, action in zip(controllers, actions, strict=True)]
