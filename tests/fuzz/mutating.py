"""Structured mutations of files: a few edits, each plain data, so that what failed can be kept and read.

An edit is `{"do": NAME, "at": [steps], ...}`. Steps lead from the whole file (of JSON lines: a list) to a
value: names and numbers. Edits of the text itself have `share`, a place in it from 0 to 1.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

Edit = dict[str, Any]
Steps = list[str | int]

RAW = {
    "nan": "NaN",
    "infinity": "Infinity",
    "minus infinity": "-Infinity",
    "beyond floats": "1e999",
    "many digits": "9" * 400,
    "very many digits": "9" * 10_000,
    "half a character": r'"\ud800"',
    "very deep": "[" * 5000 + "]" * 5000,
    "deep": '{"a":' * 900 + "1" + "}" * 900,
    "rather deep": "[" * 90 + "]" * 90,
    "no value": "",
    "words": "None",
}
"""What JSON files can hold that a value of JSON cannot be."""
ODD: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    7,
    0.5,
    -0.0,
    1.5,
    99,
    -17.25,
    10**6,
    -(10**6),
    2**31,
    2**63 - 1,
    -(2**63),
    2**63,
    10**30,
    1e-300,
    1e15,
    1e300,
    -1e300,
    "",
    " ",
    "x",
    "0",
    "-1",
    "#9",
    "nope",
    "null",
    "a\nb",
    "a\u0000b",
    "../../x",
    "/etc/x",
    "C:\\x",
    "<script>alert(1)</script>",
    "%s{}{0}",
    "ünï çødé",
    "漢字🙂",
    "\u202eabc",
    "x" * 3000,
    "Mug|1|2",
    "Mug|+01.00|+00.90|-99999999.00",
    "Mug|a|b|c",
    "|||",
    [],
    {},
    [[]],
    [{}],
    [None],
    [1, 2],
    ["a", "b"],
    {"a": 1},
    {"": ""},
    {"x": 0, "y": 0, "z": 0},
    [[["a"]]],
]
MARK = "\ue000raw:"
"""Where a raw text is to stand, in a file that is not written yet."""


def edits_of(value: Any, rng: random.Random) -> list[Edit]:
    """One to three edits of a file's value."""
    count = rng.choice((1, 1, 1, 2, 3))
    return [_text_edit(rng) if rng.random() < 0.08 else _edit(value, rng) for _ in range(count)]


def mutate(value: Any, edits: list[Edit], written: Callable[[Any], str]) -> bytes:
    """The bytes of a file after its edits, its value written as files of its kind are."""
    value = copy.deepcopy([value])
    for edit in edits:
        if edit["do"] in OPERATIONS:
            _change(value, edit)
    (changed,) = value
    text = written(changed)
    for name, raw in RAW.items():
        text = text.replace(json.dumps(f"{MARK}{name}", ensure_ascii=False), raw)
    data = text.encode("utf-8", "surrogatepass")
    for edit in edits:
        if edit["do"] in TEXT_OPERATIONS:
            data = TEXT_OPERATIONS[edit["do"]](data, int(edit["share"] * len(data)), edit)
    return data


def _change(value: list[Any], edit: Edit) -> None:
    """Carry out one edit; where another has taken its place away, nothing happens."""
    parent, key = value, 0
    for step in edit["at"]:
        parent, key = parent[key], step  # type: ignore[assignment]
        if not _holds(parent, key):
            return
    OPERATIONS[edit["do"]](parent, key, edit)


def leads_somewhere(value: Any, edit: Edit) -> bool:
    """Whether an edit's steps lead to something in a value."""
    for step in edit.get("at", ()):
        if not _holds(value, step):
            return False
        value = value[step]
    return True


def _holds(parent: Any, key: str | int) -> bool:
    if isinstance(parent, list):
        return isinstance(key, int) and 0 <= key < len(parent)
    return isinstance(parent, dict) and isinstance(key, str) and key in parent


def _set(parent: Any, key: Any, edit: Edit) -> None:
    parent[key] = copy.deepcopy(edit["value"])


def _raw(parent: Any, key: Any, edit: Edit) -> None:
    parent[key] = f"{MARK}{edit['name']}"


def _delete(parent: Any, key: Any, edit: Edit) -> None:
    del parent[key]


def _rename(parent: Any, key: Any, edit: Edit) -> None:
    if isinstance(parent, dict):
        pairs = [(edit["name"] if name == key else name, each) for name, each in parent.items()]
        parent.clear()
        parent.update(pairs)


def _repeat(parent: Any, key: Any, edit: Edit) -> None:
    if isinstance(parent, list):
        parent[key:key] = [copy.deepcopy(parent[key]) for _ in range(edit["times"])]


def _reverse(parent: Any, key: Any, edit: Edit) -> None:
    if isinstance(parent[key], list):
        parent[key].reverse()
    elif isinstance(parent[key], str):
        parent[key] = parent[key][::-1]


def _shorten(parent: Any, key: Any, edit: Edit) -> None:
    if isinstance(parent[key], list | str):
        parent[key] = parent[key][: edit["length"]]


def _swap(parent: Any, key: Any, edit: Edit) -> None:
    other = edit["with"]
    if _holds(parent, other):
        parent[key], parent[other] = parent[other], parent[key]


