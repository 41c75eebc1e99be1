"""OpenEnv's wire: WebSocket sessions, what they refuse, and how many there may be."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from housemates.adapters.hosting import Host
from housemates.adapters.openenv import LONGEST, Line, app_of, policy_of
from housemates.guard.middleware import Guard

TAKE = {"type": "step", "data": {"name": "Take", "arguments": {"number": 1}}}


@pytest.fixture
def client(counting) -> Iterator[TestClient]:
    """Speaks to the app of a host that can have two guests."""
    with TestClient(app_of(Host("counting", most=2, options={"start": 2}))) as found:
        yield found


def say(socket: Any, message: Any) -> Any:
    """What is answered to a message."""
    socket.send_text(message if isinstance(message, str) else json.dumps(message))
    return socket.receive_json()


def reset(**data: Any) -> dict[str, Any]:
    return {"type": "reset", "data": data}


def test_an_episode_is_played_over_a_websocket(client) -> None:
    with client.websocket_connect("/ws") as socket:
        begun = say(socket, reset(episode_id="count-0", pictures=True))
        observation = begun["data"]["observation"]
        assert (begun["type"], begun["data"]["done"], observation["text"]) == (
            "observation",
            False,
            "The number is 2.",
        )
        assert observation["brief"]["rules"] == "Take 1 away until nothing is left."
        assert list(observation["pictures"]) == ["view"]
        assert [each["name"] for each in observation["offers"]] == ["Take", "Stop"]
        wrong = say(socket, {"type": "step", "data": {"name": "Fly"}})
        outcome = wrong["data"]["metadata"]["outcome"]
        assert (outcome["success"], outcome["reason"]) == (False, "unknown_act")
        assert say(socket, TAKE)["data"]["done"] is False
        done = say(socket, TAKE)["data"]
        assert (done["done"], done["metadata"]["scores"]["success"]) == (True, 1.0)
        state = say(socket, {"type": "state"})["data"]
        assert (state["episode_id"], state["step_count"], state["done"]) == ("count-0", 3, True)
        assert state["scores"]["success"] == 1.0
        assert say(socket, TAKE)["data"]["code"] == "EXECUTION_ERROR"
        assert say(socket, reset())["data"]["done"] is False


def test_the_same_seed_begins_the_same_episode(client) -> None:
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        assert say(one, reset(seed=5)) == say(two, reset(seed=5))


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", "INVALID_JSON"),
        ("[]", "INVALID_JSON"),
        ('{"data": {}}', "INVALID_JSON"),
        ('{"type": "reset", "data": []}', ""),
        ('{"type": "reset", "data": 3}', "INVALID_JSON"),
        ("[" * 100_000, "INVALID_JSON"),
        ({"type": "fly"}, "EXECUTION_ERROR"),
        (TAKE, "EXECUTION_ERROR"),
        (reset(seed="x"), "EXECUTION_ERROR"),
        (reset(seed=-1), "EXECUTION_ERROR"),
        (reset(episode_id=3), "EXECUTION_ERROR"),
        (reset(episode_id="nowhere"), "EXECUTION_ERROR"),
    ],
)
def test_what_makes_no_sense_is_an_error_and_the_session_goes_on(client, message, code) -> None:
    with client.websocket_connect("/ws") as socket:
        assert say(socket, message)["data"].get("code", "") == code
        assert say(socket, reset())["type"] == "observation"


def test_a_guest_too_many_is_told_so_and_room_is_made_when_one_hangs_up(client) -> None:
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        say(one, reset())
        say(two, reset())
        with client.websocket_connect("/ws") as three:
            assert say(three, reset())["data"]["code"] == "CAPACITY_REACHED"
    until = time.monotonic() + 30
    answer = ""
    while answer != "observation" and time.monotonic() < until:
        time.sleep(0.1)
        with client.websocket_connect("/ws") as four:
            answer = say(four, reset())["type"]
    assert answer == "observation"


def test_ten_thousand_requests_are_answered_one_by_one(counting) -> None:
    line = Line(Host("counting", most=2, options={"start": 2}))
    for _ in range(2_500):
        for message in (reset(), TAKE, {"type": "state"}, {"type": "fly"}):
            assert line.answer(json.dumps(message)) is not None
    assert len(line._host._visits) == 1


def test_many_episodes_run_at_once(counting) -> None:
    host = Host("counting", options={"start": 20})
    done = []

    def guest() -> None:
        line = Line(host)
        line.answer(json.dumps(reset(episode_id="count-0")))
        answers = [line.answer(json.dumps(TAKE)) for _ in range(20)]
        done.append([each["data"]["done"] for each in answers])

    threads = [threading.Thread(target=guest) for _ in range(16)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert done == [[False] * 19 + [True]] * 16


def test_plain_http_tells_what_there_is_and_has_no_session(client) -> None:
    assert client.get("/health").json() == {"status": "healthy"}
    assert client.get("/metadata").json()["name"] == "housemates/counting-v1"
    assert set(client.get("/schema").json()) == {"action", "observation", "state"}
    assert client.post("/reset", json={}).json()["observation"]["text"].startswith("The number is")
    assert client.post("/reset", content=b"{" * 10).status_code == 400
    assert client.post("/step", json={"action": {}}).json()["code"] == "NO_SESSION"
    assert client.get("/state").status_code == 400
    assert client.post("/mcp", json={"jsonrpc": "2.0", "id": 7, "method": "x"}).json()["id"] == 7
    assert client.post("/mcp", content=b"[").json()["id"] is None


def test_pages_of_others_other_hosts_and_large_bodies_do_not_reach_an_episode(counting) -> None:
    host = Host("counting", options={"start": 2})
    guarded = Guard(app_of(host), policy_of(host, ["http://env:8000"]))
    with TestClient(guarded, base_url="http://localhost:8000") as own:
        assert own.post("/reset", json={}).status_code == 200
        assert own.post("/reset", json={}, headers={"Origin": "https://evil.example"}).status_code == 403
        assert own.post("/reset", content=b" " * (LONGEST + 1)).status_code == 413
        with (
            pytest.raises(WebSocketDenialResponse) as denied,
            own.websocket_connect("ws://localhost:8000/ws", headers={"Origin": "https://evil.example"}),
        ):
            pass
        assert denied.value.status_code == 403
        with own.websocket_connect("ws://env:8000/ws") as socket:
            assert say(socket, reset())["type"] == "observation"
    with TestClient(guarded, base_url="http://evil.example") as other:
        assert other.post("/reset", json={}).status_code == 400


def test_an_episode_is_kept_gone_back_in_and_forked_into_another_connection(client) -> None:
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        begun = say(one, reset(episode_id="count-0"))
        kept = say(one, {"type": "snapshot"})
        assert kept["type"] == "snapshot"
        forked = say(one, {"type": "fork"})["data"]["episode"]
        there = say(two, reset(episode=forked))["data"]["observation"]
        assert there["text"] == begun["data"]["observation"]["text"]
        assert say(one, TAKE)["data"]["observation"]["text"] == "The number is 1."
        assert say(two, TAKE)["data"]["observation"]["text"] == "The number is 1."
        back = say(one, {"type": "restore", "data": kept["data"]})
        assert (back["type"], back["data"]["observation"]["text"]) == ("observation", "The number is 2.")
        assert say(two, {"type": "state"})["data"]["branches"] == 1
        assert say(two, TAKE)["data"]["done"] is True
        assert "nothing to go on with" in say(two, {"type": "fork"})["data"]["message"]
        assert "no snapshot of this handle" in say(two, {"type": "restore", "data": {}})["data"]["message"]
        assert "no episode of this handle" in say(two, reset(episode="guess"))["data"]["message"]
