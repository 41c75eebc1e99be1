"""The local store: what has been imported from official data, in a folder of plain files.

    store.json              what was imported from where, part by part
    plans/FloorPlan6.json   what is known about a floor plan
    teach/NAME/0000.jsonl.zst   episodes, a part of a source each, as the official files have them

A part is finished when the index says so. Plans say which parts taught them, so an interrupted import
goes on where it was and teaches nothing twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from housemates.data.packs import PACKED
from housemates.errors import HousematesError
from housemates.files import file_name, is_device, read_record, write_bytes, write_text_lines
from housemates.folders import user_folder
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.things import Zone, place_in
from housemates.home.types import Vec
from housemates.parallel import Workers, map_ordered

FORMAT = 3
INDEX = "store.json"
READ = 4
"""Plans that are kept at hand where they are only read."""

Record = TypeVar("Record", bound=msgspec.Struct)
PlanNumber = Annotated[int, msgspec.Meta(ge=0, le=10**6)]
Cell = Annotated[int, msgspec.Meta(ge=-400, le=400)]


class Part(msgspec.Struct):
    """A file of the store and the episodes in it."""

    file: str
    episodes: list[str]


class Source(msgspec.Struct):
    """Something that was imported."""

    benchmark: str
    path: str
    digest: str
    """Of the file, or of the names and sizes in the folder: a source that has changed is another one."""
    parts: list[Part] = []
    skipped: list[tuple[str, str]] = []
    """Episodes that could not be read, and why."""
    complete: bool = False


class Index(msgspec.Struct):
    """The contents of `store.json`."""

    format: int = FORMAT
    sources: dict[str, Source] = {}
    layouts: str = ""
    """The file of ALFRED's layouts that was read last."""


class StoredPlan(msgspec.Struct):
    """The contents of a file in `plans`."""

    knowledge: PlanKnowledge
    taught_by: list[str] = []
    """The parts that it was learnt from."""


class Layout(msgspec.Struct):
    """What ALFRED's file of layouts says of a plan."""

    grid: list[tuple[Cell, Cell]]
    recep_pose: dict[str, Any] = {}
    static_ids: list[str] = []

    def places(self, source: str) -> dict[str, Vec]:
        """Where the things are that it names."""
        try:
            return {name: place_in(name) for name in (*self.recep_pose, *self.static_ids)}
        except HousematesError as error:
            raise HousematesError(f"{source}: {error}") from None


def read_layouts(path: str | Path) -> dict[str, tuple[set[tuple[int, int]], dict[str, Vec]]]:
    """Read ALFRED's layouts: plan -> its reachable cells, and what it names with where that is."""
    return {
        f"FloorPlan{number}": (set(row.grid), row.places(f"{path}: {number}"))
        for number, row in read_record(path, dict[PlanNumber, Layout]).items()
    }


