"""`housemates benchmarks` tells what there is, and it is true."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from housemates.cli.benchmarks import about
from housemates.cli.main import main
from housemates.core import registry
from housemates.errors import HousematesError

NAMES = [name for spec in registry.specs().values() for name in spec.benchmarks]


@pytest.mark.parametrize("name", NAMES)
def test_every_split_is_one_or_says_which_data_it_needs(name: str) -> None:
    benchmark = registry.benchmark(name)
    for split, needs in benchmark.splits.items():
        if needs:
            assert needs in {each.name for each in fields(benchmark.Options)}
            with pytest.raises(HousematesError, match=needs if name != "cerealbar-recorded" else "expected"):
                next(iter(benchmark.references(split, 0)))
        else:
            assert next(iter(benchmark.references(split, 0))).id


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_its_help_and_every_role_its_agents(name: str) -> None:
    told = about(registry.benchmark_class(name))
    assert all(each["help"].endswith(".") for each in told["options"].values())
    assert list(told["roles"]) == list(registry.benchmark_class(name).roles)


def test_every_table_about_a_benchmark_has_rows(capsys) -> None:
    """Walk 23: `benchmarks home` printed a table without rows."""
    main(["benchmarks", "home"])
    lines = capsys.readouterr().out.splitlines()
    rules = [number for number, line in enumerate(lines) if line.startswith("──")]
    assert all(lines[number + 1].strip() for number in rules)
    assert "agent  first, random" in lines


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    main(["benchmarks", *words, "--json"])
    return json.loads(capsys.readouterr().out)


def test_a_folder_stands_for_its_benchmark_with_most_roles(capsys: pytest.CaptureFixture[str]) -> None:
    assert [each["name"] for each in printed(capsys)] == NAMES
    assert printed(capsys, "teach")["name"] == "teach-tatc"
    assert printed(capsys, "cerealbar")["name"] == "cerealbar"


def test_the_table_names_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    main(["benchmarks"])
    out = capsys.readouterr().out
    assert all(name in out for name in NAMES)
