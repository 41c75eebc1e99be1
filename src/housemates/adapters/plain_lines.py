"""Tools as plain lines, for models whose chat template knows none: `Command command=move to table` is a call.

TRL, which asks for a template with tools, then trains such a model with `environment_factory` as any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib import resources
from typing import Any, TypeVar

from housemates.errors import HousematesError

Tokenizer = TypeVar("Tokenizer")
LINE = re.compile(r"(\w+)((?: \w+=.*)?)")
ARGUMENT = re.compile(r" (\w+)=(.*?)(?= \w+=|$)")
PROBE = "name_of_a_tool"


def with_lines(tokenizer: Tokenizer) -> Tokenizer:
    """The tokenizer, whose template has tools: its own, or ours as lines where it has none.

    Args:
        tokenizer: One of transformers', with a chat template.

    Raises:
        HousematesError: It has no chat template at all.
    """
    given: Any = tokenizer
    if not given.chat_template:
        raise HousematesError("The tokenizer has no chat template: set tokenizer.chat_template first.")
    if not has_tools(given):
        before = resources.files(__package__).joinpath("plain_lines.txt").read_text(encoding="utf-8")
        given.chat_template = before.rstrip() + given.chat_template
        given.response_template = {"defaults": {"role": "assistant"}, "fields": {}}
        given.parse_response = partial(parse, given.decode)
    return tokenizer


def has_tools(tokenizer: Any) -> bool:
    """Whether a tokenizer's chat template shows calls of tools."""
    call = {"type": "function", "function": {"name": PROBE, "arguments": {"key": "value"}}}
    talk = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "name": PROBE, "content": "Done."},
    ]
    try:
        return PROBE in tokenizer.apply_chat_template(talk, tokenize=False)
    except Exception:  # a template may refuse what it does not know with any exception of its own
        return False


def parse(decode: Callable[..., str], response: Any, *_: Any, **given: Any) -> dict[str, Any]:
    """The message that a response means: a call if its first line is one of the tools, else its words."""
    text = response if isinstance(response, str) else decode(response, skip_special_tokens=True)
    message: dict[str, Any] = {"role": "assistant", "content": text.strip()}
    line = next((each.strip() for each in text.splitlines() if each.strip()), "")
    found = LINE.fullmatch(line)
    names = {_name(tool) for tool in given.get("tools") or ()}
    if found is None or (names and found[1] not in names):
        return message
    function = {"name": found[1], "arguments": dict(ARGUMENT.findall(found[2]))}
    return {**message, "content": "", "tool_calls": [{"type": "function", "function": function}]}


def _name(tool: Mapping[str, Any] | Callable[..., Any]) -> str:
    """A tool's name, whether it is a function or its schema."""
    if isinstance(tool, Mapping):
        return str(tool.get("function", tool)["name"])
    return tool.__name__
