"""Frames (RGB, instance ids and depth) per CPU-second, here and with other renderers, on the same scene.

`python perf/render.py --json` prints one JSON object. Peers that are not installed are left out and named;
`make perf` prepares .venv-peers with all of them, which is used where this interpreter lacks them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER)]

from contenders import FOV, PEERS, Draw, Pose, Triangles

ROUNDS = 3
SECONDS = 1.5
"""CPU time of one measurement."""
SIZES = (128, 300, 900)


def kitchen() -> Any:
    """The world that is drawn."""
    sys.path.append(str(FOLDER.parent / "tests" / "render"))
    from rooms import full_kitchen

    return full_kitchen()


def poses(count: int = 200) -> list[Pose]:
    """Where an agent could stand and look, the same for everyone."""
    rng = np.random.default_rng(3)
    spots = rng.integers(-4, 5, (count, 2)) * 0.25
    turns = rng.integers(0, 4, count) * 90.0
    tilts = rng.choice([-30.0, 0.0, 30.0, 60.0], count, p=[0.05, 0.25, 0.55, 0.15])
    return [
        Pose((float(x), 1.576, float(z)), float(turn), float(tilt))
        for (x, z), turn, tilt in zip(spots, turns, tilts, strict=True)
    ]


def housemates(size: int) -> Draw:
    """This project."""
    from housemates.render.camera import Camera
    from housemates.render.scene import Renderer

    renderer = Renderer(kitchen())
    cameras = {pose: Camera(pose.position, pose.rotation, pose.horizon, size, size, FOV) for pose in poses()}
    frame = renderer.frame(next(iter(cameras.values())))

    def draw(pose: Pose) -> Any:
        return renderer.frame(cameras[pose], out=frame)

    return draw


def triangles() -> Triangles:
    """The scene as plain triangles, lit as ours are, each thing (and the building) with its number."""
    from housemates.render.scene import Renderer

    faces = Renderer(kitchen()).faces
    corners = np.concatenate([faces.corners[:, [0, 1, 2]], faces.corners[:, [0, 2, 3]]])
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
    draw = housemates(size) if name == "housemates" else PEERS[name](triangles(), size)
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


def in_own_process(name: str, size: int, python: str) -> float:
    """Measure where no other contender has left threads or settings behind."""
    command = [python, __file__, "--contender", name, "--size", str(size)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{name}: {run.stderr.strip().splitlines()[-1]}")
    return float(run.stdout.split()[-1])


def interpreter_for(name: str) -> str | None:
    """A Python that has this peer: this one, or that of .venv-peers."""
    if importlib.util.find_spec(name):
        return sys.executable
    for other in (FOLDER.parent / ".venv-peers").glob("[bS]*/python*"):
        if not subprocess.run([other, "-c", f"import {name}"], capture_output=True).returncode:
            return str(other)
    return None


def compare(sizes: tuple[int, ...]) -> dict[str, Any]:
    """Measure everyone in turn, several times, and take medians."""
    pythons = {name: interpreter_for(name) for name in PEERS}
    found = {name: python for name, python in pythons.items() if python}
    runs: dict[tuple[str, int], list[float]] = {}
    for _ in range(ROUNDS):
        for size in sizes:
            runs.setdefault(("housemates", size), []).append(
                in_own_process("housemates", size, sys.executable)
            )
        for name, python in found.items():
            runs.setdefault((name, 300), []).append(in_own_process(name, 300, python))
    ours = median(runs["housemates", 300])
    peers = {
        name: {
            "fps_cpu_300": round(median(runs[name, 300]), 1),
            "ratio": round(ours / median(runs[name, 300]), 2),
        }
        for name in found
    }
    return {
        **scene_facts(),
        "fps_cpu": {str(size): round(median(runs["housemates", size]), 1) for size in sizes},
        "peers": peers,
        "not_installed": sorted(set(PEERS) - set(found)),
    }


def main() -> None:
    """Print the comparison, or one contender's number."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--contender", choices=["housemates", *PEERS], help="measure only this one")
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
    if result["not_installed"]:
        print(f"  not installed: {', '.join(result['not_installed'])} (make perf installs them)")


if __name__ == "__main__":
    main()
