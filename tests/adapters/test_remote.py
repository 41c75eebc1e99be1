"""Agents at an address: what they are told, what may go wrong, and one in JavaScript."""

from __future__ import annotations

import base64
import io
import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from housemates.core import registry
from housemates.core.benchmark import Instance
from housemates.core.episode import Episode, play
from housemates.core.loading import Seating, make_agent, make_agents, seat_all
from housemates.errors import HousematesError

ROOT = Path(__file__).parents[2]


def good(message: dict[str, Any]) -> dict[str, Any]:
    """An agent that counts well."""
    hello = {"protocol": 1, "wants": ["text", "pictures", "said", "offers"]}
    act = {"act": {"name": "Take", "arguments": {"number": 1}}, "usage": {"thoughts": 2}}
    return {"hello": hello, "act": act}.get(message["type"], {})


def only_in(kind: str, found: Any) -> Callable[[dict[str, Any]], Any]:
    """An agent that counts well, but answers one kind of message otherwise."""
    return lambda message: found if message["type"] == kind else good(message)


def run(counting: Any, url: str, *numbers: int, **options: str) -> Any:
    """The traces of some numbers."""
    benchmark = counting.Counting()
    agent = make_agent(counting.Counting, "counter", Seating(url, options))
    found = []
    for number in numbers:
        instance = benchmark.open(counting.Reference(f"count-{number}", number))[0]
        found.append(play(benchmark.session(instance), {"counter": agent}, instance))
    agent.close()
    return found


def test_an_agent_hears_of_each_episode_what_its_role_may_know(counting, served) -> None:
    server = served(good)
    two, one = run(counting, server.url, 2, 1)
    assert (two.error, one.error, len(two.steps), two.usage) == ("", "", 2, {"counter": {"thoughts": 2}})
    kinds = [message["type"] for _, _, message in server.heard]
    assert kinds == ["hello", "reset", "act", "act", "close", "reset", "act", "close"]
    messages = [message for _, _, message in server.heard]
    brief, percept = messages[1]["brief"], messages[3]["percept"]
    assert (brief["role"], brief["goal"], brief["limits"]["steps"]) == ("counter", "Count down to zero.", 20)
    assert brief["offers"][0]["schema"]["properties"]["number"]["type"] == "number"
    assert percept["text"] == "The number is 1."
    assert percept["last"] == {"success": True, "reason": "done", "message": "", "data": {}}
    drawn = Image.open(io.BytesIO(base64.b64decode(percept["pictures"]["view"])))
    assert drawn.size == (128, 16)
    episodes = [message.get("episode") for message in messages[1:]]
    assert len(set(episodes)) == 2
    assert episodes[:4] == [episodes[0]] * 4


def test_only_what_is_wanted_is_sent(counting, served) -> None:
    server = served(only_in("hello", {"protocol": 1, "wants": ["text"]}))
    run(counting, server.url, 1)
    assert set(server.heard[2][2]["percept"]) == {"role", "turn", "last", "text"}


def drip(handler: Any) -> None:
    """Half an answer, and more of it only bit by bit."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(100):
        handler.wfile.write(b" ")
        time.sleep(0.05)


def half(handler: Any) -> None:
    """Half an answer, and nothing more."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda handler: time.sleep(1), "no answer within 0.3 s"),
        (drip, "no answer within 0.3 s"),
        (half, "expected an answer, found a part of one"),
        (lambda handler: None, "hung up without an answer"),
        (
            lambda handler: handler.wfile.write(b"\x00\xff nonsense"),
            "expected an answer, found a part of one",
        ),
        (b"{", "act: expected JSON, found an end in the middle"),
        (b"\xff", "act: column 1: expected JSON, found a mistake"),
        ([1], "act: expected an object, found a list of 1"),
        ({"usage": 3}, "act: usage: expected an object, found 3"),
        ({"error": "no idea\ntoday"}, "no idea today"),
        ((500, b"Traceback"), "expected status 200, found 500 (Traceback)"),
        (b" " * 17_000_000, "expected an answer of at most 16000000 bytes, found more"),
    ],
)
def test_an_agent_that_cannot_answer_costs_its_episode_in_one_sentence(
    counting, served, answer, said
) -> None:
    server = served(only_in("act", answer))
    began = time.monotonic()
    traces = run(counting, server.url, 1, 0, timeout="0.3")
    assert time.monotonic() - began < 4
    assert [trace.ended for trace in traces] == ["error", "done"]
    assert said in traces[0].error
    assert traces[0].error.startswith(f"counter (RemoteAgent) cannot act: {server.url}")
    assert "\n" not in traces[0].error


