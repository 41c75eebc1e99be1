"""How many tokens a text has: by a tokenizer's file, or by an estimate where there is none."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from housemates.errors import HousematesError

ESTIMATE = "an estimate: up to seven letters, a digit, a sign or the end of a line"
"""What is counted as a token where no tokenizer is named."""
_PIECES = re.compile(r"[^\W\d_]{1,7}|\d|[^\w\s]|_|\n")


def estimated(text: str) -> int:
    """How many tokens a text has, about, for tokenizers that take digits one by one."""
    return len(_PIECES.findall(text))


@cache
def counter(file: str) -> Callable[[str], int]:
    """What counts tokens: a `tokenizer.json`, or the estimate if no file is named."""
    if not file:
        return estimated
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise HousematesError("--tokenizer needs the package tokenizers: pip install tokenizers.") from None
    if not Path(file).is_file():
        raise HousematesError(f"{file}: expected a tokenizer's file, such as tokenizer.json.")
    try:
        made = Tokenizer.from_file(file)
    except Exception as error:
        raise HousematesError(f"{file}: expected a tokenizer.json: {error}") from None
    return lambda text: len(made.encode(text, add_special_tokens=False).ids)
