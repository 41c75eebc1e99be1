"""An agent that lives elsewhere: in another container, on another machine, in another language.

`docs/adapters.md` has the protocol: it is told `hello`, `reset`, `act` and `close`, each by one POST of JSON.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from typing import Annotated, Any

import msgspec

from housemates.agents.http_client import CallFailed, Endpoint, Unreachable
from housemates.core.agent import Agent, Halt
from housemates.core.copies import Memo
from housemates.core.percepts import Brief, Percept
from housemates.core.wire import PARTS, brief_of, percept_of
from housemates.errors import HousematesError, one_line
from housemates.typed_json import decode

PROTOCOL = 1
PATIENCE_S = 3.0
"""How long an agent that is not there when an episode begins may take to come back."""
LONGEST_SHOWN = 200


class _Hello(msgspec.Struct):
    """How a remote agent introduces itself."""

    protocol: int
    wants: list[str] = []
    """Which parts of a percept are sent to it."""


class _Answer(msgspec.Struct):
    """What a remote agent answers."""

    act: Any = None
    usage: dict[str, float] = {}
    error: str = ""


class RemoteAgent(Agent):
    """Passes everything on to a program at an address, and its answers back.

    Args:
        url: Address that the agent's program serves.
        timeout: Seconds to wait for one answer.
    """

    def __init__(self, url: str, timeout: Annotated[float, msgspec.Meta(ge=0.001)] = 60.0) -> None:
        self._endpoint = Endpoint(url, timeout)
        self._episode = ""
        hello = self._ask(_Hello, type="hello", protocol=PROTOCOL)
        if hello.protocol != PROTOCOL:
            raise HousematesError(f"{url}: expected protocol {PROTOCOL}, found {hello.protocol}.")
        unknown = [each for each in hello.wants if each not in PARTS]
        if unknown:
            raise HousematesError(f"{url}: wants: expected {', '.join(PARTS)}, found {unknown[0]!r}.")
        self._wants = hello.wants or ("text", "offers")
        self.usage: dict[str, float] = {}

    def __deepcopy__(self, memo: Memo) -> RemoteAgent:
        """Refused, as the program's state is its own."""
        raise HousematesError(f"the program at {self._endpoint.url} has a state of its own")

    def reset(self, brief: Brief) -> None:
        """Tell it about the end of the last episode and the start of the next one."""
        self._finish()
        self._episode = secrets.token_hex(8)
        self.usage = {}
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                self._exchange(type="reset", brief=brief_of(brief))
                return
            except Unreachable as error:
                if time.monotonic() > until:
                    raise Halt(str(error)) from None
                time.sleep(0.2)

    def act(self, percept: Percept) -> Any:
        """What it answers to what is perceived; after a failure it hears no more of the episode."""
        message = {"type": "act", "percept": percept_of(percept, self._wants)}
        try:
            answer = self._exchange(**message)
        except CallFailed:
            self._episode = ""
            raise
        self.usage.update(answer.usage)
        return answer.act

    def close(self) -> None:
        """Tell it that the last episode is over."""
        self._finish()
        self._endpoint.close()

    def _finish(self) -> None:
        if self._episode:
            with contextlib.suppress(CallFailed):
                self._exchange(type="close")
            self._episode = ""

    def _exchange(self, **message: Any) -> _Answer:
        answer: _Answer = self._ask(_Answer, episode=self._episode, **message)
        if answer.error:
            raise CallFailed(f"{self._endpoint.url}: {one_line(answer.error)[:LONGEST_SHOWN]}")
        return answer

    def _ask(self, kind: type[Any], **message: Any) -> Any:
        answer = self._endpoint.post(json.dumps(message).encode())
        if answer.status != 200:
            said = one_line(answer.body[:LONGEST_SHOWN].decode(errors="replace")).strip()
            raise CallFailed(f"{self._endpoint.url}: expected status 200, found {answer.status} ({said}).")
        try:
            return decode(answer.body, kind, f"{self._endpoint.url}: {message['type']}")
        except HousematesError as error:
            raise CallFailed(str(error)) from None
