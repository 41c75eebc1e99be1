"""Backups: the whole database as one file that any studio can read, whatever database it has."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session

from housemates.core import registry
from housemates.errors import HousematesError
from housemates.files import whole_file
from housemates.studio.settings import Settings
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Base, Participant, Play, Project, Seat
from housemates.studio.study import consents, projects
from housemates.studio.study.plans import NewProject, read_project

VERSIONS = ("0001", "0002", "0003")
"""Of the tables that a backup holds, the newest last."""
SINCE = {"links": "0002", "consents": "0003", "invitations": "0003"}
"""Tables that older backups do not have."""
NEW: dict[str, dict[str, Any]] = {
    "plays": {"expires": None},
    "seats": {"answered": None, "evidence": {}},
}
"""Columns that backups before the third version do not have."""
BATCH = 500


def backup(database: Database, path: Path) -> int:
    """Write everything to a file, from one moment; how many rows that are."""
    rows = 0

    def write(session: Session) -> None:
        nonlocal rows
        hold_still(session)
        with whole_file(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("version", VERSIONS[-1])
            for table in Base.metadata.sorted_tables:
                with archive.open(f"{table.name}.jsonl", "w") as sink:
                    for row in session.execute(select(table)).mappings():
                        sink.write(json.dumps(dict(row)).encode() + b"\n")
                        rows += 1

    database.now(write)
    return rows


def hold_still(session: Session) -> None:
    """See that all that a transaction reads is from the moment of its first reading."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    else:
        session.execute(text("BEGIN"))


def restore(database: Database, path: Path, agents: Sequence[str] = ()) -> int:
    """Read a backup into an empty database, all of it or nothing; how many rows that are.

    Projects are checked as new ones are; `agents` may sit in them besides the known ones.
    """
    try:
        archive = zipfile.ZipFile(path)
        version = archive.read("version").decode()
    except (OSError, KeyError, zipfile.BadZipFile, UnicodeDecodeError):
        raise HousematesError(f"{path}: expected a backup of a studio.") from None
    if version not in VERSIONS:
        raise HousematesError(
            f"{path}: expected a backup of version {' or '.join(VERSIONS)}, found {version[:20]!r}."
        )
    tables = [each for each in Base.metadata.sorted_tables if SINCE.get(each.name, "") <= version]
    missing = {f"{each.name}.jsonl" for each in tables} - set(archive.namelist())
    if missing:
        raise HousematesError(f"{path}: {min(missing)} is missing in this backup.")

    settings = Settings(str(database.url), agents=tuple(agents))

    def read(session: Any) -> int:
        count = 0
        for table in Base.metadata.sorted_tables:
            if session.execute(select(table).limit(1)).first() is not None:
                raise HousematesError(f"{database.url.render_as_string()}: holds something already.")
        for table in tables:
            batch: list[dict[str, Any]] = []
            with archive.open(f"{table.name}.jsonl") as lines:
                for number, line in enumerate(lines, start=1):
                    batch.append(_row(line, table, f"{path}: {table.name}: line {number}", version))
                    count += 1
                    if len(batch) == BATCH:
                        session.execute(insert(table), batch)
                        batch = []
            if batch:
                session.execute(insert(table), batch)
        _check(session, settings, path)
        return count

    with archive:
        return database.now(read)


def _row(line: bytes, table: Any, where: str, version: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        raise HousematesError(f"{where}: expected JSON.") from None
    if isinstance(row, dict) and version < "0003":
        row = {**NEW.get(table.name, {}), **row}
    if not isinstance(row, dict) or set(row) != {each.name for each in table.columns}:
        raise HousematesError(f"{where}: expected the columns of {table.name}.")
    return row


def _check(session: Session, settings: Settings, path: Path) -> None:
    """Refuse projects that could not be made here, and plays with an agent that could not sit in them."""
    rows = session.scalars(select(Project)).all()
    known = {each.id: each.benchmark for each in rows}
    for project in rows:
        where = f"{path}: project {str(project.id)[:40]}"
        asked = read_project({name: getattr(project, name) for name in NewProject.model_fields}, where)
        asked.options.pop(projects.STORE, None)
        try:
            projects.check(asked, settings, known)
        except HousematesError as error:
            raise HousematesError(f"{where}: {error}") from None
        consents.see_to(session, project)
    for play in session.scalars(select(Play)):
        try:
            seats = msgspec.convert(play.seats, dict[str, str])
            projects.check_seats(registry.benchmark_class(play.benchmark), seats, settings)
        except (HousematesError, msgspec.ValidationError) as error:
            raise HousematesError(f"{path}: play {str(play.id)[:40]}: {error}") from None
    for each in session.scalars(select(Participant)):
        if isinstance(each.state, dict) and isinstance(at := each.state.get("consent"), int | float):
            each.state = {**each.state, "consent": {"version": 1, "at": at}}
    coded = select(Seat).where(Seat.code != "", Seat.answered.is_(None))
    for seat in session.scalars(coded):
        play = session.get_one(Play, seat.play_id)
        seat.answered = play.ended or play.created
