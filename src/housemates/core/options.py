"""Options of benchmarks and agents: text or values in, a typed record out, or a sentence why not."""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
import types
from collections.abc import Callable, Mapping
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from housemates.errors import HousematesError, nearest
from housemates.files import can_be_path

Record = TypeVar("Record")
AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]
"""A whole number above zero."""
NotNegative = Annotated[int, msgspec.Meta(ge=0)]
"""A whole number from zero on."""


class Paths(str):
    """Files or folders, separated by commas: the type of an option that names several."""

    __slots__ = ()


def read_options(record: type[Record], given: Mapping[str, Any], owner: str) -> Record:
    """Make a record of options; `owner` is whose they are, for the sentence that refuses one."""
    for old, new in getattr(record, "RENAMED", {}).items():
        if old in given:
            raise HousematesError(f"{owner}: the option {old!r} is called {new!r} now.")
    hints = get_type_hints(record, include_extras=True)
    known = [each.name for each in fields(record)]  # type: ignore[arg-type]
    return record(**_read(hints, known, given, owner))


def read_arguments(make: Callable[..., Any], given: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """The same for the keyword arguments of a class or function, by their annotations."""
    known = arguments_of(make)
    function = make.__init__ if inspect.isclass(make) else make
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError):
        hints = {}
    return _read(hints, list(given) if known is None else known, given, owner)


def arguments_of(make: Callable[..., Any]) -> list[str] | None:
    """The keyword arguments of a class or function; None if it takes any."""
    try:
        parameters = inspect.signature(make).parameters
    except (TypeError, ValueError):
        return []
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return None
    keywords = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [name for name, each in parameters.items() if each.kind in keywords]


def helps(record: type[Any]) -> dict[str, str]:
    """What the strings beneath the fields of a record of options say, by the names of the fields."""
    found: dict[str, str] = {}
    for base in reversed(record.__mro__[:-1]):
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(tree, ast.ClassDef)
        for field, beneath in pairwise(tree.body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                text = beneath.value if isinstance(beneath, ast.Expr) else None
                said = text.value if isinstance(text, ast.Constant) else ""
                found[field.target.id] = " ".join(str(said).split())
    return found


def pairs(words: list[str], flag: str) -> dict[str, str]:
    """`KEY=VALUE` words of the command line as a mapping."""
    found = {}
    for word in words:
        key, separator, value = word.partition("=")
        if not separator or not key:
            raise HousematesError(f"{flag} {word}: expected KEY=VALUE.")
        found[key] = value
    return found


def _read(hints: Mapping[str, Any], known: list[str], given: Mapping[str, Any], owner: str) -> dict[str, Any]:
    found = {}
    for key, value in given.items():
        if key not in known:
            expected = nearest(key, known) if known else "it has none"
            raise HousematesError(f"{owner} has no option {key!r}: {expected}.")
        found[key] = _value(hints.get(key, str), value, f"{owner}: {key}")
    return found


def _value(kind: Any, value: Any, where: str) -> Any:
    """A value as its annotation wants it."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if value is None or (isinstance(value, str) and value.lower() in ("none", "")):
            return None
        rest = [each for each in get_args(kind) if each is not type(None)]
        return _value(rest[0], value, where)
    if origin is Annotated:
        found = _value(get_args(kind)[0], value, where)
        return _within(found, get_args(kind)[1], where)
    if origin is Literal:
        choices = get_args(kind)
        for choice in choices:
            if str(value) == str(choice):
                return choice
        listed = ", ".join(map(str, choices))
        raise HousematesError(f"{where}: expected one of {listed}, found {value!r}.")
    return _plain(kind, value, where)


def _plain(kind: Any, value: Any, where: str) -> Any:
    if kind is bool and not isinstance(value, bool):
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if str(value).lower() in words:
            return words[str(value).lower()]
        raise HousematesError(f"{where}: expected yes or no, found {value!r}.")
    if kind in (int, float) and not isinstance(value, bool):
        try:
            found = kind(value)
        except (TypeError, ValueError, OverflowError):
            found = math.nan
        if math.isfinite(found) and (isinstance(value, str) or found == value):
            return found
    elif kind in (str, Path, Paths) and isinstance(value, str | Path | int | float):
        if kind is not Path or can_be_path(str(value)):
            return kind(str(value))
    elif kind not in (int, float, str, Path, Paths):
        return value
    names = {int: "a whole number", float: "a number", str: "a text", Path: "a path", Paths: "paths"}
    raise HousematesError(f"{where}: expected {names[kind]}, found {value!r}.")


def _within(value: Any, meta: Any, where: str) -> Any:
    """A number within the bounds that its annotation names."""
    if isinstance(meta, msgspec.Meta):
        low, high = meta.ge, meta.le
        if (low is not None and value < low) or (high is not None and value > high):
            upto = f" to {high}" if high is not None else ""
            raise HousematesError(f"{where}: expected {low}{upto or ' or more'}, found {value}.")
    return value
