"""Who sits in the other seats of an episode, as flags of a command."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import tyro


@dataclass(kw_only=True)
class OtherSeats:
    """One seat of a benchmark, and who sits in the others."""

    role: str | None = None
    """The seat; by default the last of the benchmark's roles, for play the one that acts most."""
    agents: list[str] = field(default_factory=list)
    """Who sits in the other seats, as for eval; the benchmark's usual partner by default."""
    agent_option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the agents; ROLE.KEY=VALUE for one of them."""
    split: str = "generated"
    """Which instances; 'generated' makes new ones from the seed."""
    seed: int = 0
    """Where all randomness comes from."""
    option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the benchmark itself, for example --option acts=skills."""
    isolate: bool = False
    """Run each agent in a process of its own that has its seat and nothing else."""
