"""Comparing with official episodes: demonstrations, sets of objects, levels, and every line of text."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from housemates.benchmarks.handmethat.files.episodes import from_record, listed
from housemates.benchmarks.handmethat.files.observations import demonstrate
from housemates.benchmarks.handmethat.files.places import places, read_record
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.benchmarks.handmethat.tasks.meanings import Lexicon
from housemates.benchmarks.handmethat.tasks.subgoals import hardness
from housemates.errors import HousematesError

MOST_DIFFERENCES = 100


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


def verify(path: Path, limit: int | None = None) -> Comparison:
    """Compare every episode of an official file or folder, or no more than so many."""
    found = Comparison()
    for place in islice(places(path), limit):
        record = read_record(place.path, place.line)
        if not isinstance(record, dict) or "_objects_in_meaning" not in record:
            raise HousematesError(f"{place.source}: expected an official episode with _objects_in_meaning.")
        episode = from_record(record, place.source)
        found.episodes += 1
        _objects(episode, record, found)
        _level(episode, found)
        _demonstration(episode, record, found)
    return found


def _demonstration(episode: Episode, record: dict[str, Any], found: Comparison) -> None:
    """Play what the expert did, and compare every line that is read on the way."""
    pairs = [(episode.story, record["task_description"])]
    succeeded = True
    for key, fully in (("demo_observations_partially", False), ("demo_observations_fully", True)):
        session, texts = demonstrate(episode, fully)
        succeeded = succeeded and session.success
        pairs += list(zip_longest(texts, record.get(key, []), fillvalue=""))
    found.demos_succeed += succeeded
    if not succeeded:
        found.differences.append(f"{episode.name}: the demonstration does not succeed")
    for ours, theirs in pairs:
        _lines(episode, ours, theirs, found)


def _lines(episode: Episode, ours: str, theirs: str, found: Comparison) -> None:
    for mine, line in zip_longest(ours.split("\n"), theirs.split("\n")):
        found.lines += 1
        found.lines_equal += mine == line
        if mine != line and len(found.differences) < MOST_DIFFERENCES:
            found.differences.append(f"{episode.name}: {mine!r:.120} here, {line!r:.120} there")


def _objects(episode: Episode, record: dict[str, Any], found: Comparison) -> None:
    agree = True
    for key, meaning in (
        ("_objects_in_utterance", episode.utterance),
        ("_objects_in_meaning", episode.meaning),
        ("_objects_in_rsa_meaning", episode.understood),
    ):
        ours, theirs = sorted(listed(episode, meaning)), sorted(record[key])
        if ours != theirs:
            agree = False
            found.differences.append(f"{episode.name}: {key}: {_why(theirs, ours)}")
    found.objects_agree += agree


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
