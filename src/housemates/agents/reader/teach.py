"""The reader on its own in TEACh: does what a dialogue was about, or what comes next in it, and stops."""

from __future__ import annotations

from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.semantics import Fact, Order, Phrase
from housemates.agents.reader.follower import corrected
from housemates.agents.reader.language.decoding import HeardTask, decide_dialogue
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.slots import Asked
from housemates.agents.reader.language.text import dialogue
from housemates.agents.reader.planning.history_features import Situation, Step, Touched, steps_of
from housemates.agents.reader.planning.imitation import Imitation
from housemates.agents.reader.planning.nearest_neighbours import shipped_precedents
from housemates.agents.reader.planning.teach_tasks import Household
from housemates.agents.reader.policy import Living
from housemates.agents.teach.embodiment import FollowerSenses
from housemates.agents.teach.talk.parsing import understand
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief
from housemates.core.session import Session
from housemates.home.things import type_in

TRIES, HAZY_TRIES = 3, 10
"""How often it begins a task anew after it got stuck; the same where eyes may err."""
PATIENCE = 0.15
"""The share of all turns after which it opens no more cupboards for what comes next."""


class Listening(Living):
    """Knows where things are said to be."""

    def listen(self) -> None:
        """Take in what the Commander said about places, if it does not depend on where one stood."""
        for each in self.body.now.said:
            if each.role != "commander":
                continue
            for meaning in understand(corrected(each.text)):
                theme = meaning.theme if isinstance(meaning, Fact | Order) else None
                if theme is not None and theme.types and theme.places and _anchored(theme):
                    self.seeker.hear(theme)


def _anchored(theme: Phrase) -> bool:
    """Whether a place is told by other things, and not by left and right of who listens."""
    return all(place.anchor is not None and bool(place.anchor.types) for place in theme.places)


class ReaderAlone(Listening):
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
            words = dialogue(self.body.now.said)
            self.heard = decide_dialogue(network.card, network.odds(words), words)
        self.listen()
        yield from self.seeker.survey()
        for _ in range(HAZY_TRIES if self.body.memory.hazy else TRIES):
            if (yield from self.tried(self.household.carry_out(*self.heard[0].asked))):
                return


class ReaderNext(Listening):
    """Goes on where people stopped to speak: does what people did next in situations like this."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self.begin(brief, FollowerSenses(), PATIENCE)
        self.coming: list[Step] = []

    def live(self) -> Doing[None]:
        """Recall what was done, look around, and do what comes next."""
        view, known = self.body.now.data, Touched()
        done = [each for each in view.history if each.act and each.outcome.success]
        touched = [
            (each.act.name, each.outcome.data["object"]) for each in done if "object" in each.outcome.data
        ]
        steps = [known.step(*each) for each in touched]
        coming = self.coming or shipped_precedents().next(Situation(self.body.now.said, steps))
        if view.held:
            self.body.memory.hold(view.held, type_in(view.held), self.body.position)
        self.listen()
        yield from self.seeker.survey()
        for number, (_, key) in enumerate(touched):
            thing = self.body.memory.things.get(key)
            if thing is not None:
                thing.used = number
        self.troubles += yield from Imitation(self.chores).carry_out(coming)


class ToldNext(ReaderNext):
    """The same without reading: it is told what people did next, by types, which shows what reading costs."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Be told what people did next."""
        _, self.coming = steps_of(instance.data)


class ToldAlone(ReaderAlone):
    """The same without reading: it is told the task, which shows what reading costs."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Be told the task."""
        definition = instance.data.definition
        task = Asked(definition["task_name"], tuple(str(each) for each in definition["task_params"]))
        self.heard = [HeardTask(task, 1.0)]
