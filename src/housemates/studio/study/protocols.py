"""The papers' own ways of letting people play, as projects that are ready to be opened."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy.orm import Session

from housemates.errors import HousematesError, nearest
from housemates.files import shipped
from housemates.studio.settings import Settings
from housemates.studio.storage.tables import Project
from housemates.studio.study import projects
from housemates.studio.study.plans import NewProject, read_project


def protocol(name: str) -> NewProject:
    """The project of this name; HousematesError suggests the nearest if there is none."""
    known = shipped(__package__, "protocols.toml")
    if name not in known:
        raise HousematesError(f"--projects: there is no {name!r}: {nearest(name, list(known))}.")
    return read_project({"id": name, **known[name]})


def open_protocols(session: Session, names: Iterable[str], settings: Settings) -> None:
    """Have these projects; those that are there, perhaps changed, stay as they are."""
    for name in names:
        asked = protocol(name)
        if session.get(Project, name) is None:
            projects.make(session, asked, settings)
