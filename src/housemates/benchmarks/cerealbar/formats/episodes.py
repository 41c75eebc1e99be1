"""Recorded games: played, kept, read, and replayed move by move.

A recording is self-contained: the initial state, every action in order, the replacement cards, and which
follower actions belong to which instruction. A file holds one recording a line (`.jsonl`, `.jsonl.zst`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from housemates.benchmarks.cerealbar.formats.forms import FORMAT, ActionRow, CardRow, GameForm, StateForm
from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.dynamics import act, draw_replacements
from housemates.benchmarks.cerealbar.world.state import (
    DONE_STATE,
    FOLLOWER,
    ROLES,
    Action,
    Deal,
    Game,
    restore,
)
from housemates.data.records import Skipped
from housemates.errors import HousematesError, nearest
from housemates.files import read_text_lines, write_lines
from housemates.typed_json import convert, decode, shown

LETTERS = "LF"
SPLITS = ("train", "development", "test")


@dataclass(frozen=True)
class Aligned:
    """An instruction and the numbers of the follower's actions while it was the current one."""

    text: str
    actions: tuple[int, ...]
    completed: bool


@dataclass(eq=False)
class Recording:
    """One game from its first state to its last; it equals only itself: what is made of it can be kept."""

    id: str
    initial: dict[str, Any] | None
    """Snapshot of the first state; None for an official game, which names only a seed of Unity's."""
    actions: list[tuple[int, Action]] = field(default_factory=list)
    dealt: list[dict[int, Card]] = field(default_factory=list)
    """The replacement cards of each set."""
    instructions: list[Aligned] = field(default_factory=list)
    score: int = 0
    digest: str = ""
    split: str = "train"
    seconds: float = 0.0
    """How long the game took on the players' clocks."""

    def start(self) -> Game:
        """The first state, ready to be replayed: sets are replaced by the recorded cards."""
        if self.initial is None:
            raise HousematesError(
                f"{self.id}: holds no map, only a seed of the original system; cannot be replayed."
            )
        game = restore(self.initial)
        game.deal = recorded_deal(self.id, self.dealt)
        return game


def recorded_deal(name: str, dealt: list[dict[int, Card]]) -> Deal:
    """Replace sets by the cards of a recording."""

    def deal(game: Game, taken: tuple[int, ...]) -> dict[int, Card]:
        if game.score >= len(dealt):
            raise HousematesError(
                f"{name}: set {game.score + 1} was taken, but its replacement is not recorded."
            )
        new = dealt[game.score]
        if not set(game.map.playable).issuperset(new):
            raise HousematesError(f"{name}: set {game.score + 1}: a new card lies where no card can lie.")
        return dict(new)

    return deal


def recording_of(
    name: str, initial: dict[str, Any], actions: Sequence[tuple[int, Action]], seconds: float = 0.0
) -> Recording:
    """A game as it is kept, from its first state and all that was done."""
    recording = Recording(name, initial, list(actions), seconds=seconds)
    game = restore(initial)

    def deal(game: Game, taken: tuple[int, ...]) -> dict[int, Card]:
        recording.dealt.append(draw_replacements(game, taken))
        return recording.dealt[-1]

    game.deal = deal
    deque(replay(recording, game), maxlen=0)
    recording.score, recording.digest = game.score, game.digest()
    recording.instructions = align(recording.actions, replay(recording))
    return recording


def replay(recording: Recording, start: Game | None = None) -> Iterator[tuple[int, Game]]:
    """Yield the number of each action and the game before it, then the number of actions and the end.

    The game is one object that changes; copy it to keep a state. An impossible action is refused.
    """
    game = start or recording.start()
    for number, (role, action) in enumerate(recording.actions):
        yield number, game
        outcome = act(game, role, action)
        if not outcome.success:
            raise HousematesError(
                f"{recording.id}: action {number} ({action.name} by the {ROLES[role]}) is impossible: "
                f"{outcome.message}"
            )
    yield len(recording.actions), game
    if recording.digest and game.digest() != recording.digest:
        raise HousematesError(
            f"{recording.id}: the replayed game ends in another state than the recorded one."
        )


