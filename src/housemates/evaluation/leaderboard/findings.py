"""What the check of a submission found, one line each."""

from __future__ import annotations

from typing import Literal

import msgspec

Level = Literal["wrong", "marked"]
"""What does not hold, and rejects the submission; or what a board has to show beside a row."""
Evidence = Literal["replayed", "run again", "refereed"]
"""The acts lead to these scores; beyond that, these agents gave these acts here, too; or a referee whom the
board trusts has played the agents, on instances that nobody had seen."""


class Finding(msgspec.Struct, frozen=True):
    """One thing that a reader of the scores should know."""

    level: Level
    where: str
    """An episode, a field of `run.json`, `card.toml`, or nothing if it is about the whole run."""
    says: str

    def line(self) -> str:
        """The finding on one line."""
        return f"{self.level}: {self.where}: {self.says}" if self.where else f"{self.level}: {self.says}"


def wrong(where: str, says: str) -> Finding:
    """Something that does not hold."""
    return Finding("wrong", where, says.rstrip("."))


def marked(where: str, says: str) -> Finding:
    """Something that holds and has to be shown."""
    return Finding("marked", where, says.rstrip("."))


class RunCheck(msgspec.Struct, frozen=True):
    """What came of one run of a submission."""

    run: str
    benchmark: str
    episodes: int
    acts: int
    """How many were done again."""
    evidence: Evidence
    tracks: list[str]
    """Those that the run shows, whatever the card says."""
    findings: list[Finding]
    acted: str = ""
    """A fingerprint of all acts; two runs with the same one were acted alike."""

    @property
    def holds(self) -> bool:
        """Whether nothing in it is wrong."""
        return all(each.level != "wrong" for each in self.findings)


class Check(msgspec.Struct, frozen=True):
    """What came of a submission."""

    file: str
    sha256: str
    seed: int
    """Which episodes were run again follows from it."""
    runs: list[RunCheck]
    findings: list[Finding]
    """About the submission as a whole."""

    @property
    def holds(self) -> bool:
        """Whether it can be accepted."""
        return all(each.level != "wrong" for each in self.findings) and all(each.holds for each in self.runs)

    @property
    def marks(self) -> list[Finding]:
        """All that has to be shown."""
        every = [*self.findings, *(each for run in self.runs for each in run.findings)]
        return [each for each in every if each.level == "marked"]
