"""Colour statistics of the renderer: which exact colours belong to which types (run it with STORE OUT).

Our renderer gives a face few colours. So the exact colour of a pixel tells much of what it belongs to: alone,
the right type of 83 % of pixels. Each colour gets a hue, a few numbers of which the odds of all types follow
as well as they can, and `pixels.folded` hands hues to the network beside red, green and blue.
"""

from __future__ import annotations

import io
import sys
from functools import partial, reduce
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from housemates import files
from housemates.data.store import needed_store
from housemates.home import World
from housemates.models.segmentation.config import EyesConfig
from housemates.models.segmentation.data import Course
from housemates.models.segmentation.pixels import HUES, keys_of
from housemates.models.segmentation.test_pictures import Shown
from housemates.parallel import map_ordered
from housemates.render.frames import Frame, type_numbers

LESSONS, PICTURES = 20, 240
SEED = 7
RARE = 4
"""Minimum count of a colour's pixels."""
STEPS, RATE = 400, 0.05
BALANCE = 0.5
"""The pixels of a type are weighted by its count to the power of minus this."""

Counts = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Pairs of colour and type, as one number each, and how often they occur."""


class Counter:
    """Counts which types the pixels of each colour belong to."""

    def __init__(self) -> None:
        self.counts: Counts = (np.empty(0, np.int64), np.empty(0, np.int64))

    def look(self, frame: Frame, world: World) -> None:
        """Count the (colour, type) pairs of a picture's pixels."""
        pairs = keys_of(frame.rgb).astype(np.int64) * 256 + frame.types()
        self.counts = merged(self.counts, np.unique(pairs, return_counts=True))


def merged(one: Counts, other: Counts) -> Counts:
    """The sum of two counts, sorted by pair."""
    pairs, where = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    return pairs, np.bincount(where, np.concatenate([one[1], other[1]])).astype(np.int64)


def counted(store: Path, number: int) -> Counts:
    """The counts of 240 pictures that follow from the number."""
    counter = Counter()
    rng = np.random.default_rng((SEED, number))
    Course(str(store), EyesConfig(frames=PICTURES)).show(rng, Shown(counter.look))
    return counter.counts


def hues(counts: Counts) -> tuple[NDArray[np.uint32], NDArray[np.int8]]:
    """Colours with enough pixels, sorted, (colours,), and their embeddings, (colours, HUES), int8."""
    pairs, often = counts
    colours, row = np.unique(pairs // 256, return_inverse=True)
    table = np.zeros((len(colours), len(type_numbers()) + 1), np.float32)
    table[row, pairs % 256] = often
    known = table.sum(1) >= RARE
    colours, table = colours[known], table[known]
    share = table / np.maximum(table.sum(0), 1.0) ** BALANCE
    share /= share.sum(1, keepdims=True)
    return colours.astype(np.uint32), _embedded(torch.from_numpy(share), torch.from_numpy(table.sum(1)))


def _embedded(share: torch.Tensor, often: torch.Tensor) -> NDArray[np.int8]:
    """Embeddings from which a linear layer predicts each colour's distribution of types, fitted by Adam."""
    torch.manual_seed(0)
    weight = (often.sqrt() / often.sqrt().sum())[:, None]
    found = torch.randn(len(share), HUES).requires_grad_()
    head = torch.nn.Linear(HUES, share.shape[1])
    steps = torch.optim.Adam([found, *head.parameters()], RATE)
    for _ in range(STEPS):
        loss = -(weight * share * functional.log_softmax(head(found), -1)).sum()
        steps.zero_grad()
        whole = loss + 1e-3 * (weight * found.square()).sum()
        whole.backward()  # type: ignore[no-untyped-call]
        steps.step()
    print(f"{len(share)} colours; {loss.item():.3f} nats are left of each")
    numbers = found.detach() / found.detach().abs().quantile(0.99, dim=0)
    return (numbers * 100).clamp(-127, 127).round().to(torch.int8).numpy()


def main(store: str, out: str) -> None:
    """Count the colours of 20 lessons, embed them and write `hues.npz`."""
    folder = needed_store(Path(store)).folder
    lessons = map_ordered(partial(counted, folder), range(LESSONS), label="colours")
    colours, table = hues(reduce(merged, lessons))
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, colours=colours, hues=table)
    files.write_bytes(Path(out), buffer.getvalue())


if __name__ == "__main__":
    main(*sys.argv[1:])
