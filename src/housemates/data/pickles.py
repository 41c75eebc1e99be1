"""Pickles read as data: their opcodes are walked into plain values and records, and nothing is executed.

No module is imported and no class is made: a class or function that a pickle names becomes a `Name`, and what
it would be called with stays beside it in a `Made`. Names that the caller does not expect are refused.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple

from housemates.errors import HousematesError

MOST_OPCODES = 200_000_000
LONGEST_KEY = 64
"""Parts of a tuple that is the key of a dictionary."""
PLAIN = (str, int, float, bool, bytes, type(None))
MARK = object()


class Name(NamedTuple):
    """A class or function that a pickle names; it is not looked up."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


@dataclass(eq=False, slots=True)
class Made:
    """What a pickle would have made by calling something; it equals only itself, so that it can be a key."""

    name: Name
    arguments: tuple[Any, ...] = ()
    state: Any = None
    """Given to it afterwards, such as the fields of an object."""
    items: dict[Any, Any] = field(default_factory=dict)
    """Set in it afterwards."""
    listed: list[Any] = field(default_factory=list)
    """Appended to it afterwards."""


KEYS = frozenset((*PLAIN, Made))


class Lent(NamedTuple):
    """Something that is kept outside of the pickle, by what it is called there."""

    key: Any


Expected = Callable[[Name], bool]


def read_pickle(stream: BinaryIO, expected: Expected, source: str) -> Any:
    """The value of the next pickle of a stream.

    Args:
        stream: Left after the pickle's last opcode.
        expected: Whether a class or function may be named.
        source: Named in refusals.

    Raises:
        HousematesError: it is no pickle, or names something else.
    """
    walk = _Walk(expected, source)
    try:
        for count, (opcode, argument, _) in enumerate(pickletools.genops(stream)):
            if count > MOST_OPCODES:
                raise HousematesError(f"{source}: expected a pickle of at most {MOST_OPCODES:,} opcodes.")
            if opcode.name == "STOP":
                return walk.stack.pop()
            walk.step(opcode.name, argument)
    except HousematesError:
        raise
    except Exception as error:
        raise HousematesError(f"{source}: expected a whole pickle ({type(error).__name__}).") from None
    raise HousematesError(f"{source}: expected a whole pickle, found one without an end.")


class _Walk:
    """The stack and the memo of a pickle that is being read."""

    def __init__(self, expected: Expected, source: str) -> None:
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self._expected, self._source = expected, source

    def step(self, name: str, argument: Any) -> None:
        """Do what an opcode does to the stack."""
        if name in PUSHED:
            self.stack.append(argument)
        elif name in STEPS:
            STEPS[name](self, argument)
        elif name not in IGNORED:
            raise HousematesError(f"{self._source}: a pickle of data has no opcode {name}.")

    def marked(self) -> list[Any]:
        """What lies above the last mark, which is taken away with it."""
        place = len(self.stack) - 1
        while self.stack[place] is not MARK:
            place -= 1
            if place < 0:
                raise ValueError("no mark")
        found = self.stack[place + 1 :]
        del self.stack[place:]
        return found

    def named(self, module: Any, name: Any) -> Name:
        """A class or function, if it is expected."""
        found = Name(str(module), str(name))
        if not self._expected(found):
            raise HousematesError(
                f"{self._source}: asks for {str(found)[:100]!r}, and only data are read from pickles."
            )
        return found

    def call(self, function: Any, arguments: Any) -> None:
        """Keep what would have been called."""
        if not isinstance(function, Name) or not isinstance(arguments, tuple):
            raise TypeError("called something else")
        self.stack.append(Made(function, arguments))

    def fill(self, pairs: list[Any]) -> None:
        """Set keys and values of the dictionary, or the record, on top."""
        target = self.stack[-1]
        into = target.items if isinstance(target, Made) else target
        if not isinstance(into, dict) or len(pairs) % 2:
            raise TypeError("no dictionary")
        into.update({key_of(key): value for key, value in zip(pairs[::2], pairs[1::2], strict=True)})

    def extend(self, values: list[Any]) -> None:
        """Append to the list, the set or the record on top; sets are read as lists."""
        target = self.stack[-1]
        into = target.listed if isinstance(target, Made) else target
        if not isinstance(into, list):
            raise TypeError("no list")
        into.extend(values)


def key_of(value: Any) -> Any:
    """A key of a dictionary: a plain value, a record, or a tuple of some."""
    parts = value if isinstance(value, tuple) and len(value) <= LONGEST_KEY else (value,)
    if all(type(each) in KEYS for each in parts):
        return value
    raise TypeError("no key")


def _push(value: Callable[[], Any]) -> Callable[[_Walk, Any], None]:
    return lambda walk, _: walk.stack.append(value())


def _take(count: int) -> Callable[[_Walk, Any], None]:
    def take(walk: _Walk, _: Any) -> None:
        walk.stack[len(walk.stack) - count :] = [tuple(walk.stack[len(walk.stack) - count :])]

    return take


