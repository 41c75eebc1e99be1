"""`housemates scenes list|show|render|validate`: the rooms that come with the package, and scene files."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from housemates.cli import options
from housemates.errors import HousematesError

if TYPE_CHECKING:
    from housemates.home.things import Scene, Thing
    from housemates.render.camera import Camera
    from housemates.render.scene import Renderer

STATES = ("open", "on", "dirty", "cooked", "sliced", "broken", "used_up")


def find_scene(name: str) -> Scene:
    """The room of an id, or the scene of a file."""
    from housemates.home import scenes
    from housemates.home.scenes.files import load_scene

    if name.endswith((".json", ".json.zst")) or Path(name).is_file():
        return load_scene(name)
    return scenes.load(name)


@dataclass
class List:
    """List the rooms that come with the package."""

    room: str | None = None
    """Only this kind: kitchen, living-room, bedroom or bathroom."""
    split: str | None = None
    """Only this split: train, seen or unseen."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Print ids, splits, layouts and sizes."""
        from housemates.home.scenes import catalogue

        rows = []
        for name in catalogue.scene_ids(self.room, self.split):
            scene = catalogue.load(name)
            layout, split = catalogue.family_of(name), catalogue.split_of(name)
            row = {"id": name, "room": scene.room, "split": split, "layout": layout}
            rows.append({**row, "things": len(scene.things)})
        if self.json:
            print(json.dumps({"rooms": rows}))
        else:
            print_table(rows)


@dataclass
class Show:
    """Tell what is where in a room."""

    scene: tyro.conf.Positional[str]
    """A room's id, such as kitchen-03 or kitchen-seed-12345, or a scene file."""
    json: bool = False
    """Print the whole scene as one line of JSON."""

    def run(self) -> None:
        """Print every place with what is on or in it."""
        import msgspec

        scene = find_scene(self.scene)
        if self.json:
            print(msgspec.json.encode(scene).decode())
            return
        agent = scene.agent
        print(f"{scene.id}: a {scene.room} with {len(scene.things)} things.")
        print(f"The agent stands at ({agent.x:.2f}, {agent.z:.2f}) and faces {agent.rotation} degrees.")
        inside: dict[str, list[str]] = {thing.id: [] for thing in scene.things}
        for thing in scene.things:
            if thing.parents:
                inside[thing.parents[0]].append(described(thing))
        rows = [
            {
                "id": thing.id,
                "state": ", ".join(states(thing)),
                "on or in it": ", ".join(sorted(inside[thing.id])),
            }
            for thing in sorted(scene.things, key=lambda each: each.id)
            if not thing.parents or inside[thing.id]
        ]
        print_table(rows)


def described(thing: Thing) -> str:
    """A type and its states."""
    told = ", ".join(states(thing))
    return f"{thing.type} ({told})" if told else thing.type


def states(thing: Thing) -> list[str]:
    """The states of a thing that are worth telling."""
    told = [state.replace("_", " ") for state in STATES if getattr(thing, state)]
    if thing.liquid:
        told.append(f"full of {thing.liquid}")
    if thing.temperature != "RoomTemp":
        told.append(thing.temperature.lower())
    return told


@dataclass
class Render:
    """Write pictures of a room: four views, their instance masks, and the map."""

    scene: tyro.conf.Positional[str]
    """A room's id, such as kitchen-03 or kitchen-seed-12345, or a scene file."""
    out: Path = Path("out")
    """Folder for the PNG files."""
    size: int = 600
    """Width and height of a picture in pixels, at most 900."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Draw and write."""
        from housemates.home.world import World
        from housemates.render.scene import Renderer

        if not 1 <= self.size <= 900:
            raise HousematesError(f"--size {self.size}: expected 1 to 900 pixels.")
        world = World(find_scene(self.scene))
        renderer = Renderer(world)
        written = []
        name = Path(self.scene).name.split(".")[0]
        self.out.mkdir(parents=True, exist_ok=True)
        for view, camera in views(world.scene, renderer, self.size).items():
            frame = renderer.frame(camera)
            written.append(self._write(f"{name}-{view}.png", frame.rgb))
            if view != "map":
                written.append(self._write(f"{name}-{view}-instances.png", coloured(frame.ids)))
        if self.json:
            print(json.dumps({"scene": self.scene, "files": written}))
        else:
            print("\n".join(written))

    def _write(self, name: str, picture: Any) -> str:
        from PIL import Image

        Image.fromarray(picture).save(self.out / name)
        return str(self.out / name)


def coloured(ids: Any) -> Any:
    """Instance numbers as colours: black for none, else far from those of the neighbouring numbers."""
    import numpy as np

    numbers = np.arange(int(ids.max()) + 1, dtype=np.uint32) * np.uint32(2654435761)
    colours = np.stack([numbers >> 24, (numbers >> 16) & 255, (numbers >> 8) & 255], axis=1).astype(np.uint8)
    colours[1:] |= 40
    return colours[ids]


