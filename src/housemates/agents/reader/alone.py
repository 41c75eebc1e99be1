"""The reader on its own in TEACh: does what a dialogue was about, or what comes next in it, and stops."""

from __future__ import annotations

from housemates.agents.reader.deciding import HeardTask, decide_dialogue
from housemates.agents.reader.household import Household
from housemates.agents.reader.living import Living
from housemates.agents.reader.precedents import Imitation, Situation, Step, shipped_precedents
from housemates.agents.reader.reading import shipped_network
from housemates.agents.reader.slots import Asked
from housemates.agents.reader.words import dialogue
from housemates.benchmarks.base import Brief, Instance, Session
from housemates.benchmarks.embodied.body import Doing
from housemates.benchmarks.teach.tasks.tdl.changes import type_of
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


class ReaderNext(Living):
    """Goes on where people stopped to speak: does what people did next in situations like this."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self.begin(brief, FollowerSenses())

    def live(self) -> Doing[None]:
        """Recall what was done, look around, and do what comes next."""
        view = self.body.now.data
        touched = [each for each in view.history if each.outcome.success and "object" in each.outcome.data]
        steps = [Step(each.act.name, type_of(each.outcome.data["object"])) for each in touched if each.act]
        coming = shipped_precedents().next(Situation(self.body.now.said, steps))
        if view.held:
            self.body.memory.hold(view.held, type_of(view.held), self.body.position)
        yield from self.seeker.survey()
        for number, each in enumerate(touched):
            thing = self.body.memory.things.get(each.outcome.data["object"])
            if thing is not None:
                thing.used = number
        self.troubles += yield from Imitation(self.chores).carry_out(coming)


class ToldAlone(ReaderAlone):
    """The same without reading: it is told the task, which shows what reading costs."""

    privileged = True

    def witness(self, instance: Instance, session: Session) -> None:
        """Be told the task."""
        definition = instance.data.definition
        task = Asked(definition["task_name"], tuple(str(each) for each in definition["task_params"]))
        self.heard = [HeardTask(task, 1.0)]
