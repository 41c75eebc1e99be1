"""Records on disk: the official TEACh game format, read game by game and written back as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from housemates.benchmarks.teach.tasks.catalogue import game_task, with_custom
from housemates.benchmarks.teach.tasks.tdl.forms import check_told
from housemates.benchmarks.teach.world.actions import TEXT, Action, actions
from housemates.core.copies import shared
from housemates.data.records import Records, Text
from housemates.errors import HousematesError
from housemates.files import file_name
from housemates.home.scenes.plans.forms import check_agents, check_objects
from housemates.typed_json import Whole, check_plain, decode, nested

VERSION = "2.0"
Number = (
    Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)] | Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]
)
Coordinate = Annotated[int, msgspec.Meta(ge=-360, le=360)] | Annotated[float, msgspec.Meta(ge=-360, le=360)]
"""Metres or degrees."""
Share = Annotated[int, msgspec.Meta(ge=-10, le=10)] | Annotated[float, msgspec.Meta(ge=-10, le=10)]
"""A place in a picture, from the left or from the top; a few clicks lie outside it."""
Pose = Annotated[list[Coordinate], msgspec.Meta(min_length=6, max_length=6)]
Plain: Any = nested(4)
"""A value within AI2-THOR's records."""


@shared
class Interaction(msgspec.Struct, kw_only=True):
    """One recorded action of one of the two; fields that its kind does not have are unset."""

    agent_id: Annotated[int, msgspec.Meta(ge=0, le=1)]
    action_id: Whole
    time_start: Number
    duration: Number
    success: Whole | None
    pose_delta: Pose | UnsetType = UNSET
    pose: Pose | UnsetType = UNSET
    x: Share | UnsetType = UNSET
    y: Share | UnsetType = UNSET
    oid: str | UnsetType | None = UNSET
    query: str | UnsetType = UNSET
    utterance: str | UnsetType = UNSET
    is_corrected: Whole | UnsetType = UNSET
    corrected_utterance: str | UnsetType = UNSET
    da_metadata: dict[str, Plain] | UnsetType = UNSET
    start_x: Number | UnsetType = UNSET
    start_y: Number | UnsetType = UNSET
    end_x: Number | UnsetType = UNSET
    end_y: Number | UnsetType = UNSET

    @property
    def action(self) -> Action:
        """The row of the action table."""
        return actions()[self.action_id]

    @property
    def text(self) -> str | None:
        """What was said; None if this is not an utterance."""
        return str(self.utterance) if self.action_id == TEXT and self.utterance is not UNSET else None


class Snapshot(msgspec.Struct):
    """A recorded state: both agents and every object with AI2-THOR's metadata."""

    time_start: Number
    agents: Annotated[list[dict[str, Plain]], msgspec.Meta(min_length=2)]
    objects: Annotated[list[dict[str, Plain]], msgspec.Meta(min_length=1)]
    custom_object_metadata: dict[str, dict[str, Plain]]


class Episode(msgspec.Struct):
    """One session in one floor plan."""

    episode_id: str
    world: str
    world_type: str | None
    commander_embodied: str | bool
    initial_state: Snapshot
    interactions: list[Interaction]
    final_state: Snapshot


class GameTask(msgspec.Struct):
    """The task of a game with its definition, parameters filled in, and its session."""

    task_id: Whole
    task_name: str
    task_params: list[str | Whole]
    task_nparams: Whole
    task_anchor_object: str | None
    desc: str
    components: dict[str, dict[str, Any]]
    relations: list[dict[str, Plain]]
    comments: str | None
    episodes: list[Episode]

    @property
    def params(self) -> tuple[str, ...]:
        """The parameters of the task, in the order of its definition."""
        return tuple(str(each) for each in self.task_params)

    def definition(self) -> dict[str, Any]:
        """The task definition that the game carries, without its session."""
        fields = ("task_id", "task_name", "task_params", "task_nparams", "task_anchor_object", "desc")
        return {name: getattr(self, name) for name in (*fields, "components", "relations")}


