"""Comparing with official episodes: demonstrations, sets of objects, levels, and every line of text."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from housemates.benchmarks.handmethat.env import HandMeThatEnv
from housemates.benchmarks.handmethat.files.episodes import Episode, from_record, grounded, raw_records
from housemates.benchmarks.handmethat.generate.demonstrate import observations
from housemates.benchmarks.handmethat.tasks.meanings import Lexicon, Meaning
from housemates.benchmarks.handmethat.tasks.subgoals import hardness
from housemates.errors import HousematesError


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


def verify(path: Path) -> Comparison:
    """Compare every episode of an official file."""
    found = Comparison()
    for record, source in raw_records(path):
        if not isinstance(record, dict) or "_objects_in_meaning" not in record:
            raise HousematesError(f"{source}: expected an official episode with _objects_in_meaning.")
        episode = from_record(record, source)
        found.episodes += 1
        _demo(episode, found)
        _objects(episode, record, found)
        _level(episode, found)
        _texts(episode, record, found)
    return found


def _demo(episode: Episode, found: Comparison) -> None:
    env = HandMeThatEnv([episode], fully=False)
    env.begin(episode)
    for command in episode.demo:
        env.step(command)
    found.demos_succeed += env.success
    if not env.success:
        found.differences.append(f"{episode.name}: the demonstration does not succeed")


def _objects(episode: Episode, record: dict[str, Any], found: Comparison) -> None:
    lexicon = Lexicon(episode.current)
    names = episode.initial.scene.names
    targets = sorted({other.arg for other in episode.useful if other.arg is not None})

    def ours(meaning: Meaning) -> list[list[str | None]]:
        return sorted([names[number], arg] for number, arg in grounded(meaning, lexicon, targets))

    agree = True
    for key, meaning in (
        ("_objects_in_utterance", episode.utterance),
        ("_objects_in_meaning", episode.meaning),
        ("_objects_in_rsa_meaning", episode.understood),
    ):
        if ours(meaning) != sorted(record[key]):
            agree = False
            found.differences.append(f"{episode.name}: {key}: {_why(record[key], ours(meaning))}")
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


def _texts(episode: Episode, record: dict[str, Any], found: Comparison) -> None:
    pairs = [(episode.story, record["task_description"])]
    for key, texts in observations(episode).items():
        pairs += list(zip_longest(texts, record.get(key, []), fillvalue=""))
    for ours, theirs in pairs:
        for mine, line in zip_longest(ours.split("\n"), theirs.split("\n")):
            found.lines += 1
            found.lines_equal += mine == line
            if mine != line and len(found.differences) < 100:
                found.differences.append(f"{episode.name}: {mine!r:.120} here, {line!r:.120} there")
