"""New maps from a random generator, with lakes, paths, groves and buildings, and games that begin on them."""

from __future__ import annotations

import numpy as np

from housemates.benchmarks.cerealbar.world.cards import deal, draw_set
from housemates.benchmarks.cerealbar.world.hexes import Size, edge, neighbours
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD, HexMap, check_size
from housemates.benchmarks.cerealbar.world.state import Game, Options
from housemates.benchmarks.cerealbar.world.tables import (
    DEEP_WATER,
    GRASS,
    HILL,
    NO_PROP,
    PATH,
    PROPS,
    RULES,
    SHORT_HILL,
    WATER,
    props_of,
)
from housemates.errors import HousematesError

NUMBERS = RULES["map"]
ATTEMPTS = 50
STACKED = {WATER: DEEP_WATER, HILL: SHORT_HILL}
"""What ground becomes that is laid on water."""


def generate_map(rng: np.random.Generator, size: Size = STANDARD, cards: int = 21) -> HexMap:
    """Make a map on which `cards` cards, their successors and two players have a connected place."""
    check_size(size)
    share = size.width * size.height / (STANDARD.width * STANDARD.height)
    least_path = max(2, round(min(1.0, share) * NUMBERS["least_path"]))
    for _ in range(ATTEMPTS):
        made = _Draft(rng, size).finish()
        on_path = sum(made.terrain[at] == PATH for at in made.playable)
        if len(made.playable) >= 2 * cards + 2 and on_path >= least_path:
            return made
    raise HousematesError(
        f"map: found no connected place for {cards} cards on {size.width} by {size.height} hexes "
        f"in {ATTEMPTS} attempts; expected a larger map or fewer cards."
    )


