"""Backups: the whole database as one file that any studio can read, whatever database it has."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session

from housemates.errors import HousematesError
from housemates.files import whole_file
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Base

VERSIONS = ("0001", "0002")
"""Of the tables that a backup holds, the newest last."""
SINCE = {"links": "0002"}
"""Tables that older backups do not have."""
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


def restore(database: Database, path: Path) -> int:
    """Read a backup into an empty database, all of it or nothing; how many rows that are."""
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

    def read(session: Any) -> int:
        count = 0
        for table in Base.metadata.sorted_tables:
            if session.execute(select(table).limit(1)).first() is not None:
                raise HousematesError(f"{database.url.render_as_string()}: holds something already.")
        for table in tables:
            batch: list[dict[str, Any]] = []
            with archive.open(f"{table.name}.jsonl") as lines:
                for number, line in enumerate(lines, start=1):
                    batch.append(_row(line, table, f"{path}: {table.name}: line {number}"))
                    count += 1
                    if len(batch) == BATCH:
                        session.execute(insert(table), batch)
                        batch = []
            if batch:
                session.execute(insert(table), batch)
        return count

    with archive:
        return database.now(read)


def _row(line: bytes, table: Any, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        raise HousematesError(f"{where}: expected JSON.") from None
    if not isinstance(row, dict) or set(row) != {each.name for each in table.columns}:
        raise HousematesError(f"{where}: expected the columns of {table.name}.")
    return row
