"""What a step answers: pictures, masks and metadata, each computed when it is first read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from housemates.jit import compiled
from housemates.render.frames import Frame
from housemates.thor.metadata import Colour, Entry, colours, metadata, own_copy
from housemates.thor.moments import Moment, Stage
from housemates.thor.settings import FAR_M

Mask = NDArray[np.bool_]
Picture = NDArray[np.uint8]
Corners = tuple[int, int, int, int]
"""Left, top, right and bottom pixel of a box, all four inside it."""
Value = TypeVar("Value")


class Lazy(Mapping[str, Value], Generic[Value]):
    """Values by name, each computed when it is first asked for."""

    def __init__(self, names: Mapping[str, Any], compute: Callable[[Any], Value]) -> None:
        self._names, self._compute = names, compute
        self._found: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._found:
            self._found[name] = self._compute(self._names[name])
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Sheet:
    """A picture that tells objects apart: what each pixel shows, and in which colours."""

    def __init__(self, frame: Frame, shown: Mapping[str, Colour]) -> None:
        self.ids = frame.ids.copy()
        self.labels = frame.labels
        self._shown = shown
        self.boxes = {box.id: box for box in frame.boxes()}

    def painted(self, by_class: bool) -> Picture:
        """The picture in the colours of objects or of classes."""
        rows = [
            self._shown[label.type if by_class else label.id] if label.id else (0, 0, 0)
            for label in self.labels
        ]
        picture: Picture = _paint(self.ids, np.array(rows, dtype=np.uint8))
        return picture

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each object that is seen."""
        return {label.id: number for number, label in enumerate(self.labels) if label.id in self.boxes}

    @cached_property
    def classes(self) -> dict[str, list[int]]:
        """The numbers of the objects of each class that are seen."""
        found: dict[str, list[int]] = {}
        for name, number in self.numbers.items():
            found.setdefault(name.split("|")[0], []).append(number)
        return found

    def masks(self) -> Lazy[Mask]:
        """Where each object is seen."""
        return Lazy(self.numbers, lambda number: np.asarray(self.ids == number))

    def class_masks(self) -> Lazy[Mask]:
        """Where objects of each class are seen."""
        return Lazy(self.classes, lambda numbers: np.isin(self.ids, numbers))

    def corners(self, name: str) -> Corners:
        """The box around an object."""
        box = self.boxes[name]
        return (box.left, box.top, box.right - 1, box.bottom - 1)

    def detections(self) -> Lazy[Corners]:
        """The box around each object."""
        return Lazy({name: name for name in self.numbers}, self.corners)

    def class_detections(self) -> Lazy[tuple[Corners, ...]]:
        """The boxes around the objects of each class."""
        return Lazy(
            self.classes,
            lambda numbers: tuple(self.corners(self.labels[number].id) for number in numbers),
        )


@compiled
def _paint(ids, palette):  # type: ignore[no-untyped-def]
    """The colour of the number at each pixel."""
    height, width = ids.shape
    picture = np.empty((height, width, 3), np.uint8)
    for row in range(height):
        for column in range(width):
            number = ids[row, column]
            picture[row, column, 0] = palette[number, 0]
            picture[row, column, 1] = palette[number, 1]
            picture[row, column, 2] = palette[number, 2]
    return picture


