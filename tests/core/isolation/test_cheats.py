"""Cheating agents: none gains anything where agents are kept apart; each fails in its own episode alone.

What isolation cannot end is listed with its reason, here and in `docs/isolation.md`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import shared_memory
from pathlib import Path
from typing import Any

import pytest

from housemates.core.episode import Episode
from housemates.core.isolation.agent import IsolatedAgent, Isolation
from housemates.core.isolation.sandbox import PROTECTIONS
from housemates.core.loading import Seating, make_agents

FOLDER = Path(__file__).parent
SEED = 4711


def loaded(path: Path) -> Any:
    """A module of this folder."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


guessing = loaded(FOLDER / "guessing.py")
CHEATS = loaded(FOLDER / "agents" / "cheats.py").CHEATS
WORD = guessing.word_of(SEED)

OPEN = {"public_seed": "ids and seeds follow from the instance and the run's seed; the referee's is secret"}
"""Cheats that isolation does not end -> why."""
SECONDS = 3.0
DONE = (
    *("written", "leaked", "sent", "reached", "slowed", "limited", "unlimited", "free", "typed"),
    *("forked", "ate", "opened"),
)
"""What cheats say that did what they wanted and learned no word by it."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="what else there is can be shut away on Linux alone"),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Where the secret can be found, as a cheat that has read the source knows it: it is told everything."""
    folder = tmp_path_factory.mktemp("data")
    for name in ("answers.json", ".notes"):
        (folder / name).write_text(f'{{"answer": "{WORD}"}}')
    (folder / "own").mkdir()
    shared = shared_memory.SharedMemory(create=True, size=64)
    shared.buf[: len(WORD)] = WORD.encode()
    streams = {
        "port": socket.create_server(("127.0.0.1", 0)),
        "unix": socket.socket(socket.AF_UNIX),
        "abstract": socket.socket(socket.AF_UNIX),
    }
    streams["unix"].bind(str(folder / "socket"))
    streams["abstract"].bind(f"\0housemates-{os.getpid()}")
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    for each in streams.values():
        each.listen()
        threading.Thread(target=tell, args=(each,), daemon=True).start()
    threading.Thread(target=answer, args=(udp,), daemon=True).start()
    yield {
        "file": str(folder / "answers.json"),
        "home": str(folder),
        "writable": str(folder / "own"),
        "source": str(FOLDER / "guessing.py"),
        "shared": shared.name,
        "port": streams["port"].getsockname()[1],
        "unix": str(folder / "socket"),
        "abstract": f"housemates-{os.getpid()}",
        "udp": udp.getsockname()[1],
        "pid": os.getpid(),
    }
    for each in (*streams.values(), udp):
        each.close()
    shared.close()
    shared.unlink()


def tell(server: socket.socket) -> None:
    """Tell the word to whoever connects."""
    while True:
        try:
            connected, _ = server.accept()
            with connected:
                connected.sendall(WORD.encode())
        except OSError:
            return


def answer(server: socket.socket) -> None:
    """Tell the word to whoever asks."""
    while True:
        try:
            server.sendto(WORD.encode(), server.recvfrom(10)[1])
        except OSError:
            return


@pytest.fixture(scope="module")
def apart() -> Iterator[IsolatedAgent]:
    """The cheating agent, kept apart."""
    os.environ["GUESSING_ANSWER"] = WORD
    agent = apart_agent()
    yield agent
    agent.close()
    del os.environ["GUESSING_ANSWER"]


def apart_agent() -> IsolatedAgent:
    """The cheating agent in a process of its own."""
    seating = Seating(guessing.AGENT, isolation=Isolation(600, SECONDS))
    agent = make_agents(guessing.Guessing, {"guesser": seating})["guesser"]
    assert isinstance(agent, IsolatedAgent)
    return agent


def played(agent: Any, told: dict[str, Any], cheat: str) -> Episode:
    """The episode of a cheat."""
    episode = Episode(guessing.Guessing(object()), instance(told, cheat), {"guesser": agent})
    episode.run()
    return episode


def instance(told: dict[str, Any], cheat: str) -> Any:
    """The instance whose brief tells how to cheat."""
    return guessing.instance_of(SEED, {**told, "cheat": cheat})


@pytest.mark.parametrize("cheat", list(CHEATS))
def test_no_cheat_gains_anything_from_a_process_of_its_own(
    cheat: str, told: dict[str, Any], apart: Any
) -> None:
    episode = played(apart, told, cheat)
    scores = episode.scores()
    assert scores.get("success", 0.0) == (1.0 if cheat in OPEN else 0.0), episode.trace
    assert json.loads(Path(told["file"]).read_text())["answer"] == WORD
    assert episode.session.word == WORD and WORD not in episode.trace.error
    said = [step.act.arguments.get("word", "") for step in episode.trace.steps if step.act is not None]
    assert [word for word in said if word.startswith(DONE)] == []
    assert len(episode.trace.error) < 1200
    assert not [each for each in FOLDER.iterdir() if each.name == "sitecustomize.py"]


def test_in_the_process_of_the_episode_cheats_succeed_that_find_nothing_apart(told: dict[str, Any]) -> None:
    here = [name for name, function in CHEATS.items() if function.here]
    words = [str(FOLDER / "guessing.py"), str(SEED), json.dumps({**told, "pid": 0}), *here]
    environment = {**os.environ, "GUESSING_ANSWER": WORD}
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        cwd=told["writable"],
    )
    assert done.returncode == 0, done.stderr
    assert {name: row for name, row in json.loads(done.stdout).items() if row[0] != 1.0} == {}


def test_what_is_open_ends_where_briefs_follow_from_a_secret(told: dict[str, Any], apart: Any) -> None:
    for cheat in OPEN:
        asked = instance(told, cheat)
        episode = Episode(guessing.Guessing(object()), asked, {"guesser": apart}, key="a referee's")
        episode.run()
        assert (episode.trace.error, episode.scores()["success"]) == ("", 0.0)
        assert episode.trace.briefs["guesser"] == episode.session.brief("guesser")


def test_there_are_at_least_forty_cheats_and_the_page_lists_what_is_open() -> None:
    assert len(CHEATS) >= 40
    page = (FOLDER.parents[2] / "docs" / "isolation.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in OPEN)
    assert sum(map(int, re.findall(r"\| (\d+) \|$", page, re.MULTILINE))) == len(CHEATS)


@pytest.mark.parametrize("cheat", ["network", "repository", "home", "forks", "memory", "exits"])
def test_it_fails_in_its_own_episode_only(cheat: str, told: dict[str, Any], apart: Any) -> None:
    assert played(apart, told, cheat).trace.ended == "error"
    episode = played(apart, told, "order_of_offers")
    assert (episode.trace.ended, episode.trace.error) == ("done", "")
    assert apart.isolated == dict.fromkeys(PROTECTIONS, True)


def test_a_thread_that_watches_the_parent_is_shut_in_too(told: dict[str, Any]) -> None:
    with ThreadPoolExecutor(1) as pool:
        agent = pool.submit(apart_agent).result()
        episode = pool.submit(played, agent, told, "other_hands").result()
        agent.close()
    assert (episode.trace.error, episode.scores()["success"]) == ("", 0.0)


def test_answers_in_store_reach_no_later_episode(told: dict[str, Any], apart: Any) -> None:
    for cheat in ("answered_for_later", "endless_answer"):
        played(apart, told, cheat)
        assert played(apart, told, "order_of_offers").trace.error == ""
