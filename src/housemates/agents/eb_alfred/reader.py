"""The reader in EB-ALFRED: decodes a task from the instruction and carries it out in skills."""

from __future__ import annotations

from collections.abc import Sequence

from housemates.agents.eb_alfred.routines import RoutineAgent
from housemates.agents.reader.language.decoding import decode_directive
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.text import directive
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.eb_alfred.session import View


class EBAlfredReader(RoutineAgent):
    """Reads the instruction as people's words for ALFRED's tasks; no language model has a part in it."""

    def tasks(self, view: View) -> Sequence[Task]:
        """The likeliest tasks, the best first."""
        network = shipped_network()
        found = decode_directive(network.card, network.log_probs(directive(view.instruction, ())))
        return [each.task for each in found]
