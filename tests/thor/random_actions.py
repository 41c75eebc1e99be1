"""Random action dictionaries, valid and not: `python tests/thor/random_actions.py [ACTIONS] [--seed N]`.

Each is sent to a server behind pipes and done by a simulation in this process. The server must stay alive and
answer as the simulation does, and the world must stay consistent.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from script import SCENES, SETTINGS, chosen

from conftest import serving
from housemates.home.scenes.files import check_scene
from housemates.thor.actions import ANSWERS, Simulation
from housemates.thor.arguments import known

SCENE_EVERY = 200
"""Actions after which the next scene is opened; cameras and agents add up until then."""
CHECK_EVERY = 25
ODD = (
    None, True, False, 0, -1, 0.25, 3, 90, 1e9, float("nan"), float("inf"), "", "Mug", "x" * 5000, [], {},
    [None], {"x": 0.5}, {"x": "left"}, {"x": float("nan"), "y": 0, "z": 0}, [{"objectType": "Mug"}],
    [{"objectName": "Mug_1", "position": {"x": 0, "y": 1, "z": 0}, "rotation": {"x": 0, "y": 0, "z": 0}}],
)  # fmt: skip
"""Values for any argument."""
NOT_AT_RANDOM = ("Reset", "ChangeResolution", "AddThirdPartyCamera")
"""Actions that the script alone does: sizes and cameras decide how long every later picture takes."""


def message(rng: random.Random, metadata: dict[str, Any]) -> dict[str, Any]:
    """An action dictionary: one that makes sense, one with random arguments, or one that is no action."""
    draw = rng.random()
    if draw < 0.5:
        return dict(chosen(rng, metadata))
    names = sorted(ANSWERS.keys() - set(NOT_AT_RANDOM))
    arguments = sorted(known().keys() - {"action", "agentCount", "sequenceId"})
    given = {name: rng.choice(ODD) for name in rng.sample(arguments, rng.randrange(5))}
    if rng.random() < 0.5:
        given["objectId"] = rng.choice(metadata["objects"])["objectId"]
    if draw < 0.9:
        return {**given, "action": rng.choice(names)}
    odd = {**given, rng.choice(("wings", "objectid", "")): rng.choice(ODD)}
    return {**odd, "action": rng.choice((*ODD[:-4], "Fly", "moveahead", *names))}


def check(simulation: Simulation) -> None:
    """Have every record of the world make sense: ids, parents, sizes, hands."""
    world = simulation.world
    agent = msgspec.structs.replace(world.agent, rotation=0)
    scene = msgspec.structs.replace(world.scene, things=tuple(world.things.values()), agent=agent)
    check_scene(scene, "the world")
    held = [agent.held for agent in simulation.agents if agent.held]
    assert len(held) == len(set(held)), "two agents hold one thing"
    assert all(name in world.things for name in held), "an agent holds what is not there"


def play(folder: Path, actions: int, seed: int) -> Counter[str]:
    """Do so many actions, and count what came of them by their error codes."""
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    simulation = Simulation()
    with serving(folder) as client:
        told = client.first[0]["agents"][0]
        for number in range(actions):
            if number % SCENE_EVERY == 0:
                scene = {"action": "Reset", "sceneName": f"{SCENES[number // SCENE_EVERY % 3]}_physics"}
                for begin in (scene, {"action": "Initialize", "agentCount": rng.choice((1, 2)), **SETTINGS}):
                    simulation.perform(begin)
                    told = client.step(**begin)
            text = json.dumps(message(rng, told))
            simulation.perform(json.loads(text))
            answer = client.send(text.encode())[0]
            told = answer["agents"][answer["activeAgentId"]]
            reply = simulation.last.reply
            ours = (reply.success, reply.message, reply.code)
            assert ours == (told["lastActionSuccess"], told["errorMessage"], told["errorCode"]), text[:500]
            found["done" if reply.success else reply.code or "refused"] += 1
            if number % CHECK_EVERY == 0:
                check(simulation)
        check(simulation)
        assert client.process.poll() is None, "the server is gone"
    return found


def main() -> None:
    """Play as many actions as are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("actions", type=int, nargs="?", default=10_000, help="how many")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = play(Path(folder), given.actions, given.seed)
    print(json.dumps({"actions": sum(found.values()), **found}))


if __name__ == "__main__":
    sys.exit(main())
