"""The page of the demo: one HTML file with everything in it."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from housemates.files import write_text
from housemates.reporting.film import Film
from housemates.reporting.video import Picture

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #20242a }
body { max-width: 1000px; margin: 2rem auto; padding: 0 1rem }
img, video { width: 100%; border-radius: 6px }
figure { margin: 0 }
.frames { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 1rem }
figcaption { font-size: .9rem; color: #555 }
table { border-collapse: collapse; margin: .5rem 0 }
td, th { border-bottom: 1px solid #ddd; padding: .25rem .8rem; text-align: left }
.failed { color: #a00 }
"""


def write(
    out: Path,
    title: str,
    film: Film,
    video: Path | None,
    tables: Mapping[str, Sequence[Mapping[str, Any]]],
    failed: Mapping[str, str],
) -> Path:
    """Write `index.html` and return its path."""
    parts = [f"<h1>Coffee in {html.escape(title)}</h1>"]
    if video is not None:
        parts.append(f'<video controls src="{_data("video/mp4", video.read_bytes())}"></video>')
    parts.append('<div class="frames">')
    parts += [_figure(shot.picture, shot.caption) for shot in film.shots if shot.key]
    parts.append("</div>")
    for name, rows in tables.items():
        parts += [f"<h2>{html.escape(name)}</h2>", _table(rows)]
    parts += [
        f'<p class="failed">{html.escape(name)}: the demo failed: {html.escape(error)}</p>'
        for name, error in failed.items()
    ]
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Housemates</title>'
    path = out / "index.html"
    write_text(path, f"{head}<style>{STYLE}</style>" + "\n".join(parts) + "</html>\n")
    return path


def text(value: Any) -> str:
    """A cell of a table."""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of all columns, in the order in which they come up."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _figure(picture: Picture, caption: str) -> str:
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "JPEG", quality=85)
    source = _data("image/jpeg", buffer.getvalue())
    said = html.escape(caption)
    return f'<figure><img src="{source}" alt="{said}"><figcaption>{said}</figcaption></figure>'


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    names = columns(rows)
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(text(row.get(name, '')))}</td>" for name in names) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
