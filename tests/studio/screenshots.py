"""Pictures of every page, light and dark, on a desk and on a phone, for looking at.

`python tests/studio/screenshots.py FOLDER [WORDS...]` takes them all, or those whose names hold a word. See
whether anything overlaps, and whether all that is needed is in view.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright
from sqlalchemy.orm import Session

sys.path.insert(0, str(Path(__file__).parent))
from studio_server import PASSWORD, Player, Server, logged_in, seats_of

from housemates.core.loading import Seating
from housemates.evaluation.episodes import Run
from housemates.evaluation.runner import evaluate
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Participant

SIZES = {"desk": (1280, 800), "phone": (390, 844), "phone-wide": (844, 390)}


class Shot(NamedTuple):
    """A page, something that shows that it is there, and what is done before its picture is taken."""

    name: str
    path: str
    sign: str
    then: Callable[[Any], None] = lambda page: None
    cookie: str = ""


def got_it(page: Any) -> None:
    """Read the instructions, and wait for what is behind them."""
    if page.locator("dialog[open]").count():
        page.get_by_role("button", name="Got it").click()
    page.locator("body[data-turn]").wait_for(state="attached", timeout=60_000)
    page.wait_for_timeout(400)


def of_project(page: Any) -> None:
    """One project of the administrator's."""
    page.get_by_role("link", name="looks").click()
    page.get_by_role("heading", name="Invite people").wait_for()


def own_survey(page: Any) -> None:
    """A survey of one's own, tried out in the form of a project."""
    page.get_by_label("Survey after each session").select_option("own")
    page.get_by_role("button", name="Try the survey").click()
    page.locator(".tried fieldset").first.wait_for()


def left(page: Any) -> None:
    """The lobby after somebody has left it."""
    if page.get_by_role("button", name="Leave", exact=True).count():
        page.get_by_role("button", name="Leave", exact=True).click()
        page.locator("dialog[open]").get_by_role("button", name="Leave").click()
        page.get_by_role("heading", name="You have left.").wait_for()


def at_the_end(page: Any) -> None:
    """The last act of what is watched."""
    page.keyboard.press("End")
    page.wait_for_timeout(800)


def shots(server: Server) -> Iterator[Shot]:
    """Every page."""
    cookie = logged_in(server)
    tokens = seats_of(server, cookie, "looks", size="300")
    players = {role: Player(server, token).connect() for role, token in tokens.items()}
    for role, name, arguments in TALK:
        players[role].act(name, **arguments)
    for player in players.values():
        player.close()
    (play,) = server.ask("GET", "/api/admin/projects/looks/plays", Cookie=cookie)[1]
    ask = [{"play": play["id"]}, {"run": "runs/heuristic"}, {"run": "runs/random"}]
    links = [server.ask("POST", "/api/admin/links", each, Cookie=cookie)[1]["link"] for each in ask]
    yield Shot("home", "/", ".card button")
    yield Shot("sorry", "/nowhere", "main.sorry")
    yield Shot("login", "/admin", "form.login")
    yield Shot("admin", "/admin", ".parts section", cookie=cookie)
    yield Shot("project", "/admin", ".parts section", of_project, cookie)
    yield Shot("project-new", "/admin#new", "form.new", cookie=cookie)
    yield Shot("project-edit", "/admin#edit/looks", "form.new", cookie=cookie)
    yield Shot("project-copy", "/admin#copy/looks", "form.new", own_survey, cookie=cookie)
    yield Shot("watchable", "/watch", "input[type=checkbox]", cookie=cookie)
    yield Shot("watch-play", links[0], ".views img", at_the_end)
    yield Shot("watch-run", links[1], "td a")
    yield Shot("watch-two", f"{links[1]}?beside={links[2].split('/')[-1]}#0", ".views pre", at_the_end)
    yield Shot("watch-locked", "/watch", "main .button")
    for role, token in tokens.items():
        yield Shot(f"teach-{role}-instructions", f"/seat/{token}", "dialog[open]")
        yield Shot(f"teach-{role}", f"/seat/{token}", "dialog[open]", got_it)
    yield Shot("survey", f"/survey/{tokens['follower']}", "main a.button")
    yield from studied(server, cookie)
    yield from learnt(server, cookie)
    yield compared(server, cookie)
    for benchmark, role in DEMOS:
        seat = server.ask("POST", "/api/demo", {"benchmark": benchmark, "role": role, "seed": 1})[1]["seat"]
        yield Shot(f"{benchmark}-{role}", seat, "dialog[open], body[data-turn]", got_it)


