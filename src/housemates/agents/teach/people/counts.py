"""What was counted of how Commanders speak; the package has the counts of the train split."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from housemates.agents.teach.people.acts import Tagger
from housemates.files import read_record

FILE = "people.json"
Counts = dict[str, dict[str, int]]


class People(msgspec.Struct, frozen=True):
    """Counts of how Commanders speak."""

    sessions: int
    taggers: dict[str, Tagger]
    """By role."""
    policy: Counts
    """Context -> acts of the Commander's turn, joined by `+`, or `silent` -> how often."""
    cores: Counts
    """What is asked for -> words."""
    openers: Counts
    """Act -> words before the core."""
    closers: Counts
    """Verb -> words behind the core."""
    tasks: Counts
    """Task -> words that hand it over as a whole."""
    handed: Counts
    """Task -> in how many sessions it was handed over as a whole, or by parts."""
    subjects: dict[str, int]
    """What comes before a place."""
    shapes: dict[str, int]
    """The relations by which a place is described, such as `in near`."""
    relations: Counts
    """Relation -> words."""
    phrases: Counts
    """Act -> short lines that name no thing."""
    names: Counts
    """Object type -> what people call it."""
    styles: dict[str, int]
    """Capitals, full stops, politeness and length of one person's lines -> in how many sessions."""
    typing: dict[str, int]
    """Lines, those with a mistake, and the mistakes by their kinds."""
    looks: dict[str, int]
    """Turns, those after a Progress Check; and those that tell a place, those after a search."""


@cache
def shipped_people() -> People:
    """The counts that come with the package."""
    return read_record(Path(__file__).with_name(FILE), People)
