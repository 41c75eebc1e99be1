"""Comparing with the original engine: traces of what it answered, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from housemates.benchmarks.alfworld.formats.games import read_game
from housemates.benchmarks.alfworld.formats.places import Place, places, text_of
from housemates.benchmarks.alfworld.world.playthrough import Playthrough
from housemates.data.records import Skipped
from housemates.errors import HousematesError
from housemates.files import read_text_lines
from housemates.typed_json import decode

MOST_DIFFERENCES = 100


class Answer(msgspec.Struct):
    """What the original engine said after a command, or at the start."""

    obs: str
    adm: list[str]
    """The admissible commands."""
    won: bool
    cmd: str = ""
    score: float | None = None
    """Not given at the start."""
    done: bool | None = None


class TraceRecord(msgspec.Struct):
    """A walk through a game."""

    game: str
    intro: Answer
    steps: list[Answer]


@dataclass
class Comparison:
    """How much agrees, and the first differences in words."""

    traces: int = 0
    games: int = 0
    steps: int = 0
    differences: int = 0
    won: int = 0
    """Traces at whose end the goal is reached."""
    told: list[str] = field(default_factory=list)


def verify(games: Path, traces: Path, skipped: list[Skipped], limit: int | None = None) -> Comparison:
    """Play every trace's commands and compare all that is answered; at most so many traces.

    Traces and games that cannot be read, and traces of games that are not there, are added to `skipped`.
    """
    found = Comparison()
    known = {place.name: place for place in places(games)}
    seen = set()
    for number, text in read_text_lines(traces):
        if limit is not None and found.traces >= limit:
            break
        source = f"{traces}: line {number}"
        try:
            trace = decode(text, TraceRecord, source)
            play = _begin(trace.game, known, source)
        except HousematesError as error:
            skipped.append(Skipped(source, str(error)))
            continue
        found.traces += 1
        seen.add(trace.game)
        _compare(trace, play, found)
    found.games = len(seen)
    return found


def _begin(game: str, known: Mapping[str, Place], source: str) -> Playthrough:
    if game not in known:
        raise HousematesError(f"{source}: there is no game {game!r} among those given.")
    place = known[game]
    return Playthrough(read_game(text_of(place), place.source))


def _compare(trace: TraceRecord, play: Playthrough, found: Comparison) -> None:
    for number, answer in enumerate((trace.intro, *trace.steps)):
        if number:
            play.step(answer.cmd)
            found.steps += 1
        for what, ours, theirs in _both(play, answer):
            if ours != theirs:
                found.differences += 1
                if len(found.told) < MOST_DIFFERENCES:
                    at = f"{trace.game}: step {number} {answer.cmd!r}: {what}"
                    found.told.append(f"{at}: expected {theirs!r:.300}, found {ours!r:.300}")
    found.won += play.won


def _both(play: Playthrough, answer: Answer) -> Iterator[tuple[str, Any, Any]]:
    """What is compared: its name, our answer and the original's."""
    yield "observation", play.text, answer.obs
    yield "commands", play.commands(), answer.adm
    yield "won", play.won, answer.won
    if answer.score is not None:
        yield "score", float(play.won), answer.score
    if answer.done is not None:
        yield "done", play.won, answer.done
