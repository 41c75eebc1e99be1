"""A running episode: the robot reads, gives commands or asks, and has forty moves to do what was meant."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from housemates.benchmarks.handmethat.tasks import questions
from housemates.benchmarks.handmethat.tasks.episodes import Episode, is_fulfilled
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS
from housemates.benchmarks.handmethat.world.commands import FREE, MAX_LENGTH, SYNONYMS, Commands
from housemates.benchmarks.handmethat.world.dynamics import HUMAN_PLACE, NOTHING, ROBOT
from housemates.benchmarks.handmethat.world.memory import HumanAction, Memory, Recollection
from housemates.benchmarks.handmethat.world.narration import REFERENCE, STYLES, Narrator
from housemates.benchmarks.handmethat.world.operators import Action, perform
from housemates.core.actions import Act, Argument, Offer
from housemates.core.benchmark import Instance
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.core.percepts import Limits, Utterance
from housemates.core.session import Session

ROBOT_ROLE, HUMAN_ROLE = "robot", "human"
MOVES = 40
REWARD = 100.0
LIMITS = Limits(steps=400, failures=MOVES)
"""Whatever is done, free or not, there are no more steps than these."""
MOST_OFFERED = 64
"""Lists of offers that are kept for an episode, however often it is played."""
COMMAND_HELP = "Give a command of the text world; one that makes no sense or cannot be done costs a move."
STOP = Offer("Stop", "End the episode: there is nothing more to do.")
RULES = """\
You are a robot in a home. A human has worked towards a goal of her own. She stops and asks you for \
something, in as few words as she thinks will do. Work out from what she did and said what she means, and \
do it: hand over one object that she means, put it where she wants it, or make it as she wants it.
Commands are such as "move to table", "open cabinet", "pick up apple 0", "put apple 0 into box 1", \
"toggle on stove", "clean plate 1 with rag 0", "move to human" and "give apple 0 to human". "examine" tells \
what is where you are, "inventory" what you hold and what was asked; both are free. Every other command \
costs a move, also one that cannot be done. There are {moves} moves.
{sight}
{asking}"""
SIGHT = {
    True: "The first text tells where everything in the home is, also inside of what is shut.",
    False: "You see what is where you stand; open what is shut to see what is in it.",
}
ONE_OBJECT = "Choose one object. The episode ends once you have done with it what was asked, right or wrong."
ENDS = {
    "bring_me": ("bring-",),
    "move_to": ("put-",),
    "change_state": (
        "heat-",
        "cool-",
        "soak-",
        "slice-",
        "clean-",
        "toggle-on-movable",
        "toggle-off-movable",
    ),
}
"""What is asked for -> how the commands begin that do it with some object."""
_NAMES_AN_OFFER = re.compile(r"\s*(?:\{|(?:command|ask|stop)\b)", re.IGNORECASE)


@dataclass(frozen=True)
class View:
    """What the robot knows, as records."""

    memory: Memory
    """Every object that was seen or told of, as it was then; a copy of one's own."""
    instruction: str
    """What the human said at first."""
    place: str
    """A location, or `human`."""
    held: str | None
    """Official name of the object in hand."""
    moves_left: int
    question_price: float | None
    """What a question costs; None if none may be asked."""


