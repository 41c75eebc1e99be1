"""What is asked: play a whole game, or follow the leader of a recorded one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import count
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from housemates.benchmarks.cerealbar import metrics
from housemates.benchmarks.cerealbar.formats.episodes import SPLITS, from_form
from housemates.benchmarks.cerealbar.formats.forms import GameForm
from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.session import GameSession
from housemates.benchmarks.cerealbar.tasks.recorded import Entry, RecordedSession, take_apart
from housemates.benchmarks.cerealbar.world import state
from housemates.benchmarks.cerealbar.world.cards import SET_SIZE
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD
from housemates.benchmarks.cerealbar.world.state import ROLES, restore
from housemates.benchmarks.cerealbar.world.tables import RULES
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.data.packs import read_place
from housemates.errors import HousematesError
from housemates.files import read_text_lines
from housemates.typed_json import decode

GAME, INSTRUCTION = "game", "instruction"
"""What is asked: a whole game, or the rest of one from an instruction on."""
Side = Annotated[int, msgspec.Meta(ge=RULES["map"]["smallest"], le=RULES["map"]["largest"])]
Dealt = Annotated[int, msgspec.Meta(ge=SET_SIZE)]
View = Literal["full", "partial"]


@dataclass(frozen=True)
class GameOptions(state.Options):
    """Options of the game; the defaults are the published game."""

    width: Side = STANDARD.width
    """Hexes from west to east."""
    height: Side = STANDARD.height
    """Hexes from south to north."""
    cards: Dealt = RULES["cards"]["count"]
    """Number of cards on the map."""
    view: View = "full"
    """The follower's view: everything, as for the paper's model, or what people see."""
    clock: bool = False
    """Play in real time: players may wait, and a turn ends when its time is up."""

    @property
    def game(self) -> state.Options:
        """Those that the game itself knows."""
        return state.Options(**{each.name: getattr(self, each.name) for each in fields(state.Options)})


class Games(Benchmark):
    """Whole games between a leader and a follower, scored by their points."""

    name = "cerealbar"
    id = "housemates/cerealbar-v2"
    roles = ROLES
    limits = Limits(steps=5000, failures=200)
    episodes = 200
    Data = dict[str, Any]
    """The first state, as `Game.snapshot` gives it."""
    Options = GameOptions

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """There is one kind of game."""
        return (GAME,)

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """Games on new maps, without end."""
        if split != "generated":
            raise HousematesError(f"{self.name}: split: expected 'generated', found {split!r}.")
        check_seed(seed)
        return (Reference(f"game-{seed}-{i}", seed * 100_000 + i, seed) for i in count())

    def open(self, reference: Reference) -> Sequence[Instance]:
        """A new map and new cards."""
        game = new_game(reference.data, self.options.game)
        return [Instance(reference.id, GAME, game.snapshot(), game.seed)]

    def session(self, instance: Instance) -> GameSession:
        """Return a new session of a game."""
        game = restore(instance.data)
        return GameSession(
            instance, self.limits, game, self.options.view == "partial", bool(self.options.clock)
        )

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Points, turns and instructions; a success is a game with a point."""
        assert isinstance(session, GameSession)
        return metrics.score_game(session.game)

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """Means, and how the points are spread."""
        return Summary(metrics.summary_of_games(results), paper=metrics.published("games"))


@dataclass(frozen=True)
class RecordedOptions:
    """Options of recorded games."""

    RENAMED: ClassVar[Mapping[str, str]] = {"store": "data"}

    data: Path = Path("out/cerealbar")
    """Folder with train, development and test as `housemates generate cerealbar` writes them."""
    turns: Literal["ten", "recorded"] = "ten"
    """Steps in each of the follower's turns: ten, as in the paper, or as many as were recorded."""
    view: View = "full"
    """The follower's view: everything, as for the paper's model, or what people see."""


class Recorded(Benchmark):
    """Recorded games, each from every one of its instructions to the end: cascaded evaluation."""

    name = "cerealbar-recorded"
    id = "housemates/cerealbar-recorded-v2"
    roles = ("follower",)
    limits = Limits(steps=5000, failures=50)
    episodes = 400
    splits: ClassVar[Mapping[str, str]] = {"generated": "", **dict.fromkeys(SPLITS, "data")}
    Data = Entry
    Options = RecordedOptions

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """There is one kind of entry."""
        return (INSTRUCTION,)

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """The games of a split; generated ones without end."""
        if split == "generated":
            check_seed(seed)
            return (Reference(f"s{seed}-{i:05d}", {"seed": seed, "number": i}, seed) for i in count())
        there = [each for each in SPLITS if self._path(each).exists()]
        if split not in there:
            expected = ", ".join([*there, "generated"])
            raise HousematesError(
                f"{self.name}: split: expected one of {expected} ({self.options.data}), found {split!r}."
            )
        path = str(self._path(split))
        return (
            Reference(f"{split}-{line}", {"path": path, "line": line}, seed)
            for line, _ in read_text_lines(path)
        )

    def open(self, reference: Reference) -> Sequence[Instance]:
        """An instance for every instruction that was finished in a game."""
        place = reference.data
        if "path" in place:
            where = f"{place['path']}: line {place['line']}"
            recording = from_form(decode(read_place(place["path"], place["line"]), GameForm, where), where)
        else:
            from housemates.benchmarks.cerealbar.generate.games import play_game

            recording = play_game(place["seed"], place["number"])
        return [
            Instance(
                f"{recording.id}/{first}",
                INSTRUCTION,
                Entry(recording, first),
                reference.seed,
                {"game": recording.id, "entry": str(entry)},
            )
            for entry, first in enumerate(take_apart(recording).completed)
        ]

    def session(self, instance: Instance) -> RecordedSession:
        """Begin at the instance's instruction."""
        return RecordedSession(
            instance, self.limits, self.options.turns == "ten", self.options.view == "partial"
        )

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Instruction-level and cascaded numbers of one entry; a success leaves the cards as recorded."""
        assert isinstance(session, RecordedSession)
        return metrics.score_entry(session.script, instance.data.first, session)

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """The row of Table 1, the cascaded numbers by the released code, and the paper's rows."""
        return Summary(
            metrics.table_row(results),
            {"cascaded, by the released code": {"here": metrics.released(results)}},
            metrics.published("recorded", "test" if split == "test" else "development"),
        )

    def files(self) -> Sequence[Path]:
        """The files of the recorded games, for fingerprints."""
        return [path for split in SPLITS if (path := self._path(split)).exists()]

    def _path(self, split: str) -> Path:
        return Path(self.options.data) / f"{split}.jsonl.zst"


def check_seed(seed: int) -> None:
    """Refuse a seed that nothing can be drawn from."""
    if seed < 0:
        raise HousematesError(f"--seed: expected 0 or more, found {seed}.")
