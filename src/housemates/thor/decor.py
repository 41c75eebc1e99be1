"""Materials and light drawn at random, for those who train on many looks."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import numpy as np

from housemates.home.scenes.tables import room_table
from housemates.thor.arguments import Arguments
from housemates.thor.replies import Refused
from housemates.thor.simulation import Simulation, answers

SPLITS = ((21, "Train"), (26, "Val"), (31, "Test"))
"""Up to which number floor plans are of which split."""
BRIGHTNESS = (0.5, 1.5)
TINT = (0.9, 1.1)


@answers("SetRandomSeed", required=("seed",))
def set_random_seed(simulation: Simulation, arguments: Arguments) -> None:
    """Draw materials and light from this seed on."""
    simulation.rng = np.random.default_rng(abs(int(arguments["seed"])))


@answers("RandomizeMaterials", "RandomizeColors")
def randomize_materials(simulation: Simulation, arguments: Arguments) -> dict[str, Any]:
    """Give every thing one of the looks of its type, and the walls and the floor one of their room's."""
    used = _splits(simulation, arguments)
    world, rng = simulation.world, simulation.rng
    rooms = arguments.get("inRoomTypes")
    room = world.scene.room.title().replace(" ", "")
    if rooms is not None and room not in rooms:
        raise Refused(f"inRoomTypes must include {room}, the type of this room.")
    for thing in list(world.things.values()):
        looks = len(thing.kind.looks)
        if looks > 1:
            world.update(thing, look=(thing.look + 1 + int(rng.integers(looks - 1))) % looks)
    walls = room_table(world.scene.room).walls
    chosen = walls[int(rng.integers(len(walls)))]
    structures = tuple(
        msgspec.structs.replace(each, material=chosen)
        if "wall" in each.material or each.material in walls
        else each
        for each in world.scene.structures
    )
    simulation.rebuild(msgspec.structs.replace(world.scene, structures=structures))
    looks = sum(len(thing.kind.looks) for thing in world.things.values())
    return {"chosenMaterials": looks, "totalMaterialsConsidered": looks, **used}


def _splits(simulation: Simulation, arguments: Arguments) -> dict[str, bool]:
    """Which splits' materials are used: those of the scene's own unless something else is asked for."""
    number = re.search(r"FloorPlan(\d+)", simulation.place.name)
    within = int(number[1]) % 100 if number else 1
    own = next((name for most, name in SPLITS if within < most), "Test")
    used = {f"use{name}Materials": name == own for _, name in SPLITS}
    used["useExternalMaterials"] = own == "Train"
    used |= {name: bool(arguments[name]) for name in used if name in arguments}
    if not any(used[f"use{name}Materials"] for _, name in SPLITS):
        raise Refused("At least one of useTrainMaterials, useValMaterials and useTestMaterials must be set.")
    return used


@answers("ResetMaterials", "ResetColors")
def reset_materials(simulation: Simulation, arguments: Arguments) -> None:
    """Have everything look as it did when the scene was opened."""
    world, first = simulation.world, simulation.place.scene
    looks = {thing.id: thing.look for thing in first.things}
    for thing in list(world.things.values()):
        if thing.id in looks and looks[thing.id] != thing.look:
            world.update(thing, look=looks[thing.id])
    simulation.rebuild(msgspec.structs.replace(world.scene, structures=first.structures))


@answers("RandomizeLighting")
def randomize_lighting(simulation: Simulation, arguments: Arguments) -> None:
    """Take pictures in another light: brighter or darker, warmer or colder."""
    bounds = arguments.get("brightness")
    low, high = (float(bounds[0]), float(bounds[1])) if bounds and len(bounds) == 2 else BRIGHTNESS
    if not 0 < low <= high:
        raise Refused("brightness must be two numbers greater than 0, the smaller one first.")
    bright = simulation.rng.uniform(low, high)
    tint = simulation.rng.uniform(*TINT, size=3) if arguments.get("randomizeColor", True) else np.ones(3)
    red, green, blue = (round(float(bright * each), 4) for each in tint)
    simulation.shown = simulation.shown._replace(light=(red, green, blue))


@answers("ResetLighting")
def reset_lighting(simulation: Simulation, arguments: Arguments) -> None:
    """Take pictures in the light that scenes have."""
    simulation.shown = simulation.shown._replace(light=None)
