"""The published JSON of recorded games, written and read.

The published games name a seed of Unity's instead of a map. Games written here add a field `housemates`
with the initial state and the replacement cards, which other readers pass over; with it a game can be
replayed, without it only counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from housemates.benchmarks.cerealbar.formats.episodes import (
    SPLITS,
    Aligned,
    Recording,
    cards_of,
    replay,
    state_of,
)
from housemates.benchmarks.cerealbar.formats.forms import OfficialGame, OfficialRow
from housemates.benchmarks.cerealbar.formats.released_forms import NAMES
from housemates.benchmarks.cerealbar.world.cards import Card, is_set
from housemates.benchmarks.cerealbar.world.hexes import DEGREES
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER, MOVES, Action, Game
from housemates.data.records import Skipped
from housemates.errors import HousematesError
from housemates.files import read_record, write_json
from housemates.parallel import Workers, crew_for, map_ordered
from housemates.typed_json import decode, shown

CHARACTERS = ("Leader", "Follower")
"""The players as the published files call them."""
ROLE_OF = {"Leader": LEADER, "Human": LEADER, "Follower": FOLLOWER, "Agent": FOLLOWER}
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
WRITTEN = {name: theirs for theirs, name in NAMES["split"].items() if theirs}
TIME = "%Y-%m-%d %H:%M:%S.%f"
EXTRA = "housemates"
FEW = 50
"""Games up to which starting processes takes longer than reading."""


def card_text(card: Card) -> str:
    """A card as the published files write it: `1 card_pink Torus`."""
    return f"{card.number} card_{card.colour} {card.shape.capitalize()}"


def write_official(path: Path, recordings: list[Recording], skipped: list[Skipped]) -> int:
    """Write games as one JSON object by id; those that cannot be written are added to `skipped`.

    Returns:
        How many were written; without any there is no file.
    """
    found = {}
    for recording in recordings:
        try:
            found[recording.id] = to_official(recording)
        except HousematesError as error:
            skipped.append(Skipped(recording.id, str(error)))
    if found:
        write_json(path, found, indent=None)
    return len(found)


def to_official(recording: Recording) -> dict[str, Any]:
    """A game in the published schema."""
    if recording.initial is None:
        raise HousematesError(
            f"{recording.id}: holds no map, only a seed of the original system; cannot be written."
        )
    unknown = {action.name for _, action in recording.actions} - {*MOVES, "DONE", "SAY", "WAIT"}
    if unknown:
        raise HousematesError(f"{recording.id}: the published schema has no {', '.join(sorted(unknown))}.")
    return {
        "game_id": recording.id,
        "seed": recording.initial["seed"],
        "num_cards": len(recording.initial["cards"]),
        "leader_id": "leader",
        "follower_id": "follower",
        "score": recording.score,
        "split": WRITTEN.get(recording.split, recording.split),
        "actions": _Writer(recording).rows,
        EXTRA: {
            "initial": recording.initial,
            "dealt": [[[at, *card] for at, card in sorted(cards.items())] for cards in recording.dealt],
            "digest": recording.digest,
        },
    }


class _Writer:
    """Walks through a game and writes what happens in each of its moments."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.rows: list[dict[str, Any]] = []
        self.seconds = 0.0
        self.moves = 0
        self.told = 0
        turn = -1
        last: tuple[int, Action] | None = None
        for number, game in replay(recording):
            if turn < 0:
                self.begin(game)
            elif game.turn != turn:
                self.end_turn(turn, last)
                if not game.over:
                    self.add("begin_turn", game.turn, character=CHARACTERS[game.role])
            turn = game.turn
            if number < len(recording.actions):
                last = recording.actions[number]
                self.write(game, *last)

    def add(self, kind: str, turn: int, **fields: Any) -> None:
        """Write one row with what all rows have."""
        time = f"{EPOCH + timedelta(seconds=self.seconds):{TIME}}"
        self.rows.append(
            {"type": kind, "time": time, "game_time": round(self.seconds, 3), "turn_id": turn, **fields}
        )

    def begin(self, game: Game) -> None:
        """Where both players start."""
        for role in (LEADER, FOLLOWER):
            self.movement(game, role, "initial", -1, -1, "", {"made_set": False})
        self.add("begin_turn", 0, character=CHARACTERS[LEADER])

    def end_turn(self, turn: int, last: tuple[int, Action] | None) -> None:
        """How a turn ended."""
        assert last is not None
        role, action = last
        method = {"WAIT": "Ran Out of Time", "DONE": "Ended Turn"}.get(action.name, "Ran Out of Moves")
        self.add("end_turn", turn, character=CHARACTERS[role], end_method=method)

    def write(self, game: Game, role: int, action: Action) -> None:
        """Write one action of the game before it happens."""
        if action.name == "WAIT":
            self.seconds += action.amount
        elif action.name == "SAY":
            if self.told >= len(self.recording.instructions):
                raise HousematesError(
                    f"{self.recording.id}: instructions: expected one for each that was given."
                )
            item = self.recording.instructions[self.told]
            names = [self.recording.actions[number][1].name for number in item.actions]
            self.add(
                "instruction",
                game.turn,
                instruction=action.text,
                instruction_id=self.told,
                completed=item.completed,
                aligned_actions=[name for name in names if name in MOVES],
            )
            self.told += 1
        elif action.name == "DONE" and role == FOLLOWER:
            self.add("finish command", game.turn, instruction_id=game.head)
        elif action.name in MOVES:
            self.move(game, role, action)

    def move(self, game: Game, role: int, action: Action) -> None:
        """A turn or step, with what it does to cards."""
        card = game.flipped(role, action.name)
        change = ""
        results: dict[str, Any] = {"made_set": False}
        if card:
            on = card[0] in game.selected
            change = f"{'DEACTIVATED' if on else 'ACTIVATED'} {card_text(card[1])}"
            chosen = [game.cards[at] for at in game.selected]
            if not on and game.score < len(self.recording.dealt) and is_set([*chosen, card[1]]):
                new = [card_text(face) for _, face in sorted(self.recording.dealt[game.score].items())]
                results = {"made_set": True, "new_score": game.score + 1, "new_cards": new}
        instruction = game.head if role == FOLLOWER else -1
        self.movement(game, role, action.name, self.moves, instruction, change, results)
        self.moves += 1

    def movement(
        self,
        game: Game,
        role: int,
        name: str,
        move: int,
        instruction: int,
        change: str,
        results: dict[str, Any],
    ) -> None:
        """A row for a movement and where it leads."""
        place, heading = game.position[role], game.heading[role]
        if name in ("MF", "MB"):
            place = game.destination(role, name)
        elif name in ("RL", "RR"):
            heading = (heading + (1 if name == "RR" else -1)) % 6
        self.add(
            "movement",
            game.turn if move >= 0 else -1,
            character=CHARACTERS[role],
            action=name,
            move_id=move,
            card_result=change,
            set_result=results,
            resulting_position=[place % game.map.size.width, place // game.map.size.width],
            resulting_rotation=DEGREES[heading],
            instruction_id=instruction,
        )


def read_official(path: Path, skipped: list[Skipped], workers: Workers = 1) -> list[Recording]:
    """Read a published file, or one written by `write_official`; bad games are added to `skipped`."""
    texts = [(name, bytes(text)) for name, text in read_record(path, dict[str, msgspec.Raw]).items()]
    crew = crew_for(workers, few=len(texts) < FEW)
    found = list(map_ordered(partial(_read_game, str(path)), texts, crew))
    skipped += [each for each in found if isinstance(each, Skipped)]
    return [each for each in found if isinstance(each, Recording)]


def _read_game(path: str, named: tuple[str, bytes]) -> Recording | Skipped:
    name, text = named
    where = f"{path}: {name}"
    try:
        return from_official(name, decode(text, OfficialGame, where), where)
    except HousematesError as error:
        return Skipped(name, str(error))


def from_official(name: str, game: OfficialGame, where: str) -> Recording:
    """One game; its moves are checked by replaying it where it holds its map."""
    split = NAMES["split"].get(game.split, game.split)
    if split not in SPLITS:
        raise HousematesError(
            f"{where}: split: expected one of {', '.join(WRITTEN.values())}, found {shown(game.split)}."
        )
    recording = Recording(name, state_of(game.own.initial, where), split=split, score=game.score)
    recording.dealt, recording.digest = cards_of(game.own.dealt), game.own.digest
    for number, row in enumerate(game.actions):
        missing = [each for each in _NEEDED.get(row.type, ()) if getattr(row, each) is UNSET]
        if missing:
            raise HousematesError(f"{where}: actions[{number}]: the field {missing[0]!r} is missing.")
    _take_rows(recording, game.actions)
    if recording.initial is not None:
        for _ in replay(recording):
            pass
    return recording


_NEEDED: Mapping[str, tuple[str, ...]] = {
    "movement": ("action",),
    "instruction": ("instruction", "completed"),
    "begin_turn": ("character",),
    "end_turn": ("character", "end_method"),
}


def _take_rows(recording: Recording, rows: Sequence[OfficialRow]) -> None:
    """Turn what happened into actions, and the instructions with those that belong to them."""
    clock = _Clock()
    numbers: dict[int, list[int]] = {}
    texts: list[tuple[str, bool]] = []
    for row in rows:
        clock.wait(recording, row)
        action = _action(row)
        if row.type == "instruction":
            texts.append((str(row.instruction), bool(row.completed)))
        if action:
            role = LEADER if row.type == "instruction" else FOLLOWER
            role = ROLE_OF[row.character] if isinstance(row.character, str) else role
            if role == FOLLOWER:
                numbers.setdefault(row.instruction_id, []).append(len(recording.actions))
            recording.actions.append((role, action))
    recording.seconds = clock.seconds
    recording.instructions = [
        Aligned(text, tuple(numbers.get(i, ())), completed) for i, (text, completed) in enumerate(texts)
    ]


class _Clock:
    """Turns the times of the rows into waiting."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.role = LEADER

    def wait(self, recording: Recording, row: OfficialRow) -> None:
        """Let the time until this row pass."""
        passed = round(row.game_time - self.seconds, 3)
        if passed > 0:
            self.seconds = float(row.game_time)
            recording.actions.append((self.role, Action("WAIT", "", passed)))
        if row.type == "begin_turn":
            self.role = ROLE_OF[str(row.character)]


def _action(row: OfficialRow) -> Action | None:
    """What a player did according to a row; None for rows that only follow from others."""
    if row.type == "movement" and row.action != "initial":
        return Action(str(row.action))
    if row.type == "instruction":
        return Action("SAY", str(row.instruction))
    if row.type == "finish command":
        return Action("DONE")
    by_hand = row.type == "end_turn" and ROLE_OF.get(str(row.character)) == LEADER
    return Action("DONE") if by_hand and row.end_method == "Ended Turn" else None
