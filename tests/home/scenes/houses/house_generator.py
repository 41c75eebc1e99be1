"""Houses in ProcTHOR's published format, made from a seed: `generate(seed, rooms)` is what its JSON holds.

Only the format is ProcTHOR's: the layouts, the furniture and what lies on it are drawn here.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

HEIGHT_M = 2.9
LEAST_M = 2.6
"""The shortest side of a room."""
SHARED_M = 1.7
"""How long a wall between two rooms has to be for a door."""
DOORS = (("Doorway_1", 1.07, 2.12), ("Doorway_2", 0.99, 2.07), ("Doorframe_4", 1.03, 2.1))
WIDE = (("Doorway_Double_3", 1.92, 2.1), ("Doorframe_Double_2", 1.92, 2.1))
WINDOWS = (
    ("Window_Fixed_60x48", 1.5, 1.2),
    ("Window_Hung_44x60", 1.1, 1.5),
    ("Window_Slider_48x36", 1.2, 0.9),
)

# asset, its width, height and depth, and what may lie on it
FURNITURE = {
    "Kitchen": (
        (
            "Countertop_I_8x2",
            2.44,
            0.94,
            0.61,
            ("Bread_5", "Plate_3", "Knife_2", "Pot_8", "Mug_1"),
        ),
        ("Fridge_7", 0.95, 1.85, 0.75, ("Apple_4", "Tomato_9", "Egg_3")),
        ("Dining_Table_204_1", 1.4, 0.75, 0.9, ("Bowl_6", "Cup_9", "Fork_1", "Spoon_1")),
        ("bin_12", 0.4, 0.55, 0.35, ()),
        ("Countertop_L_6x4", 1.83, 0.94, 1.22, ("Microwave_5", "Potato_2", "Coffee_Machine_3")),
    ),
    "LivingRoom": (
        ("Sofa_212_3", 2.2, 0.9, 0.95, ("pillow_12", "RoboTHOR_remote_coolux_v")),
        ("TV_Stand_205_2", 1.4, 0.65, 0.5, ("Television_4", "Newspaper_2")),
        ("RoboTHOR_coffee_table_hemnes", 0.9, 0.45, 0.9, ("Book_8", "Vase_Tall_1", "Laptop_11")),
        ("Floor_Lamp_7", 0.45, 1.8, 0.45, ()),
        ("Houseplant_21", 0.4, 0.7, 0.4, ()),
        ("Armchair_217_1", 0.9, 0.9, 0.9, ()),
        ("Shelving_Unit_209_1", 0.9, 1.5, 0.35, ("Dog_Statue_2", "Book_3", "Candle_4")),
    ),
    "Bedroom": (
        ("Bed_14", 1.5, 0.9, 2.1, ("pillow_3", "Teddy_Bear_1", "Cellphone_5")),
        ("Side_Table_305_3", 0.5, 0.65, 0.45, ("Alarm_Clock_12", "Desk_Lamp_3")),
        ("Dresser_318_1", 1.2, 0.95, 0.5, ("Box_4", "Watch_1")),
        ("Desk_317_2", 1.3, 0.78, 0.6, ("Laptop_3", "Pencil_2", "Pen_1")),
        ("Chair_007_1", 0.5, 0.9, 0.5, ()),
        ("Laundry_Hamper_2", 0.55, 0.8, 0.45, ()),
    ),
    "Bathroom": (
        ("Toilet_3", 0.53, 1.04, 0.75, ("Toilet_Paper_1",)),
        ("Sink_20", 0.72, 1.05, 0.6, ("Soap_Bottle_9",)),
        ("bin_3", 0.3, 0.4, 0.3, ()),
        ("Washing_Machine_1", 0.69, 1.14, 0.7, ()),
    ),
}
LOOSE = {"LivingRoom": ("Basketball_1",), "Bedroom": ("Boot_1", "BaseballBat_2"), "Bathroom": ("Plunger_2",)}
HUNG = {
    "LivingRoom": "Wall_Decor_Painting_4",
    "Bedroom": "Wall_Decor_Photo_3V",
    "Bathroom": "Hand_Towel_Holder_1",
}
STATES = {"Floor_Lamp_7": {"isOn": True}, "Laptop_3": {"openness": 1}, "Bed_14": {"isDirty": True}}


class Cut(NamedTuple):
    """A rectangle of the plan."""

    x0: float
    z0: float
    x1: float
    z1: float


class Edge(NamedTuple):
    """A stretch of a room's outline, and the room beyond it; None is outside."""

    x0: float
    z0: float
    x1: float
    z1: float
    beyond: int | None

    @property
    def length(self) -> float:
        return abs(self.x1 - self.x0) + abs(self.z1 - self.z0)


