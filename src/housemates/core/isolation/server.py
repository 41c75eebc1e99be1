"""Serving an isolated agent: it is made, told and asked as the seat says, and sees through the wire."""

from __future__ import annotations

import math
import mmap
import os
import pickle
import threading
import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from housemates.core.actions import Offer, shown
from housemates.core.agent import Left
from housemates.core.isolation import handles
from housemates.core.isolation.wire import Gone, Wire, as_json
from housemates.core.loading import found_maker, made
from housemates.core.options import arguments_of
from housemates.core.percepts import Percept, Utterance, register
from housemates.errors import HousematesError

OVER = -1
"""The turn when it is nobody's."""
TRAIL = 20
"""Lines of a traceback that are told."""


def serve(wire: Wire, pictures: int | None, picture_bytes: int) -> None:
    """Answer each message until there are no more.

    Args:
        wire: Where they come from.
        pictures: The number of the file in which pictures come; None if they come by the wire.
        picture_bytes: How large that file is.
    """
    seat = _Seat(wire, pictures, picture_bytes)
    while True:
        message = pickle.loads(wire.receive())
        seat.number = message.pop("number")
        wire.send(_answered(seat, message))


def _answered(seat: _Seat, message: dict[str, Any]) -> bytes:
    found: dict[str, Any] = {}
    try:
        found = getattr(seat, f"on_{message.pop('type')}")(**message)
        return as_json(found | {"of": seat.number})
    except Left:
        return as_json({"left": True, "of": seat.number})
    except Gone:
        raise
    except BaseException as error:
        if "act" in found:
            return as_json({"act": [shown(found["act"])], "of": seat.number})
        return as_json(_error_message(error) | {"of": seat.number})


def _error_message(error: BaseException) -> dict[str, Any]:
    name = "" if isinstance(error, HousematesError) else f"{type(error).__name__}: "
    try:
        said = f"{name}{error}".strip().removesuffix(":")
    except Exception:
        said = name.removesuffix(": ")
    return {
        "error": said,
        "raised": bool(name),
        "memory": isinstance(error, MemoryError),
        "trail": traceback.format_exception(error)[-TRAIL:],
    }


class _Seat:
    """The seat as the agent's process knows it: whatever is asked of it is asked on the wire.

    Percepts and handles find it as they find a session elsewhere; `turn` says which of them are alive.
    """

    def __init__(self, wire: Wire, pictures: int | None, picture_bytes: int) -> None:
        self.turn, self.number = OVER, 0
        self._wire, self._asking = wire, threading.Lock()
        self._board = None
        if pictures is not None:
            self._board = mmap.mmap(pictures, picture_bytes, mmap.MAP_SHARED, mmap.PROT_READ)
            os.close(pictures)
        self._key = register(self)
        handles.seat = self._key
        self._maker: Any = None
        self._name = ""
        self._agent: Any = None

    def on_hello(self, benchmark: str, role: str, name: str) -> dict[str, Any]:
        """Import the agent, and say which options it has; None for any."""
        self._name, self._maker = name, found_maker(benchmark, role, name)
        return {"options": arguments_of(self._maker)}

    def on_make(self, options: dict[str, str]) -> dict[str, Any]:
        """Make the agent with its options."""
        self._agent = made(self._maker, options, self._name)
        return {"privileged": bool(getattr(self._agent, "privileged", False))}

    def on_reset(self, brief: Any) -> dict[str, Any]:
        """Tell the agent about a new episode."""
        self._agent.reset(brief)
        return {}

    def on_act(self, role: str, turn: int, last: Any) -> dict[str, Any]:
        """What the agent answers to what it perceives, and what it has used up."""
        self.turn = turn
        try:
            answer = {"act": self._agent.act(Percept(role, turn, last, self._key))}
        finally:
            with self._asking:
                self.turn = OVER
        used = getattr(self._agent, "usage", None)
        return answer | {"usage": _numbers(used)} if used else answer

    def on_close(self) -> dict[str, Any]:
        """Let the agent let go of what it holds."""
        getattr(self._agent, "close", lambda: None)()
        return {}

    def text(self, role: str) -> str:
        """What the role perceives, in words."""
        return str(self._ask(ask="text"))

    def offers(self, role: str) -> tuple[Offer, ...]:
        """What the role may do now."""
        found: tuple[Offer, ...] = self._ask(ask="offers")
        return found

    def said(self, role: str) -> Sequence[Utterance]:
        """All that the role has heard and said."""
        found: Sequence[Utterance] = self._ask(ask="said")
        return found

    def view(self, role: str) -> Any:
        """The benchmark's own typed view."""
        return self._ask(ask="data")

    def pictures(self, role: str) -> Sequence[str]:
        """The names of the role's pictures."""
        found: Sequence[str] = self._ask(ask="pictures")
        return found

    def drawn(self, role: str, name: str) -> np.ndarray:
        """A picture, as an array of one's own."""
        found = self._ask(ask="drawn", name=name)
        if isinstance(found, np.ndarray):
            return found
        shape, kind = found
        assert self._board is not None
        return np.frombuffer(self._board, kind, math.prod(shape)).reshape(shape).copy()

    def called(self, number: int) -> Any:
        """What a handle of the seat's side answers."""
        return self._ask(ask="called", number=number)

    def _ask(self, **question: Any) -> Any:
        with self._asking:
            if self.turn == OVER:
                raise HousematesError(
                    "This is over: what a percept shows must be looked at before the next act."
                )
            self._wire.send(as_json(question | {"of": self.number}))
            failure, found = pickle.loads(self._wire.receive())
        if failure:
            raise HousematesError(failure)
        return found


def _numbers(used: Any) -> dict[str, float]:
    try:
        return {
            str(key): value
            for key, value in dict(used).items()
            if isinstance(value, int | float) and math.isfinite(value)
        }
    except Exception:
        return {}
