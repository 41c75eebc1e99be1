"""The reader on its own in TEACh: does what a dialogue was about, or what comes next in it, and stops."""

from __future__ import annotations

from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.semantics import Fact, NounPhrase, Order
from housemates.agents.reader.follower import corrected
from housemates.agents.reader.language.decoding import TeachHypothesis, decode_dialogue
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.slots import TeachTask
from housemates.agents.reader.language.text import dialogue
from housemates.agents.reader.planning.history_features import History, TouchedObjects, TypedStep, steps_of
from housemates.agents.reader.planning.imitation import Imitation
from housemates.agents.reader.planning.nearest_neighbours import shipped_neighbours
from housemates.agents.reader.planning.teach_tasks import TeachTasks
from housemates.agents.reader.policy import GeneratorPolicy
from housemates.agents.teach.embodiment import TeachEmbodiment
from housemates.agents.teach.talk.parsing import parse
from housemates.benchmarks.teach.tasks.tdl.changes import type_of
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief
from housemates.core.session import Session

STEP_BUDGET = 0.15
"""The share of all turns after which it opens no more containers for what comes next."""


class DialogueReader(GeneratorPolicy):
    """Knows where things are said to be."""

    def listen(self) -> None:
        """Take in what the Commander said about places, if it does not depend on where one stood."""
        for each in self.navigator.now.said:
            if each.role != "commander":
                continue
            for meaning in parse(corrected(each.text)):
                theme = meaning.theme if isinstance(meaning, Fact | Order) else None
                if theme is not None and theme.types and theme.places and _anchored(theme):
                    self.object_search.hear(theme)


def _anchored(theme: NounPhrase) -> bool:
    """Whether a place is told by other things, and not by left and right of who listens."""
    return all(place.anchor is not None and bool(place.anchor.types) for place in theme.places)


class TfdReader(DialogueReader):
    """Follows a dialogue that is over."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self.begin(brief, TeachEmbodiment())
        self.tasks = TeachTasks(self.routines)
        self.heard: list[TeachHypothesis] = []

    def run(self) -> Routine[None]:
        """Read, look around, and do it."""
        if not self.heard:
            network = shipped_network()
            words = dialogue(self.navigator.now.said)
            self.heard = decode_dialogue(network.card, network.log_probs(words), words)
        self.listen()
        yield from self.object_search.survey()
        for _ in range(self.navigator.memory.perception.task_tries):
            if (yield from self.attempt(self.tasks.carry_out(*self.heard[0].task))):
                return


class EdhReader(DialogueReader):
    """Goes on where people stopped to speak: does what people did next in situations like this."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self.begin(brief, TeachEmbodiment(), STEP_BUDGET)
        self.coming: list[TypedStep] = []

    def run(self) -> Routine[None]:
        """Recall what was done, look around, and do what comes next."""
        view, known = self.navigator.now.data, TouchedObjects()
        done = [each for each in view.history if each.act and each.outcome.success]
        touched = [
            (each.act.name, each.outcome.data["object"]) for each in done if "object" in each.outcome.data
        ]
        steps = [known.step(*each) for each in touched]
        coming = self.coming or shipped_neighbours().next(History(self.navigator.now.said, steps))
        if view.held:
            self.navigator.memory.hold(view.held, type_of(view.held), self.navigator.position)
        self.listen()
        yield from self.object_search.survey()
        for number, (_, key) in enumerate(touched):
            thing = self.navigator.memory.things.get(key)
            if thing is not None:
                thing.last_used = number
        self.troubles += yield from Imitation(self.routines).carry_out(coming)


class EdhOracleTaskReader(EdhReader):
    """The same without reading: it is told what people did next, by types, which shows what reading costs."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Be told what people did next."""
        _, self.coming = steps_of(instance.data)


class TfdOracleTaskReader(TfdReader):
    """The same without reading: it is told the task, which shows what reading costs."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Be told the task."""
        definition = instance.data.definition
        task = TeachTask(definition["task_name"], tuple(str(each) for each in definition["task_params"]))
        self.heard = [TeachHypothesis(task, 1.0)]
