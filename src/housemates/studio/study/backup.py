"""Backups: the whole database as one file that any studio can read, whatever database it has."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from housemates.files import private_file, whole_file
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Base

VERSIONS = ("0001", "0002", "0003")
"""Of the tables that a backup holds, the newest last."""


def backup(database: Database, path: Path) -> int:
    """Write everything to a file, from one moment; how many rows that are."""
    rows = 0

    def write(session: Session) -> None:
        nonlocal rows
        hold_still(session)
        with whole_file(path) as temporary, _packed(temporary) as archive:
            archive.writestr("version", VERSIONS[-1])
            for table in Base.metadata.sorted_tables:
                with archive.open(f"{table.name}.jsonl", "w") as sink:
                    for row in session.execute(select(table)).mappings():
                        sink.write(json.dumps(dict(row)).encode() + b"\n")
                        rows += 1

    database.now(write)
    return rows


def _packed(path: Path) -> zipfile.ZipFile:
    """A ZIP file that only its owner can read."""
    private_file(path)
    return zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)


def hold_still(session: Session) -> None:
    """See that all that a transaction reads is from the moment of its first reading."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    else:
        session.execute(text("BEGIN"))
