"""Sessions to act in: a kitchen with any task, and a folder of generated games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks import registry
from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.commands.generate import Generate
from housemates.benchmarks.teach.files.recordings import Start
from housemates.benchmarks.teach.session import TatcSession
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.home.navigation import agent_at, standing_poses
from housemates.home.scenes import load
from housemates.parallel import Crew

ROOM = "kitchen-03"


@pytest.fixture(scope="session")
def begin() -> Callable[..., TatcSession]:
    """Begins a session in a kitchen: a task, its parameters, and options of the benchmark."""

    def session(task: str = "Coffee", params: tuple[str, ...] = (), **options: Any) -> TatcSession:
        start = Start(load(ROOM), tasks.definition(task, params))
        found = registry.benchmark("teach-tatc", **options).session(Instance("test", task, start))
        assert isinstance(found, TatcSession)
        return found

    return session


@pytest.fixture(scope="session")
def go_to() -> Callable[[TatcSession, str], str]:
    """Puts the Follower before the first thing of a type that can be seen, and tells its id."""

    def stand(session: TatcSession, kind: str) -> str:
        home = session.world.home
        for thing in home.of_type(kind):
            poses = standing_poses(home, thing)
            if poses and home.enclosing(thing) is None:
                home.agent = agent_at(home.agent, poses[0])
                return thing.id
        raise AssertionError(f"no {kind} can be reached")

    return stand


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three generated games: coffee, a plant that is watered, and a plate of toast."""
    folder = tmp_path_factory.mktemp("generated")
    Generate(episodes=3, tasks="Coffee,Water Plant,Plate Of Toast", seed=4, out=folder, crew=Crew(1)).run()
    return folder
