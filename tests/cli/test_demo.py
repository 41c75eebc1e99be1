"""The demo: coffee, a film, a page, and a table for each benchmark that has one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from housemates.agents.reader import showing
from housemates.benchmarks import registry
from housemates.cli import demo
from housemates.cli.main import main
from housemates.reporting import film


class Showing(registry.Spec):
    """A benchmark that shows a row, or fails."""

    def load(self, where: str):
        return {"works": lambda: [{"task": "sweep", "success": 0.5}], "fails": lambda: 1 / 0}[where]


@pytest.fixture
def shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two benchmarks, the first of which fails, and a reader with little to show."""
    made = {name: Showing(name, "", demo=name) for name in ("fails", "works")}
    monkeypatch.setattr(registry, "specs", lambda: made)
    monkeypatch.setattr(showing, "rows", lambda: [{"done": "yes"}])


def test_coffee_is_made_filmed_and_shown_on_one_page(tmp_path: Path, shows, capsys) -> None:
    main(["demo", "kitchen-03", "--out", str(tmp_path), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["steps"] > 5
    assert told["tables"] == {"reader": [{"done": "yes"}], "works": [{"task": "sweep", "success": 0.5}]}
    assert "ZeroDivisionError" in told["failed"]["fails"]
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "data:video/mp4;base64," in page
    assert "Coffee is served." in page
    assert '<td>sweep</td><td class="number">0.5</td>' in page
    assert "fails: the demo failed" in page
    assert "://" not in page
    assert 'name="viewport"' in page and "overflow-x: auto" in page
    assert (tmp_path / "coffee.mp4").stat().st_size > 10_000
    frames = sorted((tmp_path / "frames").glob("*.png"))
    assert len(frames) >= 6
    assert Image.open(frames[0]).width == 960


def test_each_step_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film.HomeFilm, "take", lambda *_, **__: None)
    said: list[str] = []
    world = demo.untidy_kitchen("kitchen-03")
    demo.film_coffee(world, said.append)
    for deed in ("Turned on the faucet.", "Turned on the coffee machine."):
        assert any(deed in line for line in said)
    assert [mug.liquid for mug in world.of_type("Mug") if mug.liquid == "coffee"]


def test_without_the_video_library_the_page_is_made_all_the_same(
    tmp_path: Path, shows, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(demo, "SIDE_PX", 60)
    main(["demo", "kitchen-03", "--out", str(tmp_path)])
    assert "housemates[video]" in capsys.readouterr().out
    assert "<video" not in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_a_room_without_a_coffee_machine_is_refused(tmp_path: Path, capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["demo", "bathroom-01", "--out", str(tmp_path)])
    assert stop.value.code == 2
    assert "coffee machine" in capsys.readouterr().err
