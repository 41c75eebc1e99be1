"""The papers' tables: what their data say exists, and a small one is made, interrupted and gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.core import registry
from housemates.core.loading import seat_all
from housemates.errors import HousematesError
from housemates.evaluation.reproduction import pipeline
from housemates.evaluation.reproduction.catalogue import STORE, Generated, Model, Paper, Row, Table, papers
from housemates.evaluation.reproduction.lines import Lines, spread
from housemates.evaluation.reproduction.page import sections, write_page
from housemates.evaluation.reproduction.pipeline import Places, Reproduction, TrainingOrder
from housemates.models.registry import spec_of
from housemates.models.schedule import override
from housemates.parallel import Crew

TINY = {"epochs": 1, "width": 8, "embedding": 8, "batch": 8, "warmup": 0}
EPISODES = {"version": 2, "episodes": 30, "seed": 0}


def every_row() -> Iterator[tuple[Paper, str, Table, Row]]:
    """All rows of all tables."""
    return (
        (paper, name, table, row)
        for paper in papers()
        for name, table in paper.tables.items()
        for row in table.rows
    )


def test_names_in_braces_mean_one_thing_each() -> None:
    for paper in papers():
        names = [STORE, *paper.given, *paper.models, *paper.episodes]
        assert len(names) == len(set(names)), paper.paper
        for model in paper.models.values():
            assert model.start in ("", *paper.models)
            for config in ("cpu", "paper"):
                known = spec_of(model.model).config(config)
                for given in (model.set, model.set | model.cpu):
                    override(known, given, model.model)


@pytest.mark.parametrize("config", ["cpu", "paper"])
def test_every_row_can_be_asked_for(config: str, tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path / "data", tmp_path / "store", config)
    for paper, name, table, row in every_row():
        if not row.agents:
            continue
        run = Reproduction(paper, name, table, places).run_of(row, 0)
        made = registry.benchmark_class(run.benchmark)
        assert set(run.options) <= {*made.Options.__dataclass_fields__}, (name, row.name)
        assert run.split in ("generated", *made.splits), name
        assert seat_all(made, [f"{role}={seat.name}" for role, seat in run.agents.items()], {})


def test_what_stands_beside_a_row_is_printed_in_the_paper() -> None:
    for paper, name, table, row in every_row():
        for path in table.published.values():
            theirs = paper.place(path)
            assert row.paper == "-" or (row.paper or row.name) in theirs, (name, row.name)
        assert row.against in ("", *(each.name for each in table.rows))


def test_every_task_of_a_table_by_tasks_stands_beside_the_papers(tmp_path: Path) -> None:
    for paper in papers():
        for name, table in paper.tables.items():
            if table.by_task and table.published:
                lines = Lines(paper, name, table, Places(tmp_path), 0).cells()
                first = next(row.name for row in table.rows if row.agents and row.paper != "-")
                ours = [line for line in lines if line[""].startswith(f"{first}, ")]
                column = f"{table.columns[0]}, {next(iter(table.published))}"
                told = sum(column in line and bool(line[column]) for line in ours)
                assert told >= len(ours) - 4, (name, told, len(ours))


def test_tables_that_share_evaluations_are_played_alike() -> None:
    for paper in papers():
        for table in paper.tables.values():
            if table.plays:
                other = paper.tables[table.plays]
                same = ("benchmark", "split", "episodes", "options")
                assert all(getattr(table, each) == getattr(other, each) for each in same)
                theirs = {row.name: (row.agents, row.agent_options, row.options) for row in other.rows}
                for row in table.rows:
                    assert theirs[row.name] == (row.agents, row.agent_options, row.options)


def test_rows_of_a_table_are_not_the_same_twice() -> None:
    for _, name, table, _ in every_row():
        played = [str((row.agents, row.agent_options, row.options)) for row in table.rows if row.agents]
        assert len(played) == len(set(played)), name


def small(rows: list[Row], models: Mapping[str, Model] | None = None) -> Paper:
    """A table of three episodes."""
    table = Table(
        title="small",
        benchmark="handmethat",
        columns=["success", "score"],
        rows=rows,
        split="all",
        episodes=3,
        options={"data": "{some}"},
        published={"paper": "table6.rows"},
    )
    episodes = {"some": [Generated("handmethat", EPISODES)]}
    return Paper(
        "small", "handmethat", {"lent": "what nobody has"}, {"small": table}, episodes, dict(models or {})
    )


def reproduced(paper: Paper, out: Path, seeds: int = 2) -> Reproduction:
    """The small table, made in this process."""
    found = Reproduction(paper, "small", paper.tables["small"], Places(out), Crew(1), False)
    found.run(paper.tables["small"].rows, seeds)
    return found


def test_rows_are_trained_and_played_once_and_those_that_lack_something_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        Row("human, told"),
        Row("trained", ["robot={warm}"], paper="seq2seq"),
        Row("heuristic", ["heuristic"], against="trained", says="a word."),
        Row("lacking", ["robot={far}"], paper="-"),
    ]
    models = {
        "cold": Model("handmethat-seq2seq", "{some}", cpu=TINY),
        "warm": Model("handmethat-seq2seq", "{some}", start="cold", cpu=TINY),
        "far": Model("handmethat-seq2seq", "{lent}"),
    }
    paper = small(rows, models)
    made = reproduced(paper, tmp_path)
    assert made.problems == {"lacking": "needs --data, a folder with lent (what nobody has)"}
    assert sorted(each.name for each in (tmp_path / "models" / "cpu").iterdir()) == [
        "cold-s0",
        "cold-s1",
        "warm-s0",
        "warm-s1",
    ]
    lines = Lines(paper, "small", paper.tables["small"], made.places, 5)
    told = {line[""]: line for line in lines.cells()}
    assert told["heuristic"]["seeds"] == "2"
    assert told["heuristic"]["episodes"] == "3"
    assert " ± " in told["trained"]["success"]
    assert told["lacking"]["seeds"] == "not run"
    assert any(each.startswith("heuristic against trained: ") for each in lines.sentences())

    def refused(order: TrainingOrder) -> str:
        raise AssertionError(f"{order.out} was trained already")

    monkeypatch.setattr(pipeline, "train_one", refused)
    before = {path: path.read_bytes() for path in tmp_path.rglob("episodes.jsonl")}
    assert reproduced(paper, tmp_path).problems == made.problems
    assert {path: path.read_bytes() for path in tmp_path.rglob("episodes.jsonl")} == before


def test_a_training_that_fails_is_a_sentence_and_the_other_rows_go_on(tmp_path: Path) -> None:
    models = {"odd": Model("handmethat-seq2seq", "{some}", set={"told": "everything"})}
    made = reproduced(
        small([Row("odd", ["robot={odd}"], paper="-"), Row("random", ["random"])], models), tmp_path, 1
    )
    assert list(made.problems) == ["odd"]
    assert "told" in made.problems["odd"]
    assert (made.places.evaluation("small", Row("random"), 0) / pipeline.REPORT).exists()


def test_a_page_keeps_the_sections_of_other_tables(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    write_page(page, {}, Places(tmp_path))
    text = page.read_text().replace("not run", "99.9")
    page.write_text(text)
    name, paper = next((name, paper) for paper in papers() for name in paper.tables)
    lines = Lines(paper, name, paper.tables[name], Places(tmp_path), 1)
    write_page(page, {name: lines}, Places(tmp_path))
    found = sections(page.read_text())
    assert len(found) == sum(len(each.tables) for each in papers())
    (own,) = (each for title, each in found.items() if title.startswith(f"{name}: "))
    assert "not run" in own and "99.9" not in own
    assert all("not run" not in text for title, text in found.items() if not title.startswith(f"{name}: "))


def test_means_are_written_with_their_deviation_over_seeds() -> None:
    assert spread([10.0, 12.0, 14.0]) == "12.00 ± 2.00"
    assert spread([10.0]) == "10.00"


def test_the_command_lists_the_tables_and_refuses_one_that_is_not_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["reproduce", "--json"])
    listed = json.loads(capsys.readouterr().out)
    assert {"teach-table4", "alfred-table3", "handmethat-table6", "cerealbar-table1"} <= {
        each["table"] for each in listed
    }
    with pytest.raises(SystemExit):
        main(["reproduce", "teach-table99"])
    assert "teach-table4" in capsys.readouterr().err
    with pytest.raises(HousematesError, match=r"no row 'E\.T'"):
        from housemates.evaluation.reproduction.catalogue import chosen, find

        chosen(find("teach-table4")[1], ["E.T"])
