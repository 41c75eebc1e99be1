"""Submissions: run folders and a card in one ZIP file, written for others, and read with suspicion.

`card.toml` is the card, `submission.json` names the runs in their order, and `runs/NAME/` holds what
`housemates eval --out` wrote: the header, the results and the transcripts, and a referee's seal if there is
one. Nothing else is in it, nothing in it is ever executed, and no path in it is ever used.
"""

from __future__ import annotations

import hashlib
import io
import re
import stat
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple, get_args, get_type_hints

import msgspec

from housemates.core import registry
from housemates.core.loading import DRIVE, is_foreign, is_trained, scheme_of
from housemates.core.options import Paths
from housemates.data.claims import claimed
from housemates.errors import HousematesError
from housemates.evaluation.leaderboard.card import Card, parse_card
from housemates.evaluation.referee import SEAL
from housemates.evaluation.results import EPISODES, HEADER, TRANSCRIPTS, Header, read_header
from housemates.files import (
    FREE_BYTES,
    LONGEST_LINE,
    MOST_TIMES,
    can_be_path,
    file_name,
    is_device,
    whole_file,
)
from housemates.typed_json import decode

FORMAT = "housemates/submission-v1"
CARD, INDEX, RUNS = "card.toml", "submission.json", "runs"
PARTS = (HEADER, EPISODES, TRANSCRIPTS)
LARGEST = 1 << 31
"""Bytes of a file that is read at all."""
MOST_RUNS = 100
CHUNK = 1 << 20
MOST_AT_ONCE = 2 * CHUNK
NAME = re.compile(r"[\w\-+][\w.\-+ ]{0,119}")
"""What a run may be called: a name of a file as `files.file_name` makes them."""
WHEN = (2020, 1, 1, 0, 0, 0)
"""The time of every entry, so that the same runs make the same file."""


