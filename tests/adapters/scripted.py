"""What a scripted language model answers."""

from __future__ import annotations

import json
from typing import Any


def completion(
    text: str | None = None, calls: tuple[tuple[str, Any], ...] = (), tokens: tuple[int, int] = (10, 5)
) -> dict[str, Any]:
    """What an OpenAI-compatible endpoint answers: words, or calls of tools by their names."""
    made = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": given if isinstance(given, str) else json.dumps(given),
            },
        }
        for number, (name, given) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if made else "stop"}],
        "usage": {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
        },
    }
