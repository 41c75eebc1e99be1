"""Projects: what may be asked for, and how they stand."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import fields
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from housemates.core import registry
from housemates.core.benchmark import Benchmark
from housemates.core.options import read_options
from housemates.errors import nearest
from housemates.studio.pages import page_of
from housemates.studio.settings import Settings
from housemates.studio.storage.plays import NotThere
from housemates.studio.storage.tables import Play, Project, Refused, Seat

HARMLESS = (int, float, bool)
"""Types of options that name no file."""
NONE = "none"
SIZES = ("size",)
"""Options that are text and name no file."""


def offered(settings: Settings) -> list[dict[str, Any]]:
    """What projects can be made of: benchmarks with their roles, agents and options."""
    found = []
    for spec in registry.specs().values():
        for name in spec.benchmarks:
            made = registry.benchmark_class(name)
            agents = {role: agents_for(made, role, settings) for role in made.roles}
            options = {key: list(choices) for key, choices in safe_options(made).items()}
            tutorial = bool(page_of(name).tutorials)
            found.append(
                {
                    "benchmark": name,
                    "summary": spec.summary,
                    "roles": agents,
                    "options": options,
                    "tutorial": tutorial,
                    "compares": page_of(name).compares,
                }
            )
    return found


def agents_for(made: type[Benchmark], role: str, settings: Settings) -> list[str]:
    """The agents that may sit in a seat: those that are known, and those that the server was started with."""
    return list(dict.fromkeys([*registry.agents_of(made.name, role), *settings.agents]))


def safe_options(made: type[Benchmark]) -> dict[str, tuple[str, ...]]:
    """The options that may be asked for over the web, with their choices; none of them names a file."""
    hints = get_type_hints(made.Options)
    found: dict[str, tuple[str, ...]] = {}
    for field in fields(made.Options):
        hint, maybe = _known(hints[field.name])
        if get_origin(hint) is Literal:
            found[field.name] = (*(str(each) for each in get_args(hint)), *maybe)
        elif hint in HARMLESS or field.name in SIZES:
            found[field.name] = ()
    return found


def _known(hint: Any) -> tuple[Any, tuple[str, ...]]:
    """What a value is if there is one, and how it is said that there is none, where that can be."""
    kinds = [each for each in get_args(hint) if each is not NoneType]
    return (kinds[0], (NONE,)) if NoneType in get_args(hint) else (hint, ())


def make(session: Session, asked: Mapping[str, Any], settings: Settings) -> Project:
    """A new project; whatever cannot be is refused."""
    if session.get(Project, asked["id"]) is not None:
        raise Refused(f"There is a project {asked['id']!r} already.")
    made = registry.benchmark_class(asked["benchmark"])
    known = safe_options(made)
    for key in asked["options"]:
        if key not in known:
            raise Refused(f"{made.name} has no option {key!r} here: {nearest(key, known)}.")
    stored = settings.store is not None and "store" in {each.name for each in fields(made.Options)}
    options = {**asked["options"], **({"store": str(settings.store)} if stored else {})}
    read_options(made.Options, options, made.name)
    seats = {role: asked["seats"].get(role, "") for role in made.roles}
    for role, agent in seats.items():
        if agent and agent not in agents_for(made, role, settings):
            raise Refused(
                f"The {role} cannot be {agent!r}: {nearest(agent, agents_for(made, role, settings))}."
            )
    if all(seats.values()):
        raise Refused("Nobody is left to play: leave a seat for a person.")
    compares = page_of(made.name).compares
    other = session.get(Project, asked["plan"].get("of", ""))
    if compares and (other is None or other.benchmark != compares):
        raise Refused(f"of: expected the name of a project of {compares}, whose plays are compared.")
    link = asked["plan"].get("return", "")
    if link and (urlsplit(link).scheme != "https" or not urlsplit(link).netloc):
        raise Refused("return: expected an address that begins with https://.")
    row = {key: asked[key] for key in ("id", "title", "benchmark", "split", "seed", "tasks", "plays", "plan")}
    project = Project(**row, options=options, seats=seats, open=True, created=time.time())
    session.add(project)
    return project


def listed(session: Session) -> list[dict[str, Any]]:
    """All projects, with how many plays they have in each status."""
    counts: dict[str, dict[str, int]] = {}
    for project, status, count in session.execute(
        select(Play.project_id, Play.status, func.count()).group_by(Play.project_id, Play.status)
    ):
        counts.setdefault(project, {})[status] = count
    rows = session.scalars(select(Project).order_by(Project.created))
    return [{**told(each), "counts": counts.get(each.id, {})} for each in rows]


def plays_of(session: Session, project: str) -> list[dict[str, Any]]:
    """The plays of a project, the newest first, with the links of people's seats."""
    rows = session.scalars(select(Play).where(Play.project_id == project).order_by(Play.created.desc()))
    found = {row.id: {**_play(row), "links": {}} for row in rows}
    for seat in session.scalars(select(Seat).where(Seat.play_id.in_(list(found)))):
        found[seat.play_id]["links"][seat.role] = f"/seat/{seat.token}"
    return list(found.values())


def _play(row: Play) -> dict[str, Any]:
    names = ("id", "kind", "task", "seats", "status", "created", "started", "ended", "how", "scores")
    return {name: getattr(row, name) for name in names}


def told(project: Project) -> dict[str, Any]:
    """A project as the administrator sees it."""
    names = (
        "id",
        "title",
        "benchmark",
        "split",
        "seed",
        "tasks",
        "seats",
        "plays",
        "plan",
        "open",
        "created",
    )
    return {name: getattr(project, name) for name in names}


def get(session: Session, name: str) -> Project:
    """A project by its id."""
    found = session.get(Project, name)
    if found is None:
        raise NotThere("There is no such project.")
    return found