def generate(seed: int, rooms: int, schema: str = "1.0.0") -> dict[str, Any]:
    """A house of so many rooms; the same one for the same seed."""
    rng = np.random.default_rng([seed, rooms])
    while True:
        outlines = _plan(rng, rooms)
        edges = {number: list(_edges(number, outlines)) for number in outlines}
        ways = _ways(rng, edges, len(outlines))
        if ways is not None:
            return _Writer(rng, outlines, edges, schema).house(ways)


def _plan(rng: np.random.Generator, rooms: int) -> dict[int, list[Cut]]:
    """Rooms as rectangles, one of them perhaps an L of two."""
    bent = rooms > 2 and rng.random() < 0.6
    area = rooms * float(rng.uniform(14.0, 20.0))
    width = math.sqrt(area) * float(rng.uniform(0.85, 1.2))
    cuts = [Cut(0.0, 0.0, round(width, 2), round(area / width, 2))]
    while len(cuts) < rooms + bent:
        cut = max(cuts, key=lambda each: (each.x1 - each.x0) * (each.z1 - each.z0))
        cuts.remove(cut)
        share = float(rng.uniform(0.42, 0.58))
        if cut.x1 - cut.x0 > cut.z1 - cut.z0:
            x = round(cut.x0 + share * (cut.x1 - cut.x0), 2)
            cuts += [cut._replace(x1=x), cut._replace(x0=x)]
        else:
            z = round(cut.z0 + share * (cut.z1 - cut.z0), 2)
            cuts += [cut._replace(z1=z), cut._replace(z0=z)]
    found = {number: [cut] for number, cut in enumerate(cuts, start=2)}
    if bent:
        pairs = [(a, b) for a in found for b in found if a < b and _bent(found[a][0], found[b][0])]
        if pairs:
            first, second = pairs[int(rng.integers(len(pairs)))]
            found[first] += found.pop(second)
        else:
            found.pop(max(found))
    return found


def _bent(a: Cut, b: Cut) -> bool:
    """Whether two rectangles share a long edge and are no rectangle together."""
    upright = a.x1 == b.x0 or b.x1 == a.x0
    low, high = (max(a.z0, b.z0), min(a.z1, b.z1)) if upright else (max(a.x0, b.x0), min(a.x1, b.x1))
    beside = upright or a.z1 == b.z0 or b.z1 == a.z0
    same = (a.z0, a.z1) == (b.z0, b.z1) if upright else (a.x0, a.x1) == (b.x0, b.x1)
    return beside and high - low > SHARED_M and not same


