"""Instruction generation: an assignment in English, in the manner of one simulated person."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, islice

import numpy as np

from housemates.agents.cerealbar.language.lexicon import lexicon, shape_forms
from housemates.agents.cerealbar.language.listener import CardDescription
from housemates.agents.cerealbar.language.scene import relate, sector
from housemates.agents.cerealbar.leader import Assignment, Leader, PlayStyle, route
from housemates.benchmarks.cerealbar.generate.games import habits
from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.hexes import distance
from housemates.benchmarks.cerealbar.world.landmarks import Landmark, landmarks
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.benchmarks.cerealbar.world.paths import after
from housemates.benchmarks.cerealbar.world.tables import COLOURS, COUNTS
from housemates.benchmarks.cerealbar.world.visibility import sees
from housemates.core.percepts import Brief

RARITY = 1.4
"""How fast words become rarer along a list."""
NEAREST = 4
"""From how many of the nearest landmarks one is taken."""
SENTENCE = 0.4
"""Probability that a sentence ends between two assignments."""


@dataclass(frozen=True)
class Manner:
    """How often a leader uses each turn of phrase."""

    opener: float = 0.3
    closer: float = 0.25
    polite: float = 0.06
    remark: float = 0.15
    landmark: float = 0.4
    direction: float = 0.6
    route: float = 0.12
    repair: float = 0.04
    brief: float = 0.12
    digits: float = 0.4


def manner(rng: np.random.Generator) -> Manner:
    """A person's manner: between terse and talkative."""
    talk = rng.random()
    return Manner(
        opener=0.05 + 0.4 * talk,
        closer=0.05 + 0.3 * talk,
        polite=0.15 * talk,
        remark=0.02 + 0.25 * talk,
        landmark=0.2 + 0.5 * rng.random(),
        direction=0.4 + 0.5 * rng.random(),
        route=0.2 * rng.random(),
        repair=0.08 * rng.random(),
        brief=0.25 * rng.random(),
        digits=float(rng.random()),
    )


@cache
def _shares(number: int) -> list[float]:
    """How often one of the first 1, 2, ... of so many words is used."""
    weights = (np.arange(number) + 1.0) ** -RARITY
    shares: list[float] = np.cumsum(weights / weights.sum()).tolist()
    return shares


def talking(
    back: bool = False,
    lookahead: bool = True,
    ahead: float = 1.0,
    split: float = 0.0,
    silent: float = 0.0,
    whim: int = 1,
) -> Leader:
    """A leader that speaks English, as well as it can unless it is given another `PlayStyle`."""
    return Leader(EnglishSpeaker(), PlayStyle(back, lookahead, ahead, split, silent, whim))


class PeopleLeader(Leader):
    """A leader with one person's habits and manner in each game, as the corpus has them."""

    def __init__(self) -> None:
        super().__init__(EnglishSpeaker(), PlayStyle(back=False))

    def reset(self, brief: Brief) -> None:
        """Forget the last game; become somebody by the brief."""
        super().reset(brief)
        self.style = PlayStyle(back=False, **habits(self.rng))


