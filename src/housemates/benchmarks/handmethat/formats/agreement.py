"""Comparing with official episodes: demonstrations, sets of objects, levels, and every line of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from msgspec import UNSET

from housemates.benchmarks.handmethat.formats.episodes import from_record, listed
from housemates.benchmarks.handmethat.formats.forms import Record
from housemates.benchmarks.handmethat.formats.observations import demonstrate
from housemates.benchmarks.handmethat.formats.places import places, read_record
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.benchmarks.handmethat.tasks.meanings import Lexicon
from housemates.benchmarks.handmethat.tasks.subgoals import hardness
from housemates.data.records import Skipped
from housemates.errors import HousematesError

MOST_DIFFERENCES = 100
LISTS = {"in_utterance": "utterance", "in_meaning": "meaning", "in_understood": "understood"}
"""Fields of the record that list objects, and what of an episode they are the objects of."""


@dataclass
class Comparison:
    """What agrees with the official record, and what does not and why."""

    episodes: int = 0
    demos_succeed: int = 0
    objects_agree: int = 0
    levels_agree: int = 0
    lines: int = 0
    lines_equal: int = 0
    differences: list[str] = field(default_factory=list)


def verify(path: Path, skipped: list[Skipped], limit: int | None = None) -> Comparison:
    """Compare every episode of an official file or folder, or no more than so many.

    Those that cannot be read are added to `skipped`.
    """
    found = Comparison()
    for place in islice(places(path), limit):
        try:
            record = read_record(place.path, place.line)
            episode = from_record(record, place.source)
            if any(getattr(record, name) is UNSET for name in LISTS):
                raise HousematesError(f"{place.source}: expected the objects that official episodes list.")
        except HousematesError as error:
            skipped.append(Skipped(place.name, str(error)))
            continue
        found.episodes += 1
        _objects(episode, record, found)
        _level(episode, found)
        _demonstration(episode, record, found)
    return found


def _demonstration(episode: Episode, record: Record, found: Comparison) -> None:
    """Play what the expert did, and compare every line that is read on the way."""
    pairs = [(episode.story, record.task_description)]
    succeeded = True
    for theirs, fully in ((record.read_partially, False), (record.read_fully, True)):
        session, texts = demonstrate(episode, fully)
        succeeded = succeeded and session.success
        pairs += list(zip_longest(texts, theirs, fillvalue=""))
    found.demos_succeed += succeeded
    if not succeeded:
        found.differences.append(f"{episode.name}: the demonstration does not succeed")
    for mine, line in pairs:
        _lines(episode, mine, line, found)


def _lines(episode: Episode, ours: str, theirs: str, found: Comparison) -> None:
    for mine, line in zip_longest(ours.split("\n"), theirs.split("\n")):
        found.lines += 1
        found.lines_equal += mine == line
        if mine != line and len(found.differences) < MOST_DIFFERENCES:
            found.differences.append(f"{episode.name}: {mine!r:.120} here, {line!r:.120} there")


def _objects(episode: Episode, record: Record, found: Comparison) -> None:
    agree = True
    for field_name, meaning in LISTS.items():
        ours = sorted(listed(episode, getattr(episode, meaning)), key=_order)
        theirs = sorted(map(list, getattr(record, field_name)), key=_order)
        if ours != theirs:
            agree = False
            found.differences.append(f"{episode.name}: objects of the {meaning}: {_why(theirs, ours)}")
    found.objects_agree += agree


def _order(pair: Sequence[str | None]) -> tuple[str, str]:
    name, arg = pair
    return str(name), arg or ""


def _why(theirs: list[Any], ours: list[Any]) -> str:
    missing = [pair for pair in theirs if pair not in ours][:3]
    extra = [pair for pair in ours if pair not in theirs][:3]
    return f"only there {missing}, only here {extra}"


def _level(episode: Episode, found: Comparison) -> None:
    level = hardness(
        episode.meaning, episode.utterance, episode.understood, episode.useful, Lexicon(episode.current)
    )
    found.levels_agree += level == episode.level
    if level != episode.level:
        found.differences.append(
            f"{episode.name}: level {level} here, {episode.level} there: the reference compares A(m) with "
            "A(G) and A(r) together at level 3, the paper with A(r)"
        )
