"""What is taken out of a study: official files, Parquet, and everything about one participant."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from housemates.errors import HousematesError
from housemates.studio.storage.plays import spec_of
from housemates.studio.storage.tables import (
    ENDED,
    TUTORIAL,
    Base,
    Consent,
    Entry,
    Participant,
    Play,
    Presence,
    Seat,
)
from housemates.studio.study import consents, erasure, quality
from housemates.studio.worlds.table import Spec

Rows = list[dict[str, Any]]
NOBODY = (None, None)


def row_of(row: Base, without: Sequence[str] = ()) -> dict[str, Any]:
    """A row of a table by the names of its columns."""
    return {each.name: getattr(row, each.name) for each in row.__table__.columns if each.name not in without}


def finished(session: Session, project: str) -> list[tuple[str, Spec]]:
    """The plays of a project that came to an end, tutorials apart, and what their tables are laid from."""
    wanted = (Play.project_id == project, Play.status == ENDED, Play.kind != TUTORIAL)
    rows = session.scalars(select(Play).where(*wanted).order_by(Play.created))
    return [(each.id, spec_of(each)) for each in rows]


def tables_of(session: Session, project: str) -> dict[str, Rows]:
    """All about a project as tables; tokens are left out, as whoever has one can sit down with it."""
    plays = session.scalars(select(Play).where(Play.project_id == project).order_by(Play.created)).all()
    ids = [each.id for each in plays]
    people = {each.id: (each.source, each.external) for each in session.scalars(select(Participant))}
    seats = session.scalars(select(Seat).where(Seat.play_id.in_(ids))).all()
    entries = session.scalars(
        select(Entry).where(Entry.play_id.in_(ids)).order_by(Entry.play_id, Entry.number)
    )
    presences = session.scalars(select(Presence).where(Presence.play_id.in_(ids)).order_by(Presence.id))
    by_id = {each.id: each for each in plays}
    return {
        "plays": [row_of(each) for each in plays],
        "seats": [
            {
                **row_of(each, ("token", "participant_id", "evidence")),
                "source": people.get(each.participant_id or "", NOBODY)[0],
                "participant": people.get(each.participant_id or "", NOBODY)[1],
                **quality.of_seat(session, each, by_id[each.play_id]),
            }
            for each in seats
        ],
        "acts": [row_of(each) for each in entries],
        "presences": [row_of(each) for each in presences],
        "participants": quality.of_participants(session, project),
        "consents": [
            row_of(each) for each in session.scalars(select(Consent).where(Consent.project_id == project))
        ],
    }


def parquet(tables: dict[str, Rows]) -> bytes:
    """Tables as a ZIP file of Parquet files; what is nested is JSON text."""
    try:
        import pyarrow
        from pyarrow import parquet as writer
    except ImportError:
        raise HousematesError(
            "Parquet needs more than is installed: pip install 'housemates[parquet]'."
        ) from None

    def packed() -> Iterable[tuple[str, bytes]]:
        for name, rows in tables.items():
            out = io.BytesIO()
            flat = [{key: _flat(value) for key, value in row.items()} for row in rows]
            writer.write_table(pyarrow.Table.from_pylist(flat), out)
            yield f"{name}.parquet", out.getvalue()

    return zipped(packed())


def jsonl(tables: dict[str, Rows]) -> bytes:
    """Tables as a ZIP file of JSON lines."""
    return zipped(
        (f"{name}.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
        for name, rows in tables.items()
    )


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A ZIP file of files by name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


def of_participant(session: Session, source: str, external: str) -> dict[str, Any]:
    """Everything about a participant, by where they come from and the id that they have there."""
    found = erasure.known(session, source, external)
    ids_of = [each.id for each in found]
    seats = session.scalars(select(Seat).where(Seat.participant_id.in_(ids_of))).all()
    ids = [each.play_id for each in seats]
    entries = session.scalars(
        select(Entry).where(Entry.play_id.in_(ids)).order_by(Entry.play_id, Entry.number)
    )
    own = {(each.play_id, each.role) for each in seats}
    agreed = [each for each in (consents.agreed(session, person) for person in found) if each is not None]
    return {
        "participants": [row_of(each, ("id",)) for each in found],
        "consents": [row_of(each) for each in agreed],
        "seats": [row_of(each, ("token",)) for each in seats],
        "acts": [row_of(each) for each in entries if (each.play_id, each.role) in own],
    }


def _flat(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value
