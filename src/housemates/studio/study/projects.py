"""Projects: what may be asked for, what may change, and how they stand."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import fields
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from housemates.core import registry
from housemates.core.benchmark import Benchmark
from housemates.core.options import helps, read_options
from housemates.errors import nearest
from housemates.studio.pages import page_of
from housemates.studio.settings import Settings
from housemates.studio.storage.plays import NotThere
from housemates.studio.storage.tables import Participant, Play, Project, Refused, Seat
from housemates.studio.study import consents, forms
from housemates.studio.study.plans import FIXED, FIXED_PLAN, NewProject, StudyPlan
from housemates.studio.worlds.table import made_benchmark

HARMLESS = (int, float, bool)
"""Types of options that name no file."""
NONE = "none"
STORE = "store"
"""The option that names the folder of imported data; the server's, whatever a project says."""
SIZES = ("size",)
"""Options that are text and name no file."""


def offered(settings: Settings) -> list[dict[str, Any]]:
    """What projects can be made of: benchmarks with their roles, agents and options."""
    found = []
    for spec in registry.specs().values():
        for name in spec.benchmarks:
            made = registry.benchmark_class(name)
            agents = {role: agents_for(made, role, settings) for role in made.roles}
            said = helps(made.Options)
            options = {
                key: {"choices": list(choices), "help": said.get(key, "")}
                for key, choices in safe_options(made).items()
            }
            found.append(
                {
                    "benchmark": name,
                    "summary": spec.summary,
                    "roles": agents,
                    "options": options,
                    "tasks": list(made.tasks()),
                    "tutorial": bool(page_of(name).tutorials),
                    "compares": page_of(name).compares,
                    "survey": forms.as_toml(forms.built_in(name, "survey")),
                    "quiz": forms.as_toml(forms.built_in(name, "quiz")),
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


def check(asked: NewProject, settings: Settings, known: Mapping[str, str]) -> dict[str, Any]:
    """The row of a project that is made, changed or restored; whatever cannot be is refused.

    Args:
        asked: The project.
        settings: Of the studio: which agents may sit there.
        known: The benchmarks of all projects by their ids.
    """
    made = registry.benchmark_class(asked.benchmark)
    options = options_of(made, asked.options, settings)
    seats = {**dict.fromkeys(made.roles, ""), **asked.seats}
    check_seats(made, seats, settings)
    _check_split(made, asked.split, options)
    for task in asked.tasks:
        if made.tasks() and task not in made.tasks():
            raise Refused(f"tasks: {made.name} has no task {task!r}: {nearest(task, made.tasks())}.")
    made_benchmark(page_of(made.name).name, made.name, options, seats)
    plan = _checked_plan(asked, made, known)
    row = asked.model_dump(include={"id", "title", "benchmark", "split", "seed", "tasks", "plays"})
    return {**row, "options": options, "seats": seats, "plan": plan}


def check_seats(made: type[Benchmark], seats: Mapping[str, str], settings: Settings) -> None:
    """Refuse unknown roles, agents that this studio was not started with, and seats without people."""
    for role, agent in seats.items():
        if role not in made.roles:
            raise Refused(f"seats: {made.name} has no role {role!r}: {nearest(role, made.roles)}.")
        known = agents_for(made, role, settings)
        if agent and agent not in known:
            raise Refused(f"seats: the {role} cannot be {agent!r}: {nearest(agent, known)}.")
    if all(seats.values()):
        raise Refused("seats: nobody is left to play: leave a seat for a person.")


def options_of(made: type[Benchmark], chosen: Mapping[str, str], settings: Settings) -> dict[str, str]:
    """Options that were chosen over the web, and the server's own; those that name files are refused."""
    known = safe_options(made)
    for key in chosen:
        if key not in known:
            raise Refused(f"options: {made.name} has no option {key!r} here: {nearest(key, known)}.")
    stored = settings.store is not None and STORE in {each.name for each in fields(made.Options)}
    options = {**chosen, **({STORE: str(settings.store)} if stored else {})}
    read_options(made.Options, options, made.name)
    return options


def make(session: Session, asked: NewProject, settings: Settings) -> Project:
    """A new project; whatever cannot be is refused."""
    if session.get(Project, asked.id) is not None:
        raise Refused(f"id: there is a project {asked.id!r} already.")
    if is_demo(asked.id):
        raise Refused("id: names that begin with demo- are those of the demo.")
    row = check(asked, settings, _benchmarks(session))
    project = Project(**row, open=True, created=time.time())
    session.add(project)
    session.flush()
    consents.see_to(session, project)
    return project


def edit(session: Session, name: str, asked: NewProject, settings: Settings) -> Project:
    """Change a project; once somebody has come, only what does not change what is collected."""
    project = get(session, name)
    if asked.id != name or is_demo(name):
        raise Refused(
            "id: the name in links cannot change." if asked.id != name else "The demo cannot change."
        )
    row = check(asked, settings, _benchmarks(session))
    if has_begun(session, name):
        changed = [each for each in FIXED if row[each] != getattr(project, each)]
        before = StudyPlan.model_validate(project.plan).model_dump(by_alias=True)
        changed += [each for each in FIXED_PLAN if row["plan"][each] != before[each]]
        if changed:
            raise Refused(
                f"{', '.join(changed)}: cannot change once somebody has come; copy the project instead."
            )
    for key, value in row.items():
        setattr(project, key, value)
    consents.see_to(session, project)
    return project


def has_begun(session: Session, name: str) -> bool:
    """Whether somebody has come to a project, or a session of it was made."""
    return any(
        session.scalars(select(table.id).where(table.project_id == name).limit(1)).first()
        for table in (Participant, Play)
    )


def is_demo(name: str) -> bool:
    """Whether a project is one of the demo's."""
    return name.startswith("demo-")


def _benchmarks(session: Session) -> dict[str, str]:
    return {each.id: each.benchmark for each in session.scalars(select(Project))}


def _check_split(made: type[Benchmark], split: str, options: Mapping[str, str]) -> None:
    free = [name for name, needs in made.splits.items() if not needs or needs in options]
    if split not in free:
        raise Refused(f"split: {made.name} has no {split!r} here: {nearest(split, free)}.")


def _checked_plan(asked: NewProject, made: type[Benchmark], known: Mapping[str, str]) -> dict[str, Any]:
    plan = asked.plan.model_dump(by_alias=True)
    compares = page_of(made.name).compares
    if compares and known.get(asked.plan.of) != compares:
        raise Refused(f"of: expected the name of a project of {compares}, whose plays are compared.")
    link = urlsplit(asked.plan.return_to)
    if asked.plan.return_to and (link.scheme != "https" or not link.netloc):
        raise Refused("return: expected an address that begins with https://.")
    if asked.plan.evidence and not asked.plan.consent.strip():
        raise Refused("evidence: is collected only with consent: write a consent text first.")
    for which, checked in (("survey", forms.check), ("quiz", forms.check_quiz)):
        given = plan[which]
        if isinstance(given, str):
            given = forms.parse(given, which) if given.strip() else []
        if given is not None:
            plan[which] = msgspec.to_builtins(checked(msgspec.to_builtins(given), which))
    return plan


def listed(session: Session) -> list[dict[str, Any]]:
    """All projects, with how many plays they have in each status."""
    counts: dict[str, dict[str, int]] = {}
    for project, status, count in session.execute(
        select(Play.project_id, Play.status, func.count()).group_by(Play.project_id, Play.status)
    ):
        counts.setdefault(project, {})[status] = count
    rows = session.scalars(select(Project).order_by(Project.created))
    return [{**told(session, each), "counts": counts.get(each.id, {})} for each in rows]


def plays_of(session: Session, project: str) -> list[dict[str, Any]]:
    """The plays of a project, the newest first, with the links of people's seats."""
    rows = session.scalars(select(Play).where(Play.project_id == project).order_by(Play.created.desc()))
    found = {row.id: {**_play(row), "links": {}} for row in rows}
    for seat in session.scalars(select(Seat).where(Seat.play_id.in_(list(found)))):
        found[seat.play_id]["links"][seat.role] = f"/seat/{seat.token}"
    return list(found.values())


def under_way(session: Session) -> list[dict[str, Any]]:
    """The sessions that have begun, or that somebody may begin, and are not over; the newest first."""
    rows = session.execute(
        select(Play, Project.title).join(Project).where(Play.how == "").order_by(Play.created.desc())
    )
    return [_line(play, title) for play, title in rows]


def newest_over(session: Session, most: int) -> list[dict[str, Any]]:
    """The sessions that were over last."""
    over = select(Play, Project.title).join(Project).where(Play.how != "", Play.ended.is_not(None))
    rows = session.execute(over.order_by(Play.ended.desc()).limit(most))
    return [_line(play, title) for play, title in rows]


def _line(row: Play, title: str) -> dict[str, Any]:
    names = ("kind", "task", "seats", "status", "created", "started", "ended", "how")
    success = row.scores.get("success")
    return {
        "play": row.id,
        "project": title,
        **{name: getattr(row, name) for name in names},
        "success": success,
    }


def _play(row: Play) -> dict[str, Any]:
    names = (
        "id",
        "kind",
        "task",
        "seats",
        "status",
        "created",
        "started",
        "ended",
        "expires",
        "how",
        "scores",
    )
    return {name: getattr(row, name) for name in names}


def told(session: Session, project: Project) -> dict[str, Any]:
    """A project as the administrator sees it, with all its settings."""
    names = ("id", "title", "benchmark", "split", "seed", "tasks", "seats", "plays", "open", "created")
    plan = StudyPlan.model_validate(project.plan).model_dump(by_alias=True)
    for which in ("survey", "quiz"):
        if plan[which] is not None:
            plan[which] = forms.as_toml(msgspec.convert(plan[which], forms.Form))
    last = consents.newest(session, project.id)
    return {
        **{name: getattr(project, name) for name in names},
        "options": {key: value for key, value in project.options.items() if key != STORE},
        "plan": plan,
        "consent_version": 0 if last is None else last.version,
        "begun": has_begun(session, project.id),
    }


def get(session: Session, name: str) -> Project:
    """A project by its id."""
    found = session.get(Project, name)
    if found is None:
        raise NotThere("There is no such project.")
    return found
