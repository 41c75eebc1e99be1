"""Which instance a play of a project is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from housemates.core.benchmark import Benchmark, Reference
from housemates.errors import HousematesError
from housemates.studio.pages import Page, page
from housemates.studio.worlds.table import made_benchmark

FURTHEST = 2000
"""References that are looked through for the tasks of a project."""


class Chosen(NamedTuple):
    """A reference, which of its instances, and the kind of its task."""

    reference: Reference
    number: int
    task: str


def find(
    page_name: str,
    benchmark: str,
    options: Mapping[str, str],
    seats: Mapping[str, str],
    split: str,
    seed: int,
    tasks: Sequence[str],
    nth: int,
) -> Chosen:
    """An instance of the nth reference whose task is wanted; past the last comes the first again.

    References are opened only where their task is not known without it.
    """
    shown = page(page_name)
    made = made_benchmark(page_name, benchmark, options, seats)
    fitting: list[Chosen] = []
    for reference in islice(made.references(split, seed), FURTHEST):
        known = shown.task(reference)
        if tasks and known is None:
            found = _instance(shown, made, reference, tasks)
        else:
            found = Chosen(reference, 0, known or "") if not tasks or known in tasks else None
        fitting += [] if found is None else [found]
        if len(fitting) > nth:
            break
    if not fitting:
        raise HousematesError(f"{benchmark} has no {', '.join(tasks) or 'task'} in {split}.")
    chosen = fitting[nth % len(fitting)]
    return chosen if chosen.task else _instance(shown, made, chosen.reference, ()) or chosen


def _instance(shown: Page, made: Benchmark, reference: Reference, tasks: Sequence[str]) -> Chosen | None:
    for number, instance in enumerate(shown.instances(made, reference)):
        if not tasks or instance.task in tasks:
            return Chosen(reference, number, instance.task)
    return None
