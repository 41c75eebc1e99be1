"""The Bayesian listener: explores, asks where the expected gain exceeds the price, then acts once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from housemates.agents.handmethat import goal_inference, goal_posterior
from housemates.agents.handmethat.exploration import Explorer
from housemates.agents.handmethat.goal_inference import MeaningPosterior, ValueOf
from housemates.agents.handmethat.goal_posterior import Hypothesis
from housemates.agents.handmethat.goal_posterior_v1 import ObservedHuman
from housemates.benchmarks.handmethat.generate.demonstrate import robot_plan
from housemates.benchmarks.handmethat.session import REWARD, View
from housemates.benchmarks.handmethat.tasks import goals, questions
from housemates.benchmarks.handmethat.tasks.english import read_description, read_instruction
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.benchmarks.handmethat.tasks.goals import Goal
from housemates.benchmarks.handmethat.tasks.meanings import Grounded, Lexicon, Meaning, bits
from housemates.benchmarks.handmethat.tasks.planning.plans import delivery_value
from housemates.benchmarks.handmethat.world.commands import Commands
from housemates.benchmarks.handmethat.world.dynamics import HUMAN_PLACE, ROBOT
from housemates.benchmarks.handmethat.world.memory import Memory
from housemates.benchmarks.handmethat.world.operators import Action
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session


class ListenerAgent(Agent):
    """Infers goals from the human's actions and meanings from her words, and acts on the most probable.

    It reads nothing but what its seat shows: the story, the instruction, what is seen, and answers.
    """

    def reset(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._version: int = brief.data["version"]
        self._seed = brief.seed
        self._goal: Goal | None = None
        self._plan: list[str] = []
        self._committed = False
        self._asked: list[str] = []
        self._pending: str | None = None
        self._description: Meaning | None = None
        self._posterior: MeaningPosterior | None = None
        self._news: tuple[int, int, bool] | None = None
        self._explorer: Explorer | None = None

    def act(self, percept: Percept) -> Act:
        """The next command or question, or the end."""
        if self._committed:
            return self._next()
        view: View = percept.data
        if self._explorer is None:
            self._utterance = read_instruction(view.instruction)
            self._explorer = Explorer(view.memory, self._utterance)
        self._explorer.memory = view.memory
        if self._pending is not None:
            self._hear(percept)
        elif self._plan:
            return self._next()
        self._think(view.memory)
        self._plan = self._explorer.next_look(self._confidence(), self._something_fits)
        if self._plan:
            return self._next()
        question = self._question(view.question_price)
        if question is not None:
            self._pending = question
            self._asked.append(question)
            return Act("Ask", {"question": questions.TOPICS[question]})
        self._commit(view)
        return self._next()

    def _next(self) -> Act:
        return Act("Command", {"command": self._plan.pop(0)}) if self._plan else Act("Stop")

    def _hear(self, percept: Percept) -> None:
        """Condition the posterior on the answer to the last question."""
        topic, self._pending = self._pending, None
        answer = percept.said[-1].text
        if topic == questions.WHOLE:
            self._description = read_description(answer, self._utterance)
        elif topic is not None and self._posterior is not None:
            kept = questions.read_answer(answer, topic, self._posterior.meanings)
            self._posterior = self._posterior.only(kept)

    def _think(self, memory: Memory) -> None:
        """Recompute the posterior if something new was seen."""
        news = (len(memory.objects), len(memory.looked_into), self._description is not None)
        if self._posterior is not None and self._news == news:
            return
        self._news = news
        self._world = memory.world()
        lexicon = Lexicon(self._world)
        self._something_fits = lexicon.extension(self._utterance.spec) != 0
        if self._description is not None:
            self._posterior = _certain(self._description, lexicon)
            return
        actions = memory.actions(self._world)
        hypotheses, value_of = self._goals(actions, lexicon)
        self._posterior = goal_inference.meaning_posterior(
            self._utterance, hypotheses, self._world, lexicon, value_of
        )

    def _goals(self, actions: Sequence[Action], lexicon: Lexicon) -> tuple[list[Hypothesis], ValueOf]:
        """Hypotheses about the human's goal, and the cost-to-go of each."""
        rng = np.random.default_rng(self._seed)
        if self._version == 2 and self._utterance.quest == "bring_me":
            if self._goal is not None:
                return goal_posterior.posterior_given_goal(self._goal, self._world, actions), delivery_value
            return goal_posterior.posterior(self._world, actions, goals.version2(), rng), delivery_value
        observed = ObservedHuman(self._world, actions)
        if self._goal is not None:
            return [Hypothesis(self._goal, None, 1.0)], observed.value
        return observed.guess(self._utterance, lexicon, range(len(goals.templates())), rng), observed.value

    def _confidence(self) -> float:
        belief = self._posterior.belief() if self._posterior is not None else {}
        return next(iter(belief.values()), 0.0)

    def _question(self, price: float | None) -> str | None:
        """The question with the highest expected gain above its price; None if none has any."""
        if price is None or self._posterior is None or self._description is not None:
            return None
        if not self._posterior.meanings:
            return questions.WHOLE
        now = self._confidence()
        best, gain = None, 0.0
        for topic in questions.TOPICS:
            if topic in self._asked:
                continue
            worth = REWARD * (_expected(self._posterior, topic) - now) - questions.price(topic, price)
            if worth > gain:
                best, gain = topic, worth
        return best

    def _commit(self, view: View) -> None:
        """Plan for the most probable subgoal; there is one guess."""
        self._committed = True
        guess = self._guess()
        if guess is None:
            return
        scene = self._world.scene
        here = HUMAN_PLACE if view.place == "human" else scene.index[view.place]
        self._world.values[scene.at(ROBOT)] = here
        commands = Commands(self._world)
        actions = robot_plan(self._world, self._utterance.quest, guess)
        self._plan = [commands.write(action) for action in actions or []]

    def _guess(self) -> Grounded | None:
        belief = self._posterior.belief() if self._posterior is not None else {}
        if belief:
            best = max(belief.values())
            equal = [subgoal for subgoal, chance in belief.items() if chance > best - 1e-9]
            return min(equal, key=self._distance)
        fits = list(bits(Lexicon(self._world).extension(self._utterance.spec)))
        return Grounded(fits[0], self._utterance.arg) if fits else None

    def _distance(self, subgoal: Grounded) -> int:
        actions = robot_plan(self._world, self._utterance.quest, subgoal)
        return 10**6 if actions is None else len(actions)


class OracleGoalListener(ListenerAgent):
    """The listener given the human's goal: an upper bound for listeners."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take the goal from the instance."""
        episode: Episode = instance.data
        self._goal = episode.goal


def _certain(meaning: Meaning, lexicon: Lexicon) -> MeaningPosterior:
    return MeaningPosterior((meaning,), (lexicon.extension(meaning.spec),), np.ones(1))


def _expected(posterior: MeaningPosterior, topic: str) -> float:
    """Expected probability of success of the best guess after an answer."""
    answers: dict[str, list[int]] = {}
    for position, meaning in enumerate(posterior.meanings):
        answers.setdefault(questions.answer(meaning, topic), []).append(position)
    return sum(_best(posterior, positions) for positions in answers.values())


def _best(posterior: MeaningPosterior, positions: Sequence[int]) -> float:
    chances: dict[Grounded, float] = {}
    for position in positions:
        weight = float(posterior.probability[position])
        for number in bits(posterior.extensions[position]):
            subgoal = Grounded(number, posterior.meanings[position].arg)
            chances[subgoal] = chances.get(subgoal, 0.0) + weight
    return max(chances.values(), default=0.0)
