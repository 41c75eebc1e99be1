"""`housemates scenes list|show|render|validate|import`: the rooms of the package, scene files, and houses."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from housemates.cli import options
from housemates.errors import HousematesError
from housemates.files import read_text, read_text_lines
from housemates.typed_json import parse_json

if TYPE_CHECKING:
    from housemates.home.things import Scene, Thing
    from housemates.home.types import Vec
    from housemates.render.camera import Camera
    from housemates.render.scene import Renderer

CLOSE_M = 0.6
"""How near to each other things are that a close view takes in."""


def find_scene(name: str) -> Scene:
    """The room of an id, or the scene of a file."""
    from housemates.home import scenes
    from housemates.home.scenes.files import load_scene

    if name.endswith((".json", ".json.zst", ".json.gz")) or Path(name).is_file():
        return load_scene(name)
    return scenes.load(name)


@dataclass
class List:
    """List the package's rooms."""

    room: str | None = None
    """Only this kind: kitchen, living-room, bedroom or bathroom."""
    split: str | None = None
    """Only this split: train, seen or unseen."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Print ids, splits, layouts and sizes."""
        from housemates.home.scenes import catalogue
        from housemates.reporting.tables import show_rows

        rows = []
        for name in catalogue.scene_ids(self.room, self.split):
            scene = catalogue.load(name)
            layout, split = catalogue.family_of(name), catalogue.split_of(name)
            row = {"id": name, "room": scene.room, "split": split, "layout": layout}
            rows.append({**row, "things": len(scene.things)})
        if self.json:
            print(json.dumps({"rooms": rows}))
        else:
            show_rows(rows)


@dataclass
class Show:
    """List the objects of a room."""

    scene: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="SCENE")]
    """A room's id, such as kitchen-03 or kitchen-seed-12345, or a scene file."""
    json: bool = False
    """Print the whole scene as one line of JSON."""

    def run(self) -> None:
        """Print every place with what is on or in it."""
        import msgspec

        from housemates.home.facts import states
        from housemates.reporting.tables import show_rows

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
        show_rows(rows)


def described(thing: Thing) -> str:
    """A type and its states."""
    from housemates.home.facts import states

    told = ", ".join(states(thing))
    return f"{thing.type} ({told})" if told else thing.type


@dataclass
class Render:
    """Write pictures of a room: four views, their instance masks, and the map."""

    scene: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="SCENE")]
    """A room's id, such as kitchen-03 or kitchen-seed-12345, or a scene file."""
    out: Path = Path("out")
    """Folder for the PNG files."""
    size: int = 600
    """Width and height of the pictures in pixels, at most 900."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Draw the room from the chosen place and write the picture."""
        from housemates.home.world import World
        from housemates.render.maps import top_down
        from housemates.render.overlay import instance_colours
        from housemates.render.scene import Renderer
        from housemates.reporting.video import save_png, still

        world = World(find_scene(self.scene))
        renderer = Renderer(world)
        pictures = {"map": top_down(renderer, self.size)}
        for view, camera in views(world.scene, renderer, self.size).items():
            pictures[view] = still(renderer, camera)
            pictures[f"{view}-instances"] = instance_colours(renderer.frame(camera))
        name = Path(self.scene).name.split(".")[0]
        files = {self.out / f"{name}-{view}.png": picture for view, picture in sorted(pictures.items())}
        for path, picture in files.items():
            save_png(path, picture)
        if self.json:
            print(json.dumps({"scene": self.scene, "files": [str(path) for path in files]}))
        else:
            print("\n".join(str(path) for path in files))


def views(scene: Scene, renderer: Renderer, size: int) -> dict[str, Camera]:
    """The agent's first view, the two corners from which most is seen, and a close view."""
    from housemates.render.camera import agent_camera, look_at

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
    }


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


def close_up(scene: Scene) -> tuple[Vec, Vec]:
    """Where to stand and look for a close view of the place with most kinds of things in the open."""
    from housemates.home.things import turned

    by_id = {thing.id: thing for thing in scene.things}
    lying = [
        thing
        for thing in scene.things
        if thing.parents and not by_id[thing.parents[0]].kind.can("open") and thing.position[1] > 0.3
    ]
    if not lying:
        return scene.agent.eye, (0.0, scene.floor_y, 0.0)

    def company(thing: Thing) -> int:
        return len({other.type for other in lying if math.dist(thing.position, other.position) < CLOSE_M})

    middle = max(lying, key=lambda thing: (company(thing), thing.id))
    x, y, z = middle.position
    place = by_id[middle.parents[0]]
    dx, dz = turned(0.3, place.size[2] / 2 + 0.6, place.yaw)
    (x0, z0), (x1, z1) = extent(scene)
    eye = (min(max(x + dx, x0 + 0.2), x1 - 0.2), y + 0.65, min(max(z + dz, z0 + 0.2), z1 - 0.2))
    return eye, (x, y + 0.05, z)


@dataclass
class Validate:
    """Find faults: overlaps, floating objects, unreachable or blocked ones, missing ones."""

    scenes: tyro.conf.Positional[list[str]] = field(default_factory=list)
    """Ids of rooms, or scene files."""
    all: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """All rooms of the package."""
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


@dataclass
class Import:
    """Convert houses from ProcTHOR's format to scene files."""

    houses: tyro.conf.Positional[list[str]]
    """A `.json` file with a house or a `.jsonl` file with one per line, optionally compressed as `.zst` or
    `.gz`."""
    out: Path = Path("out")
    """Folder for the scene files."""
    limit: int | None = None
    """Maximum number of houses."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Write the scenes and name what of a house has no counterpart; exit code 1 if one cannot be used."""
        from housemates.home.scenes.files import save_scene
        from housemates.home.scenes.houses import house_from_data

        rows, failed = [], list[HousematesError]()
        for name, source, text in islice(_houses(self.houses), self.limit):
            try:
                house = house_from_data(parse_json(text, source), source, name)
            except HousematesError as error:
                failed.append(error)
                continue
            path = self.out / f"{name}.json"
            save_scene(house.scene, path)
            rooms = sum(thing.type == "Floor" for thing in house.scene.things)
            row = {"file": str(path), "rooms": rooms, "things": len(house.scene.things)}
            rows.append({**row, "notes": list(house.notes)})
            if not self.json:
                print(f"{path}: {rooms} rooms, {len(house.scene.things)} things")
                print("".join(f"  {note}\n" for note in house.notes), end="")
        if failed and not rows:
            raise failed[0]
        if self.json:
            print(json.dumps({"houses": rows, "failed": len(failed)}))
        for each in failed:
            print(each, file=sys.stderr)
        if failed:
            sys.exit(1)


def _houses(paths: list[str]) -> Iterator[tuple[str, str, str]]:
    """The name, the source and the text of each house of some files."""
    for path in paths:
        stem, _, kind = Path(path).name.partition(".")
        if kind.startswith("jsonl"):
            for number, text in read_text_lines(path):
                yield f"{stem}-{number}", f"{path}: line {number}", text
        else:
            yield stem, path, read_text(path)


def faults_of(name: str) -> list[dict[str, str]]:
    """The faults of one room or scene file."""
    from housemates.home.scenes.validate import faults

    return [{"room": name, **fault._asdict()} for fault in faults(find_scene(name))]


COMMANDS = {"list": List, "show": Show, "render": Render, "validate": Validate, "import": Import}


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates scenes` with these arguments."""
    options.choose(COMMANDS, f"housemates {verb}", argv)
