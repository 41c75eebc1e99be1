"""JSON from outside as typed records; what is wrong with it is one sentence that names place and field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, cast

import msgspec

from housemates.errors import HousematesError, one_line

Record = TypeVar("Record")
DEEPEST = 50
"""Lists and objects within one another, where no type says how many there can be."""
LONGEST_SHOWN = 60

LEAST, MOST = -(2**63), 2**63 - 1
Whole = Annotated[int, msgspec.Meta(ge=LEAST, le=MOST)]
"""A whole number that every machine can hold."""


def nested(depth: int) -> Any:
    """The type of plain values with at most so many lists and objects within one another: a few."""
    leaf = str | bool | Whole | float | None
    kind: Any = leaf
    for _ in range(depth):
        kind = leaf | list[kind] | dict[str, kind]
    return kind


def parse_json(text: str | bytes, source: str) -> Any:
    """Read JSON of any kind that is not too deep; better is `decode`, which knows what there should be."""
    found = decode(text, Any, source)
    check_plain(found, source)
    return found


def decode(text: str | bytes, kind: type[Record], source: str) -> Record:
    """Read JSON as a record of a type.

    Raises:
        HousematesError: naming the source, the line or field, and what was expected and found.
    """
    try:
        found: Record = _decoder(cast(Any, kind)).decode(text)
    except msgspec.ValidationError as error:
        raise HousematesError(f"{source}: {_mistake(error, kind, _value(text))}.") from None
    except msgspec.DecodeError as error:
        raise HousematesError(f"{source}: {_broken(str(error), text)}.") from None
    except UnicodeDecodeError:
        raise HousematesError(f"{source}: expected JSON, found bytes that are no UTF-8.") from None
    except RecursionError:
        raise HousematesError(f"{source}: {TOO_DEEP}.") from None
    return found


def convert(value: Any, kind: type[Record], source: str) -> Record:
    """Make a record of plain values, refusing them as `decode` does."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise HousematesError(f"{source}: {_mistake(error, kind, value)}.") from None
    except RecursionError:
        raise HousematesError(f"{source}: {TOO_DEEP}.") from None


def shown(value: Any) -> str:
    """A value of JSON in a sentence, shortened if it is long."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    text = one_line(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


TOO_LARGE = "one with too many digits"
TOO_DEEP = "expected JSON, found lists within lists too deep to read"
WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
"""What messages call the kinds of values."""
BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
EXPECTED = re.compile(r"Expected `(?P<kinds>[^`]+)`(?P<more>[^,]*)(?:, got `(?P<found>[^`]+)`)?$")
FIELD = re.compile(r"Object (?P<what>missing required|contains unknown) field `(?P<name>[^`]*)`$")
PLACE = re.compile(r" - at `(?P<place>[^`]*)`(?: in `(?P<within>[^`]*)`)?$")
STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[(\.\.\.)\]")
MISSING = object()


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def check_plain(value: Any, source: str) -> None:
    """Refuse what is too deep, and numbers that not every machine can hold."""
    level = [value]
    for _ in range(DEEPEST):
        for each in level:
            if type(each) is int and not LEAST <= each <= MOST:
                raise HousematesError(f"{source}: expected a number, found {TOO_LARGE}.")
        level = [each for above in level for each in _parts(above)]
        if not level:
            return
    raise HousematesError(f"{source}: {TOO_DEEP}.")


def _parts(value: Any) -> Iterable[Any]:
    """What a list or an object holds."""
    if isinstance(value, list):
        return value
    return value.values() if isinstance(value, dict) else ()


def _value(text: str | bytes) -> Any:
    """What JSON says whose type is wrong."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return MISSING


def _mistake(error: msgspec.ValidationError, kind: Any, value: Any) -> str:
    """What is wrong with a value, and where."""
    text = str(error)
    place = PLACE.search(text)
    said = text[: place.start()] if place else text
    where = ""
    if place and place["within"]:
        where = f"{place['within']}.(a name)"
    elif place:
        where = place["place"]
    where, found = _found(where.removeprefix("$"), kind, value)
    where = where.removeprefix(".")
    return f"{where}: {_expected(said, found)}" if where else _expected(said, found)


def _expected(said: str, found: Any) -> str:
    if field := FIELD.match(said):
        unknown = field["what"] == "contains unknown"
        return (
            f"there is no field {field['name']!r}" if unknown else f"the field {field['name']!r} is missing"
        )
    if match := EXPECTED.match(said):
        more = match["more"]
        for sign, words in BOUNDS.items():
            more = more.replace(f" {sign} ", f" {words} ")
        more = more if " of " in more or not more else f" of{more}"
        other = shown(found) if found is not MISSING else WORDS.get(match["found"] or "", "something else")
        return f"expected {_kinds(match['kinds'])}{more}, found {other}"
    if "range" in said:
        return f"expected a number, found {TOO_LARGE}"
    return f"expected a known value, found {'another' if found is MISSING else shown(found)}"


def _kinds(names: str) -> str:
    parts = names.split(" | ")
    if "float" in parts and "int" in parts:
        parts.remove("int")
    words = [WORDS.get(part, "something else") for part in parts]
    return ", ".join([*words[:-2], " or ".join(words[-2:])])


def _found(where: str, kind: Any, value: Any) -> tuple[str, Any]:
    """The place with the names that the library leaves out, and the value that stands there."""
    place = ""
    root = value
    for match in STEP.finditer(where):
        name, index, _ = match.groups()
        if index and isinstance(value, list | tuple) and int(index) < len(value):
            place, value = f"{place}[{index}]", value[int(index)]
        elif name and isinstance(value, Mapping) and name in value:
            place, value = f"{place}.{name}", value[name]
        elif not name and not index and isinstance(value, Mapping):
            key = _culprit(value, kind, root)
            place, value = f"{place}.{shown(key)[1:-1]}", value.get(key, MISSING)
        else:
            return where.replace("[...]", ".*"), MISSING
    return (place, value) if place or not where else (where.replace("[...]", ".*"), MISSING)


def _culprit(rows: Mapping[str, Any], kind: Any, root: Any) -> str:
    """The name in an object, somewhere within a value of a type, whose value is the first that is wrong."""
    for name in rows:
        alone = {name: rows[name]}
        try:
            msgspec.convert(_with(root, rows, alone), kind)
        except (msgspec.ValidationError, RecursionError):
            return name
    return next(iter(rows), "")


def _with(value: Any, old: Any, new: Any) -> Any:
    """A value in which another stands in place of one part."""
    if value is old:
        return new
    if isinstance(value, Mapping):
        return {name: _with(each, old, new) for name, each in value.items()}
    return [_with(each, old, new) for each in value] if isinstance(value, list) else value


def _broken(said: str, text: str | bytes) -> str:
    """Where a text ceases to be JSON."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if not data.strip():
        return "expected JSON, found nothing"
    match = re.search(r"(?:JSON is malformed: )?(.*) \(byte (\d+)\)", said)
    if match is None:
        return "expected JSON, found an end in the middle; it is cut off"
    before = data[: int(match[2])]
    column = len(before) - before.rfind(b"\n")
    line = before.count(b"\n") + 1
    place = f"line {line}, column {column}" if b"\n" in data.rstrip() else f"column {column}"
    return f"{place}: expected JSON, found a mistake ({match[1]})"
