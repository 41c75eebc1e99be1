"""Tables on rooms that nobody learnt from: the user's `valid_unseen`, or floor plans held out of `train`."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from housemates.core import registry
from housemates.data.intake import Intake
from housemates.data.records import Text
from housemates.data.store import of_split
from housemates.errors import HousematesError
from housemates.evaluation.reproduction.catalogue import Paper, Row, Table
from housemates.evaluation.reproduction.pipeline import Places
from housemates.files import write_text_lines
from housemates.models.schedule import evenly

TRAIN, SEEN, UNSEEN = SPLITS = ("train", "valid_seen", "valid_unseen")
PACKED = "jsonl.zst"
HELD = (
    "Sessions of train in floor plans that were left out of training: {plans}. They are not the papers' "
    "unseen rooms; the package's segmentation network has seen them, and the store knows their furniture."
)


def on_unseen(paper: Paper, name: str, table: Table) -> Table:
    """A table of `valid_seen` on `valid_unseen`, beside the paper's numbers for unseen rooms."""
    if table.split != SEEN:
        raise HousematesError(
            f"{name}: expected a table of {SEEN}, found one of {table.split!r}: it has no unseen rooms."
        )
    paths = {label: path.replace(SEEN, UNSEEN) for label, path in table.published.items()}
    published = {label: path for label, path in paths.items() if _place(paper, path)}
    return msgspec.structs.replace(
        table,
        title=table.title.replace(SEEN, UNSEEN),
        split=UNSEEN,
        published=published,
        rows=[_beside(row, paper, published.values()) for row in table.rows],
    )


def held_out(table: Table, plans: Sequence[str]) -> Table:
    """A table of `valid_unseen` that says which floor plans of train its rooms are."""
    return msgspec.structs.replace(
        table,
        title=table.title.replace(UNSEEN, f"{len(plans)} floor plans held out of train"),
        differs=[*table.differs, HELD.format(plans=", ".join(plans))],
    )


def _place(paper: Paper, path: str) -> Mapping[str, object]:
    """The paper's rows at a place; none if it prints none."""
    try:
        return paper.place(path)
    except KeyError:
        return {}


def _beside(row: Row, paper: Paper, paths: Iterable[str]) -> Row:
    """A row with the paper's for unseen rooms beside it, if there is one."""
    theirs = re.sub(r"\b(valid_)?seen$", lambda found: f"{found[1] or ''}unseen", row.paper or row.name)
    printed = any(theirs in paper.place(path) for path in paths)
    return msgspec.structs.replace(row, paper=theirs if printed else "-")


def hold_out(paper: Paper, places: Places, count: int) -> tuple[Places, list[str]]:
    """Places whose data have so many floor plans of train as `valid_unseen`; written once.

    Args:
        paper: Whose data are meant.
        places: With all of the data.
        count: Of the floor plans that are left out of train, at even distances in their list.

    Returns:
        The places of all that is made without these plans, and the plans.
    """
    source = None if places.data is None else places.data / paper.benchmarks
    if source is None or not source.exists():
        raise HousematesError(f"--hold-out-plans: needs --data, a folder with {paper.benchmarks}.")
    assert places.data is not None
    known = sorted({plan for _, plan in _texts(paper.benchmarks, source)}, key=_in_order)
    if not 0 < count < len(known):
        raise HousematesError(
            f"--hold-out-plans: expected 1 to {len(known) - 1}, as train has {len(known)} floor plans."
        )
    held = list(evenly(known, count))
    out = places.out / f"held-out-{count}"
    for name in paper.given:
        if (places.data / name).exists():
            _split(name, places.data / name, out / "data" / name, held)
    return replace(places, out=out, data=out / "data"), held


def _texts(name: str, source: Path) -> Iterator[tuple[Text[Any], str]]:
    """The episodes of train, not read, with their floor plans; those that cannot be read are left out."""
    intake: Intake[Any] = importlib.import_module(f"{registry.BENCHMARKS}.{name}.formats.ingestion").INTAKE
    for text in intake.records.texts(of_split(source, name, TRAIN, SPLITS), []):
        try:
            yield text, intake.plan(text)
        except HousematesError:
            continue


def _split(name: str, source: Path, folder: Path, held: Sequence[str]) -> None:
    """Write the episodes in these plans as one split and the others as `train`, unless that is done."""
    for split in (UNSEEN, TRAIN):
        path = folder / f"{split}.{PACKED}"
        if not path.exists():
            wanted = (text for text, plan in _texts(name, source) if (plan in held) == (split == UNSEEN))
            write_text_lines(path, (text.packed() for text in wanted))


def _in_order(plan: str) -> tuple[str, int]:
    """Where a floor plan stands in their list."""
    digits = re.sub(r"\D", "", plan)
    return re.sub(r"\d", "", plan), int(digits or 0)