def _edges(number: int, outlines: dict[int, list[Cut]]):
    """The outline of a room in stretches, each with one room beyond it, clockwise around each rectangle."""
    for cut in outlines[number]:
        sides = (
            (cut.x0, cut.z0, cut.x0, cut.z1, -1, 0),
            (cut.x0, cut.z1, cut.x1, cut.z1, 0, 1),
            (cut.x1, cut.z1, cut.x1, cut.z0, 1, 0),
            (cut.x1, cut.z0, cut.x0, cut.z0, 0, -1),
        )
        for x0, z0, x1, z1, out_x, out_z in sides:
            marks = {0.0, 1.0}
            for other in (each for cuts in outlines.values() for each in cuts):
                for x, z in ((other.x0, other.z0), (other.x1, other.z1)):
                    at = (x - x0) / (x1 - x0) if x1 != x0 else (z - z0) / (z1 - z0)
                    if 0.0 < at < 1.0:
                        marks.add(at)
            places = sorted(marks)
            for a, b in pairwise(places):
                middle = (a + b) / 2
                x, z = x0 + middle * (x1 - x0) + 0.05 * out_x, z0 + middle * (z1 - z0) + 0.05 * out_z
                beyond = next(
                    (n for n, cuts in outlines.items() if any(_in(each, x, z) for each in cuts)), None
                )
                if beyond != number:
                    ends = [round(p + t * (q - p), 4) for t in (a, b) for p, q in ((x0, x1), (z0, z1))]
                    yield Edge(*ends, beyond)


def _in(cut: Cut, x: float, z: float) -> bool:
    return cut.x0 < x < cut.x1 and cut.z0 < z < cut.z1


def _ways(
    rng: np.random.Generator, edges: dict[int, list[Edge]], count: int
) -> list[tuple[int, Edge]] | None:
    """Edges for doors that join all rooms, and perhaps one more; None if they cannot be joined."""
    options = [
        (n, e) for n, each in edges.items() for e in each if e.beyond and n < e.beyond and e.length > SHARED_M
    ]
    joined, ways = {next(iter(edges))}, []
    while len(joined) < count:
        next_ones = [(n, e) for n, e in options if (n in joined) != (e.beyond in joined)]
        if not next_ones:
            return None
        number, edge = next_ones[int(rng.integers(len(next_ones)))]
        ways.append((number, edge))
        joined |= {number, edge.beyond}
    return ways