def studied(server: Server, cookie: str) -> Iterator[Shot]:
    """What participants are led through: consent, tutorial, lobby, survey, code."""
    asked = {
        "id": "whole",
        "title": "Chores by chat",
        "benchmark": "teach-tatc",
        "options": {"rooms": "seen", "size": "300"},
        "plan": {
            "tutorial": True,
            "evidence": True,
            "retention_days": 90,
            "base": 2.5,
            "bonus": 0.5,
            "consent": "We keep what you do and write.\n\nYou can stop at any time.",
        },
    }
    server.ask("POST", "/api/admin/projects", asked, Cookie=cookie)
    path = joined(server, "whole", "one")
    yield Shot("consent", path, "main.lead-on button")
    server.ask("POST", f"/api/participant/{path.split('/')[-1]}/consent", {"version": 1})
    yield Shot("before-tutorial", path, "main.lead-on button")
    seat = server.ask("POST", f"/api/participant/{path.split('/')[-1]}/tutorial")[1]["seat"]
    yield Shot("tutorial", f"/seat/{seat}", "dialog[open]", got_it)
    server.ask("POST", "/api/admin/projects", {**asked, "id": "short", "plan": {}}, Cookie=cookie)
    path = joined(server, "short", "two")
    yield Shot("lobby", path, ".waiting")
    yield Shot("lobby-left", path, "main.lead-on h2", left)
    server.ask(
        "POST",
        "/api/admin/projects",
        {
            "id": "end",
            "title": "The end",
            "benchmark": "teach-tatc",
            "options": {"size": "100"},
            "seats": {"follower": "idle"},
            "plan": {"survey": SURVEY},
        },
        Cookie=cookie,
    )
    path = joined(server, "end", "three")
    seat = server.ask("POST", f"/api/participant/{path.split('/')[-1]}/lobby")[1]["seat"]
    player = Player(server, seat).connect()
    player.act("Stop")
    player.close()
    yield Shot("survey-questions", f"/survey/{seat}", "form.survey")
    answers = {"clear": "2", "attend": "blue", "used": ["chat"]}
    server.ask("POST", f"/api/seat/{seat}/survey", {"answers": answers})
    yield Shot("code", path, ".code")
    yield Shot("project-studied", "/admin#project/end", "dl.settings", cookie=cookie)
    yield Shot("project-whole", "/admin#project/whole", "dl.settings", cookie=cookie)
    yield Shot("admin-later", "/admin", "section[aria-label=Over]", cookie=cookie)


def learnt(server: Server, cookie: str) -> Iterator[Shot]:
    """CerealBar's tutorials and its quiz, and what is said to those whom a study does not want."""
    asked = {"id": "cards", "title": "Cards", "benchmark": "cerealbar", "plan": {"tutorial": True}}
    server.ask("POST", "/api/admin/projects", asked, Cookie=cookie)
    path = joined(server, "cards", "four")
    token = path.split("/")[-1]
    with closing(Database(server.db)) as database:
        for name in ("cerealbar-leader", "cerealbar-follower"):
            seat = server.ask("POST", f"/api/participant/{token}/tutorial")[1]["seat"]
            yield Shot(f"{name}-tutorial", f"/seat/{seat}", "dialog[open]", got_it)
            database.now(partial(pass_, token=token, name=name))
    yield Shot("quiz", path, "form.survey")
    server.ask(
        "POST", "/api/admin/projects", {**asked, "id": "best", "plan": {"pool": "expert"}}, Cookie=cookie
    )
    yield Shot("closed", joined(server, "best", "five"), "main.lead-on h2")


