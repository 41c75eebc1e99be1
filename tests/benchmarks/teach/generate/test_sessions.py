"""New sessions: those that succeed and replay, the same every time, and why others were thrown away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.teach.formats.episodes import parse_game, read_games
from housemates.benchmarks.teach.generate import sampling, sessions
from housemates.benchmarks.teach.generate.sessions import make, session_of, succeeds_again
from housemates.errors import HousematesError


def test_what_is_kept_replays_to_success(made: Path) -> None:
    games = list(read_games([made], []))
    assert [game.task.task_name for game in games] == ["Coffee", "Water Plant", "Plate Of Toast"]
    assert all(succeeds_again(game) for game in games)


def test_a_session_that_is_cut_short_does_not_succeed_again(made: Path) -> None:
    game = parse_game((made / "s4-00000.game.json").read_bytes(), "game")
    del game.episode.interactions[-1]
    assert not succeeds_again(game)


@pytest.mark.parametrize("pair", ["rule", "talk"])
def test_the_same_draw_gives_the_same_game(pair: str) -> None:
    (drawn,) = sampling.draws(4, 1, ["Water Plant"])
    first, second = make(drawn, pair), make(drawn, pair)
    assert first.game == second.game
    assert (first.id, first.task) == ("s4-00000", "Water Plant")


def test_what_did_not_come_out_is_counted_and_another_attempt_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    (drawn,) = sampling.draws(4, 1, ["Water Plant"])
    replays = iter([False, False, True])
    monkeypatch.setattr(sessions, "succeeds_again", lambda _: next(replays))
    found = make(drawn)
    assert found.rejected == {"did not replay": 2}
    scene = parse_game(found.game, "game").definitions["housemates_scene"]
    assert scene["id"] == sampling.start(sampling.Draw(**{**vars(drawn), "attempt": 2})).scene.id


def test_when_nothing_comes_out_it_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def attempt(*_: Any) -> tuple[str, None]:
        return "gave up", None

    monkeypatch.setattr(sessions, "_attempt", attempt)
    (drawn,) = sampling.draws(4, 1, ["Coffee"])
    with pytest.raises(HousematesError, match=r"s4-00000: Coffee: no session succeeded \(20 gave up\)"):
        make(drawn)


def test_attempts_are_episodes_of_their_own() -> None:
    (drawn,) = sampling.draws(4, 1, ["Coffee"])
    first, again = session_of(drawn), session_of(sampling.Draw(**{**vars(drawn), "attempt": 1}))
    assert first.brief("commander").seed != again.brief("commander").seed
    assert first.digest() != again.digest()
