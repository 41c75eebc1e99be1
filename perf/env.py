"""Environments as learners meet them: steps per CPU-second, valid actions, resets included, beside VizDoom.

`python perf/env.py --json` prints one JSON object. Everything is measured in turn, each in a process of its
own; what is compared several times, and medians are given. VizDoom is measured if this interpreter or that of
.venv-peers has it; then the ratios are also printed to standard error, a line for each environment.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from gymnasium import spaces

from peers import interpreter_for

FOLDER = Path(__file__).resolve().parent
SIZES = ("160x120", "320x240", "300x300")
PEER_SIZES = SIZES[:2]
SECONDS = 2.0
"""CPU time of one measurement."""
ROUNDS = 3
FILL_S = 60.0
"""How long a supply may run before it is drawn from."""
MANY = 8
"""Environments in a vector."""
ACTIONS = 1000
"""Actions that are drawn beforehand, valid at their moment, in episodes that can be repeated."""
ENDS = frozenset({"Stop", "DONE"})
"""What would end an episode at once, and has no like among the buttons of the peer."""
RESETS = 100
PEER = "vizdoom"
SCENARIO = "my_way_home.cfg"
"""Rooms to walk about in."""


def cpu_seconds() -> float:
    """CPU time of this process and of those it has started."""
    used = os.times()
    spent = used.user + used.system + used.children_user + used.children_system
    for child in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        for number in child.read_text().split():
            fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
            spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


def rate(step: Callable[[], int]) -> float:
    """Steps per CPU-second of a function that does some and says how many."""
    done, start = 0, cpu_seconds()
    while (spent := cpu_seconds() - start) < SECONDS:
        done += step()
    return done / spent


def options(env_id: str, size: str) -> dict[str, Any]:
    """Pictures of a size, with ids and depth, where there are pictures; offers that name things."""
    from housemates.core import registry

    encoding = registry.encoding_class(env_id)
    known = registry.benchmark_class(encoding.benchmark).Options.__dataclass_fields__
    return {"size": size, "pointing": "any", "ids": True, "depth": True} if "size" in known else {}


def valid(env: Any, rng: np.random.Generator) -> Any:
    """An action by chance of those that are offered now, on a thing that it is offered for."""
    offers = {each.name: each for each in env.offers() if each.name not in ENDS}
    if not offers:  # its episode is over, and the next step begins another
        return env.action_space.sample()
    if isinstance(env.action_space, spaces.Text):
        return pick(next(each.arguments[0].choices for each in offers.values() if each.arguments), rng)
    names = [name for name in offers if things(offers[name]) != ()]
    name = pick(names, rng)
    number = list(env.session.menu(env.role)).index(name)
    if not isinstance(env.action_space, spaces.Dict):
        return number
    seen = things(offers[name])
    told = {"text": "hello"} if "text" in env.action_space.spaces else {}
    return {"action": number, **told, **(pointed(env, pick(seen, rng), rng) if seen else {})}


def things(offer: Any) -> tuple[str, ...] | None:
    """The things that an offer can be meant for; None if it is not meant for things."""
    if not any(each.kind in ("object", "point", "mask") for each in offer.arguments):
        return None
    return next((each.choices for each in offer.arguments if each.kind == "object"), ())


def pointed(env: Any, thing: str, rng: np.random.Generator) -> dict[str, Any]:
    """Where a thing is in the picture, as the action space wants it."""
    pixels = env.seats.encoding.eyes(env.session, env.role).look().mask(thing)
    if "mask" in env.action_space.spaces:
        return {"mask": pixels.astype(np.int8)}
    row, column = pick(np.argwhere(pixels if pixels.any() else ~pixels), rng)
    height, width = pixels.shape
    return {"point": np.array([(column + 0.5) / width, (row + 0.5) / height], np.float32)}


def pick(choices: Any, rng: np.random.Generator) -> Any:
    """One of several."""
    return choices[int(rng.integers(len(choices)))]


def filled(env: Any) -> None:
    """Let the supply run for up to a minute, and open what it has made."""
    supply = env.seats.supply
    env.reset(seed=0)
    end = time.monotonic() + FILL_S
    while supply.stock is not None and supply.stock.made() < supply.stock.size and time.monotonic() < end:
        time.sleep(0.5)


def single(env_id: str, size: str) -> dict[str, float]:
    """One environment: steps per CPU-second, and milliseconds of a reset."""
    from housemates.envs.seats import SeatEnv

    env = SeatEnv(env_id, **options(env_id, size))
    filled(env)
    rng, drawn = np.random.default_rng(0), []

    def step(action: Any) -> None:
        *_, ended, cut, _ = env.step(action)
        if ended or cut:
            env.reset()

    env.reset(seed=0)
    for _ in range(ACTIONS):
        drawn.append(valid(env, rng))
        step(drawn[-1])

    def again() -> int:
        env.reset(seed=0)
        for action in drawn:
            step(action)
        return ACTIONS

    again()
    steps = rate(again)
    start = time.process_time()
    for _ in range(RESETS):
        env.reset()
    return {"steps": steps, "reset_ms": 1000 * (time.process_time() - start) / RESETS}


def vector(env_id: str, size: str) -> dict[str, float]:
    """Several environments in one process: steps of all of them per CPU-second."""
    import housemates

    envs = housemates.make_vec(env_id, MANY, **options(env_id, size))
    filled(envs.envs[0])
    rng, drawn = np.random.default_rng(0), []
    envs.reset(seed=0)
    for _ in range(ACTIONS // MANY):
        drawn.append(tuple(valid(each, rng) for each in envs.envs))
        envs.step(drawn[-1])

    def again() -> int:
        envs.reset(seed=0)
        for each in drawn:
            envs.step(each)
        return len(drawn) * MANY

    return {"steps": rate(again)}


def vizdoom(_: str, size: str) -> dict[str, float]:
    """VizDoom with RGB, depth and labels."""
    import vizdoom

    width, height = size.split("x")
    game = vizdoom.DoomGame()
    game.load_config(str(Path(vizdoom.scenarios_path) / SCENARIO))
    game.set_screen_resolution(getattr(vizdoom.ScreenResolution, f"RES_{width}X{height}"))
    game.set_screen_format(vizdoom.ScreenFormat.RGB24)
    game.set_depth_buffer_enabled(True)
    game.set_labels_buffer_enabled(True)
    game.set_window_visible(False)
    game.set_seed(0)
    game.init()
    buttons = np.eye(game.get_available_buttons_size(), dtype=int).tolist()
    numbers = np.random.default_rng(0).integers(len(buttons), size=ACTIONS)
    drawn = cycle([buttons[number] for number in numbers])

    def some() -> int:
        for _ in range(50):
            if game.is_episode_finished():
                game.new_episode()
            game.make_action(next(drawn))
            state = game.get_state()
            _ = state and (state.screen_buffer, state.depth_buffer, state.labels_buffer)
        return 50

    some()
    found = {"steps": rate(some)}
    game.close()
    return found


KINDS = {"single": single, "vector": vector, PEER: vizdoom}


def in_own_process(kind: str, env_id: str, size: str, python: str) -> dict[str, float]:
    """Measure where nothing else has left anything behind."""
    command = [python, str(FOLDER / "env.py"), "--kind", kind, "--id", env_id, "--size", size]
    with TemporaryDirectory() as folder:  # VizDoom leaves files where it runs
        where = folder if kind == PEER else None
        run = subprocess.run(command, capture_output=True, text=True, cwd=where)
    if run.returncode:
        raise SystemExit(f"{kind} {env_id} {size}: {run.stderr.strip().splitlines()[-1]}")
    found: dict[str, float] = json.loads(run.stdout)
    return found


def compare(ids: list[str], rounds: int) -> dict[str, Any]:
    """Measure everyone in turn, several times, and take medians."""
    peer = interpreter_for(PEER)
    sizes = {env_id: SIZES if options(env_id, "300") else ("-",) for env_id in ids}
    wanted = [("single", env_id, size) for env_id in ids for size in sizes[env_id]]
    wanted += [("vector", env_id, SIZES[0]) for env_id in ids]
    wanted += [(PEER, PEER, size) for size in PEER_SIZES] if peer else []
    runs: dict[tuple[str, str, str], list[dict[str, float]]] = {}
    for number in range(rounds):
        for kind, env_id, size in wanted:
            if number and (kind == "vector" or size not in PEER_SIZES):
                continue
            python = peer if kind == PEER and peer else sys.executable
            runs.setdefault((kind, env_id, size), []).append(in_own_process(kind, env_id, size, python))
    found = {key: median(each["steps"] for each in told) for key, told in runs.items()}
    ours = {}
    for env_id in ids:
        singles = {key[2]: told for key, told in runs.items() if key[:2] == ("single", env_id)}
        resets = [each["reset_ms"] for told in singles.values() for each in told]
        steps: Any = {size: round(found["single", env_id, size]) for size in singles}
        ours[env_id] = {
            "steps_per_cpu_s": steps if "-" not in steps else dict.fromkeys(SIZES, steps["-"]),
            "reset_ms": round(median(resets), 3),
            "vec_steps_per_cpu_s": round(found["vector", env_id, SIZES[0]]),
        }
    if not peer:
        return {"ours": ours, "peers": {}, "not_installed": [PEER]}
    theirs = {size: found[PEER, PEER, size] for size in PEER_SIZES}
    ratio = {
        env_id: {size: round(told["steps_per_cpu_s"][size] / theirs[size], 3) for size in PEER_SIZES}
        for env_id, told in ours.items()
    }
    rounded = {size: round(value) for size, value in theirs.items()}
    return {"ours": ours, "peers": {PEER: {"steps_per_cpu_s": rounded, "ratio": ratio}}}


def main() -> None:
    """Measure one thing, or compare all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--id", nargs="*", default=[], help="only these environments")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--kind", choices=list(KINDS), help=argparse.SUPPRESS)
    parser.add_argument("--size", default=SIZES[0], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.kind:
        print(json.dumps(KINDS[given.kind](given.id[0], given.size)))
        return
    from housemates.core import registry

    known = [env_id for spec in registry.specs().values() for env_id in spec.environments]
    found = compare(given.id or known, given.rounds)
    for env_id, ratio in found["peers"].get(PEER, {}).get("ratio", {}).items():
        told = ", ".join(f"{value:.2f} at {size}" for size, value in ratio.items())
        print(f"{env_id}: {told} times {PEER}", file=sys.stderr)
    print(json.dumps(found) if given.json else json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
