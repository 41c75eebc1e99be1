"""The records of recorded games as files have them: our form and the published one, with their types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType, field

from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.tables import COLOURS, COUNTS, RULES, SHAPES

FORMAT = "housemates/cerealbar-game-v1"
SIDE = RULES["map"]["largest"]
At = Annotated[int, msgspec.Meta(ge=0, lt=SIDE * SIDE)]
"""The number of a hex."""
Count = Annotated[int, msgspec.Meta(ge=0, le=10**6)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=10**6)] | Annotated[float, msgspec.Meta(ge=0, le=1e6)]
Heading = Annotated[int, msgspec.Meta(ge=0, le=5)]
Cells = Annotated[str, msgspec.Meta(max_length=SIDE * SIDE)]


Character = Literal["Leader", "Follower", "Human", "Agent"]
"""A player in the published files, or as the game itself logs them: the leader is the human."""


class CardRow(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A card and the hex it lies on."""

    at: At
    number: Annotated[int, msgspec.Meta(ge=1, le=len(COUNTS))]
    colour: Literal[COLOURS]  # type: ignore[valid-type]
    shape: Literal[SHAPES]  # type: ignore[valid-type]

    @property
    def card(self) -> Card:
        """What is printed on it."""
        return Card(self.number, self.colour, self.shape)


class ActionRow(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """Who did what, with its text or amount if it has one."""

    player: Literal["L", "F"]
    name: str
    extra: str | Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)] = ""


class InstructionRow(msgspec.Struct):
    """An instruction and the numbers of the follower's actions while it was the current one."""

    text: str
    actions: list[Count]
    completed: bool


class MapForm(msgspec.Struct, forbid_unknown_fields=True):
    """Ground, props and their headings, a character for every hex."""

    width: Count
    height: Count
    terrain: Cells
    props: Cells
    rotations: Cells


class OptionsForm(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Options of the game; the defaults are the published game."""

    width: Count | UnsetType = UNSET
    height: Count | UnsetType = UNSET
    cards: Count | UnsetType = UNSET
    deal_sets: bool | UnsetType = UNSET
    covers: bool | UnsetType = UNSET
    interrupt: bool | UnsetType = UNSET
    feedback: bool | UnsetType = UNSET
    questions: bool | UnsetType = UNSET


class StateForm(msgspec.Struct, forbid_unknown_fields=True):
    """A state of a game, as `Game.snapshot` gives it."""

    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
    cards: list[CardRow]
    selected: list[At]
    position: tuple[At, At]
    heading: tuple[Heading, Heading]
    used: list[At]
    instructions: list[tuple[str, Literal["pending", "done", "cancelled"]]]
    head: Count
    role: Annotated[int, msgspec.Meta(ge=0, le=1)]
    steps: Count
    turns_left: Annotated[int, msgspec.Meta(ge=-100, le=10**6)]
    turn: Count
    score: Count
    clock: Seconds
    messages: list[tuple[Annotated[int, msgspec.Meta(ge=0, le=1)], str, str]]
    map: MapForm
    options: OptionsForm

    def snapshot(self) -> dict[str, Any]:
        """As plain values of JSON."""
        found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return found


class GameForm(msgspec.Struct):
    """A recorded game as its JSON line has it."""

    format: str
    id: str
    split: str
    score: Count
    seconds: Seconds
    digest: str
    initial: StateForm | None
    actions: list[ActionRow]
    dealt: list[list[CardRow]]
    instructions: list[InstructionRow]


class OfficialRow(msgspec.Struct):
    """Something that happened in a published game; fields that its type does not have are unset."""

    type: str
    game_time: Seconds
    character: Character | UnsetType = UNSET
    action: str | UnsetType = UNSET
    instruction: str | UnsetType = UNSET
    instruction_id: Annotated[int, msgspec.Meta(ge=-1, le=10**6)] = -1
    completed: bool | int | UnsetType = UNSET
    end_method: str | UnsetType = UNSET


class OwnPart(msgspec.Struct):
    """What games written here add to the published schema."""

    initial: StateForm | None = None
    dealt: list[list[CardRow]] = []
    digest: str = ""


class OfficialGame(msgspec.Struct):
    """A game in the published schema."""

    score: Count
    actions: list[OfficialRow]
    split: str = "train"
    own: OwnPart = field(default_factory=OwnPart, name="housemates")
