"""The film of a session shows both views, what was searched for, and how far the task has come."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from housemates.benchmarks.teach.formats.film import SessionFilm
from housemates.benchmarks.teach.formats.replay import replay
from housemates.benchmarks.teach.session import TatcSession
from housemates.reporting.film import MARGIN

SIDE = 60


def test_a_film_shows_both_views_the_search_and_the_progress(begin: Callable[..., TatcSession]) -> None:
    session = begin()
    session.act({"name": "Forward"})
    session.act({"name": "Search", "arguments": {"text": "mug"}})
    session.act({"name": "Say", "arguments": {"text": "make coffee"}})
    game = session.game("short")
    film = SessionFilm(game, SIDE)
    replay(game, session.world.home.scene, on_step=film.shoot)
    assert len(film.shots) == len(game.episode.interactions) == 3
    before, after, _ = (np.split(shot.picture[:SIDE], 4, axis=1) for shot in film.shots)
    assert (before[2] == MARGIN).all()
    assert not (after[2] == MARGIN).all(axis=2).any()
    assert not np.array_equal(before[0], before[1])
    assert "conditions hold; still to do:" in film.shots[-1].caption
    assert "make coffee" in film.shots[-1].caption
