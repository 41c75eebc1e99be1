"""Turns of a session, recorded or played: what one says until the partner speaks or touches something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from housemates.benchmarks.teach.formats.episodes import Interaction
from housemates.benchmarks.teach.formats.starts import SPEAKERS
from housemates.benchmarks.teach.world.actions import FOLLOWER, TEXT
from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS
from housemates.core.actions import Act
from housemates.home.things import type_in

CHECK, LOOKUPS = "ProgressCheck", ("Search", "Select")
"""Names of actions by which a Commander checks the progress, and looks something up."""
Labels = list[tuple[str, str]]


class Event(NamedTuple):
    """Something that one of the two did."""

    role: str
    name: str
    text: str = ""
    """What was said."""
    touched: str = ""
    """The type of what the Follower touched successfully."""
    labels: Sequence[tuple[str, str]] = ()
    """Segments of the text with their recorded dialogue acts."""


class Turn(msgspec.Struct):
    """What one of the two says in a row, and what happened since the turn before."""

    role: str
    lines: list[str]
    labels: Labels
    steps: int = 0
    """Moves and touches of the Follower since the turn before."""
    touched: tuple[str, ...] = ()
    """Types of what the Follower touched successfully since the turn before."""
    checked: bool = False
    """Whether the Commander checked the progress since the turn before."""
    searched: bool = False
    """Whether the Commander looked an object up since the turn before."""
    ahead: tuple[str, ...] = ()
    """Types of what the Follower touches until the Commander speaks again."""

    @property
    def text(self) -> str:
        """The lines, one after the other."""
        return " ".join(self.lines)


def recorded(interactions: Iterable[Interaction]) -> Iterator[Event]:
    """The events of an official game."""
    for each in interactions:
        touched = type_in(str(each.oid)) if each.action.touches and each.success and each.oid else ""
        if each.text is not None or each.action.id != TEXT:
            labels = _labels(each) if each.text else ()
            yield Event(SPEAKERS[each.agent_id], each.action.offer, each.text or "", touched, labels)


def played(role: str, act: Act, success: bool, object_: str) -> Event:
    """The event of an act in an episode.

    Args:
        role: Who acted.
        act: What was done.
        success: Whether it was.
        object_: The id of what was touched, if anything was.
    """
    touched = type_in(object_) if success and object_ and role == "follower" else ""
    return Event(role, act.name, str(act.arguments.get("text", "")) if act.name == "Say" else "", touched)


def turns_of(events: Iterable[Event]) -> list[Turn]:
    """The turns of a session until its last successful touch, after which there is nothing left to do."""
    all_ = list(events)
    touches = [number for number, each in enumerate(all_) if each.touched]
    turns: list[Turn] = []
    steps, touched, checked, searched = 0, list[str](), False, False
    for each in all_[: touches[-1] + 1 if touches else len(all_)]:
        lines = [line.strip() for line in each.text.splitlines() if line.strip()]
        if lines and turns and turns[-1].role == each.role and not touched:
            turns[-1].lines += lines
            turns[-1].labels += each.labels
        elif lines:
            turns.append(Turn(each.role, lines, list(each.labels), steps, tuple(touched), checked, searched))
            steps, touched, checked, searched = 0, [], False, False
        elif each.role == SPEAKERS[FOLLOWER]:
            steps += each.name in HOME_ACTIONS or bool(each.touched)
            touched += [each.touched] if each.touched else []
        checked = checked or each.name == CHECK
        searched = searched or each.name in LOOKUPS
    _look_ahead(turns, touched)
    return turns


def _look_ahead(turns: Sequence[Turn], last: Sequence[str]) -> None:
    """Tell each turn what the Follower touches until the Commander speaks again."""
    ahead = tuple(last)
    for turn in reversed(turns):
        turn.ahead = ahead
        ahead = turn.touched if turn.role == "commander" else (*turn.touched, *ahead)


def _labels(each: Interaction) -> Labels:
    told: Any = each.da_metadata
    if not isinstance(told, dict):
        return []
    segments, acts = told.get("text_segments"), told.get("das")
    if not isinstance(segments, list) or not isinstance(acts, list):
        return []
    pairs = zip(map(str, segments), map(str, acts), strict=False)
    return [(text.strip(), act.strip()) for text, act in pairs if text.strip() and act.strip()]
