"""Reading `splits.json`: subsets of tasks, each a trial of ALFRED with an instruction of its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from housemates.benchmarks.alfred.formats import splits
from housemates.data.packs import Place, read_place
from housemates.errors import HousematesError
from housemates.files import read_record

SUBSETS = ("base", "common_sense", "complex_instruction", "spatial", "visual_appearance", "long_horizon")
SPLIT = "valid_seen"
"""The split of ALFRED that has the trials."""


class Asked(msgspec.Struct, frozen=True):
    """One task of a subset."""

    task: str
    """Folder of the trial: type, parameters and scene, then `trial_T...`."""
    instruction: str
    repeat_idx: int = 0
    """The annotation that the instruction comes from or stands for."""

    @property
    def trial(self) -> str:
        """The trial's own name, as its file has it."""
        return self.task.rpartition("/")[2]


def read_tasks(path: Path) -> Mapping[str, list[Asked]]:
    """The tasks of each subset of a `splits.json`."""
    return read_record(path, dict[str, list[Asked]])


class _Heading(msgspec.Struct):
    """The field of a trajectory that names its trial; the others are passed over."""

    task_id: str = ""


def trial_place(data: Path, trial: str) -> Place:
    """Where the trajectory of a trial is; that it is not there is said by its name."""
    found = _trials(data).get(trial)
    if found is None:
        raise HousematesError(f"{data}: has no trial {trial}: it needs ALFRED's {SPLIT}.")
    return found


@lru_cache(maxsize=8)
def _trials(data: Path) -> Mapping[str, Place]:
    """The trajectories of a file, folder or store by the names of their trials."""
    known = {}
    for name, place in splits.places(data, SPLIT):
        trial = next((part for part in name.split("/") if part.startswith("trial_")), "")
        known[trial or _trial_of(place)] = place
    return known


def _trial_of(place: Place) -> str:
    try:
        return msgspec.json.decode(read_place(*place), type=_Heading).task_id
    except (HousematesError, msgspec.MsgspecError):
        return ""
