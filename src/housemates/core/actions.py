"""Acts and offers, and the one parser that makes an act, or a refusal, of whatever an agent answers."""

from __future__ import annotations

import json
import math
import re
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from housemates.core.masks import LARGEST_MASK, mask_of, runs_of
from housemates.core.outcome import Outcome, Reason, nothing, refuse
from housemates.errors import nearest

KINDS = ("text", "choice", "object", "point", "mask", "number")
"""What an argument can be: words, one of the choices, the id of an object, a place (x, y) of the picture from
0 to 1, pixels of the picture, a number."""

_SCHEMAS: Mapping[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "choice": {"type": "string"},
    "object": {"type": "string"},
    "number": {"type": "number"},
    "point": {
        "type": "array",
        "items": {"type": "number", "minimum": 0, "maximum": 1},
        "minItems": 2,
        "maxItems": 2,
    },
    "mask": {
        "type": "object",
        "properties": {
            "size": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
            "runs": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        },
        "required": ["size", "runs"],
    },
}


@dataclass(frozen=True)
class Argument:
    """Something that an act needs to be told."""

    name: str
    kind: str
    """One of `KINDS`."""
    help: str = ""
    choices: tuple[str, ...] = ()
    """For `choice` and `object`: what can be meant now; empty if anything of the kind may be tried."""
    required: bool = True

    def schema(self) -> dict[str, Any]:
        """As a JSON schema."""
        found = {**_SCHEMAS[self.kind], "description": self.help} if self.help else dict(_SCHEMAS[self.kind])
        return {**found, "enum": list(self.choices)} if self.choices else found


@dataclass(frozen=True)
class Offer:
    """One thing that a role may do: a tool, a form or a button."""

    name: str
    """Letters, digits and underscores."""
    help: str
    arguments: tuple[Argument, ...] = ()
    one_of: tuple[str, ...] = ()
    """Of these arguments, none of them required, at least one is needed."""

    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        found: dict[str, Any] = {
            "type": "object",
            "properties": {each.name: each.schema() for each in self.arguments},
            "required": [each.name for each in self.arguments if each.required],
            "additionalProperties": False,
        }
        if self.one_of:
            found["anyOf"] = [{"required": [name]} for name in self.one_of]
        return found


class Act(msgspec.Struct, frozen=True):
    """Something that a role does: the name of an offer, and its arguments."""

    name: str
    arguments: Mapping[str, Any] = msgspec.field(default_factory=nothing)

    def plain(self) -> dict[str, Any]:
        """As JSON; `understand` reads it back."""
        found = {key: _plain(value) for key, value in self.arguments.items()}
        return {"name": self.name, "arguments": found} if found else {"name": self.name}


Menu = Mapping[str, Offer]
LONGEST = 20_000
"""Characters of a text; more is refused."""
LONGEST_JSON = 1_000_000
"""Characters of an act or its arguments as JSON, which may hold a mask."""
_AROUND = frozenset(("name", "action", "arguments", "input", "type", "id"))
"""What stands around the arguments of a call."""
_HALVES = re.compile("[\ud800-\udfff]")


def understand(action: Any, menu: Menu, now: Callable[[], Sequence[Offer]] | None = None) -> Act | Outcome:
    """The act that is meant, or a refusal in one sentence.

    Args:
        action: An `Act`, the name of an offer, a mapping with `name` (or `action`) and arguments, a tool call
            as language models make it, or a line such as `Pickup Mug|1` or `say Where is it?`.
        menu: All that the role can ever do, by name.
        now: The offers of the moment; a line that is one of their choices means that.
    """
    if isinstance(action, Act) and isinstance(action.arguments, Mapping):
        return _checked(action.name, action.arguments, menu)
    if isinstance(action, str):
        return _line(action.strip(), menu, now)
    if isinstance(action, Mapping):
        return _mapping(action, menu)
    return refuse(Reason.MALFORMED, f"Expected an act, found {shown(action)}.")


def shown(value: Any) -> str:
    """What an agent answered, in short; never an error, whatever it is."""
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else value[:57] + "...")
    try:
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", reprlib.repr(value))
    except Exception:
        text = ""
    return repr(f"{type(value).__name__} {text}"[:60].strip())


def _mapping(action: Mapping[Any, Any], menu: Menu) -> Act | Outcome:
    call = next((action[key] for key in ("function", "params") if key in action), action)
    if not isinstance(call, Mapping):
        return refuse(Reason.MALFORMED, f"Expected an act, found {shown(action)}.")
    name = call.get("name", call.get("action"))
    if not isinstance(name, str):
        return refuse(Reason.MALFORMED, f"Expected an act with a name, found {shown(action)}.")
    arguments = call.get("arguments", call.get("input"))
    if arguments is None:
        arguments = {key: value for key, value in call.items() if key not in _AROUND}
    if isinstance(arguments, str):
        found = _json(arguments) if arguments.strip() else {}
        if found is None:
            return refuse(
                Reason.MALFORMED, f"{name}: expected its arguments as JSON, found {shown(arguments)}."
            )
        arguments = found
    if not isinstance(arguments, Mapping):
        return refuse(Reason.MALFORMED, f"{name}: expected its arguments by name, found {shown(arguments)}.")
    return _checked(name, arguments, menu)


