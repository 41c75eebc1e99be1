"""Small talk: what people say that asks for no act, by the patterns of `small_talk.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from housemates.agents.embodied.semantics import NounPhrase, Question, Remark
from housemates.agents.teach.talk.vocabulary import expanded
from housemates.files import shipped

POLITE = re.compile(
    r"^(?:(?:please|hey|hi|hello|ok|okay|so|well|robot|and|then|now|but|oh|um|"
    r"(?:can you |could you )?tell me|can you|could you|would you)[ ,]+)+(?=\w)"
)
"""What may come before a question."""


def table(name: str) -> Mapping[str, Any]:
    """A table of `small_talk.toml`."""
    found: Mapping[str, Any] = shipped(__package__, "small_talk.toml")[name]
    return found


def plain(text: str) -> str:
    """A text in lower case, without shorthand and contractions."""
    said = expanded(text)
    short = table("shorthand")
    return re.sub(r"[a-z]+", lambda found: short.get(found[0], found[0]), said)


def question(sentence: str) -> Question | None:
    """The question that a plain sentence asks; its theme is in its words."""
    bare = sentence.strip(" ?!.,;:\"'")
    for said in dict.fromkeys((bare, POLITE.sub("", bare))):
        for kind, pattern in _patterns("questions"):
            found = pattern.search(said)
            if found is not None:
                themes = [
                    text for name, text in found.groupdict().items() if name.startswith("theme") and text
                ]
                state = found.groupdict().get("state") or ""
                words = themes[0] if themes else ""
                return Question(kind, NounPhrase(words=words, traits=frozenset([state] if state else ())))
    return None


def remark(sentence: str) -> Remark | None:
    """The remark that a plain sentence is, if it is one of the known kinds."""
    said = sentence.strip(" ?!.,;:\"'").replace(",", "")
    for kind, pattern in _patterns("remarks"):
        if pattern.search(said):
            return Remark(kind)
    return None


def is_halt(sentence: str) -> bool:
    """Whether a plain sentence says to stop and nothing else."""
    found = dict(_patterns("remarks"))["stop"].match(sentence.strip())
    return found is not None and len(sentence.strip()[found.end() :].split()) < 2


@cache
def _patterns(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern)) for kind, pattern in table(name).items())
