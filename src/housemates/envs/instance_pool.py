"""Where the instances of environments come from: recorded data, or a pool that is made ahead from a seed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from itertools import islice

import numpy as np

from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.envs.instance_cache import Stock, opened, plain_options
from housemates.errors import HousematesError, nearest
from housemates.folders import cache_folder

POOL = 128
"""How many references a pool of generated instances has if nobody says how many."""
KEPT = 256
"""How many references stay open in memory."""


class Supply:
    """Instances to draw from: always the same for the same seed, whatever was made or read before.

    Args:
        benchmark: Whose they are.
        split: Of which split; `generated` ones are made ahead by a process in the background.
        seed: What generated ones are made from.
        size: How many references to draw from; all of a recorded split and 128 generated ones by default.
    """

    def __init__(
        self, benchmark: Benchmark, split: str = "generated", seed: int = 0, size: int | None = None
    ) -> None:
        if size is not None and size < 1:
            raise HousematesError(f"supply: expected at least 1, found {size}.")
        self.benchmark, self.split = benchmark, split
        generated = split == "generated"
        count = size or (POOL if generated else None)
        self.references: list[Reference] = list(islice(benchmark.references(split, seed), count))
        if not self.references:
            raise HousematesError(f"{benchmark.name}: split {split!r} has no instances.")
        self._kept: OrderedDict[int, Sequence[Instance]] = OrderedDict()
        self._generated = generated
        self.stock: Stock | None = None
        """What is kept on disk; None for recorded instances, and where options cannot be written down."""
        root = cache_folder() if generated else None
        if root is not None and hasattr(benchmark, "Data") and plain_options(benchmark) is not None:
            self.stock = Stock(benchmark, split, seed, len(self.references), root)

    def draw(self, rng: np.random.Generator) -> Instance:
        """An instance by chance; where a reference has none, the next one's."""
        first, part = int(rng.integers(len(self.references))), rng.random()
        for number in range(first, first + len(self.references)):
            instances = self._open(number % len(self.references))
            if instances:
                return instances[int(part * len(instances))]
        raise HousematesError(f"{self.benchmark.name}: split {self.split!r} has no instances.")

    def find(self, name: str) -> Instance:
        """The instance of this id."""
        names = [each.id for each in self.references]
        likely = [number for number, known in enumerate(names) if name.startswith(known)]
        for number in sorted(likely, key=lambda number: -len(names[number])):
            for instance in self._open(number):
                if instance.id == name:
                    return instance
        known = [each.id for instances in self._kept.values() for each in instances]
        raise HousematesError(f"There is no instance {name!r} here: {nearest(name, known or names)}.")

    def _open(self, number: int) -> Sequence[Instance]:
        """The instances of a reference: from memory, from disk, or made now."""
        kept = self._kept
        if number in kept:
            kept.move_to_end(number)
            return kept[number]
        kept[number] = found = self._fetch(number)
        if len(kept) > KEPT:
            kept.popitem(last=False)
        return found

    def _fetch(self, number: int) -> Sequence[Instance]:
        reference = self.references[number]
        if not self._generated:
            return list(self.benchmark.open(reference))
        if self.stock is None:
            return opened(self.benchmark, reference)
        self.stock.make_ahead()
        packed = self.stock.read(number)
        if packed is not None:
            return packed
        found = opened(self.benchmark, reference)
        self.stock.write(number, found)
        return found