class _Writer:
    """Writes a house down."""

    def __init__(self, rng, outlines, edges, schema: str) -> None:
        self.rng, self.outlines, self.edges, self.schema = rng, outlines, edges, schema
        kinds = ["Kitchen", "LivingRoom", "Bedroom", "Bathroom", "Bedroom", "LivingRoom"]
        self.kinds = {number: kinds[place % len(kinds)] for place, number in enumerate(outlines)}
        self.old = schema == "0.0.1"
        self.ways: list[Cut] = []
        """What stays free before doors."""

    def house(self, ways: list[tuple[int, Edge]]) -> dict[str, Any]:
        doors = [self.door(number, edge) for number, edge in ways]
        number, edge = max(
            ((n, e) for n, each in self.edges.items() for e in each if e.beyond is None),
            key=lambda x: x[1].length,
        )
        doors.append(self.door(number, edge, outside=True))
        cut = self.outlines[next(iter(self.outlines))][0]
        start = {"x": round((cut.x0 + cut.x1) / 8) * 1.0, "y": 0.95, "z": round((cut.z0 + cut.z1) * 2) / 4}
        return {
            "rooms": [self.room(each) for each in self.outlines],
            "walls": [wall for each in self.edges for wall in self.walls(each)],
            "doors": doors,
            "windows": [w for each in self.edges for w in self.windows(each, edge)],
            "objects": [thing for each in self.outlines for thing in self.furnished(each)],
            "proceduralParameters": {"lights": [], "ceilingMaterial": {"name": "White"}, "skyboxId": "Sky1"},
            "metadata": {
                "schema": self.schema,
                "agent": {
                    "position": start,
                    "rotation": {"x": 0, "y": 90, "z": 0},
                    "standing": True,
                    "horizon": 30,
                },
            },
        }

    def painted(self, name: str) -> Any:
        return name if self.old else {"name": name}

    def room(self, number: int) -> dict[str, Any]:
        floors = {"Kitchen": "KitchenFloor", "Bathroom": "CeramicTiles2", "Bedroom": "BedroomCarpet"}
        points = [{"x": x, "y": 0, "z": z} for x, z in self.outline(number)]
        kind = self.kinds[number]
        material = self.painted(floors.get(kind, "WoodFloorsCross"))
        return {
            "id": f"room|{number}", "roomType": kind, "floorMaterial": material, "floorPolygon": points,
            "ceilings": [], "children": [],
        }  # fmt: skip

    def outline(self, number: int) -> list[tuple[float, float]]:
        """The corners of a room in order."""
        after = {(edge.x0, edge.z0): (edge.x1, edge.z1) for edge in self.edges[number]}
        first = corner = next(iter(after))
        points = []
        while not points or corner != first:
            points.append(corner)
            corner = after[corner]
        return points

    def wall_id(self, number: int | str, edge: Edge) -> str:
        x0, x1 = sorted((edge.x0, edge.x1))
        z0, z1 = sorted((edge.z0, edge.z1))
        return f"wall|{number}|{x0:.2f}|{z0:.2f}|{x1:.2f}|{z1:.2f}"

    def walls(self, number: int):
        paint = ("DrywallBeige", "EggshellDrywall", "DrywallGreen", "CeramicTiles1", "PureWhite")
        name = paint[int(self.rng.integers(len(paint)))]
        for edge in self.edges[number]:
            foot = [{"x": edge.x0, "y": 0, "z": edge.z0}, {"x": edge.x1, "y": 0, "z": edge.z1}]
            wall = {
                "id": self.wall_id(number, edge),
                "roomId": f"room|{number}",
                "polygon": [*foot, *({**point, "y": HEIGHT_M} for point in foot)],
                "material": self.painted(name),
            }
            yield wall
            if edge.beyond is None:
                yield {**wall, "id": self.wall_id("exterior", edge), "polygon": wall["polygon"][::-1]}

    def hole(self, low: float, width: float, height: float, start: float) -> dict[str, Any]:
        corners = ({"x": start, "y": low, "z": 0}, {"x": round(start + width, 4), "y": low + height, "z": 0})
        if self.old:
            return {
                "boundingBox": {"min": corners[0], "max": corners[1]},
                "assetOffset": {"x": 0, "y": 0, "z": 0},
            }
        return {"holePolygon": list(corners)}

    def door(self, number: int, edge: Edge, outside: bool = False) -> dict[str, Any]:
        options = WIDE if edge.length > 3.2 and self.rng.random() < 0.3 and not outside else DOORS
        asset, width, height = options[int(self.rng.integers(len(options)))]
        asset = asset.replace("Doorframe", "Doorway") if outside else asset
        start = round(float(self.rng.uniform(0.3, edge.length - width - 0.3)), 3)
        other = number if outside else edge.beyond
        middle = (start + width / 2) / edge.length
        x, z = edge.x0 + middle * (edge.x1 - edge.x0), edge.z0 + middle * (edge.z1 - edge.z0)
        self.ways.append(Cut(x - width, z - width, x + width, z + width))
        row = {
            "id": f"door|{1 if outside else number}|{number if outside else other}",
            "assetId": asset, "room0": f"room|{number}", "room1": f"room|{other}",
            "wall0": self.wall_id(number, edge),
            "wall1": self.wall_id("exterior" if outside else other, edge),
            **self.hole(0.0, width, height, start),
        }  # fmt: skip
        if asset.startswith("Doorway"):
            row |= {"openable": not outside, "openness": 0 if outside or self.rng.random() < 0.4 else 1}
        return row

    def windows(self, number: int, taken: Edge):
        for place, edge in enumerate(
            each for each in self.edges[number] if each.beyond is None and each != taken
        ):
            asset, width, height = WINDOWS[int(self.rng.integers(len(WINDOWS)))]
            if edge.length > width + 0.8 and self.rng.random() < 0.6:
                start = round(float(self.rng.uniform(0.3, edge.length - width - 0.3)), 3)
                yield {
                    "id": f"window|{number}|{place}", "assetId": asset, "room0": f"room|{number}",
                    "room1": f"room|{number}", "wall0": self.wall_id(number, edge),
                    "wall1": self.wall_id("exterior", edge), **self.hole(0.9, width, height, start),
                }  # fmt: skip

    def furnished(self, number: int):
        """Furniture along the walls of a room, a hand's breadth off them, none near a door."""
        kind, taken, count = self.kinds[number], [], 0
        for asset, width, height, depth, upon in FURNITURE[kind]:
            for _ in range(60):
                edge = self.edges[number][int(self.rng.integers(len(self.edges[number])))]
                if edge.length < width + 0.2:
                    continue
                place = self.against(edge, width, depth)
                if self.free(number, place[3], taken):
                    x, z, turn, box = place
                    taken.append(box)
                    yield self.thing(f"{number}|{count}", asset, (x, height / 2, z), turn, height, upon)
                    count += 1
                    break
        for asset in LOOSE.get(kind, ()):
            cut = self.outlines[number][0]
            place = ((cut.x0 + cut.x1) / 2, 0.1, (cut.z0 + cut.z1) / 2)
            yield self.thing(f"{number}|{count}", asset, place, 0.0, 0.2, ())
            count += 1
        if kind in HUNG:
            edge = max(self.edges[number], key=lambda each: each.length)
            x, z, turn, _ = self.against(edge, 0.4, 0.0, 0.02)
            yield self.thing(f"{number}|{count}", HUNG[kind], (x, 1.6, z), turn, 0.5, ())

    def against(self, edge: Edge, width: float, depth: float, off: float = 0.05):
        """A place along an edge: middle, turn and box."""
        along = float(self.rng.uniform(width / 2 + 0.08, edge.length - width / 2 - 0.08))
        dx, dz = (edge.x1 - edge.x0) / edge.length, (edge.z1 - edge.z0) / edge.length
        in_x, in_z = dz, -dx
        x, z = (
            edge.x0 + dx * along + in_x * (depth / 2 + off),
            edge.z0 + dz * along + in_z * (depth / 2 + off),
        )
        half_x = abs(dx) * width / 2 + abs(in_x) * depth / 2
        half_z = abs(dz) * width / 2 + abs(in_z) * depth / 2
        turn = round(math.degrees(math.atan2(in_x, in_z))) % 360
        return round(x, 3), round(z, 3), float(turn), Cut(x - half_x, z - half_z, x + half_x, z + half_z)

    def free(self, number: int, box: Cut, taken: list[Cut]) -> bool:
        inside = any(
            each.x0 <= box.x0 and each.z0 <= box.z0 and box.x1 <= each.x1 and box.z1 <= each.z1
            for each in self.outlines[number]
        )
        near = [Cut(each.x0 - 0.5, each.z0 - 0.5, each.x1 + 0.5, each.z1 + 0.5) for each in taken]
        return inside and not any(
            box.x0 < each.x1 and each.x0 < box.x1 and box.z0 < each.z1 and each.z0 < box.z1
            for each in (*near, *self.ways)
        )

    def thing(self, name: str, asset: str, place, turn: float, height: float, upon) -> dict[str, Any]:
        x, y, z = place
        row = {
            "id": name, "assetId": asset, "kinematic": True, "position": {"x": x, "y": y, "z": z},
            "rotation": {"x": 0, "y": turn, "z": 0}, **STATES.get(asset, {}),
        }  # fmt: skip
        high = 0.6 * height if asset.startswith("Fridge") else height + 0.1
        if upon:
            row["children"] = [
                self.thing(f"{name}|{i}", each, (x + 0.1 * i - 0.1, high, z), 0.0, 0.2, ())
                for i, each in enumerate(upon)
            ]
        return row
