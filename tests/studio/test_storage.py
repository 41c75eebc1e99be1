"""What lasts: databases of older versions, backups, and tables for others."""

from __future__ import annotations

import asyncio
import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from postgres import Postgres
from sqlalchemy import Engine, create_engine, select, text
from sqlalchemy.orm import Session

from housemates.cli.main import main
from housemates.core.benchmark import Reference
from housemates.errors import HousematesError
from housemates.studio.settings import Settings
from housemates.studio.storage import plays
from housemates.studio.storage.database import Database, make_engine, read_url, upgrade
from housemates.studio.storage.journal import Journal, NotKept, _Append
from housemates.studio.storage.tables import Base, Entry, Participant, Project, Refused
from housemates.studio.study import backup, consents, exports, links, participants, restore
from housemates.studio.worlds.instances import Chosen
from housemates.studio.worlds.table import Written

NEWER = ("links", "consents", "invitations")
OLD = [f"{each.name}.jsonl" for each in Base.metadata.sorted_tables if each.name not in NEWER]
"""What a backup of the first version holds."""
FIRST: dict[str, list[dict[str, Any]]] = {
    "projects": [
        {
            "id": "study-0",
            "title": "Ünïcode",
            "benchmark": "handmethat",
            "options": {},
            "tasks": [],
            "split": "generated",
            "seed": 0,
            "seats": {"robot": ""},
            "plays": 0,
            "open": True,
            "plan": {"consent": "We keep all."},
            "created": 1.5,
        }
    ],
    "participants": [
        {
            "id": "token-of-anna-0123456789",
            "project_id": "study-0",
            "source": "link",
            "external": "anna",
            "study": "",
            "session": "",
            "state": {"consent": 2.0},
            "created": 1.75,
        }
    ],
    "plays": [
        {
            "id": "play",
            "project_id": "study-0",
            "kind": "main",
            "page": "handmethat",
            "number": 0,
            "benchmark": "handmethat",
            "version": "housemates/handmethat-v1",
            "options": {},
            "task": "",
            "reference": {"id": "0-1", "data": 1, "seed": 7},
            "seats": {"robot": ""},
            "status": "ended",
            "created": 2.0,
            "started": 2.0,
            "ended": 3.0,
            "how": "done",
            "scores": {},
            "digest": "",
        }
    ],
    "seats": [
        {
            "token": "seat",
            "play_id": "play",
            "role": "robot",
            "survey": {},
            "code": "HM-1",
            "participant_id": "token-of-anna-0123456789",
        }
    ],
    "entries": [
        {
            "play_id": "play",
            "number": 0,
            "role": "robot",
            "by": "person",
            "success": True,
            "at": 2.25,
            "act": {"act": {"name": "Say", "arguments": {"text": "hand me <that> 👋"}}},
            "message": "",
        }
    ],
}
"""What studies of the first version held, table by table."""
SAID = "hand me <that> 👋"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def fresh(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], str]]:
    """Makes a database that is empty, and says where it is."""
    numbers = count()
    if request.param == "sqlite":
        folder = tmp_path_factory.mktemp("storage")
        yield lambda: f"sqlite:///{folder / f'{next(numbers)}.sqlite'}"
        return
    server = Postgres().start()

    def made() -> str:
        name = f"studio{next(numbers)}"
        engine = create_engine(read_url(server.url), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return server.url.removesuffix("postgres") + name

    yield made
    server.stop()


def fill(session: Session, number: int = 0) -> str:
    """A project with a participant, and a play with an act; the id of the play."""
    name = f"study-{number}"
    project = Project(id=name, title="Ünïcode", benchmark="handmethat", created=1.5, seats={"robot": ""})
    session.add(project)
    session.flush()
    who = participants.join(session, name, participants.visit_of({"participant": "anna"}), "")
    chosen = Chosen(Reference("0-1", {"a": [1, None]}, 7), 0, "level 1")
    tokens = plays.make(session, project, chosen, {"robot": ""})
    participants.sit(session, tokens, {"robot": who})
    play = plays.place_of(session, tokens["robot"]).play
    act = {"act": {"name": "Say", "arguments": {"text": SAID}}}
    session.add(
        Entry(play_id=play, number=0, role="robot", by="person", act=act, success=True, message="", at=2.25)
    )
    return play


def restored(database: Database, path: Path, settings: Settings | None = None) -> int:
    """Restore a backup in a studio that was told of nothing else."""
    return restore.restore(database, path, settings or Settings(""))


def contents(database: Database) -> dict[str, list[str]]:
    """Every row of every table."""

    def read(session: Session) -> dict[str, list[str]]:
        return {
            table.name: sorted(repr(tuple(row)) for row in session.execute(select(table)))
            for table in Base.metadata.sorted_tables
        }

    return database.now(read)


def first_version(engine: Engine) -> None:
    """A study as the first version kept it."""
    upgrade(engine, "0001")
    with engine.begin() as connection:
        for name, rows in FIRST.items():
            for row in rows:
                kept = {
                    key: json.dumps(each) if isinstance(each, dict | list) else each
                    for key, each in row.items()
                }
                columns = ", ".join(f'"{key}"' for key in kept)
                values = ", ".join(f":{key}" for key in kept)
                connection.execute(text(f"INSERT INTO {name} ({columns}) VALUES ({values})"), kept)


def assert_brought_up_to_date(database: Database) -> None:
    """What the first version held means the same as before."""
    with Session(database.engine) as session:
        (entry,) = plays.journal_of(session, "play")
        assert entry.act["arguments"]["text"] == SAID
        (anna,) = session.scalars(select(Participant))
        agreed = consents.agreed(session, anna)
        assert agreed is not None
        assert (agreed.version, agreed.text, agreed.evidence) == (1, "We keep all.", False)
        assert anna.state["consent"] == {"version": 1, "at": 2.0}
        assert participants.stage_of(session, anna.id).name == "done"
        token = links.make(session, "play", "")
        assert links.of(session, token).play_id == "play"


def test_a_database_of_the_first_version_is_brought_up_to_date_with_all_that_is_in_it(
    fresh: Callable[[], str],
) -> None:
    url = fresh()
    engine = make_engine(read_url(url))
    first_version(engine)
    engine.dispose()
    with closing(Database(url)) as database:
        assert_brought_up_to_date(database)
        with database.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_a_backup_of_the_first_version_is_restored(fresh: Callable[[], str], tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "old.zip", "w") as archive:
        archive.writestr("version", "0001")
        for name in OLD:
            rows = FIRST.get(name.removesuffix(".jsonl"), [])
            archive.writestr(name, "".join(json.dumps(row) + "\n" for row in rows))
    with closing(Database(fresh())) as database:
        restored(database, tmp_path / "old.zip")
        assert_brought_up_to_date(database)


def test_a_backup_with_what_no_project_may_have_is_refused(fresh: Callable[[], str], tmp_path: Path) -> None:
    file = tmp_path / "evil.zip"
    with closing(Database(fresh())) as database:
        for table, key, value, said in (
            ("projects", "tasks", ["levl 2"], "project 'study-0': tasks: .* did you mean 'level 2'"),
            ("projects", "seats", {"robot": "evil.py:Evil"}, "project 'study-0': seats: the robot cannot be"),
            ("projects", "options", {"data": "/etc"}, "project 'study-0': options: .* no option 'data'"),
            ("projects", "options", 3, "projects: line 1: Expected `object`.*options"),
            ("projects", "plan", {"each": "many"}, "project 'study-0': plan.each"),
            ("plays", "seats", {"robot": "evil.py:Evil"}, "session 'play': seats: the robot cannot be"),
            ("plays", "seats", ["evil.py:Evil"], "plays: line 1: Expected `object`.*seats"),
        ):
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr("version", "0001")
                for name in OLD:
                    rows = FIRST.get(name.removesuffix(".jsonl"), [])
                    bad = [{**row, key: value} if name == f"{table}.jsonl" else row for row in rows]
                    archive.writestr(name, "".join(json.dumps(row) + "\n" for row in bad))
            with pytest.raises(HousematesError, match=said):
                restored(database, file)
            assert not any(contents(database).values())


def test_a_backup_is_restored_to_the_same_rows_in_any_database(
    fresh: Callable[[], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url, file = fresh(), tmp_path / "study.zip"
    with closing(Database(url)) as database:
        play = database.now(fill)
        database.now(lambda session: links.make(session, play, ""))
        before = contents(database)
    main(["studio", "backup", str(file), "--db", url])
    for other in (fresh(), f"sqlite:///{tmp_path / 'again.sqlite'}"):
        main(["studio", "restore", str(file), "--db", other])
        with closing(Database(other)) as database:
            assert contents(database) == before
            database.now(lambda session: fill(session, 1))
    assert capsys.readouterr().out.count("rows.") == 3
    with pytest.raises(SystemExit, match="2"):
        main(["studio", "restore", str(file), "--db", url])
    assert "holds something already" in capsys.readouterr().err


def test_a_backup_is_of_one_moment_while_people_play(fresh: Callable[[], str], tmp_path: Path) -> None:
    url, file, stop = fresh(), tmp_path / "study.zip", threading.Event()
    with closing(Database(url)) as database, closing(Database(fresh())) as again:

        def play() -> None:
            for number in count():
                if stop.is_set():
                    return
                database.now(lambda session, number=number: fill(session, number))  # type: ignore[misc]

        playing = threading.Thread(target=play)
        playing.start()
        try:
            for _ in range(3):
                rows = backup.backup(database, file)
        finally:
            stop.set()
            playing.join()
        assert restored(again, file) == rows


def test_what_is_no_backup_is_refused_and_leaves_nothing(fresh: Callable[[], str], tmp_path: Path) -> None:
    with closing(Database(fresh())) as database:
        for name, files in {
            "none.zip": None,
            "other.zip": {"hello": "there"},
            "new.zip": {"version": "9999"},
            "part.zip": {"version": "0002", "projects.jsonl": ""},
            "torn.zip": {"version": "0001", **dict.fromkeys(OLD, ""), "projects.jsonl": "{"},
        }.items():
            path = tmp_path / name
            if files is not None:
                with zipfile.ZipFile(path, "w") as archive:
                    for each, said in files.items():
                        archive.writestr(each, said)
            with pytest.raises(HousematesError, match=name):
                restored(database, path)
        assert not any(contents(database).values())


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a backup."""
    folder = tmp_path_factory.mktemp("saved")
    path = folder / "study.zip"
    with closing(Database(f"sqlite:///{folder / 'studio.sqlite'}")) as database:
        database.now(fill)
        backup.backup(database, path)
    assert path.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def crafted(path: Path, saved: dict[str, bytes], table: str, change: Any) -> Path:
    """A backup with one table's rows changed: columns that are replaced, or bytes in place of all."""
    rows = saved[f"{table}.jsonl"]
    if isinstance(change, dict):
        rows = b"".join(
            json.dumps({**json.loads(row), **change}).encode() + b"\n" for row in rows.splitlines()
        )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**saved, f"{table}.jsonl": rows if isinstance(change, dict) else change}.items():
            archive.writestr(name, data)
    return path


CRAFTED: list[tuple[str, Any]] = [
    ("projects", {"seats": {"robot": "some/folder/evil.py:Evil"}}),
    ("projects", {"seats": {"robot": "first"}}),
    ("projects", {"seats": {"nobody": ""}, "benchmark": "nothing"}),
    ("projects", {"options": {"files": "/etc"}}),
    ("projects", {"options": {"store": "/etc"}}),
    ("projects", {"plan": {"return": "javascript:alert(1)"}}),
    ("projects", {"plan": {"each": "many"}}),
    ("projects", {"id": "../up"}),
    ("projects", {"seed": 2**31}),
    ("projects", {"tasks": "Coffee"}),
    ("projects", {"created": "yesterday"}),
    ("projects", b"[]\n"),
    ("projects", b"[" * 100_000),
    ("projects", b"\xff\xfe\n"),
    ("plays", {"seats": {"robot": "some/folder/evil.py:Evil"}}),
    ("plays", {"seats": {"robot": "http://10.0.0.1/"}}),
    ("plays", {"options": {"files": "/etc/passwd"}}),
    ("plays", {"page": "../../evil"}),
    ("plays", {"reference": {"id": 5}}),
    ("plays", {"project_id": "elsewhere"}),
    ("plays", {"id": None}),
    ("entries", {"number": -(2**40)}),
    ("entries", {"act": 5}),
    ("entries", b'{"play_id": 1e999}\n'),
]


@pytest.mark.parametrize("number", range(len(CRAFTED)))
def test_a_crafted_backup_is_refused_in_one_sentence(
    saved: dict[str, bytes], tmp_path: Path, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = crafted(tmp_path / "bad.zip", saved, *CRAFTED[number])
    db = f"sqlite:///{tmp_path / 'again.sqlite'}"
    with pytest.raises(SystemExit, match="2"):
        main(["studio", "restore", str(path), "--db", db])
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "bad.zip" in said
    with closing(Database(db)) as database:
        assert not any(contents(database).values())


def test_an_agent_of_a_backup_may_sit_where_it_is_named_again(
    saved: dict[str, bytes], tmp_path: Path
) -> None:
    seats = {"commander": "mine.py:Mine", "follower": ""}
    path = crafted(tmp_path / "mine.zip", saved, "projects", {"benchmark": "teach-tatc", "seats": seats})
    with closing(Database(f"sqlite:///{tmp_path / 'again.sqlite'}")) as database:
        with pytest.raises(HousematesError, match="commander cannot be"):
            restored(database, path)
        assert restored(database, path, Settings("", agents=("mine.py:Mine",))) > 0


def test_bombs_are_not_unpacked(saved: dict[str, bytes], tmp_path: Path) -> None:
    blank = crafted(tmp_path / "blank.zip", saved, "entries", b" " * 300_000_000)
    rows = b"".join(b'{"key": "%d", "value": "%s"}\n' % (number, b"x" * 10_000) for number in range(10_000))
    many = crafted(tmp_path / "many.zip", saved, "settings", rows)
    for path, why in ((blank, "longer than"), (many, "far more than it should")):
        assert path.stat().st_size < 1_000_000
        with (
            closing(Database(f"sqlite:///{tmp_path / path.stem}.sqlite")) as database,
            pytest.raises(HousematesError, match=why),
        ):
            restored(database, path)


def test_what_a_database_cannot_keep_is_refused_in_one_sentence(fresh: Callable[[], str]) -> None:
    url = fresh()
    with closing(Database(url)) as database:
        project = {"title": "a", "benchmark": "handmethat", "created": 1.0}
        for bad in ({"id": "a\0b"}, {"id": "big", "seed": 2**31}):
            if url.startswith("postgresql"):
                with pytest.raises(Refused, match="cannot keep this"):
                    database.now(lambda session, bad=bad: session.add(Project(**project, **bad)))  # type: ignore[misc]
            else:
                database.now(lambda session, bad=bad: session.add(Project(**project, **bad)))  # type: ignore[misc]


def test_one_act_that_cannot_be_kept_takes_no_other_with_it(fresh: Callable[[], str]) -> None:
    url = fresh()
    with closing(Database(url)) as database:
        play = database.now(fill)
        good = Written(1, "robot", "person", {"name": "Look"}, True, "", 3.0)
        bad = Written(2, "robot", "person", {"name": "Look"}, True, "\0" if "postgresql" in url else "", 2.0)
        journal = Journal(database)

        async def appended() -> list[Any]:
            loop = asyncio.get_running_loop()
            batch = [_Append(play, [each], loop.create_future(), loop) for each in (good, bad)]
            await asyncio.to_thread(journal._commit, batch)
            return await asyncio.gather(*(each.done for each in batch), return_exceptions=True)

        with ThreadPoolExecutor(1) as thread:  # Playwright may have an event loop in this one
            first, second = thread.submit(asyncio.run, appended()).result()
        journal.close()
        assert first is None
        assert isinstance(second, NotKept) or url.startswith("sqlite")
        assert good in database.now(lambda session: plays.journal_of(session, play))


def test_a_commit_whose_answer_is_lost_is_not_done_again(
    fresh: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, lost = fresh(), []
    if not url.startswith("postgresql"):
        pytest.skip("SQLite's commits are not answered over a network")
    with closing(Database(url)) as database:
        commit = database.engine.dialect.do_commit

        def committed(connection: Any) -> None:
            commit(connection)
            if not lost:
                lost.append(connection)
                raise psycopg.OperationalError("the connection was lost")

        monkeypatch.setattr(database.engine.dialect, "do_commit", committed)
        play = database.now(fill)
        kept = contents(database)
    assert len(lost) == 1
    assert len(kept["plays"]) == 1
    assert play in kept["plays"][0]


def test_databases_are_known_by_their_fingerprints(fresh: Callable[[], str]) -> None:
    url, other = fresh(), fresh()
    with closing(Database(url)) as one, closing(Database(url)) as same, closing(Database(other)) as another:
        assert one.fingerprint == same.fingerprint != another.fingerprint


def test_a_study_is_taken_out_as_parquet_without_the_tokens_of_seats(fresh: Callable[[], str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with closing(Database(fresh())) as database:
        play = database.now(fill)
        tables = database.now(lambda session: exports.tables_of(session, "study-0"))
        kept = contents(database)
    archive = zipfile.ZipFile(io.BytesIO(exports.parquet(tables)))
    found: dict[str, list[dict[str, Any]]] = {
        name.removesuffix(".parquet"): parquet.read_table(io.BytesIO(archive.read(name))).to_pylist()
        for name in archive.namelist()
    }
    (act,) = found["acts"]
    assert (act["play_id"], act["at"], act["success"]) == (play, 2.25, True)
    assert json.loads(act["act"])["act"]["arguments"]["text"] == SAID
    (seat,) = found["seats"]
    assert (seat["participant"], seat["acts"], seat["said"]) == ("anna", 1, 1)
    assert found["participants"][0]["participant"] == "anna"
    token = kept["seats"][0].split("'")[1]
    assert token not in repr(found)
