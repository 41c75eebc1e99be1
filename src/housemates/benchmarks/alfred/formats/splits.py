"""Which trajectories a split has: official folders and packed files, found without reading them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from housemates.benchmarks.alfred.formats.episodes import Trajectory, TrajectoryText
from housemates.data.packs import PACKED, Place, read_place
from housemates.data.store import of_split
from housemates.errors import HousematesError
from housemates.files import read_text_lines

FILE = "traj_data.json"
SPLITS = ("train", "valid_seen", "valid_unseen", "tests_seen", "tests_unseen")


def places(data: Path, split: str) -> Iterator[tuple[str, Place]]:
    """Where the trajectories of a split are, in order, and what to call them before they are read.

    Args:
        data: A store; a folder with a folder or a packed file for each split; or one split: a folder of
            `traj_data.json` at any depth, a packed file, a single trajectory. What is called as another
            split is refused; what has another name is taken as the split that is asked for.
        split: One of `SPLITS`.
    """
    count = 0
    for path in of_split(data, "alfred", split, SPLITS):
        for found in _of_folder(path) if path.is_dir() else _of_file(path):
            count += 1
            yield found
    if not count:
        raise HousematesError(f"{data}: holds no trajectory.")


def read(place: Place, split: str, text: str | None = None) -> Trajectory:
    """Read a trajectory, whose text may be at hand; one that says it is of another split is refused."""
    found = TrajectoryText(str(place), read_place(*place) if text is None else text).parse()
    if isinstance(found.split, str) and found.split != split:
        raise HousematesError(f"{place}: is of the split {found.split!r}, not of {split!r}.")
    return found


def _of_folder(path: Path) -> Iterator[tuple[str, Place]]:
    for file in sorted(path.rglob(FILE)):
        yield file.parent.relative_to(path).as_posix(), Place(str(file))


def _of_file(path: Path) -> Iterator[tuple[str, Place]]:
    if not path.name.endswith(PACKED):
        yield path.name, Place(str(path))
        return
    number = 0
    try:
        for number, _ in read_text_lines(path):
            yield _of_line(path, number)
    except HousematesError:
        yield _of_line(path, number + 1)


def _of_line(path: Path, number: int) -> tuple[str, Place]:
    """A line; why one cannot be read is said when it is."""
    return f"{path.name}: line {number}", Place(str(path), number)
