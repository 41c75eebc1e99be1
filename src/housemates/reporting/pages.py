"""HTML pages that need no other program: one style sheet, everything escaped, readable on a phone."""

from __future__ import annotations

import base64
import contextlib
import io
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from housemates.files import write_text
from housemates.reporting.facts import told
from housemates.reporting.tables import cell, columns, head
from housemates.reporting.video import Picture
from housemates.reporting.words import word, worded

LONG = 40
"""Letters from which on a cell is broken into lines of a readable width."""
WIDE_PX = 600
"""Pixels from which on a plot has a row of its own, in which it keeps its size."""
VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'


def shipped(name: str) -> str:
    """A script or a style sheet of the player of episodes, which pages from disk hold and others fetch."""
    return resources.files(__package__).joinpath("player", name).read_text(encoding="utf-8")


class Figure(NamedTuple):
    """A picture with its caption."""

    caption: str
    picture: bytes | Picture | str
    """A PNG file, pixels, or the name of a file beside the page."""


class Link(NamedTuple):
    """A cell of a table that leads to another page of the same folder."""

    words: str
    page: str


class Beside(NamedTuple):
    """A cell of a table with the paper's number beside ours."""

    ours: Any
    paper: Any
    spread: float | None = None
    """How far our values lie apart, if it is a mean."""


class Page:
    """A page, written from top to bottom. All words are escaped."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._parts = [f"<h1>{escape(title)}</h1>"]

    def section(self, title: str) -> None:
        """Begin a section with a heading of the second level."""
        self._parts.append(f"<h2>{escape(title)}</h2>")

    def heading(self, title: str) -> None:
        """Begin a part of a section."""
        self._parts.append(f"<h3>{escape(title)}</h3>")

    def text(self, words: str, kind: str = "") -> None:
        """Add a paragraph; `kind` is `paper` or `failed` if it is about that."""
        self._parts.append(f"<p{_class(kind)}>{escape(words)}</p>")

    def items(self, lines: Iterable[str]) -> None:
        """Add a list, or the word that there is nothing."""
        listed = "".join(f"<li>{escape(each)}</li>" for each in lines)
        self._parts.append(f"<ul>{listed}</ul>" if listed else "<p>none</p>")

    def facts(self, facts: Mapping[str, Any]) -> None:
        """Add names and what there is to say of them, a row each."""
        rows = "".join(
            f"<tr><th>{escape(worded(name))}</th>{_cell(told(value, word(name).unit), '')}</tr>"
            for name, value in facts.items()
        )
        self._parts.append(_scroll(f'<table class="facts">{rows}</table>'))

    def table(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """Add a table: a name and its numbers in each row."""
        self.rows([{"": name, **row} for name, row in rows.items()])

    def rows(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add a table of rows under the names of their columns; a wide one can be scrolled."""
        if not rows:
            self.text("none")
            return
        names = columns(rows)
        kinds = {name: "number" if _numbers(rows, name) else "" for name in names}
        heads = "".join(f"<th{_class(kinds[name])}>{escape(head(name, rows))}</th>" for name in names)
        body = "".join(
            "<tr>" + "".join(_cell(row.get(name), kinds[name]) for name in names) + "</tr>" for row in rows
        )
        self._parts.append(_scroll(f"<table><tr>{heads}</tr>{body}</table>"))

    def figures(self, figures: Iterable[Figure]) -> None:
        """Add pictures side by side, as many as there is room for."""
        self._parts.append(f'<div class="figures">{"".join(map(_figure, figures))}</div>')

    def video(self, content: bytes, poster: Picture) -> None:
        """Add an MP4 video; a picture of its size is shown until it plays, and its controls lie below."""
        source, shown = _data("video/mp4", content), escape(_source(poster))
        tall = poster.shape[0] / poster.shape[1]
        player = f'<video controls playsinline poster="{shown}" src="{source}"></video>'
        self._parts.append(f'<div class="film" style="--tall: {tall:.4f}">{player}</div>')

    def part(self, markup: str) -> None:
        """Add markup of this package's own; whatever came from elsewhere has to be escaped in it."""
        self._parts.append(markup)

    def html(self) -> str:
        """The page as one HTML document."""
        style = resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
        head = f'<meta charset="utf-8">{VIEWPORT}<title>{escape(self.title)}</title><style>\n{style}</style>'
        parts = "\n".join(self._parts)
        body = f"<body>\n<main>\n{parts}\n</main>\n</body>"
        return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n{body}</html>\n'

    def write(self, path: Path) -> Path:
        """Write the page to a file and return its path."""
        write_text(path, self.html())
        return path


def _scroll(table: str) -> str:
    """A table in a box of its own, in which a wide one can be scrolled, also by keys."""
    return f'<div class="scroll" tabindex="0">{table}</div>'


def _figure(figure: Figure) -> str:
    said = escape(figure.caption)
    source = escape(_source(figure.picture))
    wide = ' class="wide" tabindex="0"' if _width(figure.picture) > WIDE_PX else ""
    return f'<figure{wide}><img src="{source}" alt="{said}"><figcaption>{said}</figcaption></figure>'


def _width(picture: bytes | Picture | str) -> int:
    """Pixels of a picture that is drawn here; 0 of others."""
    if isinstance(picture, bytes):
        with contextlib.suppress(OSError), Image.open(io.BytesIO(picture)) as drawn:
            return drawn.width
    return 0


def _source(picture: bytes | Picture | str) -> str:
    if isinstance(picture, np.ndarray):
        buffer = io.BytesIO()
        Image.fromarray(picture).save(buffer, "JPEG", quality=85)
        return _data("image/jpeg", buffer.getvalue())
    return _data("image/png", picture) if isinstance(picture, bytes) else picture


def _numbers(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    found = [row[name] for row in rows if row.get(name) is not None]
    ours = [each.ours if isinstance(each, Beside) else each for each in found]
    return bool(ours) and all(isinstance(each, int | float) for each in ours)


def _cell(value: Any, kind: str) -> str:
    if isinstance(value, Link):
        return f'<td><a href="{escape(value.page)}">{escape(value.words)}</a></td>'
    if isinstance(value, Beside):
        spread = "" if value.spread is None else f" ± {cell(value.spread)}"
        paper = f' <span class="paper">{escape(cell(value.paper))}</span>'
        return f"<td{_class(kind)}>{escape(cell(value.ours))}{spread}{paper}</td>"
    said = cell(value)
    return f"<td{_class(kind or ('long' if len(said) > LONG else ''))}>{escape(said)}</td>"


def _class(name: str) -> str:
    return f' class="{escape(name)}"' if name else ""


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
