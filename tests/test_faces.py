"""Every face of an episode ends it in the same way, whoever leaves, fails, takes too long or is cut off, and
tells nobody by an id or a seed which instance it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as run_eval

from housemates.adapters.hosting import Host
from housemates.adapters.inspect_ai import TASKS
from housemates.core import registry
from housemates.core.loading import seat_all
from housemates.envs.seats import SeatEnv
from housemates.errors import HousematesError
from housemates.evaluation.episodes import Halted, Job, Run, work
from housemates.studio.worlds.table import Spec, Table

AGENTS = """
import time
from housemates.core.agent import Halt, Left

class Passing:
    turns = 0
    def reset(self, brief): self.turns = 0
    def act(self, percept):
        self.turns += 1
        return self.later() if self.turns > 1 else "Pass"
    def later(self): return "Pass"

class Leaving(Passing):
    def later(self): raise Left
class Halting(Passing):
    def later(self): raise Halt("The budget is used up.")
class Raising(Passing):
    def later(self): return 1 / 0
class Slow(Passing):
    def later(self): time.sleep(30)
class Refused(Passing):
    def later(self): return "fly"
class Told(Passing):
    privileged = True
    def reset(self, brief): self.turns, self.brief = 0, brief
    def observe_privileged(self, instance, session): self.own = session.brief(self.brief.role)
    def later(self):
        named = self.own.id == self.brief.id or self.own.seed == self.brief.seed
        raise ValueError("told which instance it is" if named else "told nothing of the instance")
"""
ENDS = {
    "Leaving": ("left", ""),
    "Halting": ("error", "The budget is used up."),
    "Raising": ("error", "commander (Raising) raised in act: ZeroDivisionError: division by zero"),
    "Slow": ("error", "commander (Slow) took more than 0.5 s to act."),
    "Refused": ("failures", ""),
    "Told": ("error", "commander (Told) raised in act: ValueError: told nothing of the instance"),
}
"""What the other seat does from its second turn on -> how the episode ends, and what is said of it."""
TIMEOUT_S = 0.5
Ended = tuple[str, str]


def by_evaluation(commander: str, passing: str) -> Ended:
    kind = registry.benchmark_class("teach-tatc")
    seats = seat_all(kind, [f"commander={commander}", f"follower={passing}"], {})
    run = Run("teach-tatc", seats, act_timeout=TIMEOUT_S)
    reference = next(registry.benchmark("teach-tatc").references("generated", 0))
    found = work(run, Job(reference))
    if isinstance(found, Halted):
        return "error", found.reason
    assert isinstance(found, list)
    return found[0].result.ended, found[0].result.error


def by_environment(commander: str, passing: str) -> Ended:
    env = SeatEnv(
        "housemates/teach-tatc-v3",
        agents={"commander": commander},
        observations="text",
        supply=1,
        act_timeout=TIMEOUT_S,
    )
    _, info = env.reset(seed=0)
    try:
        while "ended" not in info:
            _, _, ended, cut, info = env.step("Pass")
            assert ("ended" in info) == (ended or cut)
    except HousematesError as error:
        assert env.trace.error == str(error)
    return env.trace.ended, env.trace.error


def by_hosting(commander: str, passing: str) -> Ended:
    """What MCP, OpenEnv and TRL are made of."""
    host = Host("teach-tatc", agents=[f"commander={commander}"], act_timeout=TIMEOUT_S)
    visit, said = host.begin(seed=0), ""
    while not visit.over:
        try:
            visit.act("Pass")
        except HousematesError as error:
            said = str(error).removeprefix("The episode is over: ")
    return visit.ended, said


def by_inspect(commander: str, passing: str, folder: Path) -> Ended:
    task = TASKS["teach-tatc"](episodes=1, agents=f"commander={commander}", act_timeout=TIMEOUT_S)
    (log,) = run_eval(task, model=f"housemates/{passing}", log_dir=str(folder), display="none")
    result = log.samples[0].scores["episode_scores"].metadata["result"]
    return result["ended"], result["error"]


def by_studio(commander: str, passing: str) -> Ended:
    reference = next(registry.benchmark("teach-tatc").references("generated", 0))
    seats = {"commander": commander, "follower": ""}
    spec = Spec("teach", "teach-tatc", {}, reference, 0, seats)
    table = Table(spec, act_timeout=TIMEOUT_S, key="a play")
    table.session.limits = table.benchmark.limits  # people's pages have wider ones
    while not table.ended:
        if table.session.role == "follower":
            table.act("follower", {"name": "Pass"})
        else:
            table.step()
    moved = table.moved([], ())
    return moved.ended, moved.error


FACES: dict[str, Callable[..., Ended]] = {
    "evaluation": by_evaluation,
    "environment": by_environment,
    "hosting": by_hosting,
    "inspect": by_inspect,
    "studio": by_studio,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize("face", FACES)
def test_an_episode_ends_the_same_way_at_every_face(face: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / "others.py"
    file.write_text(AGENTS)
    more: list[Any] = [tmp_path] if face == "inspect" else []
    assert FACES[face](f"{file}:{name}", f"{file}:Passing", *more) == ENDS[name]