class Game(msgspec.Struct, kw_only=True):
    """A recorded session, as an official `*.game.json` has it."""

    version: str
    task_type: str
    comments: str
    definitions: dict[str, Any]
    tasks: list[GameTask]
    game_id: str | UnsetType = UNSET

    @property
    def id(self) -> str:
        """The name of the game's file; packed files carry it as `game_id`."""
        return self.episode.episode_id if self.game_id is UNSET else str(self.game_id)

    @property
    def task(self) -> GameTask:
        """The task of the game."""
        return self.tasks[0]

    @property
    def episode(self) -> Episode:
        """The session; a few games hold it twice."""
        return self.tasks[0].episodes[0]

    @property
    def plan(self) -> str:
        """The floor plan: `FloorPlan6` for the world `FloorPlan6_physics`."""
        return self.episode.world.removesuffix("_physics")

    def to_json(self) -> bytes:
        """The game as JSON."""
        return msgspec.json.encode(self)


class GameText(Text[Game]):
    """A game as it stands in a file, not read yet."""

    @property
    def id(self) -> str:
        """The game's id, also if it is broken: as packed files carry it, else the name of its file."""
        found = _NAME.match(self.text, max(0, self.text.rfind('"game_id"')))
        return found[1] if found else Path(self.source).name.removesuffix(".game.json")

    def parse(self) -> Game:
        """Read the game; one from a file of its own is named after it."""
        game = parse_game(self.text, self.source)
        if game.game_id is UNSET and self.source.endswith(".game.json"):
            game.game_id = self.id
        return game

    def packed(self) -> str:
        """The game as one line that carries its id: unchanged if it is one already."""
        line = self.text.strip()
        if _NAME.match(line, max(0, line.rfind('"game_id"'))) and "\n" not in line:
            return line
        fields = json.loads(line)
        return json.dumps({**fields, "game_id": self.id}, ensure_ascii=False)


_NAME = re.compile(r'"game_id"\s*:\s*"([^"]+)"')


def parse_game(text: str | bytes, name: str) -> Game:
    """Read one game; whatever is wrong with it is named.

    Raises:
        HousematesError: with the game's name, the field, and what was expected.
    """
    game = decode(text, Game, name)
    _check(game, name)
    return game


def _place(game: Game) -> str:
    return f"{file_name(game.id)}.game.json"


def _official(game: Game) -> bytes:
    return msgspec.structs.replace(game, game_id=UNSET).to_json()


GAMES = Records("teach", ("game", "games"), "*.game.json", GameText, _place, _official)
"""Folders of `*.game.json`, single ones, and packed `.jsonl[.zst]` files."""
read_texts, read_games, write_games = GAMES.texts, GAMES.read, GAMES.write


def in_plans(texts: Iterable[Text[Game]], plans: Collection[str]) -> Iterator[Text[Game]]:
    """The games in these floor plans, told without reading them."""
    wanted = [f'"{plan}_physics"' for plan in plans]
    return (text for text in texts if any(world in text.text for world in wanted))


def _check(game: Game, name: str) -> None:
    if game.version != VERSION:
        raise HousematesError(f"{name}: version: expected {VERSION}, found {game.version}.")
    if not game.tasks or not game.tasks[0].episodes:
        raise HousematesError(f"{name}: tasks: expected a task with an episode.")
    for index, interaction in enumerate(game.episode.interactions):
        if interaction.action_id not in actions():
            raise HousematesError(
                f"{name}: interactions[{index}].action_id: unknown action {interaction.action_id}."
            )
        missing = [field for field in _NEEDED.get(interaction.action.kind, ()) if _unset(interaction, field)]
        if missing:
            raise HousematesError(f"{name}: interactions[{index}]: the field {missing[0]!r} is missing.")
    for when in ("initial_state", "final_state"):
        state = getattr(game.episode, when)
        check_objects(state.objects, f"{name}: {when}.objects")
        check_agents(state.agents, f"{name}: {when}.agents")
        check_told(with_custom(state.objects, state.custom_object_metadata), f"{name}: {when}.objects")
    check_plain([game.definitions, game.task.components], name)
    game_task(game.task.definition(), name)


_NEEDED: Mapping[str, tuple[str, ...]] = {
    "Motion": ("pose",),
    "ObjectInteraction": ("x", "y", "oid"),
    "ProgressCheck": ("query",),
    "Keyboard": ("utterance",),
}


def _unset(interaction: Interaction, field: str) -> bool:
    return getattr(interaction, field) is UNSET