class Store:
    """A folder of floor plans and episodes."""

    def __init__(self, folder: str | Path) -> None:
        """Open the store of this folder; it may be empty or not there yet."""
        self.folder = Path(folder)
        self.index = _decode(self.folder / INDEX, Index) or Index()
        if self.index.format != FORMAT:
            raise HousematesError(
                f"{self.folder / INDEX}: format: expected {FORMAT}, found {self.index.format}; "
                "import into another folder."
            )
        self._plans: dict[str, StoredPlan | None] = {}
        """Those that are being added to."""
        self._read = lru_cache(maxsize=READ)(self._stored)

    def knowledge(self, plan: str) -> PlanKnowledge | None:
        """What is known about a floor plan; None if nothing is. Only that of a few plans is kept at hand."""
        found = self._plans.get(plan) or self._read(plan)
        return None if found is None else found.knowledge

    def plans(self) -> list[str]:
        """The names of the plans about which something is known."""
        return sorted(path.stem for path in (self.folder / "plans").glob("*.json"))

    def source(self, benchmark: str, path: str | Path) -> tuple[str, Source]:
        """A source by what it holds, with its name in the store; a new one if it was never begun."""
        path = Path(path)
        digest = _digest(path)
        name = f"{path.name.split('.')[0]}-{digest[:8]}"
        found = self.index.sources.get(name)
        if found is None:
            found = self.index.sources[name] = Source(benchmark, str(path.resolve()), digest)
        return name, found

    def episodes(self, benchmark: str) -> set[str]:
        """The ids of the episodes that are in the store."""
        return {episode for part in self._parts(benchmark) for episode in part.episodes}

    def files(self, benchmark: str) -> list[Path]:
        """The packed files of episodes, in the order of their import."""
        return [self.folder / part.file for part in self._parts(benchmark)]

    def teachers(self, plan: str, benchmark: str) -> list[Path]:
        """The packed files of episodes, of one benchmark, that taught something about a plan."""
        stored = self._read(plan)
        taught = () if stored is None else stored.taught_by
        return [self.folder / part.file for part in self._parts(benchmark) if part.file in taught]

    def teachable(self, plan: str, part: str) -> PlanKnowledge | None:
        """A plan's knowledge, to be added to; None if this part has taught it already."""
        stored = self._plan(plan)
        if stored is None:
            stored = self._plans[plan] = StoredPlan(PlanKnowledge(plan))
        return None if part in stored.taught_by else stored.knowledge

    def finish_part(self, source: Source, part: Part, lines: Sequence[str], plans: Iterable[str]) -> None:
        """Keep a part: its episodes, the plans that it taught, and at last the word that it is done."""
        write_text_lines(self.folder / part.file, lines)
        for plan in plans:
            stored = self._plan(plan)
            if stored is not None and part.file not in stored.taught_by:
                stored.taught_by.append(part.file)
                self._keep(plan, stored)
        source.parts.append(part)
        self.save()

    def learnt(self, plan: str, knowledge: PlanKnowledge) -> None:
        """This is known about a plan now; it is kept with the part that taught it."""
        stored = self._plan(plan)
        assert stored is not None
        stored.knowledge = knowledge

    def find_zones(self, workers: Workers = 1) -> None:
        """Work out, for every plan, where things can be put from where they were seen to stand."""
        known = {plan: stored for plan in self.plans() if (stored := self._plan(plan)) is not None}
        seen = {plan: stored for plan, stored in known.items() if stored.knowledge.seen}
        found = map_ordered(_zones_of, [each.knowledge for each in seen.values()], workers)
        for (plan, stored), zones in zip(seen.items(), found, strict=True):
            stored.knowledge.zones = zones
            self._keep(plan, stored)

    def learn_layouts(self, path: str | Path) -> int:
        """Read ALFRED's layouts (plan number -> reachable cells, names) and return of how many plans."""
        layouts = read_layouts(path)
        for plan, (grid, places) in layouts.items():
            stored = self._plan(plan) or StoredPlan(PlanKnowledge(plan))
            known = stored.knowledge
            if not (grid <= known.layout and places.keys() <= known.named.keys()):
                known.layout |= grid
                known.named = {**places, **known.named}
                self._keep(plan, stored)
        self.index.layouts = str(path)
        self.save()
        return len(layouts)

    def leave_out(self, plans: Iterable[str]) -> None:
        """Be as if no episode of these plans had been imported: know their layouts alone. Nothing is written.

        Raises:
            HousematesError: if the store was made without layouts, or there is none of a plan.
        """
        if not self.index.layouts:
            raise HousematesError(f"{self.folder}: this store was made without ALFRED's layouts.")
        layouts = read_layouts(self.index.layouts)
        for plan in plans:
            if plan not in layouts:
                raise HousematesError(f"{self.index.layouts}: there is no layout of {plan!r}.")
            cells, named = layouts[plan]
            self._plans[plan] = StoredPlan(PlanKnowledge(plan, layout=cells, named=named))

    def save(self) -> None:
        """Write `store.json`, whole or not at all."""
        _encode(self.folder / INDEX, self.index)

    def _parts(self, benchmark: str) -> list[Part]:
        sources = (each for each in self.index.sources.values() if each.benchmark == benchmark)
        return [part for source in sources for part in source.parts]

    def _stored(self, plan: str) -> StoredPlan | None:
        return _decode(self.folder / "plans" / f"{file_name(plan)}.json", StoredPlan)

    def _plan(self, plan: str) -> StoredPlan | None:
        if plan not in self._plans:
            self._plans[plan] = self._stored(plan)
        return self._plans[plan]

    def _keep(self, plan: str, stored: StoredPlan) -> None:
        self._plans[plan] = stored
        self._read.cache_clear()
        _encode(self.folder / "plans" / f"{file_name(plan)}.json", stored)


def _zones_of(knowledge: PlanKnowledge) -> dict[str, list[Zone]]:
    knowledge.find_zones()
    return knowledge.zones


