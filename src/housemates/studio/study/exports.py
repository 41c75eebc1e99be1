"""What is taken out of a study: official files, Parquet, and everything about one participant."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from housemates.errors import HousematesError
from housemates.studio.storage.plays import NotThere, spec_of
from housemates.studio.storage.tables import (
    ENDED,
    TUTORIAL,
    Base,
    Entry,
    Link,
    Participant,
    Play,
    Presence,
    Seat,
)
from housemates.studio.study import quality
from housemates.studio.worlds.table import Spec

Rows = list[dict[str, Any]]


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
    people = {each.id: each.external for each in session.scalars(select(Participant))}
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
                **row_of(each, ("token", "participant_id")),
                "participant": people.get(each.participant_id or ""),
                **quality.of_seat(session, each, by_id[each.play_id]),
            }
            for each in seats
        ],
        "acts": [row_of(each) for each in entries],
        "presences": [row_of(each) for each in presences],
        "participants": quality.of_participants(session, project),
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


def of_participant(session: Session, external: str) -> dict[str, Any]:
    """Everything about a participant, by the id that they have elsewhere."""
    found = _known(session, external)
    seats = _seats(session, found)
    ids = [each.play_id for each in seats]
    entries = session.scalars(
        select(Entry).where(Entry.play_id.in_(ids)).order_by(Entry.play_id, Entry.number)
    )
    own = {(each.play_id, each.role) for each in seats}
    return {
        "participants": [row_of(each, ("id",)) for each in found],
        "seats": [row_of(each, ("token",)) for each in seats],
        "acts": [row_of(each) for each in entries if (each.play_id, each.role) in own],
    }


def forget(session: Session, external: str) -> list[str]:
    """Delete a participant and every play that they sat in; the ids of these plays."""
    found = _known(session, external)
    ids = sorted({each.play_id for each in _seats(session, found)})
    for table in (Entry, Presence, Seat, Link):
        session.execute(delete(table).where(table.play_id.in_(ids)))
    session.execute(delete(Play).where(Play.id.in_(ids)))
    session.execute(delete(Participant).where(Participant.id.in_([each.id for each in found])))
    return ids


def _known(session: Session, external: str) -> Sequence[Participant]:
    found = session.scalars(select(Participant).where(Participant.external == external)).all()
    if not found:
        raise NotThere("There is no such participant.")
    return found


def _seats(session: Session, people: Sequence[Participant]) -> Sequence[Seat]:
    return session.scalars(select(Seat).where(Seat.participant_id.in_([each.id for each in people]))).all()


def _flat(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value