def _line(line: str, menu: Menu, now: Callable[[], Sequence[Offer]] | None) -> Act | Outcome:
    if line.startswith("{"):
        found = _json(line)
        if found is None:
            return refuse(Reason.MALFORMED, f"Expected an act as JSON, found {shown(line)}.")
        return _mapping(found, menu)
    if len(line) > LONGEST:
        return refuse(Reason.MALFORMED, f"Expected at most {LONGEST} characters, found {len(line)}.")
    if line in menu:
        return _checked(line, {}, menu)
    chosen = _chosen(line, menu, now)
    if chosen is not None:
        return chosen
    words = line.split()
    for length in range(min(len(words), 4), 0, -1):
        known = _named(" ".join(words[:length]), menu)
        if known is not None:
            rest = line.split(maxsplit=length)[length] if len(words) > length else ""
            return _with_rest(known, rest.strip(), menu)
    return refuse(Reason.UNKNOWN_ACT, f"Unknown act {shown(line)}: {nearest(line[:60], menu)}.")


def _json(text: str) -> Any:
    """What a text means as JSON; None if it means nothing or is too long."""
    try:
        return json.loads(text) if len(text) <= LONGEST_JSON else None
    except (ValueError, RecursionError):
        return None


def _chosen(line: str, menu: Menu, now: Callable[[], Sequence[Offer]] | None) -> Act | None:
    """The act that a line means by being one of the choices; they are asked for only where there are some."""
    if not any(argument.kind == "choice" for offer in menu.values() for argument in offer.arguments):
        return None
    for offer in now() if now is not None else menu.values():
        for argument in offer.arguments:
            if argument.kind == "choice" and line in argument.choices and len(_needed(offer)) <= 1:
                return Act(offer.name, {argument.name: line})
    return None


def _with_rest(offer: Offer, rest: str, menu: Menu) -> Act | Outcome:
    """An act whose arguments are given as words after its name."""
    if not rest:
        return _checked(offer.name, {}, menu)
    if not offer.arguments:
        return refuse(Reason.MALFORMED, f"{offer.name} needs nothing more, found {shown(rest)}.")
    kinds = {each.kind: each.name for each in reversed(offer.arguments)}
    numbers = re.fullmatch(r"\(?\s*([-+.\d]+)[\s,]+([-+.\d]+)\s*\)?", rest)
    if numbers and "point" in kinds:
        return _checked(offer.name, {kinds["point"]: [*map(_number, numbers.groups())]}, menu)
    worded = next((each.name for each in offer.arguments if each.kind in ("text", "choice", "object")), None)
    if worded is None:
        return _checked(offer.name, {offer.arguments[0].name: rest}, menu)
    text = rest[1:-1] if len(rest) > 1 and rest[0] == rest[-1] == '"' else rest
    return _checked(offer.name, {worded: text}, menu)


def _checked(name: str, arguments: Mapping[str, Any], menu: Menu) -> Act | Outcome:
    offer = (menu.get(name) or _named(name, menu)) if isinstance(name, str) else None
    if offer is None:
        return refuse(Reason.UNKNOWN_ACT, f"Unknown act {shown(name)}: {nearest(str(name)[:60], menu)}.")
    if not offer.arguments and not arguments:
        return Act(offer.name)
    known = {each.name: each for each in offer.arguments}
    found: dict[str, Any] = {}
    for key, value in arguments.items():
        if key not in known:
            expected = nearest(str(key)[:60], known) if known else "it needs none"
            return refuse(Reason.MALFORMED, f"{offer.name}: unknown argument {shown(key)}: {expected}.")
        if value is None:
            continue
        read = _READERS[known[key].kind](value)
        if read is None:
            wanted = _WANTED[known[key].kind]
            return refuse(Reason.MALFORMED, f"{offer.name}: {key}: expected {wanted}, found {shown(value)}.")
        found[key] = read
    missing = [each.name for each in offer.arguments if each.required and each.name not in found]
    if missing:
        return refuse(Reason.MALFORMED, f"{offer.name}: expected {' and '.join(missing)}.")
    if offer.one_of and not any(each in found for each in offer.one_of):
        return refuse(Reason.MALFORMED, f"{offer.name}: expected {' or '.join(offer.one_of)}.")
    return Act(offer.name, found)


def _named(name: Any, menu: Menu) -> Offer | None:
    """The offer of this name, whatever its case, spaces and underscores."""
    bare = _bare(str(name))
    return next((offer for key, offer in menu.items() if _bare(key) == bare), None) if bare else None


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _needed(offer: Offer) -> list[Argument]:
    return [each for each in offer.arguments if each.required]


def _text(value: Any) -> str | None:
    """A text that can be written down: not too long, and no half of a character."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    return str(value) if value.isascii() or not _HALVES.search(value) else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str | np.integer | np.floating):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _point(value: Any) -> tuple[float, float] | None:
    if isinstance(value, Mapping):
        value = (value.get("x"), value.get("y"))
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
        return None
    x, y = (_number(each) for each in value)
    return (x, y) if x is not None and y is not None and 0 <= x <= 1 and 0 <= y <= 1 else None


def _mask(value: Any) -> np.ndarray | None:
    """An array of true and false, of any size: the one who looks at the picture knows which is right."""
    try:
        found = mask_of(value) if isinstance(value, Mapping) else np.asarray(value)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    numbers = found.dtype == bool or np.issubdtype(found.dtype, np.number)
    return found.astype(bool) if numbers and found.ndim == 2 and max(found.shape) <= LARGEST_MASK else None


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "text": _text,
    "choice": _text,
    "object": _text,
    "number": _number,
    "point": _point,
    "mask": _mask,
}
_WANTED = {
    "text": f"a text of at most {LONGEST} characters",
    "choice": "one of its choices",
    "object": "the id of an object",
    "number": "a number",
    "point": "x and y between 0 and 1",
    "mask": "pixels of the picture",
}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.ndim == 2:
        return runs_of(value)
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value