class Index(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a submission says of itself."""

    format: str
    runs: list[str]


class Submission(NamedTuple):
    """A submission that has been unpacked, as long as its folder is there."""

    path: Path
    sha256: str
    card: Card
    runs: dict[str, Path]
    """Where each run lies, in their order."""


def write_submission(folders: Sequence[Path], card: Path, out: Path) -> Submission:
    """Pack runs and their card into a file; what they name on this machine becomes a bare name.

    Files that a referee has signed stay as they are.

    Args:
        folders: What `housemates eval --out` wrote, with transcripts.
        card: The TOML file of the card.
        out: The ZIP file.
    """
    if not folders or len(folders) > MOST_RUNS:
        raise HousematesError(f"{out}: expected 1 to {MOST_RUNS} runs, found {len(folders)}.")
    if not card.is_file():
        raise HousematesError(f"{card}: no such file.")
    content = card.read_bytes()
    parsed = parse_card(content, str(card))
    headers = {each: read_header(each) for each in folders}
    for folder in folders:
        missing = next((name for name in PARTS if not (folder / name).is_file()), None)
        if missing:
            raise HousematesError(f"{folder}: has no {missing}.")
    names = _names(folders)
    with claimed(files=[out]), whole_file(out) as temporary:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            _put(archive, INDEX, msgspec.json.encode(Index(FORMAT, list(names))))
            _put(archive, CARD, content)
            for name, folder in names.items():
                sealed = (folder / SEAL).is_file()
                if not sealed:
                    content = msgspec.json.encode(portable(headers[folder]))
                    _put(archive, f"{RUNS}/{name}/{HEADER}", content)
                for part in (*PARTS, SEAL) if sealed else (EPISODES, TRANSCRIPTS):
                    with (
                        (folder / part).open("rb") as source,
                        archive.open(_entry(f"{RUNS}/{name}/{part}"), "w", force_zip64=True) as sink,
                    ):
                        while chunk := source.read(CHUNK):
                            sink.write(chunk)
        sha256 = _sha256(temporary)
    return Submission(out, sha256, parsed, names)


def portable(header: Header) -> Header:
    """A header in which files and folders are bare names, as it is nobody's business where they lie."""
    here = path_options(header.name)
    given = {key: _names_of(value) if key in here else value for key, value in header.options.items()}
    seats = {
        role: msgspec.structs.replace(
            seat,
            name=_bare(seat.name),
            options={key: _named(value) for key, value in seat.options.items()},
        )
        for role, seat in header.agents.items()
    }
    return msgspec.structs.replace(header, options=given, agents=seats)


def path_options(benchmark: str) -> set[str]:
    """The options of a benchmark that name files or folders."""
    made = registry.benchmark_class(benchmark).Options
    hints = get_type_hints(made)
    return {
        each.name for each in fields(made) if {Path, Paths} & {hints[each.name], *get_args(hints[each.name])}
    }


@contextmanager
def opened(path: Path) -> Iterator[Submission]:
    """Unpack a submission to a folder of its own, which goes when this ends.

    Whatever is wrong with the file, or with the shape of what it holds, is refused in one sentence; so is
    what raises HousematesError meanwhile, with names in the file in place of those of the folder.
    """
    with tempfile.TemporaryDirectory(prefix="housemates-") as made:
        folder = Path(made).resolve()
        try:
            yield _unpacked(path, folder)
        except HousematesError as error:
            raise type(error)(str(error).replace(f"{folder}/", f"{path}: ")) from error.__cause__


def _unpacked(path: Path, folder: Path) -> Submission:
    if not path.is_file() or is_device(path):
        raise HousematesError(f"{path}: no such file.")
    size = path.stat().st_size
    if size > LARGEST:
        raise HousematesError(f"{path}: expected at most {LARGEST >> 20} MiB, found {size >> 20}.")
    try:
        with _Cautious(path.open("rb", 0)) as stream, zipfile.ZipFile(stream) as archive:
            entries = _entries(archive, path)
            budget = _Budget(path, FREE_BYTES + MOST_TIMES * size)
            index = decode(budget.read(archive, entries, INDEX), Index, str(folder / INDEX))
            _check_index(index, entries, path)
            card = parse_card(budget.read(archive, entries, CARD), str(folder / CARD))
            runs = {name: folder / RUNS / f"{number}" for number, name in enumerate(index.runs)}
            for name, place in runs.items():
                place.mkdir(parents=True)
                for part in (each for each in (*PARTS, SEAL) if f"{RUNS}/{name}/{each}" in entries):
                    budget.unpack(archive, entries[f"{RUNS}/{name}/{part}"], place / part)
    except HousematesError:
        raise
    except Exception as error:
        why = "it is torn" if isinstance(error, zipfile.BadZipFile | EOFError) else type(error).__name__
        raise HousematesError(f"{path}: expected a submission, cannot be unpacked ({why}).") from None
    return Submission(path, _sha256(path), card, runs)


def _entries(archive: zipfile.ZipFile, path: Path) -> dict[str, zipfile.ZipInfo]:
    """What an archive holds by name; links, folders, locked and repeated entries are refused."""
    found: dict[str, zipfile.ZipInfo] = {}
    infos = archive.infolist()
    if len(infos) > MOST_RUNS * (len(PARTS) + 1) + 2:
        raise HousematesError(f"{path}: holds {len(infos)} files, more than any submission.")
    for info in infos:
        mode = info.external_attr >> 16
        if info.filename in found:
            raise HousematesError(f"{path}: holds {info.filename[:80]!r} twice.")
        if info.is_dir() or info.flag_bits & 1 or (stat.S_IFMT(mode) not in (0, stat.S_IFREG)):
            raise HousematesError(f"{path}: {info.filename[:80]!r} is no plain file.")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise HousematesError(f"{path}: {info.filename[:80]!r} is packed in an unknown way.")
        found[info.filename] = info
    for name in (INDEX, CARD):
        if name not in found:
            raise HousematesError(f"{path}: expected a submission, found no {name}.")
    return found


def _check_index(index: Index, entries: dict[str, zipfile.ZipInfo], path: Path) -> None:
    """Refuse another format, and a list of runs that is not what is there."""
    if index.format != FORMAT:
        raise HousematesError(f"{path}: expected the format {FORMAT}, found {index.format[:80]!r}.")
    if not 0 < len(index.runs) <= MOST_RUNS or len(set(index.runs)) != len(index.runs):
        raise HousematesError(f"{path}: {INDEX}: expected 1 to {MOST_RUNS} names of runs, each once.")
    wrong = next((name for name in index.runs if not NAME.fullmatch(name) or file_name(name) != name), None)
    if wrong is not None:
        raise HousematesError(f"{path}: {INDEX}: {wrong[:80]!r} cannot be the name of a run.")
    expected = {INDEX, CARD, *(f"{RUNS}/{name}/{part}" for name in index.runs for part in PARTS)}
    seals = {f"{RUNS}/{name}/{SEAL}" for name in index.runs}
    if strange := sorted(set(entries) - expected - seals):
        raise HousematesError(f"{path}: holds {strange[0][:80]!r}, which belongs to no run.")
    if missing := sorted(expected - set(entries)):
        raise HousematesError(f"{path}: {missing[0]} is missing.")


class _Cautious(io.BufferedReader):
    """A file of which no more is read at once than any part of a submission needs.

    The list of what an archive holds is read whole, and made objects of, before anybody can look at it.
    """

    def read(self, size: int | None = -1, /) -> bytes:
        """So many bytes, or all that are left; too many are refused."""
        wanted = MOST_AT_ONCE + 1 if size is None or size < 0 else size
        if wanted > MOST_AT_ONCE + 1 or len(found := super().read(wanted)) > MOST_AT_ONCE:
            raise HousematesError(f"{self.name}: the list of what it holds is longer than any submission's.")
        return found


class _Budget:
    """How much may still be unpacked."""

    def __init__(self, path: Path, left: int) -> None:
        self._path, self._left = path, left

    def chunks(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
        """The content of an entry, some at a time; no line of it is too long."""
        line = 0
        with archive.open(info) as source:
            while chunk := source.read(CHUNK):
                self._left -= len(chunk)
                if self._left < 0:
                    raise HousematesError(f"{self._path}: it unpacks to far more than it should.")
                line = line + len(chunk) if b"\n" not in chunk else len(chunk) - chunk.rfind(b"\n")
                if line > LONGEST_LINE:
                    raise HousematesError(f"{self._path}: {info.filename}: a line is too long.")
                yield chunk

    def read(self, archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo], name: str) -> bytes:
        """A small entry as a whole."""
        found = b""
        for chunk in self.chunks(archive, entries[name]):
            found += chunk
            if len(found) > CHUNK:
                raise HousematesError(f"{self._path}: {name} is too long.")
        return found

    def unpack(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, to: Path) -> None:
        """Write an entry to a file whose name is ours; its last line must be whole."""
        last = b"\n"
        with to.open("xb") as sink:
            for chunk in self.chunks(archive, info):
                sink.write(chunk)
                last = chunk[-1:]
        if last != b"\n" and to.name in (EPISODES, TRANSCRIPTS):
            raise HousematesError(f"{self._path}: {info.filename}: its last line is cut off.")


def _names(folders: Sequence[Path]) -> dict[str, Path]:
    """Names for runs, each once: those of their folders, and numbers where they are alike."""
    names: dict[str, Path] = {}
    for folder in folders:
        name = file_name(folder.resolve().name or "run")
        names[name if name not in names else file_name(f"{name} {len(names) + 1}")] = folder
    return names


def _names_of(paths: str) -> str:
    """The last parts of paths that commas separate."""
    return ",".join(Path(each.strip()).name for each in paths.split(","))


def _bare(name: str) -> str:
    """The name of an agent without the folder that its file or its weights lie in."""
    spec = scheme_of(name)
    if spec is not None or not (is_foreign(name) or is_trained(name)):
        return name
    module, colon, attribute = DRIVE.sub("", name).rpartition(":")
    return f"{_named(module)}:{attribute}" if colon else _named(name)


def _named(value: str) -> str:
    """The last part of a path that leads somewhere here; what is none stays."""
    there = ("/" in value or "\\" in value) and can_be_path(value) and Path(value).exists()
    return Path(value).name if there else value


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, WHEN)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    return info


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(_entry(name), content)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
