"""`housemates eval BENCHMARK --agents ...`: run agents on a benchmark and print the table."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import tyro

from housemates.cli import options
from housemates.parallel.crew import Crew


@dataclass
class Evaluate:
    """Run agents on a benchmark and score them."""

    benchmark: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="BENCHMARK")]
    """The benchmark, for example teach-tatc, alfred, handmethat or cerealbar."""
    agents: list[str] = field(default_factory=lambda: ["random"])
    """The agents: a name from the benchmark's README, module:Class, file.py:Class, http://ADDRESS or
    llm:MODEL; for all roles, or ROLE=NAME for each."""
    agent_option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the agents; ROLE.KEY=VALUE for one of them."""
    base_url: str | None = None
    """OpenAI-compatible endpoint for language models (llm:MODEL)."""
    split: str = "generated"
    """The split; 'generated' makes new instances from the seed."""
    episodes: int | None = None
    """Maximum number of instances; by default the whole split."""
    seed: int = 0
    """Random seed."""
    option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the benchmark, for example --option store=DIR."""
    act_timeout: float | None = None
    """Time limit of one act in seconds; exceeding it ends the episode with an error."""
    memory: int | None = None
    """Memory limit per process in megabytes; exceeding it ends the episode with an error."""
    tokenizer: Path | None = None
    """A tokenizer.json that counts the tokens of percepts; without one they are estimated."""
    isolate: bool = False
    """Run each agent in its own sandboxed process: no network, no files outside its folder, no other
    processes. The results say which of these the system enforced."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    out: Path | None = None
    """Folder for results and transcripts; repeat the command to resume a run, or to extend it with more
    episodes."""
    retry_errors: bool = False
    """Repeat the episodes that ended in an error."""
    json: bool = False
    """Print one line of JSON instead of a table."""

    def run(self) -> None:
        """Evaluate, and print tables or one JSON object."""
        from housemates.core import registry
        from housemates.core.isolation.agent import isolation
        from housemates.core.loading import seat_all
        from housemates.core.options import pairs
        from housemates.evaluation import runner
        from housemates.reporting.evaluations import show_report

        given = pairs(self.agent_option, "--agent-option")
        if self.base_url is not None:
            given["base_url"] = self.base_url
        apart = isolation(self.memory, self.act_timeout) if self.isolate else None
        seats = seat_all(registry.benchmark_class(self.benchmark), self.agents, given, apart)
        run = runner.Run(
            self.benchmark,
            seats,
            self.split,
            self.episodes,
            self.seed,
            pairs(self.option, "--option"),
            self.act_timeout,
            self.memory,
            tokenizer=str(self.tokenizer or ""),
        )
        report = runner.evaluate(run, self.crew, self.out, not self.json, self.retry_errors)
        if self.json:
            print(json.dumps(report))
        else:
            show_report(report)
        _tell_errors(report, self.out)
        if report["errors"] == report["episodes"]:
            sys.exit(1)


def _tell_errors(report: Mapping[str, Any], out: Path | None) -> None:
    """Say on standard error what went wrong, and where there is more to read."""
    from housemates.reporting.words import several

    if report["halted"]:
        done = several(report["episodes"], "episode")
        resumed = (
            "" if out is None else f" They are in {out}; once this is changed, the same command goes on."
        )
        print(f"Stopped after {done}: {report['halted']}{resumed}", file=sys.stderr)
    if not report["errors"]:
        return
    print(
        f"{report['errors']} of {several(report['episodes'], 'episode')} ended in an error:", file=sys.stderr
    )
    for message, count in report["messages"].items():
        print(f"  {count} x {message}", file=sys.stderr)
    rest = report["errors"] - sum(report["messages"].values())
    if rest:
        print(f"  {rest} x something else", file=sys.stderr)
    kept = "kept with --out DIR" if out is None else f"in {out / 'episodes.jsonl'}"
    print(f"The tracebacks are {kept}.", file=sys.stderr)


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates eval` with these arguments."""
    options.run(Evaluate, f"housemates {verb}", argv)
