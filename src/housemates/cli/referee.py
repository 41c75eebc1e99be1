"""`housemates referee key|commit|BENCHMARK|reveal|check`: runs on instances that nobody has seen, signed."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec
import tyro

from housemates.cli import options
from housemates.errors import HousematesError
from housemates.parallel.crew import Crew


@dataclass
class Key:
    """Create a referee's private key and print the public key."""

    out: Path
    """A new file for it, readable by its owner only."""

    def run(self) -> None:
        """Write the key and print its public half."""
        from housemates.evaluation import referee

        _need_cryptography()
        print(referee.new_key(self.out))


@dataclass
class Commit:
    """Draw the secret that determines a run's instances, and print its hash to publish beforehand."""

    benchmark: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="BENCHMARK")]
    """The benchmark; it must generate instances."""
    out: Path
    """A new file for the secret, readable by its owner only."""
    episodes: int = 100
    """Number of instances."""
    option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the benchmark."""

    def run(self) -> None:
        """Write the secret and print the commitment."""
        from housemates.core.options import pairs
        from housemates.evaluation import referee

        secret = referee.draw(self.benchmark, pairs(self.option, "--option"), self.episodes)
        referee.write_secret(secret, self.out)
        print(secret.commitment)


@dataclass
class Referee:
    """Evaluate remote or sandboxed agents on the instances of a secret, and sign the run."""

    benchmark: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="BENCHMARK")]
    """The benchmark of the secret."""
    seeds: Path
    """The secret, as `housemates referee commit` wrote it."""
    key: Path
    """The referee's private key, as `housemates referee key` wrote it."""
    out: Path
    """Folder for the results and their signature; repeat the command to resume."""
    agents: list[str] = field(default_factory=lambda: ["random"])
    """The agents: http://ADDRESS, or sandboxed code as file.py:Class, module:Class or a name; ROLE=NAME for
    each role."""
    agent_option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the agents; ROLE.KEY=VALUE for one of them."""
    act_timeout: float | None = None
    """Time limit of one act in seconds; exceeding it ends the episode with an error."""
    memory: int | None = None
    """Memory limit per process in megabytes."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print the signed summary as JSON instead of tables."""

    def run(self) -> None:
        """Play, sign and print."""
        from housemates.core.options import pairs
        from housemates.evaluation import referee
        from housemates.reporting.evaluations import show_report

        secret = referee.read_secret(self.seeds)
        if secret.name != self.benchmark:
            raise HousematesError(f"{self.seeds}: is a secret for {secret.name}, not for {self.benchmark}.")
        _need_cryptography()
        report, seal = referee.referee(
            secret,
            self.agents,
            pairs(self.agent_option, "--agent-option"),
            referee.read_key(self.key),
            self.out,
            self.crew,
            self.act_timeout,
            self.memory,
            not self.json,
            (self.seeds, self.key),
        )
        if self.json:
            print(json.dumps(msgspec.to_builtins(seal)))
            return
        show_report({**report, "seed": "secret"})
        print(f"\ncommitment {seal.commitment}\nsigned by  {seal.public_key}\nsignature  {seal.signature}")


@dataclass
class Reveal:
    """Reveal the secret of a commitment, so that anybody can check the run."""

    secret: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="SECRET")]
    """The file that `housemates referee commit` wrote."""
    out: Path | None = None
    """Output file; printed by default."""

    def run(self) -> None:
        """Print or write the JSON that `check --seeds` reads."""
        from housemates.evaluation import referee
        from housemates.files import write_json

        secret = referee.read_secret(self.secret)
        opened = msgspec.to_builtins(secret)
        if self.out is None:
            print(json.dumps(opened))
        else:
            write_json(self.out, opened)
            print(secret.commitment)


@dataclass
class Check:
    """Verify a signed run: signature, files, commitment, instances, and a replay of every episode."""

    run_folder: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder of the run."""
    seeds: Path
    """The revealed secret."""
    commitment: str | None = None
    """The hash published before the run; by default the run's own, which proves less."""
    public: str | None = None
    """The referee's public key; by default the run's own, which proves less."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Check and print; the exit code is 1 if something does not hold."""
        from housemates.evaluation import referee

        secret = referee.read_secret(self.seeds)
        label = None if self.json else "check"
        _need_cryptography()
        wrong = list(referee.check(self.run_folder, secret, self.commitment, self.public, self.crew, label))
        if self.json:
            print(json.dumps({"run": str(self.run_folder), "wrong": wrong}))
        else:
            print("\n".join(wrong) or f"{secret.episodes} episodes, their instances and the signature hold")
        if wrong:
            sys.exit(1)


def _need_cryptography() -> None:
    """What signs is an extra; where it is absent, that is said."""
    try:
        import cryptography  # noqa: F401
    except ImportError as error:
        raise HousematesError(f"A referee needs {error.name}: pip install 'housemates[referee]'.") from None


COMMANDS = {"key": Key, "commit": Commit, "reveal": Reveal, "check": Check}


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates referee` with these arguments."""
    prog = f"housemates {verb}"
    if argv and argv[0] in COMMANDS:
        options.run(COMMANDS[argv[0]], f"{prog} {argv[0]}", argv[1:])
    elif argv and argv[0] not in ("-h", "--help"):
        options.run(Referee, prog, argv)
    else:
        words = {**COMMANDS, "BENCHMARK": Referee}
        print(f"usage: {prog} WHAT [options]\n\nwhat:")
        for word, command in words.items():
            print(f"  {word:<10} {(command.__doc__ or '').strip()}")
