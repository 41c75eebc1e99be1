"""A studio and a browser that many tests share; what is not installed is skipped with one clear line."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra studio is not installed")
pytest.importorskip("sqlalchemy", reason="the extra studio is not installed")
sys.path.insert(0, str(Path(__file__).parent))

from studio_server import PASSWORD, PATIENCE_S, STOPPED, Server

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A studio that many tests share."""
    folder = tmp_path_factory.mktemp("studio")
    words = ("--workers", "1", "--runs", str(folder / "runs"))
    made = Server(folder, "", *words, env=PASSWORD).start()
    yield made
    assert made.stop() in STOPPED


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium: the one of the system, or the one that Playwright has installed.

    While it is open nobody else can run an event loop in this process, as tests of the doors do: so files
    that open it are not marked slow, and come after those.
    """
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    with api.sync_playwright() as playwright:
        try:
            made = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        except api.Error:
            pytest.skip("no browser is installed: apt-get install chromium, or playwright install chromium")
        yield made
        made.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page in a browser context of its own; whatever goes wrong in it fails the test."""
    contexts, faults = [], []

    def visited(url: str, width: int = 1280, height: int = 800, dark: bool = False, **more: Any) -> Any:
        scheme = "dark" if dark else "light"
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **more
        )
        context.set_default_timeout(1000 * PATIENCE_S)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(url)
        return page

    yield visited
    for context in contexts:
        context.close()
    assert faults == []