def _wrap(parent: Any, key: Any, edit: Edit) -> None:
    parent[key] = [parent[key]] if edit["as"] == "list" else {"value": parent[key]}


def _unwrap(parent: Any, key: Any, edit: Edit) -> None:
    found = parent[key]
    if isinstance(found, dict) and found:
        parent[key] = next(iter(found.values()))
    elif isinstance(found, list) and found:
        parent[key] = found[0]


OPERATIONS: dict[str, Callable[[Any, Any, Edit], None]] = {
    "set": _set,
    "raw": _raw,
    "delete": _delete,
    "rename": _rename,
    "repeat": _repeat,
    "reverse": _reverse,
    "shorten": _shorten,
    "swap": _swap,
    "wrap": _wrap,
    "unwrap": _unwrap,
}


TEXT_OPERATIONS: dict[str, Callable[[bytes, int, Edit], bytes]] = {
    "cut": lambda data, at, edit: data[:at],
    "drop": lambda data, at, edit: data[:at] + data[at + 1 :],
    "insert": lambda data, at, edit: data[:at] + edit["text"].encode() + data[at:],
    "bytes": lambda data, at, edit: data[:at] + bytes.fromhex(edit["hex"]) + data[at:],
    "replace": lambda data, at, edit: edit["text"].encode(),
}
TEXTS = ["", "\n", "null", "0", "[]", "{}", '"x"', "[[", "\x00", "\n\n\n", "nothing of the kind", "{}\n[]\n"]


def _text_edit(rng: random.Random) -> Edit:
    do = rng.choice(list(TEXT_OPERATIONS))
    edit: Edit = {"do": do, "share": round(rng.random(), 4)}
    if do == "insert":
        edit["text"] = rng.choice(['"', "{", "]", ",", "\n", "\x00", "é", "1e", "\\"])
    elif do == "replace":
        edit["text"] = rng.choice(TEXTS)
    elif do == "bytes":
        edit["hex"] = rng.choice(["ff", "c328", "efbbbf", "28b52ffd"])
    return edit


def _edit(value: Any, rng: random.Random) -> Edit:
    at, found, parent = _somewhere(value, rng)
    do = rng.choices(
        ["set", "tweak", "borrow", "raw", "delete", "rename", "repeat", "reverse", "shorten", "swap", "wrap",
         "unwrap"],
        [6, 5, 3, 1.5, 2, 1, 1.5, 0.7, 1, 1, 1, 1],
    )[0]  # fmt: skip
    if do == "set" or (do == "tweak" and not isinstance(found, int | float | str)):
        return {"do": "set", "at": at, "value": rng.choice(ODD)}
    if do == "tweak":
        return {"do": "set", "at": at, "value": _tweaked(found, rng)}
    if do == "borrow":
        return {"do": "set", "at": at, "value": _small(_somewhere(value, rng)[1])}
    extra: dict[str, Callable[[], Edit]] = {
        "raw": lambda: {"name": rng.choice(list(RAW))},
        "rename": lambda: {"name": rng.choice(["", "x", f"{at[-1]}_" if at else "x", "id", "type"])},
        "repeat": lambda: {"times": rng.choice([1, 1, 2, 100])},
        "shorten": lambda: {"length": rng.choice([0, 1, 2, 3])},
        "swap": lambda: {"with": rng.choice(_keys(parent) or [0])},
        "wrap": lambda: {"as": rng.choice(["list", "object"])},
    }
    return {"do": do, "at": at, **extra.get(do, dict)()}


def _tweaked(found: Any, rng: random.Random) -> Any:
    if isinstance(found, bool):
        return not found
    if isinstance(found, int | float):
        change: Callable[[Any], Any] = rng.choice(
            [
                lambda n: n + 1,
                lambda n: n - 1,
                lambda n: -n,
                lambda n: n * 1000,
                lambda n: n + 0.1,
                lambda n: n / 7,
                lambda n: float(n),
                lambda n: str(n),
                lambda n: int(n),
                lambda n: n + 2**40,
            ]
        )
        return change(found)
    place = rng.randrange(len(found) + 1)
    return rng.choice(
        [
            found[:place],
            found[place:],
            found[:place] + "|" + found[place:],
            found[:place] + " " + found[place:],
            found.upper(),
            found * 40,
            f"{found}x",
            found.replace("_", "-").replace("#", "##"),
        ]
    )


def _small(value: Any) -> Any:
    """A value that is worth being written down in an edit."""
    return value if len(json.dumps(value)) < 400 else {}


def _keys(value: Any) -> list[str | int]:
    if isinstance(value, dict):
        return list(value)
    return list(range(len(value))) if isinstance(value, list) else []


def _somewhere(value: Any, rng: random.Random) -> tuple[Steps, Any, Any]:
    """Steps to a value, the value, and what holds it: half the time any, else one of the upper levels."""
    if rng.random() < 0.4:
        every = list(_walk(value, []))
        return rng.choice(every)
    at: Steps = []
    parent = None
    while (keys := _keys(value)) and rng.random() < (1.0 if not at else 0.8):
        key = rng.choice(keys)
        at.append(key)
        parent, value = value, value[key]
    return at, value, parent


def _walk(value: Any, at: Steps) -> Iterator[tuple[Steps, Any, Any]]:
    for key in _keys(value):
        yield [*at, key], value[key], value
        yield from _walk(value[key], [*at, key])
