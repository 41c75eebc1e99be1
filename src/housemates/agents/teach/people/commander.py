"""The Commander that speaks as people do: counted acts and words about what is truly to be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from housemates.agents.embodied.semantics import LogicalForm, NounPhrase, Question, Remark
from housemates.agents.teach.people.counts import shipped_people
from housemates.agents.teach.people.keyboard import Keyboard
from housemates.agents.teach.people.manner import Manner, MannerName, draw
from housemates.agents.teach.people.phrasing import Phrasing
from housemates.agents.teach.people.policy import BEGIN, NOTHING, SILENT, WORK, Context
from housemates.agents.teach.planning import OpenCondition, assign_roles
from housemates.agents.teach.planning.steps import CUT, INSIDE
from housemates.agents.teach.talk.commander import OF_PEOPLE, TalkCommander
from housemates.agents.teach.talk.realisation import plural
from housemates.agents.teach.talk.referring_expressions import preposition
from housemates.benchmarks.teach.world.views import CommanderView
from housemates.core.actions import Act
from housemates.core.percepts import Brief
from housemates.home import Thing
from housemates.home.types import object_types

MOST_IDLE = 2
"""Turns in a row that neither instruct nor tell a place, after which the next one instructs."""
PATIENCE = 12
"""Utterances in a row without a change in the home after which a person leaves."""
MOST_ORDERS = 2
"""Steps of one instruction, where it is given step by step."""
KEYS = {
    "isDirty": "clean thing -",
    CUT: "slice thing -",
    "isCooked": "cook thing -",
    "simbotIsCooked": "cook thing -",
    "simbotIsBoiled": "boil thing -",
    "simbotIsFilledWithCoffee": "make coffee -",
    "isFilledWithLiquid": "water thing -",
    INSIDE: "put thing goal",
    "isToggled": "start thing -",
}
"""Property that the task wants -> what is asked for."""


class Wanted(NamedTuple):
    """What an instruction is about, in words."""

    key: str
    thing: str
    whole: str
    goal: str = ""
    on: str = ""
    number: int = 1


class PeopleCommander(TalkCommander):
    """Speaks when people do, with their dialogue acts, words, places and typing; content is the truth.

    Args:
        manner: `people` draws everything as it was counted; the others are rows of `manners.toml`.
    """

    def __init__(self, manner: MannerName = "people") -> None:
        self.manner = Manner.named(manner)
        self._hurries = manner == "impatient"

    def reset(self, brief: Brief) -> None:
        """Forget the last home; become somebody by the seed."""
        super().reset(brief)
        self.people = shipped_people()
        rng = self.realiser.rng
        styles = {one: float(number) for one, number in self.people.styles.items() if self.manner.allows(one)}
        style = draw(rng, styles)
        self.phrasing = Phrasing(self.people, rng, style, self.manner)
        self.keyboard = Keyboard(rng, style, self.people.typing, self.manner.typing)
        self.wrong = bool(rng.random() < self.manner.wrong * 3)
        self._stage, self._own, self._idle, self._vain = BEGIN, NOTHING, 0, 0
        self._whole = False
        self._seen: dict[str, Thing] = {}
        self._located: set[str] = set()
        self._said_last = ""
        self._was_asked = False

    def _turn(self, view: CommanderView) -> list[Act]:
        """The acts of a turn: perhaps a Progress Check and a search, then what is said, or Pass."""
        texts = self._attend(view)
        tagger = self.people.taggers["follower"]
        heard = [act for text in texts for act in tagger.acts(text.splitlines())]
        meanings = [meaning for text in texts for meaning in self._heard_in(text)]
        rose = any(self.home.things.get(each) != thing for each, thing in self._seen.items())
        context = Context(self._stage, heard[-1] if heard else NOTHING, rose, self._own)
        self._was_asked = context.heard == "ask"
        lines, acts = self._lines(context, meanings)
        self._vain = 0 if rose else self._vain + bool(lines)
        if self._is_stuck or self._vain > PATIENCE:
            return [Act("Stop")]
        self._idle = 0 if {"instruct", "locate"} & set(acts) else self._idle + 1
        if not lines:
            return [Act("Pass")]
        self._seen = dict(self.home.things)
        self._own = acts[-1]
        self._stage = WORK if "instruct" in acts else self._stage
        text = self.keyboard.typed("\n".join(lines))
        return [*self._looking("locate" in acts), Act("Say", {"text": text})] if text else [Act("Pass")]

    def _looking(self, locates: bool) -> list[Act]:
        """A Progress Check, and a search before a place is told, as often as people do them."""
        looks = self.people.looks
        found = []
        if self.realiser.likely(looks["checked"] / looks["turns"]):
            found.append(Act("ProgressCheck"))
        if locates and self._said_last and self.realiser.likely(looks["searched"] / looks["locating"]):
            found.append(Act("Search", {"text": self._said_last}))
        return found

    def _lines(self, context: Context, meanings: Sequence[LogicalForm]) -> tuple[list[str], list[str]]:
        """What is said, line by line, and with which acts."""
        for meaning in meanings:
            if isinstance(meaning, Remark) and meaning.kind == "trouble":
                self._give_up(meaning.theme)
        asked = next((each for each in meanings if isinstance(each, Question)), None)
        if asked is not None and asked.about in OF_PEOPLE:
            return _spoken(self._explain(asked)), ["inform"]
        theme = (
            self._spoken_of(asked.theme) if asked is not None and asked.about in ("where", "which") else None
        )
        if theme is not None and not theme.types:
            theme = None
        if asked is not None and asked.about == "which" and theme is not None:
            return _spoken(self._tell_apart(theme)), ["locate"]
        lines: list[str] = []
        told: list[str] = []
        for act in self._acts(context, theme is not None):
            line = self._line(act, theme)
            if line and line not in lines:
                lines.append(line)
                told.append(act)
        if told and self._hurries and self._idle + len(self._instructed) > 3 and self.realiser.likely(0.2):
            lines.append(self.phrasing.remark("hurry"))
        return lines, told

    def _acts(self, context: Context, asked: bool) -> list[str]:
        """The acts of a turn, drawn for its context; nobody waits for an answer or an order for long."""
        policy = self.people.policy
        name = next(each for each in context.backed_off() if each in policy)
        patient = not asked and self._idle < MOST_IDLE and context.heard != NOTHING
        begins = context.stage == BEGIN and context.own == NOTHING and context.heard == NOTHING
        weights = {
            acts: number * self.manner.factor(acts)
            for acts, number in policy[name].items()
            if acts != SILENT or patient or (begins and not self._idle)
        }
        drawn = draw(self.realiser.rng, weights or {"instruct": 1.0})
        if drawn == SILENT:
            return []
        acts = drawn.split("+")
        if asked and "locate" not in acts:
            acts = [*(each for each in acts if each not in ("instruct", "greet")), "locate"]
        if not asked and self._idle >= MOST_IDLE and not {"instruct", "locate"} & set(acts):
            acts.append("instruct")
        return acts

    def _line(self, act: str, theme: NounPhrase | None) -> str:
        """One line for an act; empty if there is nothing true to say."""
        if act in ("instruct", "inform"):
            return self._instruction()
        if act == "locate":
            return self._place(theme)
        if act == "other" or (act == "ask" and self.subplan is None):
            return ""
        happened = self._came_on()
        act = act if happened or act != "praise" else "acknowledge"
        return self.phrasing.remark(act, happened, self._was_asked)

    def _instruction(self) -> str:
        """The next instruction: the whole task at first where people hand it over so, then its parts."""
        assert self._task is not None
        first = self._stage == BEGIN and not self._whole
        repeated = self.subplan
        chosen = self._choose()
        if chosen is None:
            return self._otherwise()
        subplan, times = chosen
        self.phrasing.begins = self._stage == BEGIN
        if times > 1:
            self.phrasing.reword()
        if not times and repeated is not None and self.realiser.likely(self.manner.forgets / 4):
            subplan = self.subplan = repeated
        self.writer.describer.terse = self.manner.vague if not times else 0.0
        self._note_state(subplan)
        if first and self._hands_over():
            self._whole = True
            return self._whole_task()
        open_ = assign_roles(self._task, self.world, tuple(self.avoid))
        wanted = None if times > 1 else self._wanted(subplan.condition, open_)
        named = None if wanted is None or times else self.phrasing.mention(wanted.thing, wanted.number)
        said = named if named or wanted is None else self.phrasing.instruction(*wanted)
        orders = list(self.writer.orders(subplan.steps))[:MOST_ORDERS]
        return said or self.phrasing.framed(" and ".join(orders))

    def _hands_over(self) -> bool:
        ways = self.people.handed.get(str(self.writer.task["task_name"]), {})
        return self.realiser.likely(ways.get("whole", 0) / max(1, sum(ways.values())))

    def _whole_task(self) -> str:
        params = [str(each) for each in self.writer.task.get("task_params") or ()]
        said = self.phrasing.task(
            str(self.writer.task["task_name"]), params, lambda at: self._param(params, at)
        )
        return said or self.writer.whole_task()

    def _param(self, params: Sequence[str], at: int) -> str:
        """A parameter of the task in words."""
        name = str(self.writer.task["task_name"])
        value = params[at]
        if value not in object_types():
            return self.realiser.name(value)
        said = self.phrasing.name(value, self.realiser.name)
        if "Slices" in name and at == 1:
            return f"{said} slices" if params[0] not in ("0", "1") else f"{said} slice"
        return plural(said) if name.startswith(("Clean All", "Put All")) and at == 0 else said

    def _wanted(self, condition: OpenCondition, open_: Sequence[OpenCondition]) -> Wanted | None:
        """What an open condition asks for; None if there are no words of people's for it."""
        thing = self.home.things[condition.thing]
        key = KEYS.get(condition.property)
        if key is None:
            return None
        alike = [each for each in open_ if self._is_alike(each, condition)]
        count = len({each.thing for each in alike}) or 1
        whole, name = self._named(thing, count, condition.property == CUT)
        if key == "cook thing -" and thing.type.startswith("Bread"):
            key = "toast thing -"
        if condition.property != INSIDE:
            return Wanted(key, name, whole, number=count)
        places = [self.home.things[each] for each in condition.places]
        place = min(places, key=self.writer._away)
        goal = self.phrasing.name(place.type, self.realiser.name)
        if len(places) == 1 and not self.realiser.likely(self.manner.vague):
            goal = self.writer.describer.the(place).removeprefix("the ")
        return Wanted(key, name, whole, goal, preposition(place), count)

    def _is_alike(self, one: OpenCondition, other: OpenCondition) -> bool:
        kinds = {self.home.things[each.thing].type for each in (one, other)}
        return one.property == other.property and one.places == other.places and len(kinds) == 1

    def _named(self, thing: Thing, count: int, cut: bool) -> tuple[str, str]:
        """What a thing is called as a whole, and as it is now, or once it is cut."""
        kind = thing.type.removesuffix("Sliced")
        whole = (
            self.phrasing.name(kind, self.realiser.name)
            if kind in object_types()
            else self.realiser.name(kind)
        )
        if thing.type == "BreadSliced" and thing.cooked:
            return "toast", "toast"
        if thing.type.endswith("Sliced") or cut:
            name = f"{whole} slice" if self.realiser.likely(0.5) else f"slice of {whole}"
        else:
            name = whole
        return whole, plural(name) if count > 1 else name

    def _place(self, theme: NounPhrase | None) -> str:
        """Where something is: what was asked for, else what the instruction is about."""
        thing = self._meant(theme) if theme is not None else self._next_thing()
        if thing is None:
            return self.phrasing.remark("unknown") if theme is not None else ""
        asked = theme is not None
        times = self._asked[thing.id]
        self._asked[thing.id] += 1
        if asked and not times and self.realiser.likely(self.manner.forgets):
            return self.phrasing.remark("unknown")
        about = thing
        if not times and self.wrong and (other := self._elsewhere(thing)) is not None:
            about, self.wrong = other, False
        name = self.phrasing.name(thing.type, self.realiser.name)
        self._said_last = name
        if self.home.in_hand(about):
            return "it is in your hand" if asked else ""
        where = (
            self.writer.describer.where(about, careful=True)
            if times > 1
            else self.phrasing.where(about, self.writer.describer, exact=times > 0)
        )
        several = len(self.home.of_type(thing.type)) > 1
        line = self.phrasing.place(name, where, asked, several)
        return f"{self.phrasing.remark('sorry')} {line}" if times and self.realiser.likely(0.3) else line

    def _next_thing(self) -> Thing | None:
        """What the Follower will need next and was not told the place of."""
        if self.subplan is None:
            chosen = self._choose()
            if chosen is None:
                return None
        assert self.subplan is not None
        things = [
            self.home.things[each.thing] for each in self.subplan.steps if each.thing in self.home.things
        ]
        things = [each for each in things if each.kind.can("pickup") and not self.home.in_hand(each)]
        fresh = next((each for each in things if each.id not in self._located), None)
        if fresh is not None:
            self._located.add(fresh.id)
        return fresh


def _spoken(acts: Sequence[Act]) -> list[str]:
    """The words of acts that somebody chose."""
    return [str(each.arguments["text"]) for each in acts if each.name == "Say"]
