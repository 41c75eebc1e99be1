"""How fast the home is without pictures, per CPU-second: moves, interactions, snapshots, resets.

python perf/step.py --json
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import tyro

from housemates.home import Thing, World, act
from housemates.home.navigation import agent_at, grid, standing_poses
from housemates.home.scenes import load, scene_ids

MOVES = ("Forward", "Backward", "PanLeft", "PanRight", "TurnLeft", "TurnRight", "LookUp", "LookDown")


@dataclass
class Step:
    """Measure the home on one core."""

    scene: str = "kitchen-03"
    """Which room."""
    steps: int = 50_000
    """How many moves."""
    rounds: int = 20
    """How often each thing is used."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Measure and print."""
        reset_ms = round(1e3 * cold_reset(), 3)
        world = World(load(self.scene))
        moves = moves_per_second(world, self.steps)
        touches, succeeded = interactions_per_second(world, self.rounds)
        found: dict[str, Any] = {
            "scene": self.scene,
            "objects": len(world.things),
            "moves_per_cpu_s": round(moves),
            "interactions_per_cpu_s": round(touches),
            "interactions_succeeded": round(succeeded, 3),
            "snapshot_restore_us": round(
                1e6 * seconds_each(lambda: world.restore(world.snapshot()), 2000), 2
            ),
            "reset_ms": reset_ms,
            "reset_again_ms": round(1e3 * seconds_each(world.reset, 2000), 4),
            "peers": peers(moves, self.steps),
        }
        if self.json:
            print(json.dumps(found))
            return
        for name, value in found.items():
            print(f"{name}: {value}")


def moves_per_second(world: World, steps: int) -> float:
    """Random moves, bumps included."""
    world.reset()
    draws = np.random.default_rng(0).integers(len(MOVES), size=steps)
    names = [MOVES[draw] for draw in draws]
    start = time.process_time()
    for name in names:
        act(world, name)
    return steps / (time.process_time() - start)


def interactions_per_second(world: World, rounds: int) -> tuple[float, float]:
    """Everything is picked up, opened or switched on, and put back; also the share that worked."""
    world.reset()
    worked, spent, tried = 0, 0.0, 0
    start = world.snapshot()
    for thing in list(world.things.values()):
        deeds = both_ways(thing)
        if not deeds or thing.on or thing.open or world.enclosing(thing) is not None:
            continue
        for pose in standing_poses(world, thing):
            world.agent = agent_at(world.agent, pose)
            if all(act(world, name, **arguments).success for name, arguments in deeds):
                break
            world.restore(start)
        before = time.process_time()
        for _ in range(rounds):
            for name, arguments in deeds:
                worked += act(world, name, **arguments).success
        spent += time.process_time() - before
        tried += len(deeds) * rounds
        world.restore(start)
    return tried / spent, worked / tried


def both_ways(thing: Thing) -> list[tuple[str, dict[str, Any]]]:
    """Two actions on a thing, the second of which undoes the first, with their arguments."""
    target = {"target": thing.id}
    if thing.kind.can("pickup") and thing.parents:
        return [("Pickup", target), ("Place", {"target": thing.parents[0], "at": thing.position})]
    for affordance, names in (("open", ("Open", "Close")), ("toggle", ("ToggleOn", "ToggleOff"))):
        if thing.kind.can(affordance):
            return [(name, target) for name in names]
    return []


def cold_reset() -> float:
    """CPU seconds to enter a kitchen never seen before, until the first step can be made."""
    rooms = [name for name in scene_ids("kitchen") if name != "kitchen-01"]
    grid(World(load("kitchen-01")))
    start = time.process_time()
    for name in rooms:
        grid(World(load(name)))
    return (time.process_time() - start) / len(rooms)


def seconds_each(function: Callable[[], object], times: int) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    for _ in range(times):
        function()
    return (time.process_time() - start) / times


def peers(ours: float, steps: int) -> dict[str, Any]:
    """A fifth as many moves in other worlds; `not installed` where they are not."""
    try:
        import gymnasium
        import minigrid  # noqa: F401 - registers its environments
    except ImportError:
        return {"minigrid": "not installed"}
    env = gymnasium.make("MiniGrid-FourRooms-v0").unwrapped
    env.max_steps = steps
    env.reset(seed=0)
    draws = np.random.default_rng(0).integers(3, size=steps // 5)
    start = time.process_time()
    for draw in draws:
        env.step(draw)
    theirs = len(draws) / (time.process_time() - start)
    return {"minigrid": {"moves_per_cpu_s": round(theirs), "ratio": round(ours / theirs, 2)}}


if __name__ == "__main__":
    tyro.cli(Step).run()
