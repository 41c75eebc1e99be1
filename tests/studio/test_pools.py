"""Pools of players: what makes a novice, what an expert, and whom a project lets in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

from housemates.studio.pages import page
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import ENDED, LEFT, Participant, Play, Project, Seat
from housemates.studio.study import participants, pools

PASSED = dict.fromkeys((*page("cerealbar").tutorials, pools.QUIZ), 1.0)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    database = Database(f"sqlite:///{tmp_path / 'pools.sqlite'}")
    with Session(database.engine) as made:
        for name, plan in (("first", {"pool": "novice"}), ("second", {"pool": "expert"}), ("any", {})):
            made.add(Project(id=name, title=name, benchmark="cerealbar", plan=plan, created=0.0))
        made.flush()
        yield made
    database.close()


def come(session: Session, project: str, who: str = "ada", **state: Any) -> Participant:
    """Somebody comes to a project."""
    made = Participant(
        id=f"{who}-{project}-token", project_id=project, source="link", external=who, state=state, created=0.0
    )
    session.add(made)
    session.flush()
    return made


def play(session: Session, found: Participant, role: str, success: float, status: str = ENDED) -> None:
    """Somebody has played a game."""
    key = f"{found.id}-{role}-{success}-{status}"
    made = Play(id=key, project_id=found.project_id, page="cerealbar", benchmark="cerealbar", version="v")
    made.reference, made.seats, made.status, made.created, made.how = {}, {}, status, 0.0, "done"
    made.scores = {"success": success}
    session.add(made)
    session.flush()
    session.add(Seat(token=key, play_id=key, role=role, participant_id=found.id))
    session.flush()


def test_a_novice_has_passed_every_tutorial_and_the_quiz_in_some_project_of_the_benchmark(
    session: Session,
) -> None:
    found = come(session, "first")
    assert (pools.pool_of(session, found), pools.missing(session, found)) == ("", list(PASSED))
    assert participants.stage_of(session, found.id).page == "cerealbar-leader"
    come(session, "any", passed=PASSED)
    assert pools.pool_of(session, found) == pools.NOVICE
    assert participants.stage_of(session, found.id).name == "lobby"


def test_a_success_in_each_role_makes_an_expert(session: Session) -> None:
    found = come(session, "any", passed=PASSED)
    wants_experts, wants_novices = come(session, "second"), come(session, "first")
    play(session, found, "leader", 1.0)
    play(session, found, "follower", 0.0)
    play(session, found, "follower", 1.0, LEFT)
    assert pools.pool_of(session, found) == pools.NOVICE
    assert participants.stage_of(session, wants_experts.id).name == "closed"
    play(session, found, "follower", 1.0)
    assert pools.pool_of(session, wants_experts) == pools.EXPERT
    assert participants.stage_of(session, wants_experts.id).name == "lobby"
    assert participants.stage_of(session, wants_novices.id).name == "closed"


def test_one_persons_word_does_not_make_another_an_expert(session: Session) -> None:
    found, other = come(session, "any", passed=PASSED), come(session, "any", "bob", passed=PASSED)
    pools.promote(session, "any", "link", "ada", True)
    assert [pools.pool_of(session, each) for each in (found, other)] == [pools.EXPERT, pools.NOVICE]
    pools.promote(session, "any", "link", "ada", False)
    assert pools.pool_of(session, found) == pools.NOVICE
