"""Who sits in the other seats of an episode, as flags of a command."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import tyro


@dataclass(kw_only=True)
class OtherSeats:
    """One seat of a benchmark, and the agents in the others."""

    role: str | None = None
    """The role; by default the benchmark's last one, for `play` the one that acts most."""
    agents: list[str] = field(default_factory=list)
    """Agents in the other seats, as for eval; by default the benchmark's usual partner."""
    agent_option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the agents; ROLE.KEY=VALUE for one of them."""
    split: str = "generated"
    """The split; 'generated' makes new instances from the seed."""
    seed: int = 0
    """Random seed."""
    option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the benchmark, for example --option acts=skills."""
    isolate: bool = False
    """Run each agent in its own sandboxed process."""
