"""Films of episodes: everybody's pictures at each act, and sentences that can be read to their end."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.core import registry
from housemates.core.episode import Episode
from housemates.evaluation.film import FPS, LETTERS_A_S, EpisodeFilm
from housemates.reporting.film import MARGIN, Film, Words

LONG = "Walk past the hill to the three red stars, then turn back and wait beside the lake for me. "


@pytest.fixture(scope="module")
def film() -> EpisodeFilm:
    """A film of the beginning of a game in which the leader says something long."""
    benchmark = registry.benchmark("cerealbar")
    instance = benchmark.open(next(benchmark.references("generated", 0)))[0]
    episode = Episode(benchmark, instance)
    made = EpisodeFilm(episode.session, benchmark.roles)
    acts = [{"name": "Say", "text": LONG}, "EndTurn", *("TurnLeft", "Forward") * 3]
    for act in acts:
        if act != "EndTurn" or episode.turn == "leader":
            made.shoot(episode.session, episode.take(act))
    return made


def test_no_half_of_a_film_is_grey_whoever_acts(film) -> None:
    """Walk 10: half the frame was grey on the Follower's turns."""
    assert {shot.caption.partition(":")[0] for shot in film.shots} >= {"leader", "follower"}
    for shot in film.shots:
        assert (shot.picture != MARGIN).any(axis=2).mean(axis=0).min() > 0.5
    assert len({shot.picture.shape for shot in film.shots}) == 1


def test_a_sentence_stays_long_enough_to_be_read(film) -> None:
    """Walk 10: 0.25 s an utterance."""
    (spoken,) = (shot for shot in film.shots if shot.caption.startswith("leader: Say"))
    assert " ".join(LONG.split()) in spoken.caption
    assert spoken.frames / FPS >= 0.9 * len(LONG) / LETTERS_A_S


def test_a_sentence_of_any_length_is_shown_to_its_end() -> None:
    """Walk 10: long sentences were cut."""
    film = Film(lines=2, font_px=15, fps=FPS)
    said = f"{LONG * 9} {'w' * 300}"
    film.add_read([np.zeros((120, 160, 3), np.uint8)], [[Words(said)]], seconds=len(said) / LETTERS_A_S)
    assert "".join(shot.caption for shot in film.shots).replace(" ", "") == said.replace(" ", "")
    assert len({shot.picture.shape for shot in film.shots}) == 1
    assert sum(shot.frames for shot in film.shots) / FPS >= 0.9 * len(said) / LETTERS_A_S


def test_an_act_that_is_only_seen_is_brief(film) -> None:
    assert min(shot.frames for shot in film.shots) == 1
