"""Cleaning of chat, measured against what people corrected and what they left alone."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from housemates.benchmarks.teach.formats.chat_cleanup import clean
from housemates.benchmarks.teach.formats.episodes import read_games


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lets make a sandwhich", "let's make a sandwich"),
        ("Whats next?", "what's next?"),
        ("plz pik up teh kinfe", "please pick up the knife"),
        ("the mug is next tot he fridge", "the mug is next to the fridge"),
        ("pour out thewater", "pour out the water"),
        ("TODAY WE NEED TO MAKE A SALAD", "today we need to make a salad"),
        ("great work...cheers", "great work. cheers"),
        ("its a glitch", ""),
        ("?", ""),
        ("the plates are on the dining table", "the plates are on the dining table"),
    ],
)
def test_what_was_typed_becomes_what_was_meant(typed: str, meant: str) -> None:
    assert clean(typed) == meant


def test_cleaning_twice_changes_nothing_more() -> None:
    for typed in ("lets grab teh coffe", "u can slice atomato", "thankyou so much"):
        assert clean(clean(typed)) == clean(typed)


def test_people_agree_with_most_changes(real_data: Path) -> None:
    counts: Counter[tuple[int, bool]] = Counter()
    for game in islice(read_games([real_data / "teach" / "valid_seen.jsonl.zst"], []), 45):
        for each in game.episode.interactions:
            if each.text is not None and each.is_corrected in (0, 1):
                counts[int(each.is_corrected), clean(each.text) == each.corrected_utterance] += 1
    assert counts[1, True] >= 0.5 * (counts[1, True] + counts[1, False])
    assert counts[0, True] >= 0.99 * (counts[0, True] + counts[0, False])
