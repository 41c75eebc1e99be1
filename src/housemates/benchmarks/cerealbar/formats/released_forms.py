"""The records of the published pickles of people's games, as the authors' classes have their fields."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import field

from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER
from housemates.benchmarks.cerealbar.world.tables import COLOURS, SHAPES
from housemates.files import shipped

NAMES = shipped(__package__, "released.toml")
"""What the files call things -> what they are here."""


class Place(msgspec.Struct):
    """A hex by its column and row."""

    x: Annotated[int, msgspec.Meta(ge=0, lt=STANDARD.width)]
    y: Annotated[int, msgspec.Meta(ge=0, lt=STANDARD.height)]

    @property
    def hex(self) -> int:
        """The number of the hex."""
        return self.y * STANDARD.width + self.x


class Player(msgspec.Struct):
    """Where a player stands and looks."""

    at: Place = field(name="_position")
    heading: Literal[tuple(NAMES["heading"])] = field(name="_rotation")  # type: ignore[valid-type]


class CardForm(msgspec.Struct):
    """A card on the map."""

    at: Place = field(name="_position")
    colour: Literal[tuple(each.upper() for each in COLOURS)] = field(name="_color")  # type: ignore[valid-type]
    count: Literal["1", "2", "3"] = field(name="_count")
    shape: Literal[tuple(each.upper() for each in SHAPES)] = field(name="_shape")  # type: ignore[valid-type]
    selection: Literal["SELECTED", "UNSELECTED", "INVALID"] = field(name="_selection")

    @property
    def card(self) -> Card:
        """What is printed on it."""
        return Card(int(self.count), self.colour.lower(), self.shape.lower())


class StateForm(msgspec.Struct):
    """What changes during a game."""

    leader: Player
    follower: Player
    cards: Annotated[list[CardForm], msgspec.Meta(max_length=100)]

    def on_table(self) -> dict[int, Card]:
        """The cards by their hexes."""
        return {each.at.hex: each.card for each in self.cards}


class ObjectForm(msgspec.Struct):
    """Something that stands on the map."""

    kind: str
    at: Place = field(name="_position")
    heading: Literal[tuple(NAMES["heading"])] = field(  # type: ignore[valid-type]
        name="_rotation", default="NORTHEAST"
    )
    colour: str = field(name="_color", default="")
    tree: str = field(name="_tree_type", default="")
    plant: str = field(name="plant_type", default="")

    @property
    def name(self) -> str:
        """As `released.toml` has it."""
        return f"{self.kind} {self.colour}{self.tree}{self.plant}".strip()


class ActionForm(msgspec.Struct):
    """Something that a player did or said."""

    kind: str
    time: float = field(name="_time", default=0.0)
    who: Literal["LEADER", "FOLLOWER"] = field(name="_agent", default="FOLLOWER")
    move: str = field(name="_action", default="")
    text: str = field(name="_instruction", default="")
    before: StateForm | None = field(name="_prior_game_info", default=None)
    after: StateForm | None = field(name="_posterior_game_info", default=None)

    @property
    def role(self) -> int:
        """The player whose action it is."""
        if self.kind == "InstructionAction":
            return LEADER
        return LEADER if self.who == "LEADER" else FOLLOWER


class GameForm(msgspec.Struct):
    """A game; of its examples, which are made of the rest, nothing is read."""

    id: str = field(name="_game_id")
    split: Literal[tuple(NAMES["split"])] = field(name="_split")  # type: ignore[valid-type]
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] = field(name="_seed")
    score: Annotated[int, msgspec.Meta(ge=0, le=10**6)] = field(name="_score")
    actions: Annotated[list[ActionForm], msgspec.Meta(max_length=100_000)] = field(name="_actions")
    hexes: Annotated[
        list[tuple[Literal[tuple(NAMES["terrain"])], Place]],  # type: ignore[valid-type]
        msgspec.Meta(max_length=10_000),
    ] = field(name="_hex_info")
    objects: Annotated[list[ObjectForm], msgspec.Meta(max_length=10_000)] = field(name="_object_info")
