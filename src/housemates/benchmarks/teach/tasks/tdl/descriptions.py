"""What is said of a condition that holds; definitions only have words for one that does not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from housemates.benchmarks.teach.tasks.tdl.definitions import TABLES
from housemates.benchmarks.teach.tasks.tdl.forms import Value
from housemates.core.outcome import spoken
from housemates.files import read_json

ANY = "*"


@cache
def met(name: str, value: Value, object_type: str) -> str:
    """The sentence for an object whose property has the wanted value: `The mug is clean.`"""
    table = _table()
    sentences = table.get(name, table[ANY])
    wanted = str(int(value)) if isinstance(value, bool) else str(value)
    sentence = sentences.get(wanted) or sentences.get(ANY) or table[ANY][ANY]
    return sentence.format(thing=spoken(object_type).replace(" sliced", " slice"))


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = read_json(TABLES / "tables" / "met.json")
    return found