@pytest.mark.parametrize("act", [None, 7, "fly", {"name": "Take"}, {"act": {"act": 1}}, "x" * 30_000])
def test_nonsense_is_a_failed_act(counting, served, act) -> None:
    (trace,) = run(counting, served(only_in("act", {"act": act})).url, 1)
    assert (trace.ended, trace.failures, trace.error) == ("failures", 5, "")


@pytest.mark.parametrize(
    ("hello", "said"),
    [
        ({}, "hello: the field 'protocol' is missing"),
        ({"protocol": 2}, "expected protocol 1, found 2"),
        ({"protocol": 1, "wants": ["world"]}, "wants: expected text, offers, said, pictures, found 'world'"),
        ((404, b"<html>"), "expected status 200, found 404 (<html>)"),
    ],
)
def test_what_is_no_agent_is_refused_before_anything_is_played(counting, served, hello, said) -> None:
    with pytest.raises(HousematesError, match="http://127") as error:
        run(counting, served(only_in("hello", hello)).url, 1)
    assert said in str(error.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://x y/", "http:", "http://127.0.0.1:99999"])
def test_an_address_where_nobody_is_is_one_sentence(program, url) -> None:
    done = program("eval", "counting", "--agents", url, "--episodes", "3", "--out", "run")
    assert done.returncode == 2
    assert done.stderr.startswith(url)
    assert done.stderr.count("\n") == 1


def test_a_run_whose_agent_is_gone_stops_and_goes_on_later(program, served, tmp_path) -> None:
    resets = []

    def answer(message: dict[str, Any]) -> Any:
        resets.append(message["type"]) if message["type"] == "reset" else None
        if len(resets) < 3:
            return good(message)
        server.server_close()
        return lambda handler: handler.connection.close()

    server = served(answer)
    words = ["eval", "counting", "--agents", server.url, "--episodes", "4", "--workers", "1", "--out", "run"]
    done = program(*words, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["episodes"] == 2
    assert "cannot be reached" in report["halted"]
    assert "They are in run; once this is changed, the same command goes on.\n" in done.stderr


def test_one_address_may_sit_in_every_seat(served) -> None:
    hello = {"protocol": 1, "wants": ["text"]}
    server = served(lambda message: hello if message["type"] == "hello" else {"act": "EndTurn"})
    benchmark = registry.benchmark("cerealbar")
    agents = make_agents(type(benchmark), seat_all(type(benchmark), [server.url], {}))
    assert list(agents) == ["leader", "follower"]
    instance = benchmark.open(next(benchmark.references("generated", 0)))[0]
    assert play(benchmark.session(instance), agents, instance).error == ""


@pytest.fixture
def follower() -> Iterator[str]:
    """The address of the example in JavaScript."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed; the example in JavaScript is not tried")
    program = [node, str(ROOT / "examples" / "follower.js"), "0"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().split()[-1]
        process.terminate()


def test_a_follower_in_javascript_finishes_a_game_and_scores(follower) -> None:
    benchmark = registry.benchmark("cerealbar")
    seats = seat_all(type(benchmark), ["leader=talking", f"follower={follower}"], {})
    agents = make_agents(type(benchmark), seats)
    instance = benchmark.open(next(benchmark.references("generated", 0)))[0]
    session = benchmark.session(instance)
    trace = play(session, agents, instance)
    agents["follower"].close()
    assert (trace.ended, trace.error) == ("done", "")
    assert benchmark.score(instance, session, trace)["points"] >= 1


def test_an_agent_elsewhere_is_not_copied_and_named(counting, served) -> None:
    agent = make_agent(counting.Counting, "counter", Seating(served(good).url, {}))
    episode = Episode(counting.Counting(), Instance("count", "odd", 3), {"counter": agent})
    episode.step()
    said = r"The counter \(RemoteAgent\) cannot be copied: the program at http://\S+ has a state of its own\."
    with pytest.raises(HousematesError, match=said):
        episode.fork()
    assert episode.run().ended == "done"
    agent.close()
