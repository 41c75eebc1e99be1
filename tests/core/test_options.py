"""Options: text or values in, a typed record out, or a sentence why not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from housemates.core.options import (
    AtLeastOne,
    NotNegative,
    arguments_of,
    pairs,
    read_arguments,
    read_options,
)
from housemates.errors import HousematesError


@dataclass(frozen=True)
class Options:
    """Of every kind."""

    store: Path | None = None
    by: Literal["object", "point"] = "object"
    size: AtLeastOne = 300
    level: NotNegative | None = None
    share: float = 0.5
    strict: bool = False
    name: str = "x"


@pytest.mark.parametrize(
    ("given", "field", "value"),
    [
        ({"store": "data/here"}, "store", Path("data/here")),
        ({"store": "none"}, "store", None),
        ({"store": Path("x")}, "store", Path("x")),
        ({"by": "point"}, "by", "point"),
        ({"size": "200"}, "size", 200),
        ({"size": 200}, "size", 200),
        ({"level": "0"}, "level", 0),
        ({"level": "None"}, "level", None),
        ({"share": "0.25"}, "share", 0.25),
        ({"strict": "yes"}, "strict", True),
        ({"strict": "False"}, "strict", False),
        ({"strict": True}, "strict", True),
        ({"name": "3"}, "name", "3"),
    ],
)
def test_text_and_values_become_what_the_field_wants(given, field, value) -> None:
    assert getattr(read_options(Options, given, "teach"), field) == value


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"stor": "x"}, "teach has no option 'stor': did you mean 'store'? Known are store, by, size"),
        ({"zzz": "x"}, "teach has no option 'zzz': expected one of store"),
        ({"by": "mask"}, "teach: by: expected one of object, point, found 'mask'."),
        ({"size": "0"}, "teach: size: expected 1 or more, found 0."),
        ({"size": "-3"}, "teach: size: expected 1 or more, found -3."),
        ({"size": "3.5"}, "teach: size: expected a whole number, found '3.5'."),
        ({"size": 3.5}, "teach: size: expected a whole number, found 3.5."),
        ({"size": "x"}, "teach: size: expected a whole number, found 'x'."),
        ({"level": "-1"}, "teach: level: expected 0 or more, found -1."),
        ({"share": "half"}, "teach: share: expected a number, found 'half'."),
        ({"share": "nan"}, "teach: share: expected a number, found 'nan'."),
        ({"strict": "maybe"}, "teach: strict: expected yes or no, found 'maybe'."),
        ({"store": ["x"]}, "teach: store: expected a path, found ['x']."),
        ({"store": "a\0b"}, "teach: store: expected a path, found 'a\\x00b'."),
        ({"store": f"a/{256 * 'b'}"}, "teach: store: expected a path, found 'a/bbb"),
        ({"store": "\ud800"}, "teach: store: expected a path"),
        ({"name": None}, "teach: name: expected a text, found None."),
    ],
)
def test_what_does_not_fit_is_one_sentence(given, said) -> None:
    with pytest.raises(HousematesError) as refused:
        read_options(Options, given, "teach")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def make(depth: int, *rest: int, word="x", hint: "Missing" = None) -> None:  # type: ignore[name-defined] # noqa: F821, UP037
    """Takes some."""


class Bare:
    """Takes nothing."""


def test_arguments_are_read_by_their_annotations_as_far_as_there_are_any() -> None:
    assert arguments_of(make) == ["depth", "word", "hint"]
    assert arguments_of(Bare) == []
    assert arguments_of(lambda **rest: None) is None
    assert arguments_of(dict) == [] or arguments_of(dict) is None
    assert read_arguments(make, {"word": "3"}, "me") == {"word": "3"}
    with pytest.raises(HousematesError, match="me has no option 'rest'"):
        read_arguments(make, {"rest": "3"}, "me")
    with pytest.raises(HousematesError, match="me has no option 'x': it has none"):
        read_arguments(Bare, {"x": "3"}, "me")


def test_pairs_are_key_and_value() -> None:
    assert pairs(["a=1", "b=x=y", "c="], "--option") == {"a": "1", "b": "x=y", "c": ""}
    for word in ("a", "=1", ""):
        with pytest.raises(HousematesError, match=f"^--option {word}: expected KEY=VALUE."):
            pairs([word], "--option")
