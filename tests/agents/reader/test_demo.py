"""The reader in the demonstration."""

from __future__ import annotations

from housemates.agents.reader.demo import DIALOGUES, rows


def test_it_does_what_three_dialogues_ask_for() -> None:
    found = rows()
    assert [row["done"] for row in found] == ["yes"] * len(DIALOGUES)
    assert all(row["read"].startswith(name) for row, name in zip(found, DIALOGUES, strict=True))
