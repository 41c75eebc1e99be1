"""Chat completions as OpenAI-compatible endpoints speak them: requests out, answers in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from housemates.agents.llm.call_log import Recorded, digest
from housemates.agents.llm.conversation import Call, Message, Tool

LETTERS = 4
"""Letters of a token, where nobody counts."""
LONGEST, NAME, MOST_CALLS = 20_000, 200, 16
"""Letters of what is said or of a call's arguments, of a name, and calls in an answer, that are kept."""


class Reply(NamedTuple):
    """What a model answers."""

    text: str
    calls: tuple[Call, ...]
    usage: dict[str, float]
    error: str = ""
    """Why it has nothing to say."""


class _Function(msgspec.Struct):
    name: str
    arguments: str | dict[str, Any] | None = None


class _ToolCall(msgspec.Struct):
    function: _Function
    id: str | None = None


class _Said(msgspec.Struct):
    content: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Choice(msgspec.Struct):
    message: _Said


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Completion(msgspec.Struct):
    """As much of an answer as is used here."""

    choices: list[_Choice]
    usage: _Usage | None = None


def request(
    model: str, messages: Sequence[Message], tools: Sequence[Tool], **settings: Any
) -> dict[str, Any]:
    """A request for a completion; settings that are None are left out."""
    functions = [
        {"name": each.name, "description": each.help, "parameters": each.parameters} for each in tools
    ]
    offered = {
        "tools": [{"type": "function", "function": each} for each in functions],
        "tool_choice": "required",
    }
    return {
        "model": model,
        "messages": [_plain(message) for message in messages],
        **(offered if functions else {}),
        **{name: value for name, value in settings.items() if value is not None},
    }


def _plain(message: Message) -> dict[str, Any]:
    """A message as the endpoint wants it."""
    found: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.pictures:
        urls = [{"url": f"data:image/png;base64,{each}"} for each in message.pictures]
        pictures = [{"type": "image_url", "image_url": url} for url in urls]
        found["content"] = [{"type": "text", "text": message.text}, *pictures]
    if message.calls:
        found["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    return {**found, "tool_call_id": message.answers} if message.answers else found


def briefly(message: Message) -> dict[str, Any]:
    """A message for the record: pictures by their fingerprints."""
    found = _plain(message) | {"content": message.text}
    pictures = [digest(each.encode()) for each in message.pictures]
    return {**found, "pictures": pictures} if pictures else found


def bounded(answer: Completion) -> Completion:
    """An answer of a length that can be remembered, sent again and recorded; what is cut makes no sense."""
    said = answer.choices[0].message
    calls = [
        _ToolCall(_Function(call.function.name[:NAME], _cut(call.function.arguments)), (call.id or "")[:NAME])
        for call in (said.tool_calls or ())[:MOST_CALLS]
    ]
    return Completion([_Choice(_Said((said.content or "")[:LONGEST], calls))], answer.usage)


def _cut(arguments: str | dict[str, Any] | None) -> str | dict[str, Any] | None:
    text = json.dumps(arguments) if isinstance(arguments, dict) else arguments or ""
    return text[:LONGEST] if len(text) > LONGEST else arguments


def reply_of(made: Recorded) -> Reply:
    """What a recorded call was answered with."""
    if made.error:
        return Reply("", (), made.usage, made.error)
    said = msgspec.convert(made.answer, Completion).choices[0].message
    calls = []
    for number, call in enumerate(said.tool_calls or ()):
        given = call.function.arguments
        arguments = given if isinstance(given, str) else json.dumps(given or {})
        calls.append(Call(call.id or f"call-{made.number}-{number}", call.function.name, arguments))
    return Reply(said.content or "", tuple(calls), made.usage)


def usage_of(answer: Completion | None, data: bytes) -> dict[str, float]:
    """The tokens of a call: as the endpoint counts them, or guessed."""
    if answer is None:
        return {"tokens": 0.0}
    counted = answer.usage
    if counted is None:
        said = answer.choices[0].message.content or ""
        counted = _Usage(len(data) // LETTERS, len(said) // LETTERS)
    into, out = float(counted.prompt_tokens), float(counted.completion_tokens)
    return {"tokens": into + out, "input_tokens": into, "output_tokens": out}
