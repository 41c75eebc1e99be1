"""The talking Commander: instructs at one of three levels of detail, and answers questions."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from housemates.agents.embodied.manipulation import SURFACES
from housemates.agents.embodied.semantics import LogicalForm, NounPhrase, Question, Remark
from housemates.agents.embodied.spatial_relations import side_of
from housemates.agents.reader.language import small_talk
from housemates.agents.reader.language.rewording import bare_phrase
from housemates.agents.teach.planning import PlannedStep, Subplan, assign_roles, next_subplan
from housemates.agents.teach.talk.instructions import InstructionWriter
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.realisation import Realiser
from housemates.agents.teach.talk.referring_expressions import ReferringExpressions
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.views import CommanderView
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept
from housemates.home import Thing, World

OF_PEOPLE = ("task", "able", "doing", "state", "whereabouts", "count")
"""Questions that people ask, by their kind in small talk."""
LEVELS = ("task", "subplan", "step")
"""How much one instruction covers: the task, a subplan, or single steps."""
GIVE_UP = 8
"""Turns without a plan after which the Commander ends the session."""
MISTAKES = 0.12
"""How often a place is first told wrongly."""


class TalkCommander(Agent):
    """Plans from the full state; instructs, answers, corrects, and checks progress."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home; draw a manner from the seed."""
        rng = np.random.default_rng(brief.seed)
        self.realiser = Realiser(rng, "commander")
        self.level = str(rng.choice(LEVELS, p=[0.25, 0.4, 0.35]))
        self.helpful = float(rng.choice([0.3, 0.6, 0.9]))
        self.wrong = bool(rng.random() < MISTAKES * 2)
        self.terse = float(rng.choice([0.0, 0.3, 0.6]))
        self.queue: deque[Act] = deque()
        self.avoid: set[PlannedStep] = set()
        self.subplan: Subplan | None = None
        self._task: tasks.BoundTask | None = None
        self._heard = 0
        self._instructed: Counter[Any] = Counter()
        self._asked: Counter[str] = Counter()
        self._before: dict[str, Thing] = {}
        """What the last instruction was about, as it was then."""

    def act(self, percept: Percept) -> Act:
        """The next act of the queue, which each turn refills."""
        if not self.queue:
            self.queue.extend(self._turn(percept.data))
        return self.queue.popleft()

    def _attend(self, view: CommanderView) -> list[str]:
        """Look at the world, and listen: what the Follower said since."""
        self.world = view.world()
        self.home: World = self.world.home
        if self._task is None:
            self._task, definition = view.told()
            describer = ReferringExpressions(self.home, self.realiser, self.terse)
            self.writer = InstructionWriter(definition, describer, self.realiser)
        self.writer.describer.home = self.home
        said = [each.text for each in view.dialogue[self._heard :] if each.role == "follower"]
        self._heard = len(view.dialogue)
        return said

    def _turn(self, view: CommanderView) -> list[Act]:
        meanings = [meaning for text in self._attend(view) for meaning in self._heard_in(text)]
        if not view.dialogue and self.realiser.likely(0.4):
            return [Act("Pass")]
        return self._reply(meanings, first=not any(each.role == "commander" for each in view.dialogue))

    def _heard_in(self, text: str) -> list[LogicalForm]:
        """What the Follower says, with the questions that only a person in its seat asks."""
        asked = [small_talk.question(each) for each in small_talk.plain(text).split("?")]
        found: list[LogicalForm] = [each for each in asked if each is not None and each.about in OF_PEOPLE]
        return [*found, *parse(text)]

    def _reply(self, meanings: Sequence[LogicalForm], first: bool) -> list[Act]:
        for meaning in meanings:
            theme = meaning.theme if isinstance(meaning, Question | Remark) else None
            if isinstance(meaning, Question) and meaning.about in OF_PEOPLE:
                return self._explain(meaning)
            if isinstance(meaning, Question) and meaning.about in ("where", "which"):
                theme = self._spoken_of(theme)
            if isinstance(meaning, Question) and theme is not None and theme.types:
                return self._answer(theme) if meaning.about == "where" else self._tell_apart(theme)
            if isinstance(meaning, Remark) and meaning.kind == "trouble":
                self._give_up(theme)
        if self.subplan is not None and not any(_asks_for_more(each) for each in meanings):
            return self._nod()
        return self._instruct(
            first, any(isinstance(each, Remark) and each.kind == "trouble" for each in meanings)
        )

    def _spoken_of(self, theme: NounPhrase | None) -> NounPhrase | None:
        """What a question is about; what is to be done next, if it names nothing."""
        if self.subplan is None or (theme is not None and theme.types):
            return theme
        steps = [each for each in self.subplan.steps if not each.optional] or list(self.subplan.steps)
        return NounPhrase((self.home.things[steps[0].target].type,))

    def _explain(self, asked: Question) -> list[Act]:
        """Answer what people ask: the task, whether it is done, where something is, how many there are."""
        assert self._task is not None
        about = asked.theme.words if asked.theme is not None else ""
        phrase = bare_phrase(about) if about else None
        if asked.about in ("task", "able"):
            return [_say(self.writer.whole_task())]
        if asked.about in ("whereabouts", "seen") and phrase is not None and phrase.types:
            return self._answer(phrase)
        if asked.about == "count" and phrase is not None and phrase.types:
            conditions = assign_roles(self._task, self.world, tuple(self.avoid))
            things = {each.thing for each in conditions if self.home.things[each.thing].type in phrase.types}
            number = len(things) or sum(each.type in phrase.types for each in self.home.things.values())
            return [_say(self.realiser.say("count", n=str(number), x=phrase.words))]
        if asked.about in ("doing", "state") and self._is_finished():
            return [Act("ProgressCheck"), _say(self.realiser.say("finished"))]
        if asked.about in ("doing", "state"):
            return [Act("ProgressCheck"), *self._instruct(False, False, "notyet")]
        return [_say(self.realiser.say("dunno"))]

    def _is_finished(self) -> bool:
        """Whether the whole task is done."""
        assert self._task is not None
        return bool(tasks.check(self._task, self.world.objects()).success)

    def _nod(self) -> list[Act]:
        """What to do when the Follower only acknowledged: wait, or say where something is."""
        assert self.subplan is not None
        if self.realiser.likely(0.35):
            return [Act("Pass")]
        if self.realiser.likely(0.4):
            return [_say(self.realiser.say("wait"))]
        facts = self.writer.facts(self.subplan, 1.0).split(". ")
        return [_say(facts[0])] if facts[0] else [Act("Pass")]

    def _give_up(self, theme: NounPhrase | None) -> None:
        """Avoid the step that the Follower has trouble with."""
        if self.subplan is None:
            return
        steps = [step for step in self.subplan.steps if not step.optional]
        kinds = theme.types if theme is not None else ()
        meant = [each for each in steps if self.home.things[each.target].type in kinds]
        about = meant or [each for each in steps if self.home.things[each.thing].type in kinds] or steps[-1:]
        self.avoid.update(about[-1:])

    def _choose(self) -> tuple[Subplan, int] | None:
        """The subplan that is due, and how often it was instructed before; None if there is none.

        One that was instructed in vain is given up for another way.
        """
        assert self._task is not None
        subplan = next_subplan(self._task, self.world, tuple(self.avoid))
        if subplan is None and self.avoid:
            self.avoid.clear()
            subplan = next_subplan(self._task, self.world)
        if subplan is None:
            self._instructed["nothing"] += 1
            return None
        times = self._instructed[subplan.condition, subplan.steps]
        self._instructed[subplan.condition, subplan.steps] += 1
        if times >= 3:
            self.avoid.update(step for step in subplan.steps[-1:] if not step.optional)
        self.subplan = subplan
        return subplan, times

    @property
    def _is_stuck(self) -> bool:
        """Whether there was no subplan too often."""
        return self._instructed["nothing"] > GIVE_UP

    def _came_on(self) -> bool:
        """Whether what the last instruction was about has changed."""
        return any(self.home.things.get(each) != thing for each, thing in self._before.items())

    def _note_state(self, subplan: Subplan) -> None:
        """Remember how the things of an instruction are now."""
        about = {each for step in subplan.steps for each in (step.thing, step.target)}
        self._before = {each: self.home.things[each] for each in about if each in self.home.things}

    def _instruct(self, first: bool, trouble: bool, opening: str = "") -> list[Act]:
        assert self._task is not None
        looking = [Act("ProgressCheck")] if first or self.realiser.likely(0.5) else []
        chosen = self._choose()
        if chosen is None:
            return [Act("Stop")] if self._is_stuck else [*looking, _say(self._otherwise())]
        subplan, times = chosen
        self.writer.describer.terse = 0.0 if times else self.terse
        conditions = assign_roles(self._task, self.world, tuple(self.avoid))
        came_on = self._came_on()
        self._note_state(subplan)
        level = self.level if not times else "step"
        if first and level == "task":
            text = self.writer.whole_task()
        elif level == "step":
            text = self.writer.steps(subplan, self.helpful if times == 0 else 1.0, first)
        else:
            text = self.writer.subplan(subplan, conditions, self.helpful, first)
        opening = self.realiser.say(opening or _opening(first, trouble, bool(times), came_on))
        return [*looking, *self._searches(subplan, text), _say(f"{opening} {text}".strip())]

    def _otherwise(self) -> str:
        """What to say without a subplan: empty the hand, or look around."""
        held = self.home.held
        surfaces = [each for kind in SURFACES for each in self.home.of_type(kind)]
        if held is None or not surfaces:
            return self.realiser.say("dunno")
        name, place = self.realiser.name(held.type), self.realiser.name(surfaces[0].type)
        return self.realiser.say("order", order=f"put the {name} on a {place}")

    def _searches(self, subplan: Subplan, text: str) -> list[Act]:
        """Sometimes look an object up before saying where it is."""
        if " is " not in text or not self.realiser.likely(0.3):
            return []
        return [Act("Search", {"text": self.realiser.name(self.home.things[subplan.condition.thing].type)})]

    def _answer(self, theme: NounPhrase) -> list[Act]:
        """Say where an object is; more exactly each time it is asked."""
        thing = self._meant(theme)
        if thing is None:
            if theme.types[0].endswith("Sliced"):
                return self._instruct(False, False)
            return [_say(self.realiser.say("dunno"))]
        name = self.realiser.name(thing.type)
        times = self._asked[thing.id]
        self._asked[thing.id] += 1
        searching = [Act("Search", {"text": name})] if self.realiser.likely(0.5) else []
        describer = self.writer.describer
        if times == 0 and self.wrong and (wrong := self._elsewhere(thing)) is not None:
            self.wrong = False
            return [
                *searching,
                _say(self.realiser.say("answer", x=name, where=describer.where(wrong))),
            ]
        holder = next(self.home.ancestors(thing), None)
        looked = None if holder is None else self._looked_at(holder)
        if times and holder is not None and looked is not None:
            side = describer.side_from(holder, looked)
            if side is not None:
                return [*searching, _say(self.realiser.say("beside", side=self.writer.side(side)))]
        where = describer.where(thing, careful=times > 1)
        return [
            *searching,
            _say(self.realiser.say("sorry" if times else "answer", x=name, where=where)),
        ]

    def _tell_apart(self, theme: NounPhrase) -> list[Act]:
        """Say which one is meant, and whether the Follower guessed right."""
        describer = self.writer.describer
        thing = next((describer.vague[each] for each in theme.types if each in describer.vague), None)
        thing = thing or self._meant(theme)
        if thing is None:
            return [_say(self.realiser.say("dunno"))]
        self._asked[thing.id] += 1
        key = "which"
        if theme.places:
            side = side_of(describer.extent(thing), describer.viewer)
            key = "which_yes" if theme.places[0].relation == side else "which_no"
        return [_say(self.realiser.say(key, one=describer.which(thing)))]

    def _meant(self, theme: NounPhrase) -> Thing | None:
        """The object that the Follower should be looking for."""
        assert self._task is not None
        things = [each for each in self.home.things.values() if each.solid and each.type in theme.types]
        wanted = [] if self.subplan is None else [step.target for step in self.subplan.steps]
        wanted += [] if self.subplan is None else [step.thing for step in self.subplan.steps]
        wanted += [condition.thing for condition in assign_roles(self._task, self.world, tuple(self.avoid))]
        order = {name: -index for index, name in enumerate(reversed(wanted))}
        troubled = {step.target for step in self.avoid}

        def badness(thing: Thing) -> tuple[Any, ...]:
            x, z = thing.position[0] - self.home.agent.x, thing.position[2] - self.home.agent.z
            return (
                thing.id in troubled,
                order.get(thing.id, 1),
                theme.types.index(thing.type),
                self.home.enclosing(thing) is not None,
                round(x * x + z * z, 3),
                thing.id,
            )

        return min(things, key=badness, default=None)

    def _elsewhere(self, thing: Thing) -> Thing | None:
        """An object in another place, to be named by mistake."""
        holder = next(self.home.ancestors(thing), None)
        others = [
            each
            for each in self.home.things.values()
            if each.can("pickup")
            and each.solid
            and each.parents
            and each.parents[:1] != thing.parents[:1]
            and each.type != thing.type
            and self.home.enclosing(each) is None
            and not self.home.in_hand(each)
        ]
        if holder is None or not others:
            return None
        return others[int(self.realiser.rng.integers(len(others)))]

    def _looked_at(self, holder: Thing) -> Thing | None:
        """The other object of the type that the Follower stands before, if there is one."""
        x, z = self.home.agent.x, self.home.agent.z
        alike = [each for each in self.home.of_type(holder.type) if each.open or not each.can("open")]
        nearest = min(
            alike, key=lambda each: math.hypot(each.position[0] - x, each.position[2] - z), default=holder
        )
        return None if nearest.id == holder.id else nearest


def _opening(first: bool, trouble: bool, again: bool, came_on: bool) -> str:
    """The line that an instruction begins with; praise is for what brought the task on."""
    if first:
        return "hello"
    return "trouble" if trouble else "again" if again else "praise" if came_on else "go_on"


def _asks_for_more(meaning: LogicalForm) -> bool:
    if isinstance(meaning, Question):
        return True
    return isinstance(meaning, Remark) and meaning.kind in ("done", "finished", "trouble")


def _say(text: str) -> Act:
    return Act("Say", {"text": text})
