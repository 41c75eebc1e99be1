"""Pages: everything escaped, nothing from elsewhere, tables that scroll."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

from housemates.reporting.pages import Beside, Figure, Page

BAD = '<script>alert("&")</script>'


def test_whatever_is_said_is_escaped() -> None:
    page = Page(BAD)
    page.section(BAD)
    page.heading(BAD)
    page.text(BAD, "failed")
    page.items([BAD])
    page.facts({BAD: {BAD: BAD}})
    page.table({BAD: {BAD: BAD}})
    page.rows([{BAD: Beside(BAD, BAD)}])
    page.figures([Figure(BAD, f"{BAD}.png")])
    assert "<script" not in page.html()
    assert page.html().count("&lt;script&gt;") >= 13


def test_a_page_is_one_file_that_fits_a_phone(tmp_path: Path) -> None:
    page = Page("All in one")
    page.figures([Figure("a plot", b"\x89PNG"), Figure("a view", np.zeros((8, 8, 3), np.uint8))])
    page.video(b"film", np.zeros((6, 8, 3), np.uint8))
    path = page.write(tmp_path / "new" / "index.html")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "width=device-width" in text
    assert all(f"data:{kind};base64," in text for kind in ("image/png", "image/jpeg", "video/mp4"))
    assert "http" not in text


def test_a_wide_picture_scrolls_in_its_box_also_by_keys() -> None:
    drawn = io.BytesIO()
    Image.new("RGB", (3000, 100)).save(drawn, "PNG")
    page = Page("Wide")
    page.figures([Figure("a hundred words", drawn.getvalue())])
    assert '<figure class="wide" tabindex="0">' in page.html()


def test_numbers_stand_to_the_right_with_the_papers_beside_them() -> None:
    page = Page("Numbers")
    page.table({"Coffee": {"said": Beside(8.94, 7.75, 5.0), "room": "kitchen"}, "Salad": {"said": None}})
    text = page.html()
    assert '<td class="number">8.9 ± 5.0 <span class="paper">7.8</span></td>' in text
    assert '<th class="number">said</th><th>room</th>' in text
    assert '<div class="scroll" tabindex="0"><table>' in text


def test_nothing_is_said_to_be_none() -> None:
    page = Page("Empty")
    page.rows([])
    page.items([])
    assert page.html().count("<p>none</p>") == 2
