"""The Bayesian listener as an agent: it looks where it must, asks when that is worth it, then acts once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from housemates.benchmarks.base import Instance
from housemates.benchmarks.handmethat.agents import goalposterior, guessing, listener
from housemates.benchmarks.handmethat.agents.exploring import Explorer
from housemates.benchmarks.handmethat.agents.listener import Reading
from housemates.benchmarks.handmethat.benchmark import STOP, Observation, episode_of
from housemates.benchmarks.handmethat.generate.demonstrate import robot_plan
from housemates.benchmarks.handmethat.tasks import goals as tasks
from housemates.benchmarks.handmethat.tasks import questions
from housemates.benchmarks.handmethat.tasks.english import read_description, understand
from housemates.benchmarks.handmethat.tasks.meanings import Grounded, Lexicon, Meaning, bits
from housemates.benchmarks.handmethat.world.dynamics import HUMAN_PLACE, ROBOT, World
from housemates.benchmarks.handmethat.world.wording import Commands

REWARD = 100.0


class ListenerAgent:
    """Infers goals from the human's actions and meanings from her words, and acts on the most probable.

    It reads nothing but what the environment shows: the story, the instruction, what is seen, and answers.
    With `knows_goal` it is told the human's goal as well, which gives the ceiling for all listeners.
    """

    def __init__(self, version: int, knows_goal: bool = False) -> None:
        """Expect goals of this version."""
        self.version = version
        self.knows_goal = knows_goal

    def reset(self, instance: Instance) -> None:
        """Forget the last episode."""
        self.goal = episode_of(instance).goal if self.knows_goal else None
        self.seed = [instance.seed, *instance.id.encode()]
        self.plan: list[str] = []
        self.committed = False
        self.asked: list[str] = []
        self.told: Meaning | None = None
        self.reading: Reading | None = None
        self.place = "floor"
        self.explorer: Explorer | None = None
        self.pending: str | None = None

    def act(self, observation: Observation) -> str:
        """The next command, question, or `stop`."""
        if self.committed:
            return self._go(self.plan.pop(0)) if self.plan else STOP
        if self.explorer is None:
            self.utterance = understand(observation.instruction)
            self.explorer = Explorer(observation.memory, self.utterance)
        self._hear(observation)
        if self.pending is None and self.plan:
            return self._go(self.plan.pop(0))
        self._think(observation)
        look = self.explorer.next_look(self._confidence(), self.something_fits)
        if look:
            self.plan = look[1:]
            return self._go(look[0])
        question = self._question(observation.questions)
        if question is not None:
            self.pending = question
            self.asked.append(question)
            return questions.TOPICS[question]
        return self._commit(observation)

    def _go(self, command: str) -> str:
        if command.startswith("move to "):
            self.place = command.removeprefix("move to ")
        return command

    def _hear(self, observation: Observation) -> None:
        """Take in the answer to the last question."""
        if self.pending is None:
            return
        topic, self.pending = self.pending, None
        text = observation.text.partition('"')[2].rpartition('"')[0]
        if topic == questions.WHOLE:
            self.told = read_description(text, self.utterance)
        elif self.reading is not None:
            kept = questions.read_answer(text, topic, self.reading.meanings)
            self.reading = self.reading.only(kept)

    def _think(self, observation: Observation) -> None:
        """Work out what may be meant, if something new was seen."""
        memory = observation.memory
        news = (len(memory.objects), len(memory.looked_into), bool(self.told))
        if self.reading is not None and getattr(self, "news", None) == news:
            return
        self.news = news
        self.world = memory.world()
        lexicon = Lexicon(self.world)
        self.something_fits = lexicon.extension(self.utterance.spec) != 0
        if self.told is not None:
            self.reading = _as_told(self.told, lexicon)
            return
        actions = memory.actions(self.world)
        narrow = self.version == 2 and self.utterance.quest == "bring_me"
        if self.goal is not None:
            hypotheses = goalposterior.told(self.goal, self.world, actions)
        else:
            rng = np.random.default_rng(self.seed)
            infer = goalposterior.posterior if narrow else guessing.guess
            numbers = tasks.version2() if narrow else range(len(tasks.templates()))
            hypotheses = infer(self.world, actions, numbers, rng)
        value_of = None if narrow else guessing.rough_value
        self.reading = listener.read(self.utterance, hypotheses, self.world, lexicon, value_of)

    def _confidence(self) -> float:
        belief = self.reading.belief() if self.reading is not None else {}
        return next(iter(belief.values()), 0.0)

    def _question(self, price: float | None) -> str | None:
        """The question that is worth most more than it costs; None if none is."""
        if price is None or self.reading is None or self.told is not None:
            return None
        if not self.reading.meanings:
            return questions.WHOLE
        now = self._confidence()
        best, gain = None, 0.0
        for topic in questions.TOPICS:
            if topic in self.asked:
                continue
            worth = REWARD * (_expected(self.reading, topic) - now) - questions.price(topic, price)
            if worth > gain:
                best, gain = topic, worth
        return best

    def _commit(self, observation: Observation) -> str:
        """Plan for the most probable subgoal and begin."""
        self.committed = True
        guess = self._guess()
        if guess is None:
            return STOP
        here = HUMAN_PLACE if self.place == "human" else self.world.scene.index[self.place]
        self.world.values[self.world.scene.at(ROBOT)] = here
        actions = robot_plan(self.world, self.utterance.quest, guess)
        commands = Commands(self.world)
        self.plan = [commands.write(action) for action in actions or []]
        return self._go(self.plan.pop(0)) if self.plan else STOP

    def _guess(self) -> Grounded | None:
        belief = self.reading.belief() if self.reading is not None else {}
        if belief:
            best = max(belief.values())
            equal = [subgoal for subgoal, chance in belief.items() if chance > best - 1e-9]
            return min(equal, key=lambda subgoal: self._distance(self.world, subgoal))
        fits = list(bits(Lexicon(self.world).extension(self.utterance.spec)))
        return Grounded(fits[0], self.utterance.arg) if fits else None

    def _distance(self, world: World, subgoal: Grounded) -> int:
        actions = robot_plan(world, self.utterance.quest, subgoal)
        return 10**6 if actions is None else len(actions)


def _as_told(meaning: Meaning, lexicon: Lexicon) -> Reading:
    return Reading((meaning,), (lexicon.extension(meaning.spec),), np.ones(1))


def _expected(reading: Reading, topic: str) -> float:
    """The expected chance of success of the best guess after an answer."""
    answers: dict[str, list[int]] = {}
    for position, meaning in enumerate(reading.meanings):
        answers.setdefault(questions.answer(meaning, topic), []).append(position)
    return sum(_best(reading, positions) for positions in answers.values())


def _best(reading: Reading, positions: Sequence[int]) -> float:
    chances: dict[Grounded, float] = {}
    for position in positions:
        weight = float(reading.probability[position])
        for number in bits(reading.extensions[position]):
            subgoal = Grounded(number, reading.meanings[position].arg)
            chances[subgoal] = chances.get(subgoal, 0.0) + weight
    return max(chances.values(), default=0.0)