def open_store(folder: Path | None) -> Store | None:
    """The store of a folder, which has to be there; without a folder the user's own, None if there is none.

    Raises:
        HousematesError: if the folder that was named holds no store.
    """
    place = user_folder("data") if folder is None else folder
    if place is not None and (place / INDEX).is_file():
        return Store(place)
    if folder is None:
        return None
    raise HousematesError(f"{folder}: no store there; make one with `housemates import`.")


@lru_cache(maxsize=2)
def opened(folder: Path | None) -> Store | None:
    """The same, opened once a process."""
    return open_store(folder)


@lru_cache(maxsize=2)
def opened_without(folder: Path | None, plans: tuple[str, ...]) -> Store:
    """The same, as if no episode of these plans had been imported; that there is no store is an error."""
    store = needed_store(folder)
    store.leave_out(plans)
    return store


def needed_store(folder: Path | None) -> Store:
    """The store of a folder, or the user's own; that there is none is an error."""
    store = open_store(folder)
    if store is None:
        raise HousematesError(f"{default_folder()}: no store there; make one with `housemates import`.")
    return store


def default_folder() -> Path:
    """Where the user's own store is: in the folder that the system has for the data of programs.

    Raises:
        HousematesError: This user has no home.
    """
    folder = user_folder("data")
    if folder is None:
        raise HousematesError("This user has no home to keep a store in; name a folder with --store.")
    return folder


def is_store(folder: Path | str | None) -> bool:
    """Whether a folder is a store."""
    return folder is not None and (Path(folder) / INDEX).is_file()


def of_split(data: Path, benchmark: str, split: str, splits: Sequence[str]) -> list[Path]:
    """The folders and packed files of a split.

    Args:
        data: A store; a folder with a folder or a packed file for each split; or one split. What is called
            as another split is refused; what has another name is taken as the split that is asked for.
        benchmark: Whose episodes of a store are meant.
        split: Which is wanted; all that is there if it is none of `splits`.
        splits: Names of splits.
    """
    if not data.exists():
        raise HousematesError(f"{data}: no such file or folder.")
    if is_store(data):
        return _stored(Store(data), benchmark, split, splits)
    if split not in splits:
        return [data]
    names = [(name, data / f"{name}{ending}") for name in splits for ending in (*PACKED, "")]
    there = {name: path for name, path in names if path.exists()}
    if split in there:
        return [there[split]]
    if there:
        raise HousematesError(f"{data}: has no split {split!r}: there is {', '.join(there)}.")
    said = next((name for name in map(_bare, reversed(data.parts)) if name in splits), split)
    if said != split:
        raise HousematesError(f"{data}: is the split {said!r}, not {split!r}.")
    return [data]


def _bare(name: str) -> str:
    """The name of a packed file without its ending."""
    return next((name.removesuffix(ending) for ending in PACKED if name.endswith(ending)), name)


def _stored(store: Store, benchmark: str, split: str, splits: Sequence[str]) -> list[Path]:
    """The files of a store that were imported from a split; of all of them if it is none of `splits`."""
    files: dict[str, list[Path]] = {}
    for each in store.index.sources.values():
        if each.benchmark == benchmark:
            there = files.setdefault(_bare(Path(each.path).name), [])
            there.extend(store.folder / part.file for part in each.parts)
    found = [file for name, some in files.items() if split == name or split not in splits for file in some]
    if not found:
        known = ", ".join(sorted(files)) or f"nothing of {benchmark}"
        raise HousematesError(f"{store.folder}: has no split {split!r}: there is {known}.")
    return found


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    if path.is_dir():
        for file in sorted(each for each in path.rglob("*") if each.is_file()):
            digest.update(f"{file.relative_to(path).as_posix()} {file.stat().st_size}\n".encode())
        return digest.hexdigest()
    if is_device(path):
        raise HousematesError(f"{path}: expected a file, found a device.")
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise HousematesError(f"{path}: cannot be read ({error.strerror}).") from None
    return digest.hexdigest()


def _decode(path: Path, kind: type[Record]) -> Record | None:
    if not path.is_file():
        return None
    try:
        return read_record(path, kind)
    except HousematesError as error:
        raise HousematesError(f"{str(error).removesuffix('.')}; import into another folder.") from None


def _encode(path: Path, value: msgspec.Struct) -> None:
    try:
        write_bytes(path, msgspec.json.encode(value, order="deterministic"))
    except OSError as error:
        raise HousematesError(f"{path}: cannot be written ({error.strerror}).") from None
