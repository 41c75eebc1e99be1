"""Plots: PNG bytes, with words on both axes."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from housemates.errors import HousematesError
from housemates.reporting import plots


@pytest.mark.parametrize(
    "made",
    [
        lambda: plots.bars({"Mug": 3, "Cup": 1}, "touches", "thing", log=True),
        lambda: plots.histogram([1, 2, 2, 5], "actions", "sessions"),
        lambda: plots.stacked({"Heat": {"Goto": 0.5, "Put": 0.5}, "Cool": {"Goto": 1.0}}, "share"),
    ],
)
def test_a_plot_is_a_picture(made) -> None:
    with Image.open(io.BytesIO(made())) as picture:
        assert picture.format == "PNG"
        assert picture.width > 400


def test_axes_say_what_they_show(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    monkeypatch.setattr(plots, "_png", lambda figure: said.append(figure.axes[0]) or b"")
    plots.histogram([1, 2, 3], "tokens", "utterances", log=True)
    (axes,) = said
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_yscale()) == ("tokens", "utterances", "log")


def test_without_matplotlib_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(HousematesError, match=r"housemates\[plots\]"):
        plots.bars({"a": 1}, "n")


def figure_of(monkeypatch: pytest.MonkeyPatch, made: Callable[[], bytes]) -> Any:
    """The figure of a plot, drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    drawn = []
    monkeypatch.setattr(plots, "_png", lambda figure: drawn.append(figure) or b"")
    made()
    (figure,) = drawn
    FigureCanvasAgg(figure).draw()
    return figure


@pytest.mark.parametrize(
    "made",
    [
        lambda: plots.histogram([1, 2, 2, 3], "questions", "episodes"),
        lambda: plots.bars({"Mug": 3, "Cup": 1}, "touches"),
        lambda: plots.bars({str(number): number % 4 for number in range(40)}, "touches"),
    ],
)
def test_axes_of_whole_numbers_have_whole_ticks(monkeypatch, made) -> None:
    for axes in figure_of(monkeypatch, made).axes:
        said = [label.get_text() for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels()]
        assert not [each for each in said if "." in each]
        for axis in (axes.xaxis, axes.yaxis):
            assert all(each == int(each) for each in axis.get_ticklocs())


def test_the_names_of_a_hundred_words_do_not_run_into_each_other(monkeypatch) -> None:
    figure = figure_of(monkeypatch, lambda: plots.bars({f"word{n}": 100 - n for n in range(100)}, "times"))
    labels = [[label for label in axes.get_yticklabels() if label.get_text()] for axes in figure.axes]
    assert [len(each) for each in labels] == [25] * 4
    few = figure_of(monkeypatch, lambda: plots.bars({f"thing{n}": 54 - n for n in range(54)}, "times"))
    assert [len(axes.get_yticks()) for axes in few.axes] == [18] * 3
    for column in labels:
        assert min(label.get_fontsize() for label in column) >= 8
        boxes = sorted((label.get_window_extent() for label in column), key=lambda box: box.y0)
        assert all(low.y1 <= high.y0 + 1 for low, high in itertools.pairwise(boxes))


def test_a_legend_lies_beside_the_bars(monkeypatch) -> None:
    rows = {name: dict.fromkeys(("Goto", "Pickup", "Put"), 1.0) for name in "abc"}
    figure = figure_of(monkeypatch, lambda: plots.stacked(rows, "share"))
    (legend,) = figure.legends
    assert legend.get_window_extent().x0 >= figure.axes[0].get_window_extent().x1
