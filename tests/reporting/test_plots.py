"""Plots: PNG bytes, with words on both axes."""

from __future__ import annotations

import io

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