def _build(walk: _Walk, _: Any) -> None:
    state = walk.stack.pop()
    if not isinstance(walk.stack[-1], Made):
        raise TypeError("built something else")
    walk.stack[-1].state = state


def _drop(walk: _Walk, _: Any) -> None:
    walk.marked()


def _memoize(walk: _Walk, _: Any) -> None:
    walk.memo[len(walk.memo)] = walk.stack[-1]


def _put(walk: _Walk, argument: Any) -> None:
    walk.memo[int(argument)] = walk.stack[-1]


def _get(walk: _Walk, argument: Any) -> None:
    walk.stack.append(walk.memo[int(argument)])


def _global(walk: _Walk, argument: Any) -> None:
    module, _, name = str(argument).partition(" ")
    walk.stack.append(walk.named(module, name))


def _stack_global(walk: _Walk, _: Any) -> None:
    name, module = walk.stack.pop(), walk.stack.pop()
    walk.stack.append(walk.named(module, name))


def _reduce(walk: _Walk, _: Any) -> None:
    arguments = walk.stack.pop()
    walk.call(walk.stack.pop(), arguments)


def _newobj_ex(walk: _Walk, _: Any) -> None:
    named = walk.stack.pop()
    _reduce(walk, None)
    walk.stack[-1].state = named


def _inst(walk: _Walk, argument: Any) -> None:
    module, _, name = str(argument).partition(" ")
    arguments = tuple(walk.marked())
    walk.call(walk.named(module, name), arguments)


def _obj(walk: _Walk, _: Any) -> None:
    function, *arguments = walk.marked()
    walk.call(function, tuple(arguments))


def _dict(walk: _Walk, _: Any) -> None:
    pairs = walk.marked()
    walk.stack.append({})
    walk.fill(pairs)


def _setitem(walk: _Walk, _: Any) -> None:
    value, key = walk.stack.pop(), walk.stack.pop()
    walk.fill([key, value])


IGNORED = frozenset(("PROTO", "FRAME"))
PUSHED = frozenset(
    [
        "INT",
        "BININT",
        "BININT1",
        "BININT2",
        "LONG",
        "LONG1",
        "LONG4",
        "FLOAT",
        "BINFLOAT",
        "STRING",
        "BINSTRING",
        "SHORT_BINSTRING",
        "UNICODE",
        "BINUNICODE",
        "SHORT_BINUNICODE",
        "BINUNICODE8",
        "BINBYTES",
        "SHORT_BINBYTES",
        "BINBYTES8",
        "BYTEARRAY8",
    ]
)
"""Opcodes that push their argument."""
STEPS: Mapping[str, Callable[[_Walk, Any], None]] = MappingProxyType(
    {
        "NONE": _push(lambda: None),
        "NEWTRUE": _push(lambda: True),
        "NEWFALSE": _push(lambda: False),
        "MARK": _push(lambda: MARK),
        "EMPTY_LIST": _push(list),
        "EMPTY_SET": _push(list),
        "EMPTY_TUPLE": _push(tuple),
        "EMPTY_DICT": _push(dict),
        "TUPLE1": _take(1),
        "TUPLE2": _take(2),
        "TUPLE3": _take(3),
        "TUPLE": lambda walk, _: walk.stack.append(tuple(walk.marked())),
        "LIST": lambda walk, _: walk.stack.append(walk.marked()),
        "FROZENSET": lambda walk, _: walk.stack.append(walk.marked()),
        "APPEND": lambda walk, _: walk.extend([walk.stack.pop()]),
        "APPENDS": lambda walk, _: walk.extend(walk.marked()),
        "ADDITEMS": lambda walk, _: walk.extend(walk.marked()),
        "DICT": _dict,
        "SETITEM": _setitem,
        "SETITEMS": lambda walk, _: walk.fill(walk.marked()),
        "POP": lambda walk, _: walk.stack.pop(),
        "POP_MARK": _drop,
        "DUP": lambda walk, _: walk.stack.append(walk.stack[-1]),
        "MEMOIZE": _memoize,
        "PUT": _put,
        "BINPUT": _put,
        "LONG_BINPUT": _put,
        "GET": _get,
        "BINGET": _get,
        "LONG_BINGET": _get,
        "GLOBAL": _global,
        "STACK_GLOBAL": _stack_global,
        "REDUCE": _reduce,
        "NEWOBJ": _reduce,
        "NEWOBJ_EX": _newobj_ex,
        "INST": _inst,
        "OBJ": _obj,
        "BUILD": _build,
        "PERSID": lambda walk, argument: walk.stack.append(Lent(argument)),
        "BINPERSID": lambda walk, _: walk.stack.append(Lent(walk.stack.pop())),
    }
)
"""Opcode -> what it does; those that reach outside of the pickle in other ways are missing."""
