"""What pages look like: nothing runs over the edge, and axe-core finds no serious fault."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from studio_server import PASSWORD, Player, Server, logged_in, seats_in, seats_of

from housemates.studio.web.shell import STATIC

SIZES = {"desk": (1280, 800, False), "phone": (844, 390, True)}
UPRIGHT = (390, 844)
FURTHEST = """() => {
    const bar = [...document.querySelectorAll(".bar > *")].map((each) => each.getBoundingClientRect().right);
    return Math.ceil(Math.max(document.documentElement.scrollWidth, ...bar) - innerWidth);
}"""
"""How far the page, or something of its bar, is out of view."""
AXE = "axe-core@4"
SURVEY = """name,kind,label,choices,steps,low,high
fit,scale,Was it fun?,,7,no,very
used,several,What did you use?,map|chat,,,
more,text,Anything else?,,,,
"""
PICTURES = STATIC / "pictures"


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, from npm; skipped where that cannot be had."""
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    run = npm and subprocess.run([npm, "pack", "--silent", AXE], cwd=folder, capture_output=True, timeout=120)
    packed = next(folder.glob("*.tgz"), None)
    if not run or run.returncode or packed is None:
        pytest.skip("axe-core cannot be had: npm pack axe-core")
    with tarfile.open(packed) as archive:
        found = archive.extractfile("package/axe.min.js")
        assert found is not None
        return found.read().decode()


@pytest.fixture(scope="module")
def pages(server: Server) -> dict[str, str]:
    """Every page by its address, each with something that shows that it is there."""
    cookie = logged_in(server)
    tokens = seats_of(server, cookie, "looks")
    (play,) = server.ask("GET", "/api/admin/projects/looks/plays", Cookie=cookie)[1]
    watched = server.ask("POST", "/api/admin/links", {"play": play["id"]}, Cookie=cookie)[1]["link"]
    (general,) = seats_in(server, cookie, "stay", "home", options={"size": "200"}).values()
    agent, robot, leader, follower = (
        server.ask("POST", "/api/demo", {"benchmark": benchmark, "role": role})[1]["seat"]
        for benchmark, role in (
            ("alfred", "agent"),
            ("handmethat", "robot"),
            ("cerealbar", "leader"),
            ("cerealbar", "follower"),
        )
    )
    return {
        "/": ".card button",
        "/admin": "form.login",
        f"/seat/{tokens['follower']}": "canvas.screen[data-turn]",
        f"/seat/{tokens['commander']}": "canvas.screen[data-turn]",
        f"/survey/{tokens['follower']}": "main a.button",
        "/join/looks": "main.lead-on .waiting, main.lead-on button",
        "/join/agreeing": "main.lead-on .consent",
        f"/survey/{own_survey(server, cookie)}": "form.survey",
        f"/seat/{general}": ".offers button",
        agent: "canvas.screen[data-turn]",
        robot: ".room .go",
        leader: "body[data-turn] .moves button",
        follower: "body[data-turn] .moves button",
        "/watch": "main a.button",
        watched: ".views img",
        f"{watched}?beside={watched.rsplit('/', 1)[1]}": ".player + .player .views img",
        "/nowhere": "main.sorry",
    }


def own_survey(server: Server, cookie: str) -> str:
    """The seat of somebody who has played and is asked a lab's own questions; and a study with consent."""
    plan = {"survey": SURVEY, "consent": "We keep all.", "evidence": True}
    for name, kept in (("agreeing", plan), ("asking", {"survey": SURVEY})):
        asked = {"id": name, "title": name, "benchmark": "handmethat", "plan": kept}
        assert server.ask("POST", "/api/admin/projects", asked, Cookie=cookie)[0] == 200
    links = server.ask("POST", "/api/admin/projects/asking/plays", {}, Cookie=cookie)[1]
    player = Player(server, links["robot"].removeprefix("/seat/")).connect()
    player.act("Stop")
    player.close()
    return player.token


def serious(page: Any, axe: str) -> list[str]:
    """The serious faults that axe-core finds on a page."""
    page.add_script_tag(content=axe)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:120]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("size", SIZES)
def test_no_page_runs_over_the_edge_or_shuts_somebody_out(
    visit: Callable[..., Any], server: Server, pages: dict[str, str], axe: str, size: str, tmp_path: Path
) -> None:
    faults = []
    for number, (path, sign) in enumerate(pages.items()):
        width, height, dark = SIZES[size]
        page = visit(f"{server.url}{path}", width, height, dark, bypass_csp=True)
        page.locator(f"{sign}, dialog[open]").first.wait_for(state="attached")
        if page.locator("dialog[open]").count():
            found = serious(page, axe) if size == "desk" else []
            faults += [f"{path}, instructions: {each}" for each in found]
            page.get_by_role("button", name="Got it").click()
        page.locator(sign).first.wait_for(state="attached")
        page.screenshot(path=tmp_path / f"{size}-{number}.png")
        for across, down in ((width, height), UPRIGHT):
            page.set_viewport_size({"width": across, "height": down})
            wide = page.evaluate(FURTHEST)
            faults += [f"{path}: {wide} pixels over the edge of {across}"] if wide > 0 else []
        page.set_viewport_size({"width": width, "height": height})
        faults += [f"{path}: {each}" for each in serious(page, axe)]
        page.context.close()
    assert faults == []


def test_the_administrators_pages_shut_nobody_out(
    visit: Callable[..., Any], server: Server, pages: dict[str, str], axe: str
) -> None:
    admin = visit(f"{server.url}/admin", bypass_csp=True)
    admin.get_by_label("Password").fill(PASSWORD["HOUSEMATES_STUDIO_PASSWORD"])
    admin.get_by_role("button", name="Log in").click()
    admin.get_by_role("link", name="looks").wait_for()
    assert serious(admin, axe) == []
    admin.get_by_role("link", name="New project").click()
    admin.get_by_label("Survey after each session").select_option("own")
    admin.get_by_role("button", name="Try the survey").click()
    admin.locator(".tried fieldset").first.wait_for()
    assert serious(admin, axe) == []
    admin.get_by_role("link", name="Back").click()
    admin.get_by_role("link", name="looks").click()
    admin.get_by_role("heading", name="Invite people").wait_for()
    assert serious(admin, axe) == []
    admin.get_by_role("link", name="Watch", exact=True).click()
    admin.get_by_role("heading", name="Sessions").wait_for()
    assert serious(admin, axe) == []


def test_the_home_page_has_a_small_picture_of_every_world(visit: Callable[..., Any], server: Server) -> None:
    page = visit(server.url)
    page.locator(".card button").first.wait_for()
    cards, pictures = page.locator(".card"), page.locator(".card img")
    assert cards.count() == pictures.count() >= 4
    pictures.evaluate_all("all => Promise.all(all.map((each) => each.decode()))")
    assert all(pictures.evaluate_all("all => all.map((each) => each.naturalWidth === 640)"))
    assert sum(each.stat().st_size for each in PICTURES.glob("*.jpg")) < 500_000
