"""The reader in EB-ALFRED: decodes a task from the instruction and carries it out in skills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from housemates.agents.eb_alfred.routines import RoutineAgent
from housemates.agents.reader.language.decoding import decode_directive
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.text import directive
from housemates.benchmarks.alfred.tasks.goals import Task, home_type
from housemates.benchmarks.eb_alfred.session import View


class EBAlfredReader(RoutineAgent):
    """Reads the instruction as people's words for ALFRED's tasks; no language model has a part in it.

    Args:
        eyes: `none` to go by what is answered alone, `given` to look at the simulator's segmentation as well:
            what is in the picture is tried before what is not.
    """

    def __init__(self, eyes: Literal["none", "given"] = "none") -> None:
        self.eyes = eyes

    def sees(self, kind: str) -> bool:
        """Whether the picture shows a thing of a kind, if it is looked at."""
        if self.eyes == "none":
            return True
        kinds = (home_type(kind), f"{home_type(kind)}Sliced")
        return any(each.type in kinds for each in self.now.frame().labels)

    def tasks(self, view: View) -> Sequence[Task]:
        """The likeliest tasks, the best first."""
        network = shipped_network()
        found = decode_directive(network.card, network.log_probs(directive(view.instruction, ())))
        return [each.task for each in found]
