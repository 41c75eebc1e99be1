"""`housemates demo`: make coffee in a generated kitchen, play a little of each benchmark, write a page."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import tyro

from housemates.cli import options
from housemates.errors import HousematesError

if TYPE_CHECKING:
    from housemates.reporting.film import Film


@dataclass
class Demo:
    """Tour a kitchen and the benchmarks; the page to look at is OUT/index.html."""

    scene: tyro.conf.Positional[str] = "kitchen-30"
    """Id of a room with a coffee machine."""
    out: Path = Path("out/demo")
    """Folder for the page, the video and the pictures."""
    json: bool = False
    """Print one JSON object instead of steps and tables."""

    def run(self) -> None:
        """Make coffee, then let the benchmarks show their rows."""
        from housemates.reporting import page

        start = time.perf_counter()
        say: Callable[[str], None] = _silence if self.json else print
        film = film_coffee(self.scene, say)
        video = save_film(film, self.out, say)
        shows = []
        for show in benchmark_shows():
            shows.append(show)
            if not self.json:
                _print(show)
        tables = {show.benchmark: show.rows for show in shows if not show.error}
        failed = {show.benchmark: show.error for show in shows if show.error}
        path = page.write(self.out, self.scene, film, video, tables, failed)
        seconds = round(time.perf_counter() - start, 1)
        say(f"Look at {path} ({seconds} s).")
        if self.json:
            told = {"scene": self.scene, "steps": film.world.tick, "tables": tables, "failed": failed}
            print(json.dumps({**told, "page": str(path), "video": video is not None, "seconds": seconds}))


class Show(NamedTuple):
    """What one benchmark has to show: rows of a table, or why it could not."""

    benchmark: str
    rows: list[dict[str, Any]]
    error: str


def film_coffee(scene: str, say: Callable[[str], None]) -> Film:
    """Let the script make coffee in a room whose mugs are all dirty, and film it."""
    from housemates.benchmarks.home.agents.coffee import make_coffee
    from housemates.home import World
    from housemates.home.outcome import spoken
    from housemates.home.scenes import load
    from housemates.reporting.film import Film

    world = World(load(scene))
    for mug in world.of_type("Mug"):
        world.update(mug, dirty=True)
    film = Film(world)
    film.shoot(f"{scene}: {len(world.things)} things, and every mug is dirty. Make coffee!", key=True)
    for number, deed in enumerate(make_coffee(world), start=1):
        caption = f"{number}. {deed.outcome.message or spoken(deed.action).capitalize()}"
        say(caption)
        film.shoot(caption, key=bool(deed.target))
    film.shoot("Coffee is served.", key=True)
    return film


def save_film(film: Film, out: Path, say: Callable[[str], None]) -> Path | None:
    """Write the key frames and the video; without what videos need, say so and go on."""
    film.save_frames(out / "frames")
    say("Writing the video ...")
    video = out / "coffee.mp4"
    try:
        film.save_video(video)
    except HousematesError as error:
        say(str(error))
        return None
    return video


def benchmark_shows() -> Iterator[Show]:
    """Let each benchmark that has something to show do so; one that fails does not stop the others."""
    from housemates.benchmarks import registry

    for spec in registry.specs().values():
        if spec.demo:
            try:
                yield Show(spec.name, spec.load(spec.demo)(), "")
            except Exception as error:
                yield Show(spec.name, [], f"{type(error).__name__}: {error}")


def _print(show: Show) -> None:
    from rich.console import Console
    from rich.table import Table

    from housemates.reporting import page

    if show.error:
        print(f"{show.benchmark}: the demo failed: {show.error}")
        return
    names = page.columns(show.rows)
    table = Table(*names, title=show.benchmark)
    for row in show.rows:
        table.add_row(*(page.text(row.get(name, "")) for name in names))
    Console().print(table)


def _silence(line: str) -> None:
    """Say nothing."""


def main(verb: str, argv: list[str]) -> None:
    """Serve `housemates demo`."""
    options.run(Demo, f"housemates {verb}", argv)
