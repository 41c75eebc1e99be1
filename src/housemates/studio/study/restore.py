"""Restoring a backup: every row is read as what its table holds, and projects as if they were made now."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Annotated, Any, get_args, get_type_hints

import msgspec
from sqlalchemy import Table, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from housemates.core import registry
from housemates.core.benchmark import Benchmark, Reference
from housemates.errors import HousematesError
from housemates.files import FREE_BYTES, MOST_TIMES
from housemates.studio.pages import page
from housemates.studio.settings import Settings
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Base, Participant, Play, Project, Seat
from housemates.studio.study import consents, projects
from housemates.studio.study.backup import VERSIONS
from housemates.studio.study.plans import NewProject, read_project

LONGEST_LINE = 1 << 22
"""Bytes of a row."""
BATCH = 500
"""Rows that are written at once."""
SINCE = {"links": "0002", "consents": "0003", "invitations": "0003"}
"""Tables that older backups do not have."""
NEW: dict[str, dict[str, Any]] = {
    "plays": {"expires": None},
    "seats": {"answered": None, "evidence": {}},
}
"""Columns that backups before the third version do not have."""
BOUNDED = {
    int: Annotated[int, msgspec.Meta(ge=-(2**31), lt=2**31)],
    str: Annotated[str, msgspec.Meta(max_length=1_000_000)],
}
"""What columns hold, as far as every database can."""


def restore(database: Database, path: Path, settings: Settings) -> int:
    """Read a backup into an empty database, all of it or nothing; how many rows that are.

    Args:
        database: Where to.
        path: The file.
        settings: The agents and the store that its projects may use.
    """
    with _opened(path) as archive:
        version = _version(archive, path)
        tables = [each for each in Base.metadata.sorted_tables if SINCE.get(each.name, "") <= version]
        missing = {f"{each.name}.jsonl" for each in tables} - set(archive.namelist())
        if missing:
            raise HousematesError(f"{path}: {min(missing)} is missing in this backup.")

        def read(session: Session) -> int:
            for table in Base.metadata.sorted_tables:
                if session.execute(select(table).limit(1)).first() is not None:
                    raise HousematesError(f"{database.url.render_as_string()}: holds something already.")
            left = FREE_BYTES + MOST_TIMES * path.stat().st_size
            count = 0
            for table in tables:
                rows = _Rows(archive, table, version, path, left)
                while batch := rows.batch():
                    session.execute(insert(table), batch)
                count, left = count + rows.number, rows.left
            _check(session, settings, path)
            _bring_up_to_date(session)
            return count

        return database.now(read)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """A ZIP file; whatever is wrong with it, or with what it holds, is one sentence."""
    if not path.is_file():
        raise HousematesError(f"{path}: no such file.")
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except HousematesError:
        raise
    except DBAPIError as error:
        said = str(error.orig).strip().splitlines()[:1]
        raise HousematesError(f"{path}: its rows do not fit together ({''.join(said)}).") from None
    except Exception as error:
        raise HousematesError(f"{path}: expected a backup of a studio ({type(error).__name__}).") from None


def _version(archive: zipfile.ZipFile, path: Path) -> str:
    with archive.open("version") as entry:
        version = entry.read(20).decode()
    if version not in VERSIONS:
        raise HousematesError(
            f"{path}: expected a backup of version {' or '.join(VERSIONS)}, found {version!r}."
        )
    return version


class _Rows:
    """The rows of one table, some at a time, as long as they are what they should be and not too many."""

    def __init__(self, archive: zipfile.ZipFile, table: Table, version: str, path: Path, left: int) -> None:
        self.number, self.left = 0, left
        self._where = f"{path}: {table.name}: line"
        self._path, self._decoder = path, msgspec.json.Decoder(_kind_of(table.name, version))
        self._lines: IO[bytes] = archive.open(f"{table.name}.jsonl")

    def batch(self) -> list[dict[str, Any]]:
        """The next ones; none after the last."""
        found: list[dict[str, Any]] = []
        while len(found) < BATCH and (line := self._lines.readline(LONGEST_LINE + 1)):
            self.number += 1
            self.left -= len(line)
            if self.left < 0:
                raise HousematesError(f"{self._path}: it unpacks to far more than it should.")
            if len(line) > LONGEST_LINE:
                raise HousematesError(
                    f"{self._where} {self.number}: it is longer than {LONGEST_LINE >> 20} MiB."
                )
            try:
                found.append(msgspec.structs.asdict(self._decoder.decode(line)))
            except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
                raise HousematesError(f"{self._where} {self.number}: {error}.") from None
        return found


@cache
def _kind_of(table: str, version: str) -> type[msgspec.Struct]:
    """What a row of a table is: a field for each column, of its type; old versions may lack new ones."""
    mapped = next(each.class_ for each in Base.registry.mappers if each.local_table.name == table)  # type: ignore[attr-defined]
    hints = get_type_hints(mapped)
    new = NEW.get(table, {}) if version < "0003" else {}
    fields = [
        (name, _bounded(get_args(hints[name])[0]), new.get(name, msgspec.NODEFAULT))
        for name in mapped.__table__.columns.keys()  # noqa: SIM118
    ]
    return msgspec.defstruct(table, fields, forbid_unknown_fields=True, kw_only=True)


def _bounded(hint: Any) -> Any:
    kinds = [BOUNDED.get(each, each) for each in get_args(hint)] if type(None) in get_args(hint) else []
    return kinds[0] | kinds[1] if kinds else BOUNDED.get(hint, hint)


def _check(session: Session, settings: Settings, path: Path) -> None:
    """Refuse what could not be made here now: projects, and sessions with their options and agents."""
    rows = session.scalars(select(Project)).all()
    known = {each.id: each.benchmark for each in rows}
    for project in rows:
        with _named(f"{path}: project {project.id[:40]!r}"):
            project.options = _at_home(registry.benchmark_class(project.benchmark), project.options, settings)
            asked = {name: getattr(project, name) for name in NewProject.model_fields}
            projects.check(read_project({**asked, "options": _chosen(project.options)}), settings, known)
    for play in session.scalars(select(Play)):
        with _named(f"{path}: session {play.id[:40]!r}"):
            made = registry.benchmark_class(play.benchmark)
            page(play.page)
            msgspec.convert(play.reference, Reference)
            play.options = _at_home(made, play.options, settings)
            projects.check_seats(made, play.seats, settings)


def _chosen(options: Mapping[str, str]) -> dict[str, str]:
    """Without the server's own."""
    return {key: value for key, value in options.items() if key != projects.STORE}


def _at_home(made: type[Benchmark], options: Mapping[str, str], settings: Settings) -> dict[str, str]:
    """Options that may be chosen, with this server's store in place of the one that was saved."""
    here = projects.options_of(made, _chosen(options), settings)
    if projects.STORE in options and projects.STORE not in here:
        raise HousematesError("options: it uses imported data: name their folder with --store.")
    return {key: here[key] for key in options}


def _bring_up_to_date(session: Session) -> None:
    """Give projects, participants and seats of old backups what the newest version keeps of them."""
    for project in session.scalars(select(Project)):
        consents.see_to(session, project)
    for each in session.scalars(select(Participant)):
        if isinstance(at := each.state.get("consent"), int | float):
            each.state = {**each.state, "consent": {"version": 1, "at": at}}
    coded = select(Seat).where(Seat.code != "", Seat.answered.is_(None))
    for seat in session.scalars(coded):
        play = session.get_one(Play, seat.play_id)
        seat.answered = play.ended or play.created


@contextmanager
def _named(where: str) -> Iterator[None]:
    try:
        yield
    except (HousematesError, ValueError, KeyError, TypeError) as error:
        said = " ".join(str(error).split())
        raise HousematesError(f"{where}: {said[:300]}") from None