def views(scene: Scene, renderer: Renderer, size: int) -> dict[str, Camera]:
    """The agent's first view, the two corners from which most is seen, a close view, and the map."""
    from housemates.render.camera import agent_camera, look_at, overhead_camera

    low, high = extent(scene)
    middle = ((low[0] + high[0]) / 2, scene.floor_y + 0.6, (low[1] + high[1]) / 2)
    corners = [
        look_at((x, scene.floor_y + 2.35, z), middle, size, size, 80.0)
        for x in (low[0] + 0.2, high[0] - 0.2)
        for z in (low[1] + 0.2, high[1] - 0.2)
    ]
    corners.sort(key=lambda camera: -things_told(renderer, camera))
    return {
        "start": agent_camera(scene.agent, size, size),
        "corner-1": corners[0],
        "corner-2": corners[1],
        "close": look_at(*close_up(scene), size, size, 60.0),
        "map": overhead_camera(
            (middle[0], scene.floor_y, middle[2]),
            1.05 * max(high[0] - low[0], high[1] - low[1]), size, size,
        ),
    }  # fmt: skip


def things_told(renderer: Renderer, camera: Camera) -> int:
    """How many things a view shows; none if one of them stands right before the camera."""
    seen = renderer.frame(camera).visible()
    crowded = any(
        pixels > 0.2 * camera.width * camera.height and not name.startswith("Floor")
        for name, pixels in seen.items()
    )
    return 0 if crowded else len(seen)


def extent(scene: Scene) -> tuple[tuple[float, float], tuple[float, float]]:
    """The corners (x, z) of the floor."""
    floors = [thing for thing in scene.things if thing.type == "Floor"]
    if not floors:
        raise HousematesError(f"{scene.id}: there is no Floor, so there is no view of the whole room.")
    low = [min(floor.position[axis] - floor.size[axis] / 2 for floor in floors) for axis in (0, 2)]
    high = [max(floor.position[axis] + floor.size[axis] / 2 for floor in floors) for axis in (0, 2)]
    return (low[0], low[1]), (high[0], high[1])


def close_up(scene: Scene) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Where to stand and look for a close view of the place that holds most things in the open."""
    from housemates.home.things import turned

    held: dict[str, int] = {}
    for thing in scene.things:
        if thing.parents:
            held[thing.parents[0]] = held.get(thing.parents[0], 0) + 1
    open_places = [thing for thing in scene.things if not thing.kind.can("open") and thing.type != "Floor"]
    place = max(open_places, key=lambda thing: (held.get(thing.id, 0), thing.id))
    top = place.position[1] + min(place.size[1], 0.9) + 0.05
    (x0, z0), (x1, z1) = extent(scene)
    dx, dz = turned(0.35, place.size[2] / 2 + 1.0, place.yaw)
    x = min(max(place.position[0] + dx, x0 + 0.2), x1 - 0.2)
    z = min(max(place.position[2] + dz, z0 + 0.2), z1 - 0.2)
    return (x, top + 0.65, z), (place.position[0], top, place.position[2])


@dataclass
class Validate:
    """Look for faults: overlaps, floating things, what cannot be reached or opened, what is missing."""

    scenes: tyro.conf.Positional[list[str]] = field(default_factory=list)
    """Ids of rooms, or scene files."""
    all: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Every room that comes with the package."""
    workers: int | None = None
    """Processes; all processors by default."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Print every fault; exit code 1 if there is one."""
        from housemates.home.scenes import catalogue
        from housemates.parallel import map_ordered

        names = [*self.scenes, *(catalogue.scene_ids() if self.all else [])]
        if not names:
            raise HousematesError("scenes validate: name rooms or scene files, or give --all.")
        label = None if self.json else "rooms"
        workers = 1 if len(names) < 4 else self.workers
        found = list(map_ordered(faults_of, names, workers, label))
        faults = [fault for each in found for fault in each]
        if self.json:
            print(json.dumps({"rooms": len(names), "faults": len(faults), "found": faults}))
        else:
            for fault in faults:
                print(f"{fault['room']}: {fault['kind']}: {fault['message']}")
            print(f"{len(names)} rooms, {len(faults)} faults")
        if faults:
            sys.exit(1)


def faults_of(name: str) -> list[dict[str, str]]:
    """The faults of one room or scene file."""
    from housemates.home.scenes.validate import faults

    return [{"room": name, **fault._asdict()} for fault in faults(find_scene(name))]


def print_table(rows: list[dict[str, Any]]) -> None:
    """Print rows under their names."""
    from rich.console import Console
    from rich.table import Table

    table = Table()
    for name in rows[0] if rows else ():
        table.add_column(name, no_wrap=name == "id", overflow="fold")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    Console().print(table)


def main(verb: str, argv: list[str]) -> None:
    """Serve `housemates scenes`."""
    commands = {"list": List, "show": Show, "render": Render, "validate": Validate}
    options.choose(commands, f"housemates {verb}", argv)
