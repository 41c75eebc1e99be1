"""People's games as the authors published them: pickles of their classes, read as records and replayed.

Nothing in a pickle is executed. What the files tell are the map, the state of the cards before each action,
what was done and what was said; where turns ended is left out, and follows from who acts next.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from housemates.benchmarks.cerealbar.formats.episodes import Recording, align, replay
from housemates.benchmarks.cerealbar.formats.released_forms import NAMES, ActionForm, GameForm, StateForm
from housemates.benchmarks.cerealbar.world.cards import SET_SIZE, Card
from housemates.benchmarks.cerealbar.world.dynamics import act
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD, HexMap
from housemates.benchmarks.cerealbar.world.state import (
    DONE,
    FOLLOWER,
    LEADER,
    MOVES,
    ROLES,
    SECONDS,
    Action,
    Game,
    Options,
    restore,
    say,
    wait,
)
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PROPS, TERRAINS
from housemates.data.pickles import Made, Name, read_pickle
from housemates.data.records import Skipped
from housemates.errors import HousematesError
from housemates.parallel import Workers, map_ordered
from housemates.typed_json import convert

SUFFIX = ".pkl"
OTHERS = frozenset({"args.pkl", "game_states.pkl", "position_visibility.pkl"})
"""Files beside those of games, of which nothing is needed."""
POINTER = b"version https://git-lfs"
"""How a file begins that Git LFS has not brought yet."""
THEIRS = "agent."
"""The package of the authors' classes."""
PLAIN_NAMES = frozenset(
    {
        "datetime.datetime",
        "collections.OrderedDict",
        "builtins.set",
        "builtins.frozenset",
        "__builtin__.set",
        "__builtin__.frozenset",
        "_codecs.encode",
    }
)
"""What dates, sets and bytes are made with in pickles of all protocols."""
GAME, GAMES = "CerealBarGame", "GameDataset"
SPLITS_OF_GAMES = ("_train_games", "_dev_games", "_test_games")
DEEPEST = 12
"""Records within one another, of a game."""
CLOCK = 10
"""Bytes of a date and time."""


def theirs(name: Name) -> bool:
    """What a public file may name: the authors' classes, and what plain values are made with."""
    return name.module.startswith(THEIRS) or str(name) in PLAIN_NAMES


FIELDS = tuple(each.encode_name for each in msgspec.structs.fields(GameForm))


def read_pickles(source: Path, skipped: list[Skipped], workers: Workers = 1) -> list[Recording]:
    """The games of a public file, or of all of a folder; what cannot be used is added to `skipped`."""
    if not source.is_dir():
        return read_released(source, skipped)
    paths = [path for path in sorted(source.rglob(f"*{SUFFIX}")) if path.name not in OTHERS]
    found: list[Recording] = []
    for games, without in map_ordered(_read, paths, workers, "pickles"):
        found += games
        skipped += without
    return found


def _read(path: Path) -> tuple[list[Recording], list[Skipped]]:
    """The games of a file among others, and what was left out."""
    skipped: list[Skipped] = []
    try:
        return read_released(path, skipped), skipped
    except HousematesError as error:
        return [], [Skipped(path.name, str(error))]


def read_released(path: Path, skipped: list[Skipped]) -> list[Recording]:
    """The games of one public file; those that cannot be replayed are added to `skipped`.

    Raises:
        HousematesError: it is no pickle of the authors' games, or asks for anything but data.
    """
    try:
        with path.open("rb") as stream:
            if stream.read(len(POINTER)) == POINTER:
                raise HousematesError(
                    f"{path}: expected a pickle, found where Git LFS keeps it (git lfs pull)."
                )
            stream.seek(0)
            value = read_pickle(stream, theirs, str(path))
    except OSError as error:
        raise HousematesError(f"{path}: cannot be read ({error.strerror or error}).") from None
    found = []
    for name, game in _games(value, str(path)):
        try:
            found.append(recording_of(game, f"{path}: {name}"))
        except HousematesError as error:
            skipped.append(Skipped(name, str(error)))
    return found


