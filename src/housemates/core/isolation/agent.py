"""The agent that sits in a seat for one that runs in a process of its own."""

from __future__ import annotations

import contextlib
import math
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import msgspec

from housemates.core.agent import Agent, Left
from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.core.isolation.handles import handle
from housemates.core.isolation.process import Process, libraries
from housemates.core.isolation.wire import Gone, Late, pickled
from housemates.core.percepts import Brief, Handle, Percept
from housemates.core.session import Session
from housemates.errors import HousematesError, one_line

MAKING_S = 300.0
"""How long an agent may take to be imported and made."""
GRACE_S, CLOSING_S = 1.0, 5.0
LONGEST_TRAIL, MOST_NUMBERS, LARGEST_NUMBER, MOST_HANDLES = 4000, 100, 1e15, 50_000
PRIVATE = (Session, Instance, Reference, Benchmark)
"""What no message may hold."""


class OutOfTurn(HousematesError):
    """An agent's process said what nobody had asked."""


class Isolation(msgspec.Struct, frozen=True):
    """What an isolated agent may use up."""

    memory: int = 4096
    """Megabytes."""
    seconds: float = 60.0
    """For one act."""


def isolation(memory: int | None, act_timeout: float | None) -> Isolation:
    """What an isolated agent may use up, where it is said; the rest is as ever.

    The clock of the episode, if there is one, rings before its own.
    """
    usual = Isolation()
    return Isolation(
        usual.memory if memory is None else memory,
        usual.seconds if act_timeout is None else act_timeout + GRACE_S,
    )


class IsolatedAgent(Agent):
    """Passes everything on to an agent in a process of its own, and its answers back.

    The process has what a role is told and perceives, and nothing else of the one that asks. If it dies or
    takes too long, that is an error of the episode; the next one has a new process.

    Args:
        benchmark: Name of the benchmark.
        role: Whose seat it is.
        name: The agent's, as `core.loading` finds it.
        options: Among which there may be paths that it has to read.
        isolation: What it may use up.
    """

    def __init__(
        self, benchmark: str, role: str, name: str, options: Mapping[str, str], isolation: Isolation
    ) -> None:
        self._who: dict[str, Any] = {"benchmark": benchmark, "role": role, "name": absolute(name)}
        self._name, self._isolation = name, isolation
        self._paths = _named(options)
        self._options: dict[str, str] = {}
        self._process: Process | None = None
        self._handles: dict[int, Handle] = {}
        self._number = 0
        self.isolated: dict[str, bool] = {}
        """From which of `sandbox.PROTECTIONS` its process is kept away."""
        self.usage: dict[str, float] = {}
        self.arguments: list[str] | None = self._started()
        """The options that it has; None if it takes any."""

    def make(self, options: dict[str, str]) -> None:
        """Make the agent with its options.

        Raises:
            HousematesError: If it cannot be made, or needs to know more than its role may.
        """
        self._options = options
        made = self._exchange(MAKING_S, "make", options=options)
        if made.get("privileged"):
            raise HousematesError(
                f"{self._name} is privileged: it needs the instance, which no isolated agent is shown."
            )

    def reset(self, brief: Brief) -> None:
        """Tell it about a new episode; if its process is of no use any more, there is a new one."""
        self.usage = {}
        if self._process is not None and not self._process.ended():
            with contextlib.suppress(OutOfTurn):
                self._exchange(self._isolation.seconds, "reset", brief=brief)
                return
        self._end()
        self._started()
        self.make(self._options)
        self._exchange(self._isolation.seconds, "reset", brief=brief)

    def act(self, percept: Percept) -> Any:
        """What it answers to what is perceived."""
        if self._process is None:
            raise HousematesError("its process has ended")
        told = {"role": percept.role, "turn": percept.turn, "last": percept.last}
        answer = self._exchange(self._isolation.seconds, "act", percept, **told)
        self.usage = _numbers(answer.get("usage")) or self.usage
        return answer.get("act")

    def close(self) -> None:
        """Let it go, and end its process."""
        with contextlib.suppress(HousematesError, Left):
            if self._process is not None:
                self._exchange(min(CLOSING_S, self._isolation.seconds), "close")
        self._end()

    def _started(self) -> list[str] | None:
        readable, linked = belongings(self._who["name"])
        try:
            self._process = Process([*readable, *self._paths], linked, self._isolation.memory)
        except (Gone, Late, KeyError, ValueError, OSError):
            raise HousematesError(f"{self._name}: a process for it cannot be started.") from None
        found = self._process.isolated
        self.isolated = {key: bool(found.get(key)) for key in found}
        arguments = self._exchange(MAKING_S, "hello", **self._who).get("options")
        return None if arguments is None else [each for each in list(arguments) if isinstance(each, str)]

    def _exchange(self, seconds: float, kind: str, percept: Percept | None = None, **told: Any) -> Any:
        """Send a message, answer what is asked about a percept, and return the answer."""
        assert self._process is not None
        until = time.monotonic() + seconds
        try:
            self._number += 1
            message = {"type": kind, "number": self._number, **told}
            self._process.send(pickled(message, self._replaced(percept)), until)
            while "ask" in (answer := self._heard(until)):
                self._process.send(self._reply(percept, answer), until)
        except BaseException as error:
            raise self._ended(error, kind, seconds) from None
        if answer.get("left"):
            raise Left
        if "error" in answer:
            raise self._failed(answer)
        return answer

    def _heard(self, until: float) -> dict[str, Any]:
        assert self._process is not None
        answer = self._process.receive(until)
        if answer.get("of") != self._number:
            raise OutOfTurn("it spoke out of turn")
        return answer

    def _ended(self, error: BaseException, kind: str, seconds: float) -> BaseException:
        """What is raised when its process is of no use any more, after that was ended."""
        if isinstance(error, Gone):
            error = HousematesError(f"{self._name}: its process {str(error) or self._how()}.")
        elif isinstance(error, Late):
            error = HousematesError(f"{self._name}: no answer to {kind} within {seconds:g} s.")
        elif isinstance(error, OutOfTurn):
            error = OutOfTurn(f"{self._name}: {error}.")
        elif isinstance(error, HousematesError | ValueError):
            error = HousematesError(f"{self._name}: {error}.")
        self._end()
        return error

    def _how(self) -> str:
        return "" if self._process is None else self._process.how_it_ended()

    def _failed(self, answer: Mapping[str, Any]) -> HousematesError:
        """What it raised, with its traceback as a note."""
        said = one_line(str(answer["error"]))
        error = HousematesError(f"{self._name} raised {said}" if answer.get("raised") else said)
        trail = answer.get("trail")
        if isinstance(trail, list):
            error.add_note("".join(map(str, trail))[-LONGEST_TRAIL:])
        if answer.get("memory"):
            self._end()
        return error

    def _reply(self, percept: Percept | None, question: Mapping[str, Any]) -> bytes:
        """What is answered to a question about a percept: why not, or what was asked for."""
        ask = _ASKED.get(question["ask"]) if isinstance(question["ask"], str) else None
        if percept is None or ask is None:
            raise Gone("asked for what there is not")
        try:
            found = ask(self, percept, question)
            return pickled(("", found), self._replaced(percept))
        except Exception as error:
            name = "" if isinstance(error, HousematesError) else f"{type(error).__name__}: "
            return pickled((f"{name}{error}", None), self._replaced(None))

    def _replaced(self, percept: Percept | None) -> Callable[[Any], Any]:
        """What stands on the other side for what is not to go there."""
        self._handles = self._handles if percept is not None else {}

        def replaced(value: Any) -> Any:
            if isinstance(value, Handle):
                number = len(self._handles)
                if number >= MOST_HANDLES:
                    raise HousematesError(f"it asked for more than {MOST_HANDLES} handles in one act")
                self._handles[number] = value
                assert percept is not None
                return handle, (percept.turn, number)
            if isinstance(value, PRIVATE):
                raise HousematesError(f"a {type(value).__name__} is for nobody but its own process")
            return NotImplemented

        return replaced

    def _drawn(self, percept: Percept, question: Mapping[str, Any]) -> Any:
        draw = percept.pictures.get(str(question.get("name")))
        if draw is None:
            raise HousematesError(f"There is no picture {question.get('name')!r}.")
        assert self._process is not None
        return self._process.show(draw())

    def _called(self, percept: Percept, question: Mapping[str, Any]) -> Any:
        number = question.get("number")
        known = self._handles.get(number) if isinstance(number, int) else None
        if known is None:
            raise HousematesError("This is over: what a percept shows must be looked at before the next act.")
        return known()

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


