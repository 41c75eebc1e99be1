"""The card of a submission: who made what acts in its runs, in the words of those who submit it."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec

from housemates.errors import HousematesError, one_line
from housemates.typed_json import MOST, convert

LONGEST_CARD = 1 << 16
"""Bytes of a card."""
MARKUP = re.compile(r"<\s*[/!?a-zA-Z]|&#?\w+;|javascript:", re.IGNORECASE)
"""What only a page would need; no card does."""
LINE_BREAKS = "\n\t"

Line = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Words = Annotated[str, msgspec.Meta(max_length=4000)]
Track = Literal["ids", "skills", "privileged", "given-eyes"]
"""How a run was easier than the plain track: things pointed at by their ids; acts as large as skills; an
agent that sees what its role may not know; the simulator's segmentation and depth."""


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a board says of a submission and cannot work out itself."""

    name: Line
    """Of the agent, or of the agents that play together."""
    authors: Annotated[list[Line], msgspec.Meta(min_length=1, max_length=50)]
    eyes: Literal["none", "own", "given"]
    """Whose eyes it sees with: none, as it reads texts; its own, from pictures; or the simulator's."""
    training: Words
    """What it was trained on, `nothing` if it was not."""
    tracks: list[Track] = []
    """The tracks of all its runs together; none for the plain one."""
    link: Annotated[str, msgspec.Meta(max_length=500)] = ""
    """Where more is to be read, an address that begins with https."""
    parameters: Annotated[int, msgspec.Meta(ge=0, le=MOST)] | None = None
    """How many parameters its networks have."""
    dollars: Annotated[float, msgspec.Meta(ge=0, le=1e12)] | None = None
    """What all runs together cost."""
    notes: Words = ""
    """What else one should know."""


def parse_card(data: bytes, source: str) -> Card:
    """The card in a TOML file.

    Raises:
        HousematesError: naming the field, if it is not what a card holds, has markup or cannot be shown.
    """
    if len(data) > LONGEST_CARD:
        raise HousematesError(
            f"{source}: expected at most {LONGEST_CARD >> 10} KiB, found {len(data)} bytes."
        )
    try:
        values = tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise HousematesError(f"{source}: expected TOML, found bytes that are no UTF-8.") from None
    except (ValueError, RecursionError) as error:
        said = one_line(str(error)) or "lists within lists too deep to read"
        raise HousematesError(f"{source}: expected TOML ({said}).") from None
    card = convert(values, Card, source)
    for name in card.__struct_fields__:
        _check_words(getattr(card, name), f"{source}: {name}")
    _check_link(card.link, source)
    return card


def _check_words(value: Any, where: str) -> None:
    """Refuse texts that a page would not show as they are."""
    for each in value if isinstance(value, list) else [value]:
        if not isinstance(each, str):
            continue
        if MARKUP.search(each):
            raise HousematesError(f"{where}: expected plain words, found markup.")
        hidden = next((c for c in each if unicodedata.category(c)[0] == "C" and c not in LINE_BREAKS), None)
        if hidden is not None:
            raise HousematesError(
                f"{where}: expected plain words, found the hidden character U+{ord(hidden):04X}."
            )


def _check_link(link: str, source: str) -> None:
    if not link:
        return
    try:
        parts = urlsplit(link)
        good = parts.scheme == "https" and bool(parts.hostname) and not parts.username
    except ValueError:
        good = False
    if not good or re.search(r"[\s\"'<>\\]", link):
        raise HousematesError(f"{source}: link: expected an address that begins with https://.")
