"""The forms of files: how a value is read from one, and how a mutated one is written."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import Any, NamedTuple


class Form(NamedTuple):
    """A form of files."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]


def form_of(file: str) -> Form:
    """The form of a file, by its name."""
    return next(form for ending, form in FORMS.items() if ending in file)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(value: Any) -> str:
    """A line for each value of a list."""
    rows = value if isinstance(value, list) else [value]
    return "".join(f"{_json(row)}\n" for row in rows)


def _toml(value: Any) -> str:
    """A table, each of its values on a line; whatever else it has become is written in the same manner."""
    if not isinstance(value, dict):
        return _inline(value)
    return "".join(f"{_json(key)} = {_inline(each)}\n" for key, each in value.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_json(key)} = {_inline(each)}" for key, each in value.items()) + "}"
    return "[" + ", ".join(map(_inline, value)) + "]" if isinstance(value, list) else _json(value)


FORMS = {
    ".jsonl": Form(lambda text: [json.loads(line) for line in text.splitlines()], _lines),
    ".json": Form(json.loads, lambda value: f"{_json(value)}\n"),
    ".toml": Form(tomllib.loads, _toml),
}
"""By what their names have in them; the first that fits counts."""