_ASKED: Mapping[str, Callable[[IsolatedAgent, Percept, Mapping[str, Any]], Any]] = {
    "text": lambda agent, percept, question: percept.text,
    "offers": lambda agent, percept, question: percept.offers,
    "said": lambda agent, percept, question: percept.said,
    "data": lambda agent, percept, question: percept.data,
    "pictures": lambda agent, percept, question: tuple(percept.pictures),
    "drawn": IsolatedAgent._drawn,
    "called": IsolatedAgent._called,
}
"""What may be asked about a percept, and nothing else."""


def absolute(name: str) -> str:
    """The name of an agent that means the same in any folder."""
    file, colon, attribute = name.rpartition(":")
    if file.endswith(".py"):
        return f"{Path(file).resolve()}{colon}{attribute}"
    return str(Path(name).resolve()) if not colon and Path(name).is_dir() else name


def belongings(name: str) -> tuple[list[Path], dict[str, Path]]:
    """What an agent of an absolute name has to read: paths, and packages that are found here by name.

    Of a file that is the folder in which it lies, unless that holds more than an agent: the working folder,
    the user's own. Then it is the file alone.
    """
    file, colon, _ = name.rpartition(":")
    if not colon:
        return ([Path(name)] if Path(name).is_absolute() else []), {}
    if file.endswith(".py"):
        own = Path("~").expanduser()
        held = [Path.cwd(), own, Path(tempfile.gettempdir()), *libraries()]
        folder = Path(file).parent
        return [Path(file) if any(each.is_relative_to(folder) for each in held) else folder], {}
    top = file.partition(".")[0]
    spec = PathFinder.find_spec(top, [os.getcwd()])  # noqa: PTH109
    if spec is None:
        return [], {}
    places = list(spec.submodule_search_locations or ())
    if places:
        return [], {top: Path(places[0])}
    return [], {f"{top}.py": Path(spec.origin)} if spec.origin else {}


def may_read(name: str, options: Mapping[str, str]) -> list[Path]:
    """All that an isolated agent may read beside libraries: its own code, and what its options name."""
    readable, linked = belongings(absolute(name))
    return [*readable, *linked.values(), *_named(options)]


def _named(options: Mapping[str, str]) -> list[Path]:
    return [Path(value) for value in options.values() if Path(value).is_absolute()]


def _numbers(used: Any) -> dict[str, float]:
    """What it says it has used up, as far as that are numbers one can write down."""
    if not isinstance(used, dict):
        return {}
    numbers = {
        one_line(key[:MOST_NUMBERS]): value
        for key, value in list(used.items())[:MOST_NUMBERS]
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST_NUMBER
    }
    return {key: value for key, value in numbers.items() if math.isfinite(value)}
