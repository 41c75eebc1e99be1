"""Work on a real Ray cluster of two nodes, of which one goes half-way."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from housemates.benchmarks.handmethat.benchmark import HandMeThat
from housemates.benchmarks.teach.formats.ingestion import import_games
from housemates.core.benchmark import Result
from housemates.core.loading import seat_all
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.evaluation.results import read_episodes
from housemates.evaluation.runner import Run, evaluate
from housemates.files import read_text_lines, write_text_lines
from housemates.parallel import Again, Crew, Loss, map_ordered

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.slow
SMALL = {"num_cpus": 1, "object_store_memory": 10**8}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
    made = Cluster(initialize_head=True, head_node_args={**SMALL, "include_dashboard": False})
    yield made
    made.shutdown()


def squared(number: int) -> int:
    return number * number


def deadly(number: int) -> int:
    if number == 2:
        os._exit(7)
    return number * number


def test_processes_threads_and_a_cluster_of_which_a_node_goes_give_the_same(cluster, tmp_path: Path) -> None:
    run = Run("handmethat", seat_all(HandMeThat, ["random"], {}), episodes=200)
    crews = {"one": Crew(1), "two": Crew(2), "threads": Crew(4, "threads")}
    for name, each in crews.items():
        evaluate(run, each, tmp_path / name, progress=False)
    node = cluster.add_node(**SMALL)
    crew = Crew(2, "ray", cluster.address)

    class Removing:
        """Takes a node away when half of the results are written."""

        done = 0

        def __call__(self, *_: Any) -> None:
            self.done += 1
            if self.done == 100:
                cluster.remove_node(node, allow_graceful=False)

    from housemates.evaluation.results import Folder

    removing, add = Removing(), Folder.add
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Folder, "add", lambda self, played: (add(self, played), removing())[0])
        evaluate(run, crew, tmp_path / "cluster", progress=False)
    assert removing.done == 200
    first, *others = (_told(tmp_path / name) for name in (*crews, "cluster"))
    assert len(first[0]) == 200 and all(each == first for each in others)


def _told(folder: Path) -> tuple[list[Result], bytes]:
    """What a run has written, but for seconds."""
    timeless = [msgspec.structs.replace(each, seconds=0.0) for each in read_episodes(folder)]
    return timeless, (folder / "transcripts.jsonl").read_bytes()


def test_an_import_on_a_cluster_makes_the_same_store(cluster, real_data: Path, tmp_path: Path) -> None:
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    write_text_lines(tmp_path / "few.jsonl.zst", [text.strip() for _, text in islice(lines, 4)])
    for name, crew in (("here", Crew(1)), ("there", Crew(2, "ray", cluster.address))):
        import_games(Store(tmp_path / name), tmp_path / "few.jsonl.zst", workers=crew)
    here, there = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")}
        for name in ("here", "there")
    )
    assert len(here) > 2 and here == there


def test_an_item_that_kills_its_process_on_a_cluster_is_lost_alone(cluster) -> None:
    def lost(number: int, loss: Loss) -> int | Again[int]:
        assert loss.reason == "ended with exit code 7"
        return -number

    assert list(map_ordered(deadly, range(4), Crew(1, "ray", cluster.address), lost=lost)) == [0, 1, -2, 9]


AGENT = '''
import os, time

class Mine:
    """Hangs, exits or eats more than it may in some episodes, as their seeds say."""
    eaten = []
    def reset(self, brief):
        self.how = (self.stop, self.hang, self.exit, self.eat)[brief.seed % 4]
    def act(self, percept):
        self.how()
        return "Stop"
    def stop(self): pass
    def hang(self): time.sleep(600)
    def exit(self): os._exit(9)
    def eat(self):
        self.eaten.append(bytearray(2**31))
'''


def test_on_a_cluster_too_an_agent_costs_its_own_episodes_only(cluster, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENT, encoding="utf-8")
    seats = seat_all(HandMeThat, [f"{tmp_path / 'mine.py'}:Mine"], {})
    run = Run("handmethat", seats, episodes=10, act_timeout=5.0, memory=1500)
    found = {}
    for name, crew in (("here", Crew(1)), ("there", Crew(1, "ray", cluster.address))):
        evaluate(run, crew, tmp_path / name, progress=False)
        found[name] = [(each.id, each.ended, each.error) for each in read_episodes(tmp_path / name)]
    assert found["here"] == found["there"]
    errors = Counter(error for _, _, error in found["here"])
    assert len(found["here"]) == 10 and errors[""] and len(errors) == 4


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere.invalid:6379", "here"])
def test_a_wrong_address_of_a_cluster_is_one_sentence(address: str) -> None:
    with pytest.raises(
        HousematesError, match=f"^--address {address}: (no Ray cluster answers|expected HOST)"
    ):
        list(map_ordered(squared, [1], Crew(1, "ray", address)))
