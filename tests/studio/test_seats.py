"""Playing a seat: what one is shown, what one does, and coming back."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from studio_server import Player, Server


def test_any_seat_can_be_played_from_offers_and_percepts_alone(server: Server) -> None:
    player = server.demo("alfred", "agent", 3).connect()
    assert player.hello["brief"]["goal"]
    assert player.state["text"]
    offer = next(each for each in player.state["offers"] if not each["schema"]["properties"])
    before = player.state["turn"]
    assert player.act(offer["name"])["type"] == "done"
    assert player.state["turn"] == before + 1
    player.close()


def test_what_makes_no_sense_is_a_failed_act_and_no_end(server: Server) -> None:
    player = server.demo("handmethat", "robot", 1).connect()
    assert player.act("Fly", where="away")["type"] == "done"
    assert player.state["last"]["success"] is False
    assert "Fly" in player.state["last"]["message"]
    player.close()


def test_who_comes_back_is_where_they_were(server: Server) -> None:
    player = server.demo("alfred", "agent").connect()
    player.act("RotateRight")
    turn, text = player.state["turn"], player.state["text"]
    player.close()
    again = Player(server, player.token).connect()
    assert (again.state["turn"], again.state["text"]) == (turn, text)
    again.close()


def test_a_second_window_takes_the_seat_over(server: Server) -> None:
    first = server.demo("handmethat", "robot", 2).connect()
    second = Player(server, first.token).connect()
    with pytest.raises(Exception, match="4001"):
        while True:
            first.hear(20)
    assert second.act("Stop")["type"] == "done"
    second.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_ends_and_starts_again_goes_on_from_the_journal(tmp_path: Path, how: int) -> None:
    server = Server(tmp_path).start()
    player = server.demo("handmethat", "robot").connect()
    offer = next(each for each in player.state["offers"] if each["schema"]["properties"])
    name, schema = next(iter(offer["schema"]["properties"].items()))
    player.act(offer["name"], **{name: schema["enum"][0]})
    turn, views = player.state["turn"], player.state["views"]
    server.stop(how)
    server.start()
    again = Player(server, player.token).connect()
    assert (again.state["turn"], again.state["views"]) == (turn, views)
    again.close()
    server.stop()
