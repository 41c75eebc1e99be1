"""Pools of players: who knows a benchmark's game, and who has shown that they play it well."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from housemates.core import registry
from housemates.studio.pages import page_of
from housemates.studio.storage.tables import ENDED, TUTORIAL, Participant, Play, Project, Refused, Seat
from housemates.studio.study import forms

NOVICE, EXPERT = "novice", "expert"
QUIZ = "quiz"
"""Among what somebody has passed."""
CLOSED = {
    NOVICE: "This study is for people who are new to the game. Thank you for coming.",
    EXPERT: "This study is for people who have played the game before, once in each role, with success.",
}
"""What is said to those whom a project does not want."""


def missing(session: Session, found: Participant) -> list[str]:
    """The pages of tutorials, and the quiz, that somebody has not passed in any project of the benchmark.

    A quiz of a project's own has to be passed in that project.
    """
    project = session.get_one(Project, found.project_id)
    passed = {name for each in _same(session, found) for name in each.state.get("passed", {})}
    quiz = [quiz_name(project)] if forms.of_project(project, "quiz") else []
    return [each for each in (*page_of(project.benchmark).tutorials, *quiz) if each not in passed]


def lessons(session: Session, found: Participant) -> list[str]:
    """Those of them that the project wants passed before people play; its own quiz always."""
    project = session.get_one(Project, found.project_id)
    pool, own = project.plan.get("pool"), quiz_name(project) if project.plan.get("quiz") else ""
    wanted = pool == NOVICE or (not pool and project.plan.get("tutorial"))
    return [each for each in missing(session, found) if wanted or each == own]


def quiz_name(project: Project) -> str:
    """What a project's quiz is called among what somebody has passed."""
    return f"{QUIZ} {project.id}" if project.plan.get("quiz") else QUIZ


def pool_of(session: Session, found: Participant) -> str:
    """`expert` by the administrator's word or after a success in each role; else `novice` if they know how.

    The paper lets somebody into the expert pool after at least one game in each role.
    """
    same = _same(session, found)
    if any(each.state.get(EXPERT) for each in same) or _played(session, same) >= _roles(session, found):
        return EXPERT
    return "" if missing(session, found) else NOVICE


def promote(session: Session, project: str, source: str, external: str, expert: bool) -> None:
    """Take somebody into the expert pool, or out of it unless they have earned it."""
    who = (Participant.source == source, Participant.external == external)
    wanted = (Participant.project_id == project, *who)
    found = session.scalars(select(Participant).where(*wanted)).all()
    if not found:
        raise Refused("There is no such participant.")
    for each in found:
        each.state = {**each.state, EXPERT: expert}


def examine(session: Session, found: Participant, answers: Mapping[str, Any]) -> None:
    """Take the answers to the quiz; refused unless all are right."""
    project = session.get_one(Project, found.project_id)
    asked = forms.of_project(project, "quiz")
    wrong = forms.wrong(asked, answers)
    if wrong:
        raise Refused(
            f"{wrong} of {len(asked)} answers are not right. Read the rules again, and try once more."
        )
    found.state = {
        **found.state,
        "passed": {**found.state.get("passed", {}), quiz_name(project): time.time()},
    }


def _same(session: Session, found: Participant) -> Sequence[Participant]:
    """All that one person is in projects of one benchmark."""
    benchmark = session.get_one(Project, found.project_id).benchmark
    wanted = (Participant.source == found.source, Participant.external == found.external)
    rows = select(Participant).join(Project).where(*wanted, Project.benchmark == benchmark)
    return session.scalars(rows).all()


def _played(session: Session, same: Sequence[Participant]) -> set[str]:
    """The roles in which somebody came to a good end."""
    wanted = (
        Seat.participant_id.in_([each.id for each in same]),
        Play.status == ENDED,
        Play.kind != TUTORIAL,
    )
    rows: Sequence[Any] = session.execute(select(Seat.role, Play.scores).join(Play).where(*wanted)).all()
    return {role for role, scores in rows if scores.get("success")}


def _roles(session: Session, found: Participant) -> set[str]:
    benchmark = session.get_one(Project, found.project_id).benchmark
    return set(registry.benchmark_class(benchmark).roles)
