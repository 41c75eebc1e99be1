"""A language model in any seat of any benchmark: `--agents follower=llm:MODEL --base-url URL`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Self

import msgspec

from housemates.agents.http_client import CallFailed
from housemates.agents.llm.chat import request
from housemates.agents.llm.conversation import MEMORY, NUDGES, Conversation, Message, Past
from housemates.agents.llm.endpoint import KEY, Address, service
from housemates.core.agent import Agent
from housemates.core.copies import Memo, copied_fields
from housemates.core.options import AtLeastOne, NotNegative
from housemates.core.percepts import Brief, Percept
from housemates.errors import HousematesError

BASE_URL = "https://api.openai.com/v1"
Price = Annotated[float, msgspec.Meta(ge=0)]


class LanguageModel(Agent):
    """Tells a model what its role perceives, and does what it calls for.

    Args:
        name: `llm:MODEL`, such as `llm:gpt-5`.
        base_url: An OpenAI-compatible endpoint; `OPENAI_BASE_URL` if it is set, or OpenAI's own if there is a
            key. The key comes from `OPENAI_API_KEY` alone.
        pictures: Send the role's pictures along with the text.
        memory: Number of past turns kept in the conversation, the present one included. What is told once,
            such as the home of a text world, stays beside them.
        past: What of past turns is kept: `percepts`, or only the acts and their `outcomes`.
        tools: Offer what can be done as tools; without, as lines, for a model whose template knows no tools.
        nudges: Consecutive answers without a tool call that are asked for again.
        temperature: Sampling temperature; the endpoint's default if not set.
        max_tokens: Longest answer, in tokens; the endpoint's default if not set.
        timeout: Seconds to wait for one call.
        retries: Retries of a failed call.
        budget: Tokens that one process may use in the run; unlimited if not set.
        calls: A file that logs every call; calls found in it are not made again.
        offline: Make no calls; answer from that file alone.
        input_price: Dollars per million input tokens; results then include the cost.
        output_price: Dollars per million output tokens.
    """

    def __init__(
        self,
        name: str,
        base_url: str | None = None,
        pictures: bool = False,
        memory: AtLeastOne = MEMORY,
        past: Past = "percepts",
        tools: bool = True,
        nudges: NotNegative = NUDGES,
        temperature: Annotated[float, msgspec.Meta(ge=0)] | None = None,
        max_tokens: AtLeastOne | None = None,
        timeout: Annotated[float, msgspec.Meta(ge=0.001)] = 60.0,
        retries: NotNegative = 4,
        budget: AtLeastOne | None = None,
        calls: Path | None = None,
        offline: bool = False,
        input_price: Price = 0.0,
        output_price: Price = 0.0,
    ) -> None:
        self._model = name.partition(":")[2]
        if not self._model:
            raise HousematesError(f"{name}: expected llm:MODEL, such as llm:gpt-5.")
        url = base_url or os.environ.get("OPENAI_BASE_URL")
        if not url and not offline and not os.environ.get(KEY):
            raise HousematesError(
                f"{name}: name an endpoint with --base-url (or OPENAI_BASE_URL), or set {KEY} for {BASE_URL}."
            )
        url = url or BASE_URL
        self._service = service(Address(self._model, url, timeout, retries, budget, calls, offline))
        self._begun = partial(
            Conversation, pictures=pictures, memory=memory, nudges=nudges, past=past, with_tools=tools
        )
        self._settings = {"temperature": temperature, "max_tokens": max_tokens}
        self._prices = {"input_tokens": input_price / 1e6, "output_tokens": output_price / 1e6}
        self.usage: Counter[str] = Counter()

    def __deepcopy__(self, memo: Memo) -> Self:
        """One with a copy of the conversation, which asks the same service."""
        self._service.join()
        return copied_fields(self, memo)

    def reset(self, brief: Brief) -> None:
        """Begin a new conversation."""
        self._talk = self._begun(brief)
        self._sent: list[Message] = []
        self._number = 0
        self.usage = Counter()

    def act(self, percept: Percept) -> Any:
        """What the model calls for; if it calls for nothing, it is asked again a few times."""
        talk = self._talk
        talk.perceive(percept)
        while True:
            messages = talk.messages()
            body = request(self._model, messages, talk.tools, **self._settings)
            fresh = [each for each in messages if not any(each is old for old in self._sent)]
            key = (talk.brief.id, talk.brief.role, self._number)
            reply = self._service.ask(key, body, fresh)
            self._sent, self._number = messages, self._number + 1
            self._count(reply.usage)
            if reply.error:
                raise CallFailed(reply.error)
            act = talk.hear(reply.text, reply.calls)
            self.usage["nudges"] = talk.nudged
            if act is not None:
                return act

    def _count(self, used: Mapping[str, float]) -> None:
        """Add what a call took to what the episode took."""
        cost = {"dollars": sum(price * used.get(kind, 0.0) for kind, price in self._prices.items())}
        for taken in (used, cost if any(self._prices.values()) else {}):
            self.usage.update(taken)

    def close(self) -> None:
        """Leave the service that all seats share."""
        self._service.leave()
