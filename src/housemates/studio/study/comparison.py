"""Comparisons: what people wrote in one project is compared by others in another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from housemates.benchmarks.alfred.tasks.language_collection import TOGETHER, Gathered
from housemates.benchmarks.alfred.tasks.language_tasks import GOAL, SAME, Directive
from housemates.core.benchmark import Reference
from housemates.studio.storage import journal
from housemates.studio.storage.tables import ENDED, LEFT, Play, Project, Refused, Seat
from housemates.studio.worlds.instances import Chosen

VERDICTS = 2
"""How many compare the same; one more if these do not agree."""


def next_comparison(session: Session, project: Project, people: Collection[str] = ()) -> Chosen:
    """The next set of directives of the project that is compared which wants somebody else's verdict."""
    own = set(session.scalars(select(Seat.play_id).where(Seat.participant_id.in_(people))))
    cast = _verdicts(session.scalars(select(Play).where(Play.project_id == project.id, Play.status != LEFT)))
    for name, gathered in _gathered(session, str(project.plan["of"])).items():
        judged = cast.get(gathered.plays, [])
        said = [_verdict(session, play) for play in judged]
        if own.intersection(judged):
            continue
        if len(said) < VERDICTS or (len(said) == VERDICTS and len(set(said)) > 1):
            return Chosen(Reference(name, msgspec.to_builtins(gathered)), 0, "comparison")
    raise Refused("There is nothing to compare now; come back later.")


def votes(session: Session) -> dict[str, list[int]]:
    """Play -> for everyone who compared what was written in it, 1 where it was not the odd one out."""
    found: dict[str, list[int]] = {}
    for compared, judged in _verdicts(_ended(session, None)).items():
        for verdict in (_verdict(session, each) for each in judged):
            for number, play in enumerate(compared, 1):
                found.setdefault(play, []).append(int(verdict != str(number)))
    return found


def rejected(session: Session) -> set[str]:
    """The plays whose words most of those who compared them found most different; they are written anew."""
    found = set()
    for compared, judged in _verdicts(_ended(session, None)).items():
        said = Counter(_verdict(session, each) for each in judged)
        odd, count = said.most_common(1)[0]
        if said.total() >= VERDICTS and 2 * count > said.total() and odd != SAME:
            found.add(compared[int(odd) - 1])
    return found


def _gathered(session: Session, project: str) -> Mapping[str, Gathered]:
    """Directives by demonstration, of those that enough people described well enough."""
    written: dict[str, list[tuple[str, Directive]]] = {}
    bad = rejected(session)
    for row in (each for each in _ended(session, project) if each.id not in bad):
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


def _verdicts(rows: Iterable[Play]) -> dict[tuple[str, ...], list[str]]:
    """The plays whose words are compared -> the plays in which they are."""
    found: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        source = row.reference["data"]
        if isinstance(source, dict) and "plays" in source:
            found.setdefault(tuple(source["plays"]), []).append(row.id)
    return found


def _verdict(session: Session, play: str) -> str:
    said = [entry.act["arguments"]["different"] for entry in journal.read(session, play) if entry.success]
    return str(said[-1]) if said else SAME


def _ended(session: Session, project: str | None) -> Sequence[Play]:
    wanted = select(Play).where(Play.status == ENDED).order_by(Play.created)
    return session.scalars(wanted if project is None else wanted.where(Play.project_id == project)).all()
