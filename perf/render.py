"""Frames (RGB, instance ids and depth) per CPU-second, here and with other renderers, on the same scene.

`python perf/render.py --json` prints one JSON object. Peers that are not installed are left out and named;
`make perf` prepares .venv-peers with all of them, which is used where this interpreter lacks them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from functools import cache
from statistics import median
from typing import Any

import numpy as np

from contenders import FOV, PEERS, Draw, Pose, Triangles
from peers import interpreter_for

ROUNDS = 3
SECONDS = 1.5
"""CPU time of one measurement."""
SIZES = (128, 300, 900)


OURS = ("housemates", "housemates varied")


@cache
def kitchen(looks: str = "") -> Any:
    """The world that is drawn."""
    from housemates.home import scenes
    from housemates.home.world import World

    world = World(scenes.load("kitchen-03"))
    world.looks = looks
    return world


@cache
def poses(count: int = 200) -> list[Pose]:
    """Where the agent can stand and look, the same for everyone."""
    from housemates.home.navigation import reachable
    from housemates.home.things import GRID_M

    world = kitchen()
    cells = sorted(reachable(world))
    rng = np.random.default_rng(3)
    spots = rng.integers(0, len(cells), count)
    turns = rng.integers(0, 4, count) * 90.0
    tilts = rng.choice([-30.0, 0.0, 30.0, 60.0], count, p=[0.05, 0.25, 0.55, 0.15])
    return [
        Pose((cells[spot][0] * GRID_M, world.agent.eye[1], cells[spot][1] * GRID_M), float(turn), float(tilt))
        for spot, turn, tilt in zip(spots, turns, tilts, strict=True)
    ]


def housemates(size: int, looks: str = "") -> Draw:
    """This project; with varied looks if they have a seed."""
    from housemates.render.camera import Camera
    from housemates.render.scene import Renderer

    renderer = Renderer(kitchen(looks))
    cameras = {pose: Camera(pose.position, pose.rotation, pose.horizon, size, size, FOV) for pose in poses()}
    frame = renderer.frame(next(iter(cameras.values())))

    def draw(pose: Pose) -> Any:
        return renderer.frame(cameras[pose], out=frame)

    return draw


def triangles() -> Triangles:
    """The scene as plain triangles, lit as ours are, each thing (and the building) with its number."""
    from housemates.render.scene import Renderer

    faces = Renderer(kitchen()).faces
    corners = np.concatenate([faces.corners[:, [0, 2, 1]], faces.corners[:, [0, 3, 2]]])
    edges = corners[:, 1:] - corners[:, :1]
    keep = (np.cross(edges[:, 0], edges[:, 1]) ** 2).sum(axis=1) > 0
    middles = faces.corners.mean(axis=1)
    light = (faces.fields[:, 2, :3] * middles).sum(axis=1) + faces.fields[:, 2, 3]
    colours = np.clip(faces.colours.mean(axis=1) * light[:, None] / 255.0, 0.0, 1.0)
    return Triangles(
        corners[keep], np.tile(colours, (2, 1))[keep], np.tile(faces.instance, 2)[keep].astype(np.uint32)
    )


def measure(name: str, size: int) -> float:
    """Frames per CPU-second of one contender."""
    looks = "perf" if name == "housemates varied" else ""
    draw = housemates(size, looks) if name in OURS else PEERS[name](triangles(), size)
    everywhere = poses()
    for pose in everywhere[:10]:
        draw(pose)
    frames = 0
    start = time.process_time()
    while time.process_time() - start < SECONDS:
        draw(everywhere[frames % len(everywhere)])
        frames += 1
    return frames / (time.process_time() - start)


def scene_facts() -> dict[str, int]:
    """How much there is to draw."""
    from housemates.render.scene import Renderer

    world = kitchen()
    return {"objects": len(world.things), "triangles": Renderer(world).triangle_count}


def in_own_process(name: str, size: int, python: str) -> float | str:
    """Measure where no other contender has left threads or settings behind; if it fails, say why."""
    command = [python, __file__, "--contender", name, "--size", str(size)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        return (run.stderr.strip() or f"exit code {run.returncode}").splitlines()[-1]
    return float(run.stdout.split()[-1])


def compare(sizes: tuple[int, ...]) -> dict[str, Any]:
    """Measure everyone in turn, several times, and take medians."""
    pythons = {name: interpreter_for(name) for name in PEERS}
    wanted = [("housemates", size, sys.executable) for size in sizes]
    wanted += [("housemates varied", 300, sys.executable)]
    wanted += [(name, 300, python) for name, python in pythons.items() if python]
    runs: dict[tuple[str, int], list[float]] = {}
    failed: dict[str, str] = {}
    for _ in range(ROUNDS):
        for name, size, python in wanted:
            fps = in_own_process(name, size, python)
            if isinstance(fps, str):
                failed[name] = fps
            else:
                runs.setdefault((name, size), []).append(fps)
    if "housemates" in failed:
        raise SystemExit(f"housemates: {failed['housemates']}")
    fps_cpu = {key: round(median(values), 1) for key, values in runs.items()}
    ours = fps_cpu["housemates", 300]
    return {
        **scene_facts(),
        "fps_cpu": {str(size): fps_cpu["housemates", size] for size in sizes},
        "fps_cpu_varied": fps_cpu["housemates varied", 300],
        "peers": {
            name: {"fps_cpu_300": fps_cpu[name, 300], "ratio": round(ours / fps_cpu[name, 300], 2)}
            for name in PEERS
            if (name, 300) in fps_cpu
        },
        "not_installed": [name for name, python in pythons.items() if not python],
        "failed": failed,
    }


def main() -> None:
    """Print the comparison, or one contender's number."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--contender", choices=[*OURS, *PEERS], help="measure only this one")
    parser.add_argument("--size", type=int, default=300, help="side of the picture in pixels")
    arguments = parser.parse_args()
    if arguments.contender:
        print(measure(arguments.contender, arguments.size))
        return
    result = compare(SIZES)
    if arguments.json:
        print(json.dumps(result))
        return
    print(f"{result['objects']} objects, {result['triangles']} triangles, frames per CPU-second:")
    for size, fps in result["fps_cpu"].items():
        print(f"  housemates {size:>4} px {fps:10.1f}")
    for name, row in result["peers"].items():
        print(f"  {name:<10}  300 px {row['fps_cpu_300']:10.1f}   we are {row['ratio']:.1f} times as fast")
    for name, reason in result["failed"].items():
        print(f"  {name} failed: {reason}")
    if result["not_installed"]:
        print(f"  not installed: {', '.join(result['not_installed'])} (make perf installs them)")


if __name__ == "__main__":
    main()
