"""Playing a seat: what one is shown, what one does, and coming back."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from studio_server import Player, Server, Tuned, logged_in, seats_in, seats_of

pytestmark = pytest.mark.slow
HOME = {"size": "200"}


def test_any_seat_can_be_played_from_offers_and_percepts_alone(server: Server) -> None:
    (token,) = seats_in(server, logged_in(server), "staying", "home", options=HOME).values()
    player = Player(server, token).connect()
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
    last = player.state["last"]
    assert (last["success"], last["reason"]) == (False, "unknown_act")
    assert "Fly" in last["message"]
    player.close()


def test_who_comes_back_is_where_they_were(server: Server) -> None:
    player = server.demo("alfred", "agent").connect()
    player.act("RotateRight")
    before = player.state
    player.close()
    again = Player(server, player.token).connect()
    assert again.state == before
    assert again.state["turn"] == 1
    again.close()


def test_a_second_window_takes_the_seat_over(server: Server) -> None:
    first = server.demo("handmethat", "robot", 2).connect()
    second = Player(server, first.token).connect()
    with pytest.raises(Exception, match="4001"):
        while True:
            first.hear(20)
    assert second.act("Stop")["type"] == "done"
    second.close()


def test_only_the_commander_finishes_a_session_of_teach(server: Server) -> None:
    tokens = seats_of(server, logged_in(server), "finishing")
    players = {role: Player(server, token).connect() for role, token in tokens.items()}
    for act in ({"name": "Stop"}, {"name": "stop"}, {"type": "tool_use", "name": "Stop", "input": {}}):
        players["follower"].say({"type": "act", "act": act})
        assert players["follower"].state["last"]["success"] is False
        assert players["follower"].state["over"] == ""
    assert players["commander"].act("Stop")["type"] == "done"
    assert players["follower"].wait_for("ended")["how"] == "done"
    for player in players.values():
        player.close()


def test_who_is_too_fast_is_told_so_and_who_does_nothing_is_given_up(tmp_path: Path) -> None:
    seat = "'acts': Flow(1, 4), 'points': Flow(2, 2)"
    server = Tuned(tmp_path, bounds="idle_s=4.0", seat=seat, address="'requests': Flow(2, 20)").start()
    player = server.demo("handmethat", "robot", 1).connect()
    assert player.socket is not None
    for number in range(100, 130):
        player.socket.send(json.dumps({"type": "act", "id": number, "act": {"name": "Fly"}}))
        player.socket.send(
            json.dumps({"type": "point", "id": 100 + number, "picture": "view", "x": 0.5, "y": 0.5})
        )
    answers: dict[int, dict[str, Any]] = {}
    while len(answers) < 60:
        message = player.hear()
        if "id" in message:
            answers[message["id"]] = message
    refused = [each for each in answers.values() if each["type"] == "refused"]
    assert len(refused) >= 10
    assert {each["message"] for each in refused} == {"Too fast; wait a moment."}
    before = player.state["turn"]
    assert before == 30 - len(refused)
    time.sleep(1.5)
    assert player.act("Fly")["type"] == "done"
    statuses = [server.ask("GET", "/api/demo")[0] for _ in range(40)]
    assert set(statuses) == {200, 429}
    assert player.wait_for("ended")["how"] == "idle"
    player.close()
    server.stop(signal.SIGKILL)


def test_a_server_that_ends_and_starts_again_goes_on_from_the_journal(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    player = server.demo("handmethat", "robot").connect()
    offer = next(each for each in player.state["offers"] if each["schema"]["properties"])
    name, schema = next(iter(offer["schema"]["properties"].items()))
    for number, how in enumerate((signal.SIGKILL, signal.SIGTERM)):
        player.act(offer["name"], **{name: schema["enum"][number]})
        turn, views = player.state["turn"], player.state["views"]
        server.stop(how)
        server.start()
        player = Player(server, player.token).connect()
        assert (player.state["turn"], player.state["views"]) == (turn, views)
    player.close()
    server.stop()


def test_an_agent_that_spoke_goes_on_when_nobody_answers(server: Server) -> None:
    player = server.demo("teach-tatc", "commander", 3).connect()
    player.act("Say", text="Please bring me the one over there.")
    done = [player.wait_for("acted") for _ in range(3)]
    assert [(each["role"], each["by"]) for each in done] == [
        ("follower", "agent"),
        ("commander", "table"),
        ("follower", "agent"),
    ]
    player.close()
