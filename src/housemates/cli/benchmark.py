"""Verbs that each benchmark serves in its own way: `housemates generate teach`, `verify tdl`, ..."""

from __future__ import annotations

from housemates.benchmarks import registry
from housemates.cli import options


def main(verb: str, argv: list[str]) -> None:
    """Find the benchmarks' commands under `verb` and run the one that the first word names."""
    found = {noun: (spec, where) for noun, spec, where in registry.commands(verb)}
    wanted = found if not argv or argv[0] not in found else {argv[0]: found[argv[0]]}
    options.choose(
        {noun: spec.load(where) for noun, (spec, where) in wanted.items()}, f"housemates {verb}", argv
    )
