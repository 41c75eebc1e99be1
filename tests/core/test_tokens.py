"""Tokens of percepts: estimated or counted, and what is refused."""

from __future__ import annotations

import pytest

from housemates.core.tokens import counter, estimated
from housemates.errors import HousematesError


def test_an_estimate_counts_pieces_of_words_digits_signs_and_line_ends() -> None:
    assert estimated("- refrigerator 12 (open)\n") == 9


def test_a_file_that_is_no_tokenizer_is_refused(tmp_path) -> None:
    pytest.importorskip("tokenizers")
    file = tmp_path / "tokenizer.json"
    with pytest.raises(HousematesError, match="expected a tokenizer's file"):
        counter(str(file))
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(HousematesError, match=r"expected a tokenizer\.json"):
        counter(str(file))
