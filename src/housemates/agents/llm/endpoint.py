"""A language model behind an OpenAI-compatible endpoint: one service for all seats of a process.

It waits and tries again within bounds, counts tokens, and records every call.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from housemates.agents.http_client import Answer, CallFailed, Endpoint, Unreachable
from housemates.agents.llm.budget import Budget
from housemates.agents.llm.call_log import Record, Recorded, digest
from housemates.agents.llm.chat import LETTERS, Completion, Reply, bounded, briefly, reply_of, usage_of
from housemates.agents.llm.conversation import Message
from housemates.core.agent import Halt
from housemates.core.copies import shared
from housemates.errors import HousematesError, one_line
from housemates.typed_json import decode

KEY = "OPENAI_API_KEY"
"""The variable of the environment that the key is read from; it is kept nowhere."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
"""How long is waited before the second try, and at most; it doubles."""
FOR_ALL = {401: "the key is refused", 403: "this is not allowed", 404: "there is no such model or address"}
"""Answers after which no other call is worth a try."""
BUSY = 429
TRANSIENT = {408, 409, 425, BUSY}
LONGEST_SHOWN = 200
LONGEST_ANSWER = 1_000_000
"""Bytes of an answer that is read; a longer one is nonsense."""


@dataclass(frozen=True)
class Address:
    """What is called, and how."""

    model: str
    base_url: str
    timeout: float
    retries: int
    budget: int | None
    calls: Path | None
    offline: bool


_services: dict[Address, Service] = {}
_sharing = threading.Lock()


def service(address: Address) -> Service:
    """The service for an address; all seats of this process share it until each has left it."""
    with _sharing:
        if address not in _services:
            _services[address] = Service(address)
        found = _services[address]
    found.join()
    return found


@shared
class Service:
    """Asks a model, from any number of threads at once."""

    def __init__(self, address: Address) -> None:
        self.seats = 0
        """How many share it."""
        self._address = address
        url = address.base_url.rstrip("/") + "/chat/completions"
        self._name = f"{url} ({address.model})"
        key = os.environ.get(KEY, "")
        self._url = url
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._idle = [self._new()]
        self._lock = threading.Lock()
        self._record = Record(address.calls, address.offline)
        self._budget = Budget(None if address.offline else address.budget, self._record.tokens)

    def ask(self, key: tuple[str, str, int], body: dict[str, Any], told: Sequence[Message]) -> Reply:
        """What the model answers to a request, from the record if it was asked before.

        Args:
            key: Episode, role and the number of the call in it.
            body: The request.
            told: What of its messages is new.

        Returns:
            The answer, or why there is none, and what it took.

        Raises:
            Halt: No call is worth a try any more.
        """
        data = json.dumps(body, ensure_ascii=False).encode()
        asked = digest(data)
        known = self._record.find(key, asked)
        if known is None:
            known = self._made(key, asked, data, [briefly(message) for message in told])
        return reply_of(known)

    def join(self) -> None:
        """Count one seat more that shares it."""
        with _sharing:
            self.seats += 1

    def leave(self) -> None:
        """One seat less; with the last one, all connections go."""
        with _sharing:
            self.seats -= 1
            if not self.seats:
                _services.pop(self._address, None)
                for endpoint in self._idle:
                    endpoint.close()

    def _made(
        self, key: tuple[str, str, int], asked: str, data: bytes, told: list[dict[str, Any]]
    ) -> Recorded:
        began = time.monotonic()
        with self._budget.call(len(data) / LETTERS) as spending:
            answer, retries, error = self._answered(data)
            usage = {"calls": 1.0, "retries": float(retries), **usage_of(answer, data)}
            spending.tokens = usage["tokens"]
            seconds = round(time.monotonic() - began, 3)
            made = Recorded(*key, asked, told, msgspec.to_builtins(answer), usage, error, seconds)
            self._record.add(made)
        return made

    def _answered(self, data: bytes) -> tuple[Completion | None, int, str]:
        """What came back in the end, how often it was tried again, and why nothing came, if so."""
        tries = self._address.retries + 1
        for number in range(tries):
            try:
                return self._posted(data), number, ""
            except CallFailed as error:
                failed = error
            status = failed.status if isinstance(failed, _Refused) else 0
            if status in FOR_ALL:
                raise Halt(f"{failed} Here {FOR_ALL[status]}.")
            if 400 <= status < 500 and status not in TRANSIENT:
                return None, number, str(failed)
            if number + 1 < tries:
                wait = failed.wait if isinstance(failed, _Refused) else 0.0
                time.sleep(max(wait, min(FIRST_WAIT_S * 2**number, LONGEST_WAIT_S)))
        if status == BUSY or isinstance(failed, Unreachable):
            raise Halt(str(failed))
        return None, tries - 1, str(failed)

    def _posted(self, data: bytes) -> Completion:
        with self._line() as endpoint:
            answer = endpoint.post(data)
        if answer.status != 200:
            raise _Refused(self._name, answer)
        try:
            found = decode(answer.body, Completion, self._name)
        except HousematesError as error:
            raise CallFailed(str(error)) from None
        if not found.choices:
            raise CallFailed(f"{self._name}: expected an answer, found none.")
        return bounded(found)

    def _new(self) -> Endpoint:
        return Endpoint(self._url, self._address.timeout, self._headers, LONGEST_ANSWER)

    @contextlib.contextmanager
    def _line(self) -> Iterator[Endpoint]:
        """A connection that nobody else uses."""
        with self._lock:
            endpoint = self._idle.pop() if self._idle else self._new()
        try:
            yield endpoint
        finally:
            with self._lock:
                self._idle.append(endpoint)


class _Refused(CallFailed):
    """Another status than 200."""

    def __init__(self, name: str, answer: Answer) -> None:
        said = one_line(answer.body[:LONGEST_SHOWN].decode(errors="replace")).strip()
        super().__init__(f"{name}: expected status 200, found {answer.status} ({said}).")
        self.status = answer.status
        asked = answer.headers.get("retry-after", "")
        self.wait = min(float(asked), LONGEST_WAIT_S) if asked.isdecimal() else 0.0
        """How long one is asked to wait before the next try."""