class EnglishSpeaker:
    """Words assignments as a person of one manner would."""

    def __init__(self, rng: np.random.Generator | None = None) -> None:
        self.begin(rng or np.random.default_rng(0))

    def begin(self, rng: np.random.Generator) -> None:
        """Draw a new manner."""
        self.rng = rng
        self.manner = manner(rng)
        self.said = 0
        self.score = 0

    def chance(self, share: float) -> bool:
        """Whether something that happens in this share of cases happens now."""
        return bool(self.rng.random() < share)

    def pick(self, options: Sequence[str]) -> str:
        """One of the options, the first ones more often."""
        return options[bisect_left(_shares(len(options)), self.rng.random())]

    def word(self, section: str, value: str) -> str:
        """Words for a meaning."""
        return self.pick(lexicon()[section][value])

    def chat(self, kind: str) -> str:
        """A phrase that means nothing to the game; all are equally likely."""
        options = lexicon()["chat"][kind]
        return options[int(self.rng.random() * len(options))]

    def phrase(self, seen: Observation, assignment: Assignment, pose: int) -> str:
        """The instruction for a follower who will be in this pose when reading it."""
        clauses = []
        for at in assignment.flips:
            legs = route(seen.map, pose, [at], set(seen.cards), back=False)
            leg = legs[0] if legs else []
            clauses.append(self.collect(seen, pose, at, leg, assignment.spell_out))
            pose = after(seen.map, pose, leg)
        if assignment.beside is not None:
            clauses.append(self.wait_beside(seen, pose, assignment.beside))
        text = self.surround(seen, self.join(clauses), ends=assignment.beside is None)
        self.said += 1
        self.score = seen.score
        return text

    def join(self, clauses: list[str]) -> str:
        """One or more sentences."""
        text = clauses[0]
        for clause in clauses[1:]:
            if self.chance(SENTENCE):
                text += f". {clause}" if self.chance(0.5) else f". then {clause}"
            else:
                joint = self.pick(["and then", "then", "and", "after that", "next"])
                text += f", {joint} {clause}" if self.chance(0.4) else f" {joint} {clause}"
        return text

    def surround(self, seen: Observation, text: str, ends: bool) -> str:
        """Add what people say besides: a greeting, praise, a remark, a request to wait."""
        own = self.manner
        if self.chance(own.polite):
            text = f"{text} {self.chat('polite')}"
        if ends and self.chance(own.closer):
            text = f"{text} {self.chat('closer')}"
        if self.chance(own.remark):
            kind = ("hurry", "careful", "own_part")[int(self.rng.random() * 3)]
            text = f"{text}. {self.chat(kind)}"
        if self.chance(own.opener):
            kind = "first" if not self.said else "after_score" if seen.score > self.score else "opener"
            text = f"{self.chat(kind)}{'!' if self.chance(0.3) else ','} {text}"
        return text + ("." if self.chance(0.4) else "")

    def collect(self, seen: Observation, pose: int, at: int, leg: list[str], spell_out: bool = False) -> str:
        """Tell the follower to flip one card."""
        undo = at in seen.selected
        name = self.name(seen, at)
        verb = self.word("verbs", "deselect" if undo else "collect")
        if self.chance(self.manner.repair):
            wrong = self.describe(self.slip(seen.faces[at]), seen.faces[at])
            name = f"{wrong}, {self.word('marks', 'repair')}, {name}"
        prefix = ""
        if undo:
            prefix = f"{self.chat('after_mistake')}, "
        elif len(leg) > 1 and (spell_out or (len(leg) <= 8 and self.chance(self.manner.route))):
            return f"{self.route(leg[:-1])} and {verb} {name}"
        link = self.link(seen, pose, at, leg)
        lead, tail = self.direct(seen, pose, at)
        if link and link[0] == "past" and not lead and self.chance(0.5):
            past = self.word("relations", "past")
            return f"{prefix}{self.word('verbs', 'go')} {past} the {link[1]} and {verb} {name}"
        where = f" {self.word('relations', link[0])} the {link[1]}" if link else ""
        return f"{prefix}{lead}{verb} {name}{where}{'' if where else tail}"

    def direct(self, seen: Observation, pose: int, at: int) -> tuple[str, str]:
        """Words on the way to look, to say before or after."""
        side = sector(seen.map, pose, at)
        if not self.chance(self.manner.direction):
            return "", ""
        if self.chance(0.5):
            return "", f" {self.word('directions', side)}"
        if side == "ahead":
            return f"{self.word('verbs', 'go')} {self.word('turns', 'straight')} and ", ""
        return f"{self.word('turns', 'around' if side == 'behind' else side)} and ", ""

    def route(self, actions: list[str]) -> str:
        """Turns and steps one by one."""
        parts = []
        for action, run in groupby(actions):
            times = len(list(run))
            if action[0] == "M":
                parts.append(self.walk(action, times))
            else:
                turn = self.word("turns", "left" if action == "RL" else "right")
                parts.append(turn if times == 1 else f"{turn} {'twice' if times == 2 else f'{times} times'}")
        return ", ".join(parts)

    def walk(self, action: str, times: int) -> str:
        """So many steps forward or backward."""
        number = lexicon()["counting"][str(min(times, 10))][int(self.chance(self.manner.digits))]
        unit = self.word("marks", "step")
        unit = unit if (times > 1) == unit.endswith("s") else "steps" if times > 1 else "step"
        way = f"{self.word('verbs', 'go')} forward" if action == "MF" else self.word("turns", "back")
        return f"{way} {number} {unit}"

    def wait_beside(self, seen: Observation, pose: int, card: int) -> str:
        """Tell the follower to be ready beside a card, or beside what stands there."""
        beside = [each.mark for each in relate(seen.map, pose, card) if "near" in each.relations]
        near = [mark for mark in beside if self.nearest(seen, pose, mark)]
        wait = self.word("verbs", "wait")
        if near and self.chance(0.6):
            mark = near[int(self.rng.random() * len(near))]
            place = f"the {self.word('landmarks', mark.kind)}"
            if self.chance(0.5):
                return f"{self.word('verbs', 'go')} to {place} and {wait} there"
            return f"{wait} {self.word('relations', 'near')} {place}"
        name = self.describe(self.words_for(seen.faces, seen.faces[card]), seen.faces[card])
        return f"{wait} {self.word('relations', 'near')} {name}"

    def nearest(self, seen: Observation, pose: int, mark: Landmark) -> bool:
        """Whether a landmark is the one of its kind nearest to the follower."""
        width, here = seen.map.size.width, pose // 6
        same = [other for other in landmarks(seen.map) if other.kind == mark.kind]
        return min(same, key=lambda other: distance(other.nearest(here, width), here, width)) == mark

    def link(self, seen: Observation, pose: int, at: int, leg: list[str]) -> tuple[str, str] | None:
        """A true relation to a landmark in view; one that tells like cards apart if need be."""
        card = seen.faces[at]
        alike = [other for other, face in seen.faces.items() if face == card and other != at]
        if not alike and not self.chance(self.manner.landmark):
            return None
        others = {
            (relation, each.mark.kind)
            for other in alike
            for each in relate(seen.map, pose, other)
            for relation in each.relations
        }
        headings = {pose % 6, self.sets_out(pose, leg)}

        def in_view(mark: Landmark) -> bool:
            return any(sees(seen.map, pose // 6, way, to) for way in headings for to in mark.hexes)

        said = sorted(
            (each.apart, relation, each.mark)
            for each in relate(seen.map, pose, at)
            for relation in each.relations
            if (relation, each.mark.kind) not in others
        )
        found = list(islice((each for each in said if in_view(each[2])), NEAREST))
        if not found:
            return None
        _, relation, mark = found[int(len(found) * self.rng.random())]
        return relation, self.word("landmarks", mark.kind)

    def sets_out(self, pose: int, leg: list[str]) -> int:
        """The heading after the turns with which a walk begins."""
        heading = pose % 6
        for action in leg:
            if action[0] == "M":
                break
            heading = (heading + (1 if action == "RR" else -1)) % 6
        return heading

    def name(self, seen: Observation, at: int) -> str:
        """Words for a card that no other card on the map fits, save one with the same face."""
        return self.describe(self.words_for(seen.faces, seen.faces[at]), seen.faces[at])

    def words_for(self, faces: dict[int, Card], card: Card) -> CardDescription:
        """The card's attributes, or fewer where they suffice and the leader is brief."""
        whole = CardDescription(card.number, card.colour, card.shape)
        if not self.chance(self.manner.brief):
            return whole
        shorter = [
            CardDescription(None, card.colour, card.shape),
            CardDescription(None, card.colour, None),
            CardDescription(None, None, card.shape),
        ]
        fitting = [words for words in shorter if sum(words.fits(face) for face in faces.values()) == 1]
        return fitting[int(self.rng.random() * len(fitting))] if fitting else whole

    def slip(self, card: Card) -> CardDescription:
        """The card with one attribute wrong, to be taken back at once."""
        if self.chance(0.5):
            number = COUNTS[int(self.rng.random() * len(COUNTS))]
            return CardDescription(number, card.colour, card.shape)
        return CardDescription(card.number, COLOURS[int(self.rng.random() * len(COLOURS))], card.shape)

    def describe(self, words: CardDescription, card: Card) -> str:
        """A noun phrase for a card."""
        number, article = "", "the "
        if words.number is not None:
            options = lexicon()["number"][str(words.number)]
            number = options[1] if self.chance(self.manner.digits) else self.pick([options[0], *options[2:]])
            bare = number in options[:2] and self.chance(0.3)
            article = "" if number == "a" or bare else "the "
            number += " "
        colour = f"{self.word('colour', words.colour)} " if words.colour else ""
        if not words.shape:
            return f"{article}{number}{colour}card"
        forms = shape_forms(words.shape)
        one, many = forms[[form[0] for form in forms].index(self.pick([form[0] for form in forms]))]
        count = words.number if words.number is not None else card.number
        card_word = " card" if self.chance(0.12) and "of" not in number else ""
        noun = one if count == 1 or card_word else many
        return f"{article}{number}{colour}{noun}{card_word}"
