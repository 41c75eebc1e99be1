"""The tables of the papers as data: rows, and the models and episodes that they need.

A file of `tables/` is about one paper. Words in braces name what something is made of: a folder of the user's
data (`{teach}`), the store (`{store}`), episodes that are generated (`[episodes.NAME]`) or a model that is
trained (`[models.NAME]`). So nothing has to say what comes first.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from housemates.core import registry
from housemates.errors import HousematesError, nearest
from housemates.files import shipped
from housemates.typed_json import convert

STORE = "store"
CONFIGS = ("cpu", "paper")


class Generated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Episodes that `housemates generate` makes."""

    generate: str
    """As on the command line, such as `handmethat`."""
    set: dict[str, Any] = {}
    """Options of the command."""
    folder: str = ""
    """Where in the folder of these episodes."""


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A training by `housemates train`."""

    model: str
    data: str
    start: str = ""
    """The model that it is warm-started from."""
    set: dict[str, Any] = {}
    """What makes the row, whatever the config."""
    cpu: dict[str, Any] = {}
    """What the config `cpu` adds to that, so that it can be trained on two cores."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row: who plays, and which of the paper's rows stands beside."""

    name: str
    agents: list[str] = []
    """As after `--agents`; none for a row of the paper's that nobody plays here."""
    agent_options: dict[str, Any] = {}
    options: dict[str, Any] = {}
    """Of the benchmark, beside the table's."""
    paper: str = ""
    """The name of the paper's row; the row's own name if empty, none if `-`."""
    against: str = ""
    """Another row with which it is compared, pair by pair of episodes."""
    seeds: int | None = None
    """How many make sense, where nothing is left to chance; else as many as are asked for."""
    says: str = ""
    """What does not compare with the paper's row."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a paper and how it is repeated."""

    title: str
    benchmark: str
    columns: list[str]
    """Numbers as the benchmark names them; the first has an interval."""
    rows: list[Row]
    split: str
    plays: str = ""
    """The table whose evaluations are shown here in another way; its own if empty."""
    episodes: int | None = None
    options: dict[str, Any] = {}
    published: dict[str, str] = {}
    """What a version of the paper is called -> where its rows are in `published.toml`."""
    by_task: bool = False
    """Whether each row is shown task by task (for HandMeThat, level by level)."""
    titles: dict[str, str] = {}
    """What the paper calls tasks, where that is not their name here."""
    differs: list[str] = []
    """Differences of protocol, a sentence each."""


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of tables holds."""

    paper: str
    benchmarks: str
    """The folder of benchmarks whose `published.toml` has the paper's numbers."""
    given: dict[str, str]
    """Folders below DATA -> what is in them."""
    tables: dict[str, Table]
    episodes: dict[str, list[Generated]] = {}
    models: dict[str, Model] = {}

    def place(self, path: str) -> Mapping[str, Any]:
        """The rows of the paper's numbers at a dotted path."""
        found: Any = shipped(f"{registry.BENCHMARKS}.{self.benchmarks}", "published.toml")
        for part in path.split("."):
            found = found[part]
        rows: Mapping[str, Any] = found
        return rows


def names_in(text: str) -> Iterator[str]:
    """The names in braces."""
    return (name for _, name, _, _ in string.Formatter().parse(text) if name)


@cache
def papers() -> tuple[Paper, ...]:
    """All papers, by the names of their files."""
    folder = resources.files(__package__).joinpath("tables")
    files = sorted(each.name for each in folder.iterdir() if each.name.endswith(".toml"))
    return tuple(convert(shipped(f"{__package__}.tables", name), Paper, name) for name in files)


def find(name: str) -> tuple[Paper, Table]:
    """A table by its name, and its paper; HousematesError suggests the nearest name if there is none."""
    for paper in papers():
        if name in paper.tables:
            return paper, paper.tables[name]
    known = [each for paper in papers() for each in paper.tables]
    raise HousematesError(f"Unknown table {name!r}: {nearest(name, known)}.")


def chosen(table: Table, names: list[str] | None) -> list[Row]:
    """The rows with these names, in their order; all of them if none are named."""
    known = [row.name for row in table.rows]
    for name in names or ():
        if name not in known:
            raise HousematesError(f"--rows: the table has no row {name!r}: {nearest(name, known)}.")
    return [row for row in table.rows if not names or row.name in names]
