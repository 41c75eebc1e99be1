"""Where episodes come from, and what a run comes to."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from housemates.benchmarks.handmethat.commands.generate import Generate
from housemates.core import registry
from housemates.core.benchmark import Benchmark, Result
from housemates.core.loading import seat_all
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate
from housemates.parallel import Crew


def benchmark(**options: Any) -> Benchmark:
    return registry.benchmark("handmethat", **options)


def run_of(agent: str, **settings: Any) -> Run:
    return Run("handmethat", seat_all(registry.benchmark_class("handmethat"), [agent], {}), **settings)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lines")
    Generate(out=folder, episodes=40, crew=Crew(1), json=True).run()
    return folder


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("official")
    Generate(out=folder, episodes=40, format="official", crew=Crew(1), json=True).run()
    return folder


def test_generated_references_have_no_end_and_open_to_the_same_episode_again() -> None:
    made = benchmark()
    references = list(islice(made.references("generated", 5), 3))
    assert [each.id for each in references] == ["5-0", "5-1", "5-2"]
    one, other = (made.open(references[1])[0] for _ in range(2))
    assert one.data == other.data and one.task.startswith("level ")


def test_an_instance_survives_being_written() -> None:
    made = benchmark()
    instance = made.open(next(made.references("generated", 5)))[0]
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(instance.data), type=made.Data)
    assert again == instance.data
    assert again.current.digest() == instance.data.current.digest()
    assert again.wanted == instance.data.wanted and again.goal.wants == instance.data.goal.wants


@pytest.mark.parametrize("form", ["lines", "official"])
def test_a_split_has_its_episodes_of_a_level_in_both_forms(form: str, request: Any) -> None:
    folder: Path = request.getfixturevalue(form)
    everything = list(benchmark(data=folder).references("all", 0))
    assert len(everything) == 40 == len({each.id for each in everything})
    found = {
        (split, level): list(benchmark(data=folder, level=level).references(split, 0))
        for split in ("train", "validation")
        for level in (2, 3)
        if (split, level) != ("validation", 3)
    }
    for (split, level), references in found.items():
        assert references
        instance = benchmark(data=folder).open(references[0])[0]
        assert instance.data.split == split and instance.task == f"level {level}"


def test_files_without_a_split_have_that_of_their_folders_list(official: Path, tmp_path: Path) -> None:
    info = json.loads((official / "HandMeThat_data_info.json").read_text(encoding="utf-8"))
    (tmp_path / "HandMeThat_data_info.json").write_text(json.dumps(info), encoding="utf-8")
    for path in official.glob("task-*.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        plain = {key: value for key, value in record.items() if key not in ("split", "version", "_file")}
        (tmp_path / path.name).write_text(json.dumps(plain), encoding="utf-8")
    made = benchmark(data=tmp_path)
    validation = list(made.references("validation", 0))
    assert {f"{each.id}.json" for each in validation} == set(info[3]["validation"])
    assert made.open(validation[0])[0].data.split == "validation"


def test_a_split_or_level_that_is_not_there_is_refused_and_what_is_there_named(lines: Path) -> None:
    with pytest.raises(HousematesError, match=r"has no split 'typo': there are test \(2\), train \(36\)"):
        list(benchmark(data=lines).references("typo", 0))
    with pytest.raises(HousematesError, match="none of the 2 episodes of split 'test' is of level 4"):
        list(benchmark(data=lines, level=4).references("test", 0))
    with pytest.raises(HousematesError, match="needs episodes"):
        next(benchmark().references("test", 0))
    with pytest.raises(HousematesError, match="no such file"):
        next(benchmark(data="nowhere.jsonl").references("test", 0))


def test_an_episode_that_cannot_be_read_is_an_error_and_counts_as_a_failure(
    lines: Path, tmp_path: Path
) -> None:
    from housemates.files import read_text_lines

    texts = [text for _, text in islice(read_text_lines(lines / "part-00000.jsonl.zst"), 3)]
    broken = [texts[0], "{oops\n", texts[1], texts[2].replace('"level": ', '"level": "x", "y": ')]
    (tmp_path / "some.jsonl").write_text("".join(broken), encoding="utf-8")
    run = run_of("expert", split="all", options={"data": str(tmp_path / "some.jsonl")})
    report = evaluate(run, workers=1, progress=False)
    assert (report["episodes"], report["errors"], report["success"]) == (4, 2, 50.0)
    assert report["tables"]["by level"]["not opened"]["episodes"] == 2
    assert report["metrics"]["moves_where_solved"] > 3


def test_equal_names_are_told_apart(lines: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl.zst").write_bytes((lines / "part-00000.jsonl.zst").read_bytes())
    ids = [each.id for each in benchmark(data=tmp_path).references("all", 0)]
    assert len(ids) == len(set(ids)) == 80


def test_unknown_options_are_refused() -> None:
    for options in ({"version": 3}, {"observability": "none"}, {"questions": "many"}, {"level": 5}):
        with pytest.raises(HousematesError, match="expected"):
            benchmark(**options)
    with pytest.raises(HousematesError, match="did you mean 'level'"):
        benchmark(levels=3)


def results(*rows: tuple[str, float, float]) -> list[Result]:
    tags = {"quest": "bring_me", "version": "2"}
    return [
        Result(str(number), task, {"success": won, "score": 100 * won - moves, "moves": moves}, tags)
        for number, (task, won, moves) in enumerate(rows)
    ]


def test_moves_where_solved_are_those_of_successful_episodes_and_errors_stay_in_every_mean() -> None:
    found = [*results(("level 1", 1, 4), ("level 1", 0, 40)), Result("x", "level 1", {}, error="torn")]
    summary = benchmark().summarise(found, "test")
    moves = {"moves": 14.67, "moves_where_solved": 4.0}
    assert summary.metrics == {"success": 33.33, "score": 18.67, **moves, "questions": 0.0}
    assert summary.tables["by level"]["level 1"]["episodes"] == 3


def test_the_papers_rows_are_those_of_the_version_the_view_and_the_levels_there_are() -> None:
    found = results(("level 2", 1, 4), ("level 4", 0, 40))
    full = benchmark().summarise(found, "test").paper
    assert full["human, level 2"] == {"success": 80.0, "moves_where_solved": 4.2}
    assert full["heuristic, level 4"] == {"success": 29.2, "score": 24.4, "moves_where_solved": 4.1}
    assert not any(name.endswith("level 1") for name in full)
    assert "heuristic, level 2" not in benchmark(observability="partial").summarise(found, "test").paper
