"""Transcripts are bounded: what was read before in an episode is not written again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from housemates.errors import HousematesError
from housemates.evaluation.results import TRANSCRIPTS, read_transcripts
from housemates.evaluation.transcripts import Transcript, Turn, packed, unpacked


def told(*texts: str | None) -> Transcript:
    return Transcript("one", steps=[Turn("counter", None, True, text=text) for text in texts])


@given(st.lists(st.none() | st.lists(st.sampled_from(["", "a", "b", "c"])).map("\n".join)))
def test_whatever_was_read_is_read_again(texts: list[str | None]) -> None:
    whole = told(*texts)
    assert unpacked(packed(whole)) == whole
    stored = msgspec.json.decode(msgspec.json.encode(packed(whole)), type=Transcript)
    assert unpacked(stored) == whole


def test_new_lines_alone_are_written() -> None:
    steps = packed(told("rules\nroom\nyou stand", "rules\nroom\nyou sit", "rules\nroom\nyou sit")).steps
    assert [(each.text, each.parts) for each in steps] == [
        ("rules\nroom\nyou stand", []),
        (None, [(0, 2), "you sit"]),
        (None, [(0, 2), (3, 1)]),
    ]


def test_an_agent_that_is_stuck_and_reads_on_costs_next_to_nothing(counting, tmp_path: Path) -> None:
    """Walk 19: 149 MB of transcripts for 12 stuck episodes."""
    room = "\n".join(f"There is a cupboard with {number} doors." for number in range(300))
    whole = told(*(f"{room}\nThis is act {number}." for number in range(1000)))
    file = read_transcripts(tmp_path)
    file.append(whole)
    file.close()
    assert len(msgspec.json.encode(whole)) > 10_000_000
    assert (tmp_path / TRANSCRIPTS).stat().st_size < 200_000
    assert list(read_transcripts(tmp_path)) == [whole]


def test_transcripts_of_before_whose_texts_are_whole_are_read(tmp_path: Path) -> None:
    whole = told("a\nb", "a\nb")
    (tmp_path / TRANSCRIPTS).write_bytes(msgspec.json.encode(whole) + b"\n")
    assert list(read_transcripts(tmp_path)) == [whole]


def test_parts_that_lead_nowhere_are_one_sentence(tmp_path: Path) -> None:
    torn = Transcript("one", steps=[Turn("counter", None, True, parts=[(0, 5)])])
    (tmp_path / TRANSCRIPTS).write_bytes(msgspec.json.encode(torn) + b"\n")
    with pytest.raises(
        HousematesError, match=r"transcripts.jsonl: line 1: parts: expected lines among the first 0"
    ):
        list(read_transcripts(tmp_path))
