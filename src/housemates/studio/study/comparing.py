"""Comparisons: what people wrote in one project is compared by others in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from housemates.benchmarks.alfred.tasks.collecting import TOGETHER, Gathered
from housemates.benchmarks.alfred.tasks.describing import GOAL, SAME, Directive
from housemates.benchmarks.base import Reference
from housemates.studio.storage import journal
from housemates.studio.storage.tables import ENDED, LEFT, Play, Project, Refused
from housemates.studio.worlds.finding import Chosen

VERDICTS = 2
"""How many compare the same; one more if these do not agree."""


def next_comparison(session: Session, project: Project) -> Chosen:
    """The next set of directives of the project that this one is about which wants another verdict."""
    cast = _verdicts(session, project.id)
    for name, gathered in _gathered(session, str(project.plan["of"])).items():
        said = cast.get(name, [])
        if len(said) < VERDICTS or (len(said) == VERDICTS and len(set(said)) > 1):
            return Chosen(Reference(name, msgspec.to_builtins(gathered)), 0, "comparison")
    raise Refused("There is nothing to compare now; come back later.")


def votes(session: Session) -> dict[str, list[int]]:
    """Play -> for everyone who compared what was written in it, 1 where it was not the odd one out."""
    found: dict[str, list[int]] = {}
    for row in _ended(session, None):
        source = row.reference["data"]
        if isinstance(source, dict) and "plays" in source:
            verdict = _verdict(session, row.id)
            for number, play in enumerate(source["plays"], 1):
                found.setdefault(play, []).append(int(verdict != str(number)))
    return found


def _gathered(session: Session, project: str) -> Mapping[str, Gathered]:
    """Directives by demonstration, of those that enough people described."""
    written: dict[str, list[tuple[str, Directive]]] = {}
    for row in _ended(session, project):
        written.setdefault(row.reference["id"], []).append((row.id, _directive(session, row.id)))
    return {
        name: Gathered(
            tuple(words for _, words in some[:TOGETHER]), tuple(play for play, _ in some[:TOGETHER])
        )
        for name, some in written.items()
        if len(some) >= TOGETHER
    }


def _directive(session: Session, play: str) -> Directive:
    """The last words about each part."""
    words = {}
    for entry in journal.read(session, play):
        if entry.success and entry.act.get("name") == "Write":
            words[entry.act["arguments"]["part"]] = " ".join(entry.act["arguments"]["text"].split())
    goal = words.pop(GOAL, "")
    return Directive(goal, tuple(words[part] for part in sorted(words, key=int)))


def _verdicts(session: Session, project: str) -> dict[str, list[str]]:
    """Demonstration -> verdicts, with those that are being thought about."""
    found: dict[str, list[str]] = {}
    rows = session.scalars(select(Play).where(Play.project_id == project, Play.status != LEFT))
    for row in rows:
        found.setdefault(row.reference["id"], []).append(_verdict(session, row.id))
    return found


def _verdict(session: Session, play: str) -> str:
    said = [entry.act["arguments"]["different"] for entry in journal.read(session, play) if entry.success]
    return str(said[-1]) if said else SAME


def _ended(session: Session, project: str | None) -> Sequence[Play]:
    wanted = select(Play).where(Play.status == ENDED).order_by(Play.created)
    return session.scalars(wanted if project is None else wanted.where(Play.project_id == project)).all()
