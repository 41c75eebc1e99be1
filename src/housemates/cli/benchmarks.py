"""`housemates benchmarks [NAME]`: what there is, and what it needs."""

from __future__ import annotations

import json
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Any

import tyro

from housemates.cli import options

if TYPE_CHECKING:
    from housemates.core.benchmark import Benchmark


@dataclass
class Benchmarks:
    """List the benchmarks, or describe one: splits and their data, roles, agents, options."""

    name: tyro.conf.Positional[str | None] = None
    """Draw the frame that the name tells."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Print what there is, as tables or as one JSON object."""
        from housemates.core import registry

        names = [name for spec in registry.specs().values() for name in spec.benchmarks]
        wanted = names if self.name is None else [registry.played(self.name)]
        found = [about(registry.benchmark_class(name)) for name in wanted]
        if self.json:
            print(json.dumps(found if self.name is None else found[0]))
        elif self.name is None:
            _show_all(found)
        else:
            _show_one(found[0])


def about(benchmark: type[Benchmark]) -> dict[str, Any]:
    """All that can be said of a benchmark before it is run."""
    from housemates.core import registry
    from housemates.core.options import helps

    said = helps(benchmark.Options)
    defaults = {
        each.name: "" if each.default in (None, MISSING) else str(each.default)
        for each in fields(benchmark.Options)
    }
    agents = {role: registry.agents_of(benchmark.name, role) for role in benchmark.roles}
    return {
        "name": benchmark.name,
        "id": benchmark.id,
        "asks": " ".join((benchmark.__doc__ or "").split()),
        "splits": dict(benchmark.splits),
        "roles": {role: list(names) for role, names in agents.items()},
        "privileged": {
            role: [name for name, spec in names.items() if spec.privileged] for role, names in agents.items()
        },
        "limits": {"steps": benchmark.limits.steps, "failures": benchmark.limits.failures},
        "options": {name: {"default": default, "help": said[name]} for name, default in defaults.items()},
    }


def _show_all(found: list[dict[str, Any]]) -> None:
    from housemates.reporting.tables import show_rows

    rows = [
        {
            "benchmark": each["name"],
            "roles": ", ".join(each["roles"]),
            "agents": ", ".join(dict.fromkeys(name for names in each["roles"].values() for name in names)),
            "splits without data": ", ".join(name for name, needs in each["splits"].items() if not needs),
            "with your own": ", ".join(name for name, needs in each["splits"].items() if needs),
        }
        for each in found
    ]
    show_rows(rows)
    print(
        "\nAny seat takes `first`, `random`, module:Class, file.py:Class, or an address as well.\n"
        "housemates benchmarks NAME tells more, housemates eval NAME --agents ... runs it."
    )


def _show_one(found: dict[str, Any]) -> None:
    from housemates.reporting.facts import show_facts
    from housemates.reporting.tables import show_rows

    limits = {name: f"{most:,}" for name, most in found["limits"].items()}
    show_facts(
        {
            "benchmark": found["id"],
            "asks": found["asks"],
            "ends after": f"{limits['steps']} acts, or {limits['failures']} that failed",
        }
    )
    show_rows(
        [
            {
                "role": role,
                "agents": ", ".join(each for each in names if each not in found["privileged"][role]),
                "privileged": ", ".join(found["privileged"][role]),
            }
            for role, names in found["roles"].items()
        ]
    )
    show_rows(
        [
            {"split": name, "needs": f"--option {needs}=FILE_OR_FOLDER" if needs else "nothing"}
            for name, needs in found["splits"].items()
        ]
    )
    show_rows(
        [
            {"option": name, "default": each["default"], "what it is": each["help"]}
            for name, each in found["options"].items()
        ]
    )


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates benchmarks` with these arguments."""
    options.run(Benchmarks, f"housemates {verb}", argv)