class Event:
    """What one agent finds after an action."""

    def __init__(
        self,
        stage: Stage,
        moment: Moment,
        agent: int = 0,
        entries: dict[str, Entry] | None = None,
        depth_unit: float = 1.0,
    ) -> None:
        self._stage, self._moment, self._agent = stage, moment, agent
        self._entries = {} if entries is None else entries
        self._depth_unit = depth_unit
        self.screen_width, self.screen_height = moment.settings.width, moment.settings.height
        self.events: list[Event] = [self]
        self.normals_frame = self.flow_frame = None

    def __bool__(self) -> bool:
        return self._moment.reply.success

    def __repr__(self) -> str:
        reply = self._moment.reply
        return (
            f"<housemates.thor.Event {reply.action}: lastActionSuccess={reply.success}, "
            f"errorMessage={reply.message!r}, actionReturn={reply.value!s:.100}>"
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Event:
        copied = Event(self._stage, self._moment, self._agent, self._entries, self._depth_unit)
        copied.metadata = own_copy(self.metadata)
        return copied

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """All that AI2-THOR tells in words and numbers; the reader's own to change."""
        return own_copy(self.shared_metadata())

    def shared_metadata(self) -> dict[str, Any]:
        """The same, sharing its parts with other events: not to be changed."""
        return metadata(self._stage, self._moment, self._agent, self._entries)

    def _look(self) -> Frame:
        return self._stage.look(self._moment, self._agent)

    @cached_property
    def _colours(self) -> dict[str, Colour]:
        return colours(self._moment)

    @cached_property
    def frame(self) -> Picture | None:
        """What the agent sees, height x width x 3."""
        return self._lit(self._look()) if "rgb" in self._moment.images else None

    def _lit(self, frame: Frame) -> Picture:
        """A copy of a picture in the light of the moment."""
        light = self._moment.shown.light
        if light is None:
            return frame.rgb.copy()
        lit: Picture = np.clip(frame.rgb * np.array(light, np.float32), 0, 255).astype(np.uint8)
        return lit

    @cached_property
    def depth_frame(self) -> NDArray[np.float32] | None:
        """Metres along the view axis, height x width, where it was asked for."""
        return self._depth(self._look()) if "depth" in self._moment.images else None

    def _depth(self, frame: Frame) -> NDArray[np.float32]:
        return np.minimum(frame.depth, np.float32(FAR_M)) * np.float32(self._depth_unit)

    @cached_property
    def _sheet(self) -> Sheet:
        return Sheet(self._look(), self._colours)

    @property
    def _has_instances(self) -> bool:
        return "instances" in self._moment.images

    @cached_property
    def instance_segmentation_frame(self) -> Picture | None:
        """Every object in a colour of its own, where it was asked for."""
        return self._sheet.painted(by_class=False) if self._has_instances else None

    @cached_property
    def semantic_segmentation_frame(self) -> Picture | None:
        """Every class in a colour of its own, where it was asked for."""
        return self._sheet.painted(by_class=True) if "classes" in self._moment.images else None

    @property
    def class_segmentation_frame(self) -> Picture | None:
        """The same by its older name."""
        return self.semantic_segmentation_frame

    @cached_property
    def instance_masks(self) -> Mapping[str, Mask]:
        """Where each object is seen."""
        return self._sheet.masks() if self._has_instances else {}

    @cached_property
    def class_masks(self) -> Mapping[str, Mask]:
        """Where objects of each class are seen."""
        return self._sheet.class_masks() if self._has_instances else {}

    @cached_property
    def instance_detections2D(self) -> Mapping[str, Corners] | None:
        """The box around each object that is seen."""
        return self._sheet.detections() if self._has_instances else None

    @cached_property
    def class_detections2D(self) -> Mapping[str, tuple[Corners, ...]]:
        """The boxes around the objects of each class that are seen."""
        return self._sheet.class_detections() if self._has_instances else {}

    @cached_property
    def object_id_to_color(self) -> dict[str, Colour]:
        """The colours of objects and classes."""
        return dict(self._colours)

    @cached_property
    def color_to_object_id(self) -> dict[Colour, str]:
        """What a colour stands for."""
        return {colour: name for name, colour in self._colours.items()}

    def _watched(self, image: str, take: Callable[[Frame], Any]) -> list[Any]:
        if image not in self._moment.images:
            return []
        return [take(self._stage.watch(self._moment, number)) for number in range(len(self._moment.cameras))]

    @cached_property
    def third_party_camera_frames(self) -> list[Picture]:
        """What the added cameras see."""
        return self._watched("rgb", self._lit)

    @cached_property
    def third_party_depth_frames(self) -> list[NDArray[np.float32]]:
        """How far away what the added cameras see is."""
        return self._watched("depth", self._depth)

    @cached_property
    def _third_party_sheets(self) -> list[Sheet]:
        return self._watched("instances", lambda frame: Sheet(frame, self._colours))

    @cached_property
    def third_party_instance_segmentation_frames(self) -> list[Picture]:
        """What the added cameras see, every object in a colour of its own."""
        return [sheet.painted(by_class=False) for sheet in self._third_party_sheets]

    @cached_property
    def third_party_semantic_segmentation_frames(self) -> list[Picture]:
        """What the added cameras see, every class in a colour of its own."""
        return self._watched("classes", lambda frame: Sheet(frame, self._colours).painted(by_class=True))

    @property
    def third_party_class_segmentation_frames(self) -> list[Picture]:
        """The same by its older name."""
        return self.third_party_semantic_segmentation_frames

    @cached_property
    def third_party_instance_masks(self) -> list[Mapping[str, Mask]]:
        """Where the added cameras see each object."""
        return [sheet.masks() for sheet in self._third_party_sheets]

    @cached_property
    def third_party_class_masks(self) -> list[Mapping[str, Mask]]:
        """Where the added cameras see objects of each class."""
        return [sheet.class_masks() for sheet in self._third_party_sheets]

    @property
    def cv2img(self) -> Picture | None:
        """The picture with its colours in the order that OpenCV has."""
        return None if self.frame is None else self.frame[..., ::-1]

    @property
    def pose(self) -> tuple[int, int, int, int]:
        """Where the agent stands in millimetres, and its turn and tilt in thousandths of a degree."""
        here = self._moment.agents[self._agent]
        x, z, turn, tilt = (round(1000 * value) for value in (here.x, here.z, here.rotation, here.horizon))
        return x, z, turn, tilt

    @property
    def pose_discrete(self) -> tuple[int, int, int, int]:
        """Where the agent stands in steps of 0.25 m, its turn in quarters and its tilt in degrees."""
        here = self._moment.agents[self._agent]
        return int(here.x / 0.25), int(here.z / 0.25), int(here.rotation / 90), round(here.horizon)

    def get_object(self, object_id: str) -> dict[str, Any] | None:
        """The metadata of one object."""
        return next((each for each in self.metadata["objects"] if each["objectId"] == object_id), None)

    def objects_by_type(self, object_type: str) -> list[dict[str, Any]]:
        """The metadata of all objects of a type."""
        return [each for each in self.metadata["objects"] if each["objectType"] == object_type]


class MultiAgentEvent:
    """What several agents find after the action of one of them; `metadata` is that one's."""

    def __init__(self, active_agent_id: int, events: list[Event]) -> None:
        self._active_event = events[active_agent_id]
        self.events = events
        self.screen_width, self.screen_height = (
            self._active_event.screen_width,
            self._active_event.screen_height,
        )

    def __bool__(self) -> bool:
        return bool(self._active_event)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._active_event, name)
