"""The tables, as SQLAlchemy has them. Times are seconds since 1970."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from housemates.errors import HousematesError

OPEN, RUNNING, ENDED, LEFT = "open", "running", "ended", "left"
"""What a play can be: some seats are free; all are taken; finished; given up."""
MAIN, TUTORIAL, DEMO = "main", "tutorial", "demo"
"""What a play is for."""


class Refused(HousematesError):
    """What somebody asks of the studio cannot be; the sentence is for them."""

    status = 400


def keepable(text: str) -> bool:
    """Whether every database and every file keeps a text: without NUL and halves of surrogate pairs."""
    return "\0" not in text and text.encode(errors="ignore").decode() == text


class Base(DeclarativeBase):
    """What all tables share."""

    type_annotation_map = {dict[str, Any]: JSON, list[str]: JSON, dict[str, str]: JSON}  # noqa: RUF012


class Setting(Base):
    """What the studio remembers about itself."""

    __tablename__ = "settings"
    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class Project(Base):
    """A study, or the demo: what is played, by whom, how often."""

    __tablename__ = "projects"
    id: Mapped[str] = mapped_column(primary_key=True)
    """A word, as it stands in links."""
    title: Mapped[str]
    benchmark: Mapped[str]
    options: Mapped[dict[str, str]] = mapped_column(default=dict)
    """Of the benchmark."""
    split: Mapped[str] = mapped_column(default="generated")
    seed: Mapped[int] = mapped_column(default=0)
    tasks: Mapped[list[str]] = mapped_column(default=list)
    """Which kinds of tasks, by name; all if empty."""
    seats: Mapped[dict[str, str]] = mapped_column(default=dict)
    """Role -> the agent that sits there; empty for a person."""
    plays: Mapped[int] = mapped_column(default=0)
    """How many are wanted; 0 for any number."""
    plan: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """What people go through besides playing: consent, tutorial, forms, payment; see `study.plans.Plan`."""
    open: Mapped[bool] = mapped_column(default=True)
    """Whether people may come."""
    created: Mapped[float]


class Consent(Base):
    """One version of what people of a project agree to."""

    __tablename__ = "consents"
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    """From 1."""
    text: Mapped[str] = mapped_column(Text)
    evidence: Mapped[bool] = mapped_column(default=False)
    """Whether it covers what the browser reports about typing, pasting and attention."""
    created: Mapped[float]


class Invitation(Base):
    """A link by which people may come to a project for a while."""

    __tablename__ = "invitations"
    token: Mapped[str] = mapped_column(primary_key=True)
    """Random: whoever has it may come."""
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), index=True)
    most: Mapped[int] = mapped_column(default=0)
    """How many may come by it; 0 for any number."""
    used: Mapped[int] = mapped_column(default=0)
    """How many have come."""
    expires: Mapped[float]
    created: Mapped[float]


class Participant(Base):
    """Somebody who came by a link of a project."""

    __tablename__ = "participants"
    __table_args__ = (UniqueConstraint("project_id", "source", "external"),)
    id: Mapped[str] = mapped_column(primary_key=True)
    """A random token: whoever has it is this participant."""
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), index=True)
    source: Mapped[str] = mapped_column(default="")
    """Where they come from: prolific, mturk, sona or link."""
    external: Mapped[str]
    """Who they are there."""
    study: Mapped[str] = mapped_column(default="")
    session: Mapped[str] = mapped_column(default="")
    state: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """`consent` (version and time), `passed` (tutorials and quizzes), `expert`, and `left` the lobby."""
    created: Mapped[float]


class Play(Base):
    """One session of a benchmark, from the first act to the survey."""

    __tablename__ = "plays"
    id: Mapped[str] = mapped_column(primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), index=True)
    kind: Mapped[str] = mapped_column(default=MAIN)
    page: Mapped[str]
    """The page that people play it on."""
    benchmark: Mapped[str]
    version: Mapped[str]
    """The benchmark's id with its version."""
    options: Mapped[dict[str, str]] = mapped_column(default=dict)
    reference: Mapped[dict[str, Any]]
    """What the instance is made from: `id`, `data`, `seed`."""
    number: Mapped[int] = mapped_column(default=0)
    """Which of the reference's instances it is."""
    task: Mapped[str] = mapped_column(default="")
    seats: Mapped[dict[str, str]]
    """Role -> the agent that sits there; empty for a person."""
    status: Mapped[str] = mapped_column(default=OPEN, index=True)
    created: Mapped[float]
    started: Mapped[float | None]
    ended: Mapped[float | None]
    expires: Mapped[float | None]
    """Until when its links work while nobody has come; without one, as long as it is not given up."""
    how: Mapped[str] = mapped_column(default="")
    """How it ended: `done`, a limit, `left` or `error`."""
    scores: Mapped[dict[str, Any]] = mapped_column(default=dict)
    digest: Mapped[str] = mapped_column(default="")
    """Of the world at the end."""


class Seat(Base):
    """A person's place in a play."""

    __tablename__ = "seats"
    token: Mapped[str] = mapped_column(primary_key=True)
    """Random: whoever has it sits there."""
    play_id: Mapped[str] = mapped_column(ForeignKey("plays.id"), index=True)
    role: Mapped[str]
    participant_id: Mapped[str | None] = mapped_column(ForeignKey("participants.id"), index=True)
    survey: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """What they answered at the end."""
    answered: Mapped[float | None]
    """When they did, or went on where nothing was asked."""
    code: Mapped[str] = mapped_column(default="")
    """Their completion code, once they have answered; the demo has none."""
    evidence: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """What their browser reported about typing, pasting and attention; empty unless they agreed to that."""


class Entry(Base):
    """One act of a play's journal."""

    __tablename__ = "entries"
    play_id: Mapped[str] = mapped_column(ForeignKey("plays.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    role: Mapped[str]
    by: Mapped[str]
    """`person`, `agent`, or `table` for a turn that was handed over for somebody."""
    act: Mapped[dict[str, Any]]
    """What was answered, as JSON under `act`."""
    success: Mapped[bool]
    message: Mapped[str] = mapped_column(Text, default="")
    at: Mapped[float]


class Link(Base):
    """What the administrator lets somebody watch."""

    __tablename__ = "links"
    token: Mapped[str] = mapped_column(primary_key=True)
    """Random: whoever has it may watch."""
    play_id: Mapped[str | None] = mapped_column(ForeignKey("plays.id"), index=True)
    run: Mapped[str] = mapped_column(default="")
    """The name of a folder of results, if it is no play."""
    created: Mapped[float]


class Presence(Base):
    """Somebody came or went."""

    __tablename__ = "presences"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    play_id: Mapped[str] = mapped_column(ForeignKey("plays.id"), index=True)
    role: Mapped[str]
    came: Mapped[bool]
    at: Mapped[float]
