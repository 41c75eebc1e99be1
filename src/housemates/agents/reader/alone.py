"""The reader on its own in TEACh: does what a dialogue was about, and stops."""

from __future__ import annotations

from housemates.agents.reader.deciding import HeardTask, decide_dialogue
from housemates.agents.reader.household import Household
from housemates.agents.reader.living import Living
from housemates.agents.reader.reading import shipped_network
from housemates.agents.reader.slots import Asked
from housemates.agents.reader.words import dialogue
from housemates.benchmarks.base import Brief, Instance, Session
from housemates.benchmarks.embodied.body import Doing
from housemates.benchmarks.teach.world.senses import FollowerSenses

TRIES = 3
"""How often it begins a task anew after it got stuck."""


class ReaderAlone(Living):
    """Follows a dialogue that is over."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self.begin(brief, FollowerSenses())
        self.household = Household(self.chores)
        self.heard: list[HeardTask] = []

    def live(self) -> Doing[None]:
        """Read, look around, and do it."""
        if not self.heard:
            network = shipped_network()
            self.heard = decide_dialogue(network.card, network.odds(dialogue(self.body.now.said)))
        yield from self.seeker.survey()
        for _ in range(TRIES):
            if (yield from self.tried(self.household.carry_out(*self.heard[0].asked))):
                return


class ToldAlone(ReaderAlone):
    """The same without reading: it is told the task, which shows what reading costs."""

    privileged = True

    def witness(self, instance: Instance, session: Session) -> None:
        """Be told the task."""
        definition = instance.data.definition
        task = Asked(definition["task_name"], tuple(str(each) for each in definition["task_params"]))
        self.heard = [HeardTask(task, 1.0)]
