"""Measures detections against ground truth: recall, precision, states, depth and CPU time."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.home import World
from housemates.models.segmentation.inference import Eyes
from housemates.models.segmentation.metrics import GROUPS, LEAST_PX, Tally, group_of, type_names
from housemates.render.agent_camera import FAR_M
from housemates.render.detections import Glimpse, given, states_of
from housemates.render.frames import Frame, type_numbers
from housemates.reporting.tables import show

OVERLAP = 0.5
"""Intersection over union from which on a detection matches a thing."""
CONFUSIONS = 20
"""Most frequent confusions in a summary."""


@dataclass
class Trial:
    """Accumulates measurements of a segmentation network over pictures."""

    eyes: Eyes
    tally: Tally = field(default_factory=Tally)
    apart: Counter[str] = field(default_factory=Counter)
    """Group -> things that a detection of their type matches by IoU."""
    states: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """(state, whether right) -> count."""
    depth_errors: list[float] = field(default_factory=list)
    """The median relative error of depth in each picture."""
    cpu_s: float = 0.0

    def show(self, frame: Frame, world: World) -> None:
        """Run the network on a picture and compare with its ground truth."""
        start = time.process_time()
        glimpse = self.eyes.look(frame.rgb, frame.camera.horizon, frame.camera.fov)
        self.cpu_s += time.process_time() - start
        truth, types = frame.types(), np.zeros(int(glimpse.numbers.max()) + 1, np.uint8)
        for thing in glimpse.things:
            types[thing.number] = type_numbers()[thing.type]
        self.tally.add_truth(frame, types[glimpse.numbers])
        for thing in glimpse.things:
            if thing.pixels >= LEAST_PX:
                self.tally.add_report(thing.type, truth[glimpse.mask(thing)])
        self._match(frame, glimpse)
        self._judge(frame, world)
        self._measure(frame, glimpse)

    def _match(self, frame: Frame, glimpse: Glimpse) -> None:
        """Count the things that a detection of their type matches by IoU."""
        height, width = len(frame.labels), int(glimpse.numbers.max()) + 1
        types = {each.number: each.type for each in glimpse.things}
        both = np.bincount(
            frame.ids.ravel().astype(np.int64) * width + glimpse.numbers.ravel(), minlength=height * width
        ).reshape(height, width)
        ours, theirs = both.sum(1), both.sum(0)
        share = both / np.maximum(ours[:, None] + theirs - both, 1)
        for box in frame.boxes():
            if box.pixels >= LEAST_PX:
                best = int(share[frame.numbers[box.id]].argmax())
                match = share[frame.numbers[box.id], best] >= OVERLAP and types.get(best) == box.type
                self.apart[group_of(box.type)] += int(match)

    def _judge(self, frame: Frame, world: World) -> None:
        """Count the states judged rightly, given the true masks."""
        for thing in self.eyes.judge(frame.rgb, given(frame), frame.camera.horizon, frame.camera.fov).things:
            if thing.pixels >= LEAST_PX:
                for name, value in states_of(world.things[thing.id]).items():
                    right = (thing.states[name] >= 0.5) == value
                    self.states[name, right] += 1
                    self.states[f"{name}: {'yes' if value else 'no'}", right] += 1

    def _measure(self, frame: Frame, glimpse: Glimpse) -> None:
        known = frame.depth < FAR_M
        if glimpse.depth is not None and known.any():
            off: NDArray[np.float32] = np.abs(glimpse.depth[known] - frame.depth[known]) / frame.depth[known]
            self.depth_errors.append(float(np.median(off)))

    def summary(self) -> dict[str, Any]:
        """All measurements; shares from 0 to 1."""
        tally = self.tally
        seen = {group: sum(tally.seen[name] for name in tally.names(group)) for group in GROUPS}
        count = max(len(self.depth_errors), 1)
        return {
            "pictures": len(self.depth_errors),
            "groups": {
                group: {**self._row(tally.names(group)), "apart": self.apart[group] / max(seen[group], 1)}
                for group in GROUPS
            },
            "types": {name: self._row([name]) for name in type_names() if tally.seen[name]},
            "states": {
                name: self.states[name, True] / (self.states[name, True] + self.states[name, False])
                for name in sorted({name for name, _ in self.states})
            },
            "depth error": float(np.mean(self.depth_errors)) if self.depth_errors else 0.0,
            "cpu ms": 1000 * self.cpu_s / count,
            "taken": {
                f"{name} for {other or 'the building'}": times
                for (name, other), times in tally.taken.most_common(CONFUSIONS)
            },
        }

    def _row(self, names: list[str]) -> dict[str, float]:
        tally = self.tally
        seen, reported = (sum(each[name] for name in names) for each in (tally.seen, tally.reported))
        return {
            "seen": seen,
            "recall": tally.recall(names),
            "reported": reported,
            "precision": tally.precision(names),
        }


def tell(found: dict[str, Any]) -> None:
    """Print a summary as tables, shares in percent."""
    for name in ("groups", "types"):
        show({each: _percent(row) for each, row in found[name].items()}, name)
    show({each: {"right": 100 * value} for each, value in found["states"].items()}, "states")
    show({each: {"times": times} for each, times in found["taken"].items()}, "taken")
    print(
        f"{found['pictures']} pictures, {found['cpu ms']:.1f} CPU-ms each; "
        f"depth is off by {100 * found['depth error']:.1f} % in the middle."
    )


def _percent(row: dict[str, float]) -> dict[str, float]:
    return {name: value if name in ("seen", "reported") else 100 * value for name, value in row.items()}