def _games(value: Any, source: str) -> Iterator[tuple[str, Made]]:
    """The games of a file with their ids: one, or those of a whole dataset."""
    if isinstance(value, Made) and isinstance(value.state, dict):
        if value.name.name == GAME:
            yield str(value.state.get("_game_id")), value
            return
        splits = [each for name in SPLITS_OF_GAMES if isinstance(each := value.state.get(name), dict)]
        if value.name.name == GAMES and len(splits) == len(SPLITS_OF_GAMES):
            yield from ((str(name), game) for split in splits for name, game in split.items())
            return
    raise HousematesError(f"{source}: expected one of the authors' games or a dataset of them.")


def recording_of(game: Any, where: str) -> Recording:
    """A game as it is kept here, checked by replaying it."""
    state = game.state if isinstance(game, Made) else None
    if not isinstance(state, dict):
        raise HousematesError(f"{where}: expected a game.")
    form = convert({name: plain(state.get(name), where) for name in FIELDS}, GameForm, where)
    return _Retelling(form, where).recording


def plain(value: Any, where: str, depth: int = 0) -> Any:
    """A record as a dictionary with its class as `kind`, a member of an enumeration as its value."""
    if depth > DEEPEST:
        raise HousematesError(f"{where}: expected a game, found records too deep in one another.")
    if isinstance(value, list | tuple):
        return [plain(each, where, depth + 1) for each in value]
    if isinstance(value, Made) and str(value.name) == "datetime.datetime":
        return _seconds(value.arguments[0] if value.arguments else None)
    if isinstance(value, Made) and isinstance(value.state, dict):
        parts = {key: plain(each, where, depth + 1) for key, each in value.state.items()}
        return parts | {"kind": value.name.name}
    if isinstance(value, Made) and len(value.arguments) == 1:
        return value.arguments[0]
    return value


def _seconds(packed: Any) -> float:
    """A date and time as Python packs it, in seconds; 0 if it is none."""
    if not isinstance(packed, bytes) or len(packed) != CLOCK:
        return 0.0
    year, (month, day, hour, minute, second) = int.from_bytes(packed[:2], "big"), packed[2:7]
    try:
        moment = datetime(year, month & 127, day, hour, minute, second)
    except ValueError:
        return 0.0
    return (moment - datetime(1, 1, 1)).total_seconds() + int.from_bytes(packed[7:], "big") / 1e6