def align(actions: list[tuple[int, Action]], states: Iterable[tuple[int, Game]]) -> list[Aligned]:
    """Which follower actions belong to which instruction, from a replay."""
    of: dict[int, list[int]] = {}
    last: Game | None = None
    for number, game in states:
        last = game
        if number < len(actions) and actions[number][0] == FOLLOWER and actions[number][1].name != "WAIT":
            of.setdefault(game.head, []).append(number)
    assert last is not None
    return [
        Aligned(item.text, tuple(of.get(i, ())), item.state == DONE_STATE)
        for i, item in enumerate(last.instructions)
    ]


def to_json(recording: Recording) -> dict[str, Any]:
    """A recording as JSON values."""
    return {
        "format": FORMAT,
        "id": recording.id,
        "split": recording.split,
        "score": recording.score,
        "seconds": round(recording.seconds, 1),
        "digest": recording.digest,
        "initial": recording.initial,
        "actions": [_action_to_json(role, action) for role, action in recording.actions],
        "dealt": [[[at, *card] for at, card in sorted(cards.items())] for cards in recording.dealt],
        "instructions": [
            {"text": item.text, "actions": list(item.actions), "completed": item.completed}
            for item in recording.instructions
        ],
    }


def _action_to_json(role: int, action: Action) -> list[Any]:
    extra = [action.text] if action.text else [action.amount] if action.amount else []
    return [LETTERS[role], action.name, *extra]


def from_json(value: Any, where: str) -> Recording:
    """Read what `to_json` made; name the field that is wrong."""
    return from_form(convert(value, GameForm, where), where)


def from_form(form: GameForm, where: str) -> Recording:
    """The recording of a record that has been read from `where`."""
    if form.format != FORMAT:
        raise HousematesError(f"{where}: format: expected {FORMAT!r}, found {shown(form.format)}.")
    for number, item in enumerate(form.instructions):
        if any(each >= len(form.actions) for each in item.actions):
            raise HousematesError(
                f"{where}: instructions[{number}].actions: expected numbers below {len(form.actions)}."
            )
    return Recording(
        form.id,
        state_of(form.initial, where),
        [_action(row) for row in form.actions],
        cards_of(form.dealt),
        [Aligned(item.text, tuple(item.actions), item.completed) for item in form.instructions],
        form.score,
        form.digest,
        form.split,
        form.seconds,
    )


def state_of(form: StateForm | None, where: str) -> dict[str, Any] | None:
    """The snapshot of a first state."""
    if form is None:
        return None
    if form.head > len(form.instructions):
        raise HousematesError(
            f"{where}: initial.head: expected at most {len(form.instructions)}, found {form.head}."
        )
    return form.snapshot()


def cards_of(dealt: list[list[CardRow]]) -> list[dict[int, Card]]:
    """The replacement cards of each set."""
    return [{row.at: row.card for row in rows} for rows in dealt]


def _action(row: ActionRow) -> tuple[int, Action]:
    text, amount = (row.extra, 0.0) if isinstance(row.extra, str) else ("", row.extra)
    return LETTERS.index(row.player), Action(row.name, text, amount)


def write_recordings(path: Path, recordings: Iterable[Recording]) -> None:
    """Write one recording a line; whole or not at all."""
    write_lines(path, (to_json(recording) for recording in recordings))


def read_recordings(path: Path, skipped: list[Skipped]) -> list[Recording]:
    """Read a file of recordings; those that cannot be read are added to `skipped`."""
    found: list[Recording] = []
    lines = read_text_lines(path)
    while True:
        try:
            number, text = next(lines, (0, ""))
            if not number:
                return found
            where = f"{path}: line {number}"
            found.append(from_form(decode(text, GameForm, where), where))
        except HousematesError as error:
            if not path.is_file():
                raise
            skipped.append(Skipped(path.name, str(error)))


def choose(
    recordings: Sequence[Recording], only: Sequence[str], where: str, skipped: list[Skipped]
) -> list[Recording]:
    """The recordings with these ids, in order of the file, all if no id is given; absent ones are skipped."""
    known = {recording.id for recording in recordings}
    for name in only:
        if name not in known:
            skipped.append(Skipped(name, f"{where} holds no such game: {nearest(name, sorted(known))}"))
    return [recording for recording in recordings if not only or recording.id in only]
