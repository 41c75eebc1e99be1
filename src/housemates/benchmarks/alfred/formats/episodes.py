"""Records on disk: the official `traj_data.json`, read one by one and written back as it was."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from housemates.benchmarks.alfred.world.masks import Run
from housemates.data.records import Records, Text
from housemates.errors import HousematesError
from housemates.files import file_name
from housemates.typed_json import Whole, decode, nested

Number = Annotated[int, msgspec.Meta(ge=-(10**6), le=10**6)] | Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
Metres = Annotated[int, msgspec.Meta(ge=-100, le=100)] | Annotated[float, msgspec.Meta(ge=-100, le=100)]
Degrees = Annotated[int, msgspec.Meta(ge=-360, le=360)] | Annotated[float, msgspec.Meta(ge=-360, le=360)]
Plain: Any = nested(4)
"""A value of an action's arguments."""
FILE = "traj_data.json"
TASK_ID = re.compile(r'"task_id"\s*:\s*"([^"]*)"')


class Xyz(msgspec.Struct, frozen=True):
    """A point in metres, or turns about three axes in degrees."""

    x: Number
    y: Number
    z: Number


class ObjectPose(msgspec.Struct, frozen=True, rename="camel"):
    """Where a movable object is at the start; `object_name` is AI2-THOR's asset, such as `Mug_291e6e8a`."""

    object_name: str
    position: Xyz
    rotation: Xyz
    parents: list[str] | UnsetType = UNSET
    """What it rests on or in; only files of our own rooms tell."""

    @property
    def type(self) -> str:
        """The class of the asset."""
        return self.object_name.split("_")[0]


class ObjectToggle(msgspec.Struct, frozen=True, rename="camel"):
    """Whether all objects of a class are switched on at the start."""

    object_type: str
    is_on: bool


class InitAction(msgspec.Struct, frozen=True, kw_only=True):
    """Where the agent stands at the start."""

    action: str = "TeleportFull"
    horizon: Degrees
    rotate_on_teleport: bool = msgspec.field(default=True, name="rotateOnTeleport")
    rotation: Degrees
    x: Metres
    y: Metres
    z: Metres


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """The scene at the start."""

    dirty_and_empty: bool
    floor_plan: str
    init_action: InitAction
    object_poses: list[ObjectPose]
    object_toggles: list[ObjectToggle] = []
    random_seed: Whole = 0
    scene_num: Whole = 0


class Params(msgspec.Struct, frozen=True):
    """What a task asks for."""

    mrecep_target: str = ""
    object_sliced: bool = False
    object_target: str = ""
    parent_target: str = ""
    toggle_target: str = ""


class HighDiscrete(msgspec.Struct, frozen=True):
    """A sub-goal in words, such as `PickupObject ["mug"]`."""

    action: str
    args: list[str]


class HighAction(msgspec.Struct, frozen=True):
    """A sub-goal of the expert's plan."""

    discrete_action: HighDiscrete
    high_idx: Whole
    planner_action: dict[str, Plain]


class LowArgs(msgspec.Struct, frozen=True):
    """What an interaction points at; unset for moves."""

    bbox: list[Whole] | UnsetType = UNSET
    mask: list[Run] | UnsetType = UNSET
    point: list[Whole] | UnsetType = UNSET


class LowDiscrete(msgspec.Struct, frozen=True):
    """An action in words, such as `MoveAhead_25`."""

    action: str
    args: LowArgs


class LowAction(msgspec.Struct, frozen=True):
    """One action of the demonstration, with the sub-goal it belongs to."""

    api_action: dict[str, Plain]
    discrete_action: LowDiscrete
    high_idx: Whole

    @property
    def name(self) -> str:
        """AI2-THOR's name of it."""
        return self._text("action")

    @property
    def target(self) -> str:
        """The id of the object it is meant for: of a PutObject, the receptacle; empty for moves."""
        key = "receptacleObjectId" if self.name == "PutObject" else "objectId"
        return self._text(key)

    def _text(self, key: str) -> str:
        found = self.api_action.get(key)
        return found if isinstance(found, str) else ""


class Plan(msgspec.Struct, frozen=True):
    """The demonstration: sub-goals, and the low actions that reach them."""

    high_pddl: list[HighAction]
    low_actions: list[LowAction]


class Annotation(msgspec.Struct, frozen=True):
    """One person's description: the goal, and a sentence for each sub-goal."""

    task_desc: str
    high_descs: list[str]
    assignment_id: str | UnsetType = UNSET
    votes: list[Whole] | UnsetType = UNSET


class Annotations(msgspec.Struct, frozen=True):
    """What people wrote about a demonstration."""

    anns: list[Annotation] = []


class Image(msgspec.Struct, frozen=True):
    """A picture of the original recording and the actions it belongs to."""

    high_idx: Whole
    image_name: str
    low_idx: Whole


class Trajectory(msgspec.Struct, frozen=True, kw_only=True):
    """One `traj_data.json`. Those of the test splits have neither goal nor plan."""

    task_id: str
    scene: Start
    turk_annotations: Annotations = Annotations()
    task_type: str | UnsetType = UNSET
    pddl_params: Params | UnsetType = UNSET
    plan: Plan | UnsetType = UNSET
    images: list[Image] | UnsetType = UNSET
    split: str | UnsetType = UNSET
    """Which split it is of; files that were prepared for training tell."""

    @property
    def scored(self) -> bool:
        """Whether it tells its goal and its plan, without which nothing can be scored."""
        return self.plan is not UNSET and self.pddl_params is not UNSET and self.task_type is not UNSET

    @property
    def low_actions(self) -> list[LowAction]:
        """The demonstration's actions; none for a test."""
        return self.plan.low_actions if isinstance(self.plan, Plan) else []

    @property
    def goal(self) -> str:
        """The first person's goal sentence, or the kind of task."""
        anns = self.turk_annotations.anns
        return anns[0].task_desc if anns else str(self.task_type or "no goal")

    def to_json(self) -> bytes:
        """The official file's content."""
        return msgspec.json.encode(self)


class TrajectoryText(Text[Trajectory]):
    """A trajectory as it stands in its file."""

    @property
    def id(self) -> str:
        """The id it gives itself, else where it was found; nothing else is read."""
        found = TASK_ID.search(self.text)
        return found.group(1) if found else self.source

    def parse(self) -> Trajectory:
        """Read it; raises HousematesError that names the field which is wrong."""
        found = decode(self.text, Trajectory, self.source)
        for index, low in enumerate(found.low_actions):
            if not low.name:
                raise HousematesError(f"{self.source}: plan.low_actions[{index}].api_action: has no action.")
        return found

    def packed(self) -> str:
        """The text on one line."""
        return self.text.strip() if "\n" not in self.text.strip() else self.parse().to_json().decode()


def _place(trajectory: Trajectory) -> str:
    return f"{file_name(trajectory.task_id)}/{FILE}"


TRAJECTORIES = Records("alfred", ("trajectory", "trajectories"), FILE, TrajectoryText, _place)
"""Trees of `TASK_ID/traj_data.json`, single ones, and packed `.jsonl[.zst]` files."""
read_texts, read_trajectories, write_trajectories = TRAJECTORIES.texts, TRAJECTORIES.read, TRAJECTORIES.write
