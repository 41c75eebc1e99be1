"""`housemates demo`: make coffee in a generated kitchen, play a little of each benchmark, write two pages."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import tyro

from housemates.cli import options
from housemates.cli.campaign import show_reports
from housemates.errors import HousematesError

if TYPE_CHECKING:
    from housemates.home import World
    from housemates.reporting.film import HomeFilm
    from housemates.reporting.pages import Page

SIDE_PX = 480
KEY_FRAMES = 8
"""How many frames of the video something worth seeing stays."""
BASELINES = Path(__file__).with_name("baselines.toml")
REPORT, PICTURES = "baselines", 1
"""The folder of the report, and of how many episodes of each run it shows what was seen."""
TOLD = (
    "A script makes coffee in a generated kitchen: left what it sees, right where it is. Below, a "
    f'few episodes of each benchmark; <a href="{REPORT}/index.html">the baselines</a> have more, act by act.'
)
"""What the page says about itself."""


@dataclass
class Demo:
    """Tour a kitchen and the benchmarks; writes OUT/index.html and OUT/baselines/index.html."""

    scene: tyro.conf.Positional[str] = "kitchen-30"
    """Id of a room with a coffee machine."""
    out: Path = Path("out/demo")
    """Folder for the page, the video and the pictures."""
    json: bool = False
    """Print one JSON object instead of steps and tables."""

    def run(self) -> None:
        """Make coffee, then let the benchmarks show their rows."""
        start = time.perf_counter()
        say: Callable[[str], None] = _silence if self.json else print
        world = untidy_kitchen(self.scene)
        film = film_coffee(world, say)
        video = save_film(film, self.out, say)
        shows = []
        for show in benchmark_shows():
            shows.append(show)
            if not self.json:
                _print(show)
        path = page_of(self.scene, film, video, shows).write(self.out / "index.html")
        reports, report = report_baselines(self.out / REPORT)
        seconds = round(time.perf_counter() - start, 1)
        if not self.json:
            show_reports(reports)
        say(f"Look at {path} and at the report of all baselines, {report} ({seconds} s).")
        say("Then take a seat yourself, in a browser: housemates studio")
        if self.json:
            told = {
                "scene": self.scene,
                "steps": world.tick,
                "tables": {show.benchmark: show.rows for show in shows if not show.error},
                "failed": {show.benchmark: show.error for show in shows if show.error},
            }
            told["baselines"] = {name: each["success"] for name, each in reports.items()}
            pages = {"page": str(path), "report": str(report), "video": video is not None}
            print(json.dumps({**told, **pages, "seconds": seconds}))


class Show(NamedTuple):
    """What one benchmark has to show: rows of a table, or why it could not."""

    benchmark: str
    about: str
    """What it asks, in a sentence."""
    rows: list[dict[str, Any]]
    error: str


def report_baselines(out: Path) -> tuple[dict[str, dict[str, Any]], Path]:
    """Let each benchmark's baselines play a few episodes: what each came to, and the page of them all."""
    from housemates.evaluation.campaign import read_campaign, run_campaign
    from housemates.evaluation.report import write_report

    with TemporaryDirectory() as folder:
        runs = Path(folder)
        reports = dict(run_campaign(read_campaign(BASELINES), runs, workers=1))
        return reports, write_report([runs / name for name in reports], out, PICTURES, workers=1)


def untidy_kitchen(scene: str) -> World:
    """A room in which every mug is dirty."""
    from housemates.home import World
    from housemates.home.scenes import load

    world = World(load(scene))
    for mug in world.of_type("Mug"):
        world.update(mug, dirty=True)
    return world


def film_coffee(world: World, say: Callable[[str], None]) -> HomeFilm:
    """Let the script make coffee, and film it."""
    from housemates.agents.home.coffee import make_coffee
    from housemates.core.outcome import spoken
    from housemates.reporting.film import HomeFilm, Words

    film = HomeFilm(SIDE_PX, lines=2, font_px=18, fps=6)

    def shoot(caption: str, key: bool) -> None:
        film.take(world, [[Words(caption)]], frames=KEY_FRAMES if key else 1, key=key)

    things = len(world.things)
    shoot(f"{world.scene.id}: {things} things, and every mug is dirty. Make coffee!", key=True)
    for number, deed in enumerate(make_coffee(world), start=1):
        caption = f"{number}. {deed.outcome.message or spoken(deed.action).capitalize()}"
        say(caption)
        shoot(caption, key=bool(deed.target))
    shoot("Coffee is served.", key=True)
    return film


def save_film(film: HomeFilm, out: Path, say: Callable[[str], None]) -> Path | None:
    """Write the key frames and the video; without what videos need, say so and go on."""
    film.save_frames(out / "frames")
    say("Writing the video ...")
    video = out / "coffee.mp4"
    try:
        film.save(video)
    except HousematesError as error:
        say(str(error))
        return None
    return video


def page_of(scene: str, film: HomeFilm, video: Path | None, shows: Iterable[Show]) -> Page:
    """The page: the film, its key frames, and what each benchmark has to show."""
    from housemates.reporting.pages import Figure, Page

    page = Page(f"Coffee in {scene}")
    page.part(f"<p>{TOLD}</p>")
    shots = film.key_shots()
    if video is not None:
        page.video(video.read_bytes(), shots[0].picture)
    page.figures(Figure(shot.caption, shot.picture) for shot in shots)
    for show in shows:
        if show.error:
            page.text(f"{show.benchmark}: the demo failed: {show.error}", "failed")
        else:
            page.section(show.benchmark)
            page.text(show.about)
            page.rows(show.rows)
    return page


def benchmark_shows() -> Iterator[Show]:
    """Let the reader and each benchmark show what they have; one that fails does not stop the others."""
    from housemates.agents.reader import demo
    from housemates.core import registry

    yield _shown("reader", demo.ABOUT, demo.rows)
    for spec in registry.specs().values():
        if spec.demo:
            yield _shown(spec.name, spec.summary, spec.load(spec.demo))


def _shown(name: str, about: str, rows: Callable[[], list[dict[str, Any]]]) -> Show:
    try:
        return Show(name, about, rows(), "")
    except Exception as error:
        return Show(name, about, [], f"{type(error).__name__}: {error}")


def _print(show: Show) -> None:
    from housemates.reporting.tables import show_rows

    if show.error:
        print(f"{show.benchmark}: the demo failed: {show.error}")
    else:
        show_rows(show.rows, f"{show.benchmark}: {show.about}")


def _silence(line: str) -> None:
    """Say nothing."""


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates demo` with these arguments."""
    options.run(Demo, f"housemates {verb}", argv)
