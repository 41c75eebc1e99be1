"""MCP: the official client plays over stdio and HTTP, in both generations of the protocol."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from housemates.adapters.hosting import Host
from housemates.adapters.mcp_server import server_of
from housemates.agents.basic import FirstAgent
from housemates.cli.main import main
from housemates.core import registry
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all

GENERATIONS = ["auto", "legacy"]
COFFEE = ["mcp", "teach-tatc", "--role", "follower", "--agents", "commander=idle", "--option", "acts=skills"]


def structured(result: Any) -> Any:
    """What a tool answered, which was no error."""
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **given: Any) -> str:
    """What a tool says that does not do what it is asked."""
    result = await client.call_tool(tool, given)
    assert result.is_error
    return str(result.content[0].text)


@pytest.mark.parametrize("mode", GENERATIONS)
def test_a_guest_begins_observes_acts_and_is_scored(counting, mode) -> None:
    server = server_of(Host("counting", options={"start": 2}))

    async def guest() -> None:
        async with Client(server, mode=mode) as client:
            assert {each.name for each in (await client.list_tools()).tools} == {
                *("begin", "observe", "act", "score", "fork", "snapshot", "restore"),
            }
            begun = structured(await client.call_tool("begin", {"instance": "count-0"}))
            assert (begun["role"], begun["goal"]) == ("counter", "Count down to zero.")
            handle = {"handle": begun["handle"]}
            text, picture = (await client.call_tool("observe", handle)).content
            assert text.text.startswith("The number is 2.") and "- Take: Take something away." in text.text
            assert (picture.type, picture.mime_type) == ("image", "image/png")
            wrong = structured(await client.call_tool("act", {**handle, "name": "Fly"}))
            assert (wrong["success"], wrong["reason"]) == (False, "unknown_act")
            assert "Unknown act 'Fly'" in wrong["message"]
            for over in (False, True):
                one = {**handle, "name": "Take", "arguments": {"number": 1}}
                assert structured(await client.call_tool("act", one))["over"] is over
            assert "over" in await refused(client, "act", **handle, name="Take", arguments={"number": 1})
            assert structured(await client.call_tool("score", handle))["scores"]["success"] == 1.0

    anyio.run(guest)


def test_foreign_handles_and_wrong_types_are_sentences(counting) -> None:
    async def guest() -> None:
        async with Client(server_of(Host("counting"))) as client:
            assert "no episode of this handle" in await refused(client, "observe", handle="guess")
            assert "no instance 'nowhere'" in await refused(client, "begin", instance="nowhere")
            await refused(client, "act", handle=3, name=[])
            await refused(client, "fly")

    anyio.run(guest)


def test_handles_cannot_be_guessed_and_episodes_are_bounded(counting) -> None:
    host = Host("counting", most=3, options={"start": 1})
    visits = [host.begin() for _ in range(3)]
    assert len({each.handle for each in visits}) == 3
    assert all(len(each.handle) >= 22 for each in visits)

    async def guest() -> None:
        async with Client(server_of(host)) as client:
            assert "3 episodes are under way" in await refused(client, "begin")
            given = {"handle": visits[0].handle, "end": True}
            structured(await client.call_tool("score", given))
            structured(await client.call_tool("begin", {}))

    anyio.run(guest)


def test_calls_at_the_same_time_are_done_one_after_another(counting) -> None:
    host = Host("counting", options={"start": 16})

    async def guest() -> None:
        async with Client(server_of(host)) as client:
            begun = structured(await client.call_tool("begin", {"instance": "count-0"}))
            one = {"handle": begun["handle"], "name": "Take", "arguments": {"number": 1}}
            async with anyio.create_task_group() as group:
                for _ in range(16):
                    group.start_soon(client.call_tool, "act", one)
            told = structured(await client.call_tool("score", {"handle": begun["handle"]}))
            assert (told["acts"], told["scores"]["success"]) == (16, 1.0)

    anyio.run(guest)


@pytest.fixture(scope="module")
def recipe() -> tuple[str, list[dict[str, Any]]]:
    """The first generated instance that asks for coffee, and what a Follower who knows does in skills."""
    benchmark = registry.benchmark("teach-tatc", acts="skills")
    references = benchmark.references("generated", 0)
    instance = next(each for ref in references for each in benchmark.open(ref) if "Coffee" in each.task)
    seats = seat_all(type(benchmark), ["commander=idle", "follower=plan"], {})
    trace = play(benchmark.session(instance), make_agents(type(benchmark), seats), instance)
    return instance.id, [step.act.plain() for step in trace.steps if step.role == "follower"]


async def makes_coffee(client: Client, recipe: tuple[str, list[dict[str, Any]]]) -> None:
    """Play by the recipe; the episode is over and a success."""
    name, acts = recipe
    begun = structured(await client.call_tool("begin", {"instance": name}))
    handle = {"handle": begun["handle"]}
    seen = (await client.call_tool("observe", handle)).content
    assert [each.type for each in seen] == ["text", "image"]
    for act in acts:
        structured(await client.call_tool("act", {**handle, **act}))
    told = structured(await client.call_tool("score", {**handle, "end": True}))
    assert told["scores"]["success"] == 1.0


@pytest.mark.parametrize("mode", GENERATIONS)
def test_coffee_is_made_over_standard_input_and_output(recipe, mode) -> None:
    words = ["-m", "housemates.cli.main", *COFFEE]
    there = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))

    async def guest() -> None:
        async with Client(there, mode=mode) as client:
            await makes_coffee(client, recipe)

    anyio.run(guest)


@pytest.fixture(scope="module")
def address(free_port: Callable[[], int]) -> Iterator[str]:
    """Where a server listens."""
    port = free_port()
    command = [sys.executable, "-m", "housemates.cli.main", *COFFEE, "--http", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        yield f"http://127.0.0.1:{port}/mcp"
        process.terminate()


@pytest.mark.parametrize("mode", GENERATIONS)
def test_coffee_is_made_over_http(recipe, address, listening, mode) -> None:
    listening(int(re.findall(r":(\d+)/", address)[0]))

    async def guest() -> None:
        async with Client(address, mode=mode) as client:
            await makes_coffee(client, recipe)

    anyio.run(guest)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 400),
        ({"Origin": "https://evil.example"}, 403),
        ({"Content-Length": "1000001"}, 413),
    ],
)
def test_pages_of_others_other_hosts_and_large_bodies_are_refused(
    address, listening, headers, status
) -> None:
    listening(int(re.findall(r":(\d+)/", address)[0]))
    told = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(address, b"{}", told)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    assert refused.value.code == status
    assert refused.value.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["teach-tact"], "did you mean 'teach-tatc'"),
        (["teach-tatc", "--role", "folower"], "did you mean 'follower'"),
        (["teach-tatc", "--agents", "commander=tlak"], "did you mean 'talk'"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(words, said, capsys) -> None:
    for verb in ("mcp", "serve"):
        with pytest.raises(SystemExit) as stop:
            main([verb, *words])
        told = capsys.readouterr()
        assert (stop.value.code, told.out) == (2, "")
        assert said in told.err and told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "path"), [(["serve", "handmethat", "--port", "0"], ""), (["mcp", "home", "--http", "0"], "mcp")]
)
def test_a_server_says_where_it_listens_and_how_it_is_stopped(listening, words, path) -> None:
    """Walk 20: it printed nothing at start."""
    command = [sys.executable, "-m", "housemates.cli.main", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        told = process.stdout.readline()
        found = re.fullmatch(
            rf"{words[1]}, the \w+: http://127.0.0.1:(\d+)/{path} \(Ctrl-C stops it\)\n", told
        )
        assert found is not None, told
        listening(int(found[1]))
        process.terminate()


def test_a_port_that_is_taken_is_one_sentence(capsys) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for words in (["mcp", "home", "--http", port], ["serve", "home", "--port", port]):
            with pytest.raises(SystemExit):
                main(words)
            assert "nobody can listen there" in capsys.readouterr().err


def test_an_agent_that_fails_in_another_seat_ends_the_episode_in_one_sentence() -> None:
    class Broken(FirstAgent):
        def act(self, percept: Any) -> Any:
            raise RuntimeError("no idea")

    host = Host("teach-tatc", role="commander", agents=["follower=first"])
    host._free[0]["follower"] = Broken()

    async def guest() -> None:
        async with Client(server_of(host)) as client:
            begun = structured(await client.call_tool("begin", {}))
            given = {"handle": begun["handle"], "name": "Say", "arguments": {"text": "hello"}}
            assert "no idea" in await refused(client, "act", **given)
            assert "The episode is over" in await refused(client, "act", **given)

    anyio.run(guest)


def test_a_guest_forks_keeps_and_goes_back_and_the_score_says_so(counting) -> None:
    take = {"name": "Take", "arguments": {"number": 1}}

    async def guest() -> None:
        async with Client(server_of(Host("counting", options={"start": 2}, most=2))) as client:
            one = structured(await client.call_tool("begin", {"instance": "count-0"}))["handle"]
            kept = structured(await client.call_tool("snapshot", {"handle": one}))["snapshot"]
            two = structured(await client.call_tool("fork", {"handle": one}))["handle"]
            structured(await client.call_tool("act", {"handle": two, **take}))
            for handle, number in ((one, 2), (two, 1)):
                (text,) = (await client.call_tool("observe", {"handle": handle, "pictures": False})).content
                assert text.text.startswith(f"The number is {number}.")
            assert "2 episodes are under way" in await refused(client, "fork", handle=one)
            for over in (False, True):
                assert structured(await client.call_tool("act", {"handle": one, **take}))["over"] is over
            assert "nothing to go on with" in await refused(client, "fork", handle=one)
            back = structured(await client.call_tool("restore", {"handle": one, "snapshot": kept}))
            assert back == {"over": False, "acts": 0}
            assert "no snapshot of this handle" in await refused(client, "restore", handle=two, snapshot=kept)
            for handle in (one, two):
                assert structured(await client.call_tool("score", {"handle": handle}))["branches"] == 1

    anyio.run(guest)
