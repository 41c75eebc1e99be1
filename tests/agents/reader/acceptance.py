"""What people would accept of the Follower: `conversations.toml`, played."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playing import TOUCHES, Conversation, acts_in_order, is_so

Row = Mapping[str, Any]


@cache
def table() -> Mapping[str, Any]:
    """The table of conversations."""
    return tomllib.loads(Path(__file__).with_name("conversations.toml").read_text())


def rows() -> Sequence[Row]:
    """All conversations."""
    found: Sequence[Row] = table()["conversation"]
    return found


def refusal(row: Row, seed: int = 0) -> str:
    """What a person would not accept of a conversation; empty if all is well."""
    played = Conversation(row.get("home", table()["home"]), seed)
    texts = [row["say"]] if isinstance(row["say"], str) else row["say"]
    turns = [played.say(text) for text in texts]
    last = turns[-1]
    answer = last.answers[-1] if last.answers else ""
    touched = [f"{each.name} {each.type}" for each in last.acts if each.name in TOUCHES]
    told = f"{texts} -> {list(last.answers)} {touched}"
    if "or" in row and not touched and _is_of(answer, row["or"]):
        return ""
    if "answer" in row and not _is_of(" ".join(last.answers), row["answer"]):
        return f"{told}: expected an answer of {row['answer']}"
    if not {"leaves", "does"} & set(row) and touched:
        return f"{told}: expected nothing to be touched"
    held = played.session.world.home.agent.held
    wrong = [fact for fact in row.get("leaves", ()) if not is_so(fact, turns, held)]
    if wrong:
        return f"{told}: expected {wrong}"
    if not acts_in_order(row.get("does", ()), last):
        return f"{told}: expected {row['does']}"
    return ""


def _is_of(answer: str, kinds: str | Sequence[str]) -> bool:
    known = table()["answers"]
    patterns = [known.get(each, each) for each in ([kinds] if isinstance(kinds, str) else kinds)]
    return any(re.search(each, answer, re.IGNORECASE) for each in patterns)
