"""The HTML that pages start from: a title, a module, and what it is told; everything else is drawn by it."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path

from starlette.responses import HTMLResponse

STATIC = Path(__file__).parents[1] / "static"
SHELL = (STATIC / "shell.html").read_text(encoding="utf-8")


def shell(
    title: str,
    module: str,
    told: Mapping[str, str] | None = None,
    status: int = 200,
    more: Sequence[str] = (),
) -> HTMLResponse:
    """A page.

    Args:
        title: Of the page.
        module: The ES module in `static` that draws it.
        told: What the module finds as `document.body.dataset`.
        status: Of the answer.
        more: Modules that run beside it.
    """
    data = " ".join(f'data-{key}="{html.escape(value)}"' for key, value in (told or {}).items())
    scripts = "\n".join(f'<script type="module" src="/static/{each}"></script>' for each in (module, *more))
    text = SHELL.replace("{title}", html.escape(title)).replace("{scripts}", scripts).replace("{data}", data)
    return HTMLResponse(text, status)