def pass_(session: Session, token: str, name: str) -> None:
    """Write down that somebody has passed a tutorial."""
    found = session.get_one(Participant, token)
    found.state = {**found.state, "passed": {**found.state.get("passed", {}), name: 1.0}}


def compared(server: Server, cookie: str) -> Shot:
    """Three descriptions of the same, side by side."""
    for name, benchmark, plan in (
        ("words", "alfred-annotation", {}),
        ("odd", "alfred-validation", {"of": "words"}),
    ):
        asked = {"id": name, "title": name, "benchmark": benchmark, "plan": plan}
        server.ask("POST", "/api/admin/projects", asked, Cookie=cookie)
    for words in ("Take the egg", "Get an egg", "Dance on the table"):
        links = server.ask("POST", "/api/admin/projects/words/plays", {}, Cookie=cookie)[1]
        player = Player(server, links["annotator"].removeprefix("/seat/")).connect()
        for part in player.state["views"]["missing"]:
            player.act("Write", part=part, text=f"{words}, then go on with part {part} of it.")
        player.act("Submit")
        player.close()
    judge = server.ask("POST", "/api/admin/projects/odd/plays", {}, Cookie=cookie)[1]["judge"]
    return Shot("alfred-validation", judge, "body[data-turn]", got_it)


def joined(server: Server, project: str, who: str) -> str:
    """The page of somebody who has come by a link."""
    with urllib.request.urlopen(f"{server.url}/join/{project}?PROLIFIC_PID={who}&SESSION_ID=s") as answer:
        return str(answer.url).removeprefix(server.url)


SURVEY = """name,kind,label,choices,right,steps,low,high
clear,scale,How clear was what your partner wrote?,,,7,not at all,very
attend,choice,Please choose blue here.,red|blue|green,blue,,,
used,several,What did you use?,chat|the map|the search|the list of steps,,,,
more,text,Anything you would like to tell us?,,,,,
"""
"""A survey of a lab's own, as a table."""
TALK: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("commander", "Say", {"text": "Please make coffee in a clean mug."}),
    ("follower", "Say", {"text": "Where is a mug?"}),
    ("commander", "ProgressCheck", {}),
    ("commander", "Search", {"text": "mug"}),
    ("commander", "Say", {"text": "It is on the counter, left of the sink."}),
    ("follower", "TurnLeft", {}),
    ("follower", "LookDown", {}),
    ("follower", "Forward", {}),
)
DEMOS = (
    ("cerealbar", "leader"),
    ("cerealbar", "follower"),
    ("handmethat", "robot"),
    ("alfred", "agent"),
    ("alfred-annotation", "annotator"),
)


def main() -> None:
    """Take all of them."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[2:]
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        for agent in ("random", "heuristic"):
            run = Run("handmethat", {"robot": Seating(agent)}, "generated", 12, 0, {})
            evaluate(run, workers=1, out=folder / "runs" / agent)
        server = Server(folder, "", "--workers", "2", "--runs", str(folder / "runs"), env=PASSWORD).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            for shot in shots(server):
                if not wanted or any(each in shot.name for each in wanted):
                    take(browser, server, shot, out)
        finally:
            browser.close()
            server.stop()


def take(browser: Any, server: Server, shot: Shot, out: Path) -> None:
    """One page in all sizes and both lights; what runs over the edge is named."""
    for size, (width, height) in SIZES.items():
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        if shot.cookie:
            name, _, value = shot.cookie.partition("=")
            page.context.add_cookies([{"name": name, "value": value, "url": server.url}])
        page.goto(server.url + shot.path)
        page.locator(shot.sign).first.wait_for(state="attached", timeout=60_000)
        shot.then(page)
        page.wait_for_timeout(400)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        for light in ("light", "dark"):
            page.emulate_media(color_scheme=light, reduced_motion="reduce")
            page.wait_for_timeout(100)
            page.screenshot(path=out / f"{shot.name}.{size}.{light}.png")
        print(shot.name, size, f"{over} pixels over the edge" if over > 0 else "", flush=True)
        page.close()


if __name__ == "__main__":
    main()
