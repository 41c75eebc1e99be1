"""The papers' human protocols are projects that can be opened, and stay as they were changed."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from housemates.errors import HousematesError
from housemates.files import shipped
from housemates.studio.settings import Settings
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Project
from housemates.studio.study.protocols import open_protocols, protocol

NAMES = tuple(shipped("housemates.studio.study", "protocols.toml"))


def test_every_protocol_can_be_opened_and_is_left_as_it_was_changed(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'studio.sqlite'}")
    settings = Settings(f"sqlite:///{tmp_path / 'studio.sqlite'}", projects=NAMES)

    def opened(session: Session) -> None:
        open_protocols(session, NAMES, settings)
        session.get_one(Project, "alfred-people").title = "another"
        open_protocols(session, NAMES, settings)
        people = session.get_one(Project, "alfred-people")
        assert (people.title, people.plays, people.plan["each"]) == ("another", 100, 20)
        blind = [session.get_one(Project, f"cerealbar-live-{number}") for number in (1, 2)]
        assert blind[0].seats["follower"] == "learnt" and not blind[1].seats["follower"]
        assert blind[0].title == blind[1].title and blind[0].plan["consent"] == blind[1].plan["consent"]

    with ThreadPoolExecutor(1) as thread:  # Playwright may have an event loop in this one
        thread.submit(asyncio.run, database.run(opened)).result()


def test_a_protocol_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(HousematesError, match=r"--projects: there is no 'alfred-poeple'.*alfred-people"):
        protocol("alfred-poeple")
