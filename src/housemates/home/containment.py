"""What is in or on what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from housemates.home import shapes
from housemates.home.things import Thing

Things = Mapping[str, Thing]


def ancestors(things: Things, thing: Thing) -> Iterator[Thing]:
    """What a thing rests on or in, what that rests on, and so on."""
    seen = {thing.id}
    while thing.parents and thing.parents[0] not in seen and thing.parents[0] in things:
        thing = things[thing.parents[0]]
        seen.add(thing.id)
        yield thing


def enclosing(things: Things, thing: Thing) -> Thing | None:
    """The closed thing that hides this one, if there is one."""
    return next((other for other in ancestors(things, thing) if is_shut(other)), None)


def is_shut(thing: Thing) -> bool:
    """Whether what the thing holds can neither be seen nor reached."""
    return not thing.open and thing.kind.can("open") and has_inside(thing)


def has_inside(thing: Thing) -> bool:
    """Whether what the thing holds can be shut in."""
    return _has_inside(thing.shape or thing.kind.shape)


@lru_cache(maxsize=512)
def _has_inside(shape: str) -> bool:
    return any(row.attributes.get("inside", False) for row in shapes.shape(shape).rows)
