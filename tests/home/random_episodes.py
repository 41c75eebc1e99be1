"""Plays random episodes and prints a digest of each: `python random_episodes.py EPISODES STEPS`."""

from __future__ import annotations

import hashlib
import sys

import numpy as np

from housemates.home import ACTIONS, Outcome, World, act
from housemates.home.geometry import in_reach
from housemates.home.navigation import agent_at, pose_of, reachable
from housemates.home.scenes import load, scene_ids
from housemates.render.camera import agent_camera
from housemates.render.scene import Renderer

MOVES = [name for name, spec in ACTIONS.items() if not spec.required]
TOUCHES = [name for name, spec in ACTIONS.items() if "target" in spec.required]

PICTURE_EVERY = 4


def random_step(world: World, rng: np.random.Generator) -> Outcome | None:
    """Move, jump, or do anything to anything in reach; jumps have no outcome."""
    draw = rng.random()
    if draw < 0.3:
        return act(world, MOVES[rng.integers(len(MOVES))])
    if draw < 0.4:
        cells = sorted(reachable(world))
        cell = cells[rng.integers(len(cells))]
        rotation = 90 * int(rng.integers(4))
        world.agent = agent_at(
            world.agent, pose_of(world.agent)._replace(x=cell.x, z=cell.z, rotation=rotation)
        )
        return None
    near = [name for name, thing in world.things.items() if in_reach(world.agent, thing)]
    target = near[rng.integers(len(near))] if near else "nothing"
    return act(world, TOUCHES[rng.integers(len(TOUCHES))], target=target)


def episode(number: int, steps: int, interrupt: bool = False) -> str:
    """The digests of every state, and of some episodes the last picture, as one digest.

    With `interrupt`, the episode is left at a random step, played on, and restored.
    """
    rooms = scene_ids()
    world = World(load(rooms[number % len(rooms)]))
    rng = np.random.default_rng(number)
    pause = int(np.random.default_rng([number, 1]).integers(steps)) if interrupt else -1
    total = hashlib.sha256()
    for step in range(steps):
        if step == pause:
            before = world.snapshot()
            for _ in range(10):
                random_step(world, np.random.default_rng([number, 2]))
            world.restore(before)
        random_step(world, rng)
        total.update(world.digest().encode())
    if number % PICTURE_EVERY == 0:
        frame = Renderer(world).frame(agent_camera(world.agent, 96, 96))
        for array in (frame.rgb, frame.ids, frame.depth):
            total.update(array.tobytes())
    return total.hexdigest()


if __name__ == "__main__":
    for number in range(int(sys.argv[1])):
        print(episode(number, int(sys.argv[2])))
