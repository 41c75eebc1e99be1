"""People in browsers: the administrator who makes projects, and those who come by links."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from studio_server import PASSWORD, Server

Visit = Callable[..., Any]


def administrator(visit: Visit, server: Server) -> Any:
    """The administrator's page, logged in."""
    admin = visit(f"{server.url}/admin")
    admin.get_by_label("Password").fill(PASSWORD["HOUSEMATES_STUDIO_PASSWORD"])
    admin.get_by_role("button", name="Log in").click()
    return admin


def make_project(
    admin: Any,
    name: str,
    benchmark: str = "teach-tatc",
    options: Mapping[str, str] | None = None,
    seats: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
) -> None:
    """Fill in the form of a new project, whose title is `Study NAME`; then back to all projects."""
    admin.get_by_role("link", name="New project").click()
    admin.get_by_label("Short name for the link").fill(name)
    admin.get_by_label("Title").fill(f"Study {name}")
    admin.get_by_label("Benchmark", exact=True).select_option(benchmark)
    for role, agent in (seats or {}).items():
        admin.get_by_role("combobox", name=role.capitalize(), exact=True).select_option(agent)
    chosen = {f"Option {option}": value for option, value in (options or {}).items()}
    for label, value in {**chosen, **(fields or {})}.items():
        field = admin.get_by_label(label, exact=True)
        listed = field.evaluate("each => each.tagName") == "SELECT"
        field.select_option(value) if listed else field.fill(value)
    admin.get_by_role("button", name="Create project").click()
    admin.get_by_role("heading", name=f"Study {name}").wait_for()
    admin.get_by_role("link", name="All projects").click()
    admin.get_by_role("link", name=f"Study {name}").wait_for()


def links(admin: Any, name: str) -> dict[str, str]:
    """Make one session of a project with a link for each seat: role -> address."""
    admin.get_by_role("link", name=f"Study {name}").click()
    admin.get_by_role("button", name="Make one session with a link for each seat").click()
    found = admin.locator("dl.links")
    found.wait_for()
    roles, addresses = found.locator("dt").all_inner_texts(), found.locator("a").all()
    made = {
        role.lower(): str(each.get_attribute("href")) for role, each in zip(roles, addresses, strict=True)
    }
    admin.get_by_role("link", name="All projects").click()
    admin.get_by_role("link", name="New project").wait_for()
    return made


def acted(page: Any, deed: Callable[[], None]) -> None:
    """Do something, and wait until the page shows that it was done."""
    before = page.locator("body").get_attribute("data-turn")
    deed()
    page.locator(f"body:not([data-turn='{before}'])").wait_for(state="attached")


def answer(page: Any) -> str:
    """Answer the survey at the end of a session; the completion code."""
    page.get_by_role("link", name="To the survey").click()
    page.locator("form.survey").wait_for()
    for fieldset in page.locator("fieldset").all():
        fieldset.get_by_role("radio").last.check()
    page.get_by_role("textbox").fill("<b>No</b>, it was fine.")
    page.get_by_role("button", name="Send").click()
    return str(page.locator(".code").inner_text())


def exported(admin: Any, folder: Path) -> Path:
    """Download the official format of the project that is open: the one file in it."""
    with admin.expect_download() as download:
        admin.get_by_role("link", name="Official format").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        (name,) = archive.namelist()
        return Path(archive.extract(name, folder))