class _Retelling:
    """A game told again in our actions: turns end where the file goes on with somebody else's."""

    def __init__(self, form: GameForm, where: str) -> None:
        self._form, self._where = form, where
        self._states = list(self._recorded_states())
        if not self._states:
            raise HousematesError(f"{where}: _actions: expected at least one with the state before it.")
        self.game = restore(self._initial())
        self.recording = Recording(
            form.id, self.game.snapshot(), split=NAMES["split"][form.split], seconds=self._length()
        )
        self.game.deal = self._deal
        self._now = 0
        for number, each in enumerate(form.actions):
            self._now = number
            self._tell(number, each)
        self._finish()

    def _recorded_states(self) -> Iterator[tuple[int, StateForm]]:
        """The states that the file tells, each with the number of the action before which it is."""
        for number, each in enumerate(self._form.actions):
            if each.before is not None:
                yield number, each.before
            if each.after is not None:
                yield number + 1, each.after

    def _length(self) -> float:
        times = [each.time for each in self._form.actions if each.time]
        return round(max(times) - min(times), 3) if times else 0.0

    def _initial(self) -> dict[str, Any]:
        """The snapshot of the first state."""
        first = self._states[0][1]
        players = (first.leader, first.follower)
        cards = first.on_table()
        return Game(
            self._map(),
            Options(cards=len(cards)),
            self._form.seed,
            cards,
            sorted(each.at.hex for each in first.cards if each.selection != "UNSELECTED"),
            [each.at.hex for each in players],
            [NAMES["heading"][each.heading] for each in players],
            {*cards, *(each.at.hex for each in players)},
        ).snapshot()

    def _map(self) -> HexMap:
        count = STANDARD.width * STANDARD.height
        grounds = [each.name for each in TERRAINS]
        names = [each.name for each in PROPS]
        ground = {place.hex: grounds.index(NAMES["terrain"][name]) for name, place in self._form.hexes}
        if len(ground) != count:
            raise HousematesError(f"{self._where}: _hex_info: expected {count} hexes, found {len(ground)}.")
        prop, turned = [NO_PROP] * count, [0] * count
        for each in self._form.objects:
            if each.kind in ("Card", "Agent"):
                continue
            if each.name not in NAMES["prop"]:
                raise HousematesError(f"{self._where}: _object_info: there is no {each.name!r}.")
            prop[each.at.hex] = names.index(NAMES["prop"][each.name])
            turned[each.at.hex] = NAMES["heading"][each.heading]
        return HexMap(STANDARD, tuple(ground[at] for at in range(count)), tuple(prop), tuple(turned))

    def _tell(self, number: int, each: ActionForm) -> None:
        """Tell one action, after what must have been before it."""
        if each.kind == "EndTurnAction":
            self._end_turn(each.role)
            return
        self._reach(each.role, each.kind == "MovementAction")
        if each.before is not None:
            self._compare(number, each.before)
        if each.kind == "MovementAction" and each.move in MOVES:
            self._do(each.role, Action(each.move))
        elif each.kind == "InstructionAction":
            self._do(LEADER, say(each.text))
        elif each.kind == "FinishCommandAction":
            self._do(FOLLOWER, DONE)
        else:
            what = f"{each.kind} {each.move}".rstrip()
            raise HousematesError(f"{self._where}: _actions[{number}]: there is no {what}.")

    def _reach(self, role: int, moves: bool) -> None:
        """Let turns end until this role can act, for a move until it has steps left."""
        if role == LEADER and self.game.role == LEADER and moves and not self.game.steps:
            self._end_turn(LEADER)
        if role != self.game.role:
            self._end_turn(self.game.role)

    def _end_turn(self, role: int) -> None:
        """The leader ends its turn by hand, the follower's time runs out."""
        if self.game.role != role:
            return
        self._do(role, DONE if role == LEADER else wait(SECONDS[FOLLOWER] - self.game.clock))

    def _do(self, role: int, action: Action) -> None:
        outcome = act(self.game, role, action)
        if not outcome.success:
            raise HousematesError(
                f"{self._where}: _actions[{self._now}]: {action.name} is impossible: {outcome.message}"
            )
        self.recording.actions.append((role, action))

    def _compare(self, number: int, told: StateForm) -> None:
        """Refuse a game that has gone another way than the file says."""
        for role, each in ((LEADER, told.leader), (FOLLOWER, told.follower)):
            here = (self.game.position[role], self.game.heading[role])
            there = (each.at.hex, NAMES["heading"][each.heading])
            if here != there:
                raise HousematesError(
                    f"{self._where}: _actions[{number}]: expected the {ROLES[role]} where the "
                    f"moves before lead, found column {each.at.x}, row {each.at.y}, {each.heading}."
                )

    def _deal(self, game: Game, taken: tuple[int, ...]) -> dict[int, Card]:
        """The three cards that the file shows next and that were not there; none at the end of a game."""
        left = {at: card for at, card in game.cards.items() if at not in taken}
        for number, form in self._states:
            new = {at: card for at, card in form.on_table().items() if left.get(at) != card}
            if number > self._now and not new.keys() & set(taken) and len(new) == SET_SIZE:
                break
        else:
            new = {}
        self.recording.dealt.append(new)
        return dict(new)

    def _finish(self) -> None:
        """Check the score, and note what belongs to which instruction."""
        recording = self.recording
        recording.score, recording.digest = self.game.score, self.game.digest()
        if recording.score != self._form.score:
            raise HousematesError(
                f"{self._where}: _score: expected the {recording.score} points that the moves make, "
                f"found {self._form.score}."
            )
        recording.instructions = align(recording.actions, replay(recording))