def new_game(seed: int, options: Options | None = None, hexmap: HexMap | None = None) -> Game:
    """Begin a game: a map (made from the seed if not given), cards with at least one set, two players."""
    options = options or Options()
    rng = np.random.default_rng([seed])
    hexmap = hexmap or generate_map(rng, options.size, options.cards)
    dealt = (
        [card for _ in range(options.cards // 3) for card in draw_set(rng)]
        if options.deal_sets
        else deal(rng, options.cards, [])
    )
    paths = [at for at in hexmap.playable if hexmap.terrain[at] == PATH]
    if len(hexmap.playable) < len(dealt) + 2 or len(paths) < 2:
        raise HousematesError(
            f"map: expected a connected place for {len(dealt)} cards and a path hex for each player, found "
            f"{len(hexmap.playable)} hexes with {len(paths)} of path."
        )
    starts = [paths[i] for i in rng.permutation(len(paths))[:2]]
    places = [at for at in hexmap.playable if at not in starts]
    order = rng.permutation(len(places))[: len(dealt)]
    cards = {places[i]: card for i, card in zip(order, dealt, strict=True)}
    return Game(hexmap, options, seed, cards, [], list(starts), [0, 0], {*cards, *starts})


class _Draft:
    """A map while it is being made."""

    def __init__(self, rng: np.random.Generator, size: Size) -> None:
        self.rng = rng
        self.size = size
        self.around = neighbours(size)
        self.edge = edge(size)
        hexes = size.width * size.height
        self.share = hexes / (STANDARD.width * STANDARD.height)
        self.terrain = [GRASS] * hexes
        self.prop = [NO_PROP] * hexes
        self.rotation = [0] * hexes

    def finish(self) -> HexMap:
        """Lay ground and path, then place what stands on it."""
        for _ in range(self.scaled("lakes")):
            self.blob(WATER, NUMBERS["lake_hexes"])
        for _ in range(self.scaled("hills")):
            self.blob(HILL, NUMBERS["hill_hexes"])
        self.paths()
        self.groves(self.scaled("trees"))
        self.structures(self.scaled("structures"))
        self.wayside(self.scaled("path_objects"))
        return HexMap(self.size, tuple(self.terrain), tuple(self.prop), tuple(self.rotation))

    def scaled(self, what: str) -> int:
        """A number of the rules, for a map of another size than the standard one."""
        return max(1, round(int(NUMBERS[what]) * self.share))

    def below(self, limit: int) -> int:
        """A random number from 0 to `limit - 1`."""
        return int(self.rng.random() * limit)

    def blob(self, ground: int, hexes: int) -> None:
        """Grow one patch of ground; hexes with two grown neighbours are twice as likely."""
        hexes = max(3, round(hexes * min(1.0, self.share)))
        inside = [at for at in range(len(self.terrain)) if at not in self.edge]
        grown = [inside[self.below(len(inside))]]
        for _ in range(60 * hexes):
            if len(grown) >= hexes:
                break
            new = self.around[grown[self.below(len(grown))]][self.below(6)]
            if new < 0 or new in self.edge or new in grown:
                continue
            dense = sum(to in grown for to in self.around[new]) > 1
            if dense or self.rng.random() < 0.5:
                grown.append(new)
        for at in grown:
            self.terrain[at] = STACKED[ground] if self.terrain[at] in (WATER, DEEP_WATER) else ground

    def paths(self) -> None:
        """One system of paths from a grass hex of the edge: straight, splitting, around obstacles."""
        starts = sorted(at for at in self.edge if self.terrain[at] == GRASS)
        start = starts[self.below(len(starts))]
        inward = [
            h for h in range(6) if self.around[start][h] >= 0 and self.around[start][h] not in self.edge
        ]
        heads = [(start, inward[self.below(len(inward))] if inward else self.below(6))]
        self.terrain[start] = PATH
        segments = 0
        while heads:
            at, heading = heads.pop(0)
            splits = segments < NUMBERS["path_segments"]
            segments += 1
            heads += self.stretch(at, heading, splits)

    def stretch(self, at: int, heading: int, splits: bool) -> list[tuple[int, int]]:
        """Lay one stretch of path; return where new stretches start."""
        length = 0
        for _ in range(4 * max(self.size)):
            way = self.open_way(at, heading)
            if way is None:
                return []
            if way != heading:
                heading, length = way, 0
            at = self.around[at][heading]
            met_path = self.terrain[at] == PATH
            self.terrain[at] = PATH
            length += 1
            if at in self.edge or (met_path and length > 1):
                return []
            if splits and length >= NUMBERS["split_after"] and self.rng.random() < NUMBERS["split_chance"]:
                turns = [0, 1, -1]
                turns.pop(self.below(3))
                return [(at, (heading + turn) % 6) for turn in turns]
        return []

    def open_way(self, at: int, heading: int) -> int | None:
        """The heading itself if its hex is free, else the nearest turn that is."""
        first = 1 if self.rng.random() < 0.5 else -1
        for turn in (0, first, -first, 2 * first, -2 * first):
            to = self.around[at][(heading + turn) % 6]
            if to >= 0 and self.terrain[to] in (GRASS, PATH):
                return (heading + turn) % 6
        return None

    def free(self, at: int) -> bool:
        """Whether something may be placed here: bare grass inside the edge."""
        return self.terrain[at] == GRASS and self.prop[at] == NO_PROP and at not in self.edge

    def beside(self, at: int, grounds: tuple[int, ...]) -> bool:
        """Whether one of the neighbours is such ground."""
        return any(to >= 0 and self.terrain[to] in grounds for to in self.around[at])

    def weighted(self, weights: dict[int, float]) -> int:
        """Draw a key in proportion to its weight."""
        mark = self.rng.random() * sum(weights.values())
        for key, weight in weights.items():
            mark -= weight
            if mark < 0:
                return key
        return next(iter(weights))

    def groves(self, number: int) -> None:
        """Trees, likelier beside trees."""
        kinds = props_of("tree")
        weights = {at: 1.0 for at in range(len(self.terrain)) if self.free(at)}
        for _ in range(min(number, len(weights))):
            at = self.weighted(weights)
            self.prop[at] = kinds[self.below(len(kinds))]
            del weights[at]
            for to in self.around[at]:
                if to in weights:
                    weights[to] *= NUMBERS["grove_weight"]

    def structures(self, number: int) -> None:
        """Huts, tents, windmills and towers, likelier beside path or water, never side by side."""
        kinds = {kind: PROPS[kind].weight for kind in props_of("hut", "tent", "windmill", "tower")}
        weights = {
            at: NUMBERS["structure_weight"] if self.beside(at, (PATH, WATER)) else 1.0
            for at in range(len(self.terrain))
            if self.free(at)
        }
        for _ in range(number):
            if not weights:
                return
            at = self.weighted(weights)
            self.prop[at] = self.weighted(kinds)
            self.rotation[at] = self.below(6)
            for taken in (at, *self.around[at]):
                weights.pop(taken, None)

    def wayside(self, number: int) -> None:
        """Lampposts and plants on grass beside the path."""
        kinds = {kind: PROPS[kind].weight for kind in props_of("lamppost", "plant")}
        places = [at for at in range(len(self.terrain)) if self.free(at) and self.beside(at, (PATH,))]
        for _ in range(min(number, len(places))):
            at = places.pop(self.below(len(places)))
            self.prop[at] = self.weighted(kinds)