class HandMeThatSession(Session):
    """A running episode: the robot reads, gives commands, and asks."""

    told_once = True

    def __init__(
        self,
        instance: Instance,
        limits: Limits = LIMITS,
        fully: bool = True,
        question_price: float | None = None,
        style: str = "standard",
        one_object: bool = False,
    ) -> None:
        """Begin an episode.

        Args:
            instance: Its data is an `Episode`.
            limits: When it is cut off; after forty moves it is anyway. What is no move leaves the limit of
                steps as far away as it was.
            fully: Whether the first text tells everything; else the robot sees what is where it stands.
            question_price: What a question to the human costs; None allows no questions.
            style: `standard`, or `reference` for the wording of the reference environment.
            one_object: Whether it ends when something is handed over, put down or treated, as was asked of
                the right object.
        """
        super().__init__(instance, replace(limits, steps=min(MOVES, limits.steps)))
        self._most_steps = limits.steps
        self.episode: Episode = instance.data
        self.fully = fully
        self.question_price = question_price
        self.style = STYLES[style]
        self.one_object = one_object
        self.world = self.episode.begin()
        self.narrator = Narrator(self.world, self.style)
        self.commands = Commands(self.world, short_names=self.style is REFERENCE)
        self.moves = self.asked = 0
        self.score = 0.0
        self.success = self.stopped = False
        self._told: str | None = None
        self._earned = 0.0
        self._done: list[Action] = []
        self._said = [Utterance(HUMAN_ROLE, self.episode.instruction)]
        self._recollection: Recollection | None = None
        self._known = ("offers", question_price is None)

    @property
    def role(self) -> str | None:
        """The robot, until it succeeds or stops."""
        return None if self.success or self.stopped else ROBOT_ROLE

    def menu(self, role: str) -> Mapping[str, Offer]:
        """Commands, questions if they are allowed, and stopping."""
        return SILENT_MENU if self.question_price is None else MENU

    def offers(self, role: str) -> tuple[Offer, ...]:
        """The same with the commands that would succeed now."""
        possible = self.commands.possible()
        offered: dict[tuple[str, ...], tuple[Offer, ...]] = self.world.memo.setdefault(self._known, {})
        found = offered.get(possible)
        if found is None:
            if len(offered) > MOST_OFFERED:
                offered.clear()
            argument = Argument("command", "choice", "What to do.", possible)
            rest = tuple(self.menu(role).values())[1:]
            found = offered[possible] = (Offer("Command", COMMAND_HELP, (argument,)), *rest)
        return found

    def rules(self, role: str) -> str:
        """How things go, in words."""
        asking = "No questions are answered."
        if self.question_price is not None:
            asking = (
                f"A question to the human costs {self.question_price:g} points, "
                f'"{questions.TOPICS[questions.WHOLE]}" {questions.WHOLE_COST} times as much.'
            )
        asking = f"{asking}\n{ONE_OBJECT}" if self.one_object else asking
        return RULES.format(moves=MOVES, sight=SIGHT[self.fully], asking=asking)

    def goal(self, role: str) -> str:
        """What the human did and said."""
        return self.episode.story.strip()

    def settings(self, role: str) -> Mapping[str, Any]:
        """Which version of the benchmark it is, what can be seen, what a question costs, and the wording."""
        return {
            "version": self.episode.version,
            "observability": "full" if self.fully else "partial",
            "questions": self.question_price,
            "style": self.style.name,
            "moves": MOVES,
        }

    def text(self, role: str) -> str:
        """The home and the story at first, then what came of the last act and where one stands.

        The reference's style has its words alone.
        """
        if self._told is None:
            return self.narrator.welcome(self.fully) + self.episode.story
        if self.style is REFERENCE:
            return self._told
        return (
            f"{self._told}\n{self.narrator.standing()} {MOVES - self.moves} moves are left. "
            f"The human said, '{self.episode.instruction}'"
        )

    def said(self, role: str) -> Sequence[Utterance]:
        """What the human asked for, and questions and answers."""
        return tuple(self._said)

    def view(self, role: str) -> View:
        """What the robot knows, as records."""
        if self._recollection is None:
            names = self.episode.scene.names
            deeds = [
                HumanAction(name, tuple(names[each] for each in args)) for name, args in self.episode.actions
            ]
            self._recollection = Recollection(deeds, self.episode.current, self.fully)
        world, scene = self.world, self.world.scene
        here, held = world.values[scene.at(ROBOT)], world.values[scene.held(ROBOT)]
        return View(
            self._recollection.after(self._done),
            self.episode.instruction,
            HUMAN_ROLE if here == HUMAN_PLACE else LOCATIONS[here],
            None if held == NOTHING else scene.names[held],
            MOVES - self.moves,
            self.question_price,
        )

    def act(self, action: Any) -> Outcome:
        """Carry out an act; a line that names no offer is a command, whatever it says."""
        if isinstance(action, str) and not _NAMES_AN_OFFER.match(action):
            action = Act("Command", {"command": action[: MAX_LENGTH + 1]})
        return super().act(action)

    def do(self, role: str, act: Act) -> Outcome:
        """Carry out a command, ask, or stop."""
        if act.name == "Stop":
            self.stopped = True
            return self._no_move("You stop.")
        if act.name == "Ask":
            topic = questions.topic_of(act.arguments["question"])
            return self._move(self.style.puzzled, Reason.MALFORMED) if topic is None else self._ask(topic)
        return self._command(act.arguments["command"])

    def misunderstood(self, role: str, refusal: Outcome) -> Outcome:
        """What makes no sense costs a move."""
        return self._move(refusal.message, refusal.reason)

    def _command(self, command: str) -> Outcome:
        command = SYNONYMS.get(command, command)
        if command in FREE:
            return self._no_move(self.narrator.surroundings() if command == "examine" else self._inventory())
        action = self.commands.parse(command)
        if action is None:
            topic = None if self.question_price is None else questions.topic_of(command)
            return self._move(self.style.puzzled, Reason.MALFORMED) if topic is None else self._ask(topic)
        if not perform(self.world, ROBOT, action):
            return self._move(self.style.refusal, Reason.NOT_POSSIBLE)
        self._done.append(action)
        self.success = is_fulfilled(self.episode, self.world)
        self.stopped = self.one_object and action.name.startswith(ENDS[self.episode.meaning.quest])
        result = self.narrator.result(action)
        return self._move(result if self.fully else f"{result}\n{self.narrator.surroundings()}")

    def _ask(self, topic: str) -> Outcome:
        assert self.question_price is not None
        self.asked += 1
        answer = questions.answer(self.episode.meaning, topic)
        self._said += [Utterance(ROBOT_ROLE, questions.TOPICS[topic]), Utterance(HUMAN_ROLE, answer)]
        return self._no_move(f'Human answers, "{answer}"', questions.price(topic, self.question_price))

    def _move(self, told: str, reason: Reason = Reason.DONE) -> Outcome:
        self.moves += 1
        return self._earn((REWARD if self.success else 0.0) - 1.0, told, reason)

    def _no_move(self, told: str, price: float = 0.0) -> Outcome:
        if self.limits.steps < self._most_steps:
            self.limits = replace(self.limits, steps=self.limits.steps + 1)
        return self._earn(-price, told)

    def _earn(self, reward: float, told: str, reason: Reason = Reason.DONE) -> Outcome:
        self._earned = reward
        self.score += reward
        self._told = told
        return done(told) if reason is Reason.DONE else refuse(reason, told)

    def _inventory(self) -> str:
        return f"{self.narrator.inventory()} Recall your task: {self.episode.story}"

    def reward(self, role: str) -> float:
        """Less one for a move, less the price of a question, and 100 for success."""
        return self._earned

    def facts(self) -> dict[str, str]:
        """The household, thing by thing, and the score."""
        return {**self.world.facts(), "score": f"{self.score:g}"}

    def digest(self) -> str:
        """A fingerprint of the world and of what was spent."""
        spent = f"{self.moves} {self.asked} {self.score:g} {self.success} {self.stopped}"
        return hashlib.sha256(f"{self.world.digest()} {spent}".encode()).hexdigest()[:16]


ASK = Offer(
    "Ask",
    "Ask the human about what she means.",
    (Argument("question", "choice", "What to ask.", tuple(questions.TOPICS.values())),),
)
COMMAND = Offer("Command", COMMAND_HELP, (Argument("command", "choice", "What to do."),))
MENU: Mapping[str, Offer] = {offer.name: offer for offer in (COMMAND, ASK, STOP)}
SILENT_MENU: Mapping[str, Offer] = {offer.name: offer for offer in (COMMAND, STOP)}
