"""What browsers may say over a seat's WebSocket; everything else is refused."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from housemates.errors import HousematesError
from housemates.studio.settings import Bounds

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
DEEPEST = 4
"""Mappings and lists within one another in an act."""


class Doing(msgspec.Struct, frozen=True, tag_field="type", tag="act", forbid_unknown_fields=True):
    """An act of the seat."""

    id: Number
    act: dict[str, Any]


class Pointing(msgspec.Struct, frozen=True, tag_field="type", tag="point", forbid_unknown_fields=True):
    """What is under the pointer?"""

    id: Number
    picture: Annotated[str, msgspec.Meta(max_length=40)]
    x: Share
    y: Share


class Pinging(msgspec.Struct, frozen=True, tag_field="type", tag="ping", forbid_unknown_fields=True):
    """A message that says only that somebody is still there."""


_DECODER = msgspec.json.Decoder(Doing | Pointing | Pinging)


class BadMessage(HousematesError):
    """What a browser said makes no sense."""


def read(text: str | None, bounds: Bounds) -> Doing | Pointing | Pinging:
    """A message, None if it came as bytes; BadMessage says what is wrong with it."""
    if text is None:
        raise BadMessage("This is no message: expected text, found bytes.")
    if len(text) > bounds.message_bytes:
        raise BadMessage(f"A message may have {bounds.message_bytes} bytes.")
    try:
        found: Doing | Pointing | Pinging = _DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadMessage(f"This is no message: {error}.") from None
    if isinstance(found, Doing):
        _check(found.act, bounds, DEEPEST)
    return found


def _check(value: Any, bounds: Bounds, depth: int) -> None:
    if isinstance(value, str) and "\0" in value:
        raise BadMessage("A text may have no NUL in it.")
    if isinstance(value, str) and len(value) > bounds.text_chars:
        raise BadMessage(f"A text may have {bounds.text_chars} characters, this one has {len(value)}.")
    if isinstance(value, dict | list):
        if depth == 0:
            raise BadMessage("An act is not so deep.")
        for each in value.values() if isinstance(value, dict) else value:
            _check(each, bounds, depth - 1)
        for key in value if isinstance(value, dict) else ():
            _check(key, bounds, depth - 1)
