"""The reader in TfD and EDH: carries out the task of a dialogue, or continues its history, and stops."""

from __future__ import annotations

from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.semantics import Fact, NounPhrase, Order
from housemates.agents.reader.language.decoding import TeachHypothesis, decode_dialogue
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.slots import TeachTask
from housemates.agents.reader.language.spelling import corrected
from housemates.agents.reader.language.text import dialogue
from housemates.agents.reader.planning.continuations import shipped_continuations
from housemates.agents.reader.planning.history_features import History, TouchedObjects, TypedStep, steps_of
from housemates.agents.reader.planning.imitation import Imitation
from housemates.agents.reader.planning.teach_tasks import TeachTasks
from housemates.agents.reader.policy import GeneratorPolicy
from housemates.agents.teach.embodiment import TeachEmbodiment
from housemates.agents.teach.talk.parsing import parse
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief
from housemates.core.session import Session
from housemates.home.things import type_in

STEP_BUDGET = 0.15
"""The share of steps after which no container is opened in EDH."""


class DialogueReader(GeneratorPolicy):
    """Heeds what a dialogue says about where things are."""

    def listen(self) -> None:
        """Take in the Commander's statements about places that do not depend on a viewpoint."""
        for each in self.navigator.now.said:
            if each.role != "commander":
                continue
            for meaning in parse(corrected(each.text)):
                theme = meaning.theme if isinstance(meaning, Fact | Order) else None
                if theme is not None and theme.types and theme.places and _anchored(theme):
                    self.object_search.add_hint(theme)


def _anchored(theme: NounPhrase) -> bool:
    """Whether a place is described by other objects, and not by the listener's left and right."""
    return all(place.anchor is not None and bool(place.anchor.types) for place in theme.places)


class TfdReader(DialogueReader):
    """Carries out the task of a dialogue that is over."""

    def reset(self, brief: Brief) -> None:
        """Begin with an empty map and memory."""
        self.begin(brief, TeachEmbodiment())
        self.tasks = TeachTasks(self.routines)
        self.heard: list[TeachHypothesis] = []

    def run(self) -> Routine[None]:
        """Decode the task, survey the home, and carry the task out."""
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
    """Continues a history as people most likely would."""

    def reset(self, brief: Brief) -> None:
        """Begin with an empty map and memory."""
        self.begin(brief, TeachEmbodiment(), STEP_BUDGET)
        self.coming: list[TypedStep] = []

    def run(self) -> Routine[None]:
        """Predict a continuation, survey the home, and imitate it."""
        view, known = self.navigator.now.data, TouchedObjects()
        done = [each for each in view.history if each.act and each.outcome.success]
        touched = [
            (each.act.name, each.outcome.data["object"]) for each in done if "object" in each.outcome.data
        ]
        steps = [known.step(*each) for each in touched]
        coming = self.coming or shipped_continuations().next(History(self.navigator.now.said, steps))
        if view.held:
            self.navigator.memory.hold(view.held, type_in(view.held), self.navigator.position)
        self.listen()
        yield from self.object_search.survey()
        for number, (_, key) in enumerate(touched):
            thing = self.navigator.memory.things.get(key)
            if thing is not None:
                thing.last_used = number
        self.troubles += yield from Imitation(self.routines).carry_out(coming)


class EdhOracleTaskReader(EdhReader):
    """The reader with people's true steps, by types, in place of its prediction."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take people's steps from the instance."""
        _, self.coming = steps_of(instance.data)


class TfdOracleTaskReader(TfdReader):
    """The reader with the true task in place of its reading, to measure what reading costs."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the task from the instance."""
        definition = instance.data.definition
        task = TeachTask(definition["task_name"], tuple(str(each) for each in definition["task_params"]))
        self.heard = [TeachHypothesis(task, 1.0)]
