"""The demo: coffee, a film, a page, and a table for each benchmark that has one."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from housemates.agents.reader import demo as reader_demo
from housemates.cli import demo
from housemates.cli.main import main
from housemates.core import registry
from housemates.evaluation.campaign import read_campaign
from housemates.reporting import film


class Showing(registry.Spec):
    """A benchmark that shows a row, or fails."""

    def load(self, where: str):
        return {"works": lambda: [{"task": "sweep", "success": 0.5}], "fails": lambda: 1 / 0}[where]


@pytest.fixture
def shows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two benchmarks, the first of which fails, a reader with little to show, and one baseline."""
    made = {name: Showing(name, "", demo=name) for name in ("fails", "works")}
    silent = {name: replace(spec, demo="") for name, spec in registry.specs().items()}
    monkeypatch.setattr(registry, "specs", lambda: silent | made)
    monkeypatch.setattr(reader_demo, "rows", lambda: [{"done": "yes"}])
    plan = tmp_path / "baselines.toml"
    plan.write_text('[[runs]]\nbenchmarks = ["handmethat"]\nagents = ["expert"]\nepisodes = 2\n')
    monkeypatch.setattr(demo, "BASELINES", plan)


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
    assert 'poster="data:image/jpeg;base64,' in page
    assert reader_demo.ABOUT in page and 'href="baselines/index.html"' in page
    assert "://" not in page
    assert 'name="viewport"' in page and "overflow-x: auto" in page
    assert (tmp_path / "coffee.mp4").stat().st_size > 10_000
    frames = sorted((tmp_path / "frames").glob("*.png"))
    assert len(frames) >= 6
    assert Image.open(frames[0]).width == 960


def test_the_demo_ends_with_a_report_of_baselines_and_the_way_to_the_studio(
    tmp_path: Path, shows, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "SIDE_PX", 60)
    main(["demo", "kitchen-03", "--out", str(tmp_path)])
    told = capsys.readouterr().out
    assert told.splitlines()[-1].endswith("housemates studio")
    assert "handmethat-generated-expert-0" in told
    page = (tmp_path / "baselines" / "index.html").read_text(encoding="utf-8")
    assert "housemates/handmethat" in page and "://" not in page
    assert len(list((tmp_path / "baselines" / "data" / "r0").glob("*.js"))) == 2


def test_the_baselines_are_of_all_benchmarks_that_have_a_demo() -> None:
    runs = [each.run for each in read_campaign(demo.BASELINES)]
    assert {each.benchmark.partition("-")[0] for each in runs} == {
        name for name, spec in registry.specs().items() if spec.demo
    }
    assert all(each.episodes and each.episodes <= 12 for each in runs)


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
