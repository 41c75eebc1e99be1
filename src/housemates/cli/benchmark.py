"""Verbs that each benchmark serves in its own way: `housemates generate teach`, `verify tdl`, ..."""

from __future__ import annotations

import importlib
from typing import Any

from housemates.cli import options
from housemates.core import registry

COMMON = {
    "import": {"weights": "housemates.cli.weights:ImportWeights"},
    "replay": {"run": "housemates.cli.replay:Run"},
    "export": {
        "run": "housemates.cli.export:ExportRun",
        "model": "housemates.cli.train:ExportModel",
        "eyes": "housemates.cli.eyes:ExportEyes",
        "encoder": "housemates.cli.weights:ExportEncoder",
    },
    "stats": {"people": "housemates.cli.people:StatsPeople"},
    "verify": {
        "run": "housemates.cli.verify:Run",
        "eyes": "housemates.cli.eyes:VerifyEyes",
        "reading": "housemates.cli.verify_reading:VerifyReading",
        "people": "housemates.cli.people:VerifyPeople",
    },
}
"""Verb -> what it can be about in every benchmark alike -> the command."""


def main(verb: str, argv: list[str]) -> None:
    """Find the benchmarks' commands under `verb` and run the one that the first word names."""
    found = {noun: (spec, where) for noun, spec, where in registry.commands(verb)}
    common = COMMON.get(verb, {})
    named = argv[:1] if argv and (argv[0] in found or argv[0] in common) else [*common, *found]
    commands = {
        noun: _common(common[noun]) if noun in common else found[noun][0].load(found[noun][1])
        for noun in named
    }
    options.choose(commands, f"housemates {verb}", argv)


def _common(where: str) -> type[Any]:
    module, _, name = where.partition(":")
    found: type[Any] = getattr(importlib.import_module(module), name)
    return found
