"""Generated dialogues: whether the Follower claims what the world did not see it do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from acceptance import rows
from claims import claims, false_claims
from playing import Conversation

from housemates.core.outcome import spoken
from housemates.home import Thing
from housemates.home.types import object_types

HOMES = [
    f"{task} {seed}"
    for task in ("Breakfast", "Salad", "Put All X On Y", "Clean All X", "Boil X", "Put All X In One Y")
    for seed in range(20, 28)
]
"""Tasks and seeds whose homes are played in."""
LONGEST = 6
"""Most utterances of a dialogue."""
KINDS = {"order": 0.45, "follow": 0.25, "ask": 0.18, "talk": 0.07, "people": 0.05}
"""How often each kind of utterance is said."""
ABSENT = 0.1
"""How often something is spoken of that is not there."""
SLOTS = {
    "thing": "pickup",
    "food": "slice",
    "place": "receptacle",
    "door": "open",
    "switch": "toggle",
    "any": "",
}


@cache
def lines() -> Mapping[str, Sequence[str]]:
    """The lines of `dialogues.toml`, and what people say in `conversations.toml`."""
    found = tomllib.loads(Path(__file__).with_name("dialogues.toml").read_text())
    said = [[row["say"]] if isinstance(row["say"], str) else row["say"] for row in rows()]
    return {**found, "people": [text for texts in said for text in texts]}


def dialogue(number: int) -> tuple[str, list[str]]:
    """The home of a dialogue, and what is said there; always the same for a number."""
    rng = np.random.default_rng([number, 33])
    home = HOMES[int(rng.integers(len(HOMES)))]
    things = list(Conversation(home).things.values())
    kinds, chances = list(KINDS), list(KINDS.values())
    chosen = ["order", *rng.choice(kinds, int(rng.integers(1, LONGEST)), p=chances)]
    said = [str(rng.choice(list(lines()[kind]))) for kind in chosen]
    return home, [_filled(text, things, rng) for text in said]


def _filled(text: str, things: Sequence[Thing], rng: np.random.Generator) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: _name(SLOTS[slot[1]], things, rng), text)


def _name(affordance: str, things: Sequence[Thing], rng: np.random.Generator) -> str:
    there = sorted({each.type for each in things if not affordance or each.can(affordance)})
    absent = sorted(name for name, kind in object_types().items() if not affordance or kind.can(affordance))
    return spoken(str(rng.choice(absent if rng.random() < ABSENT or not there else there)))


def lies(number: int) -> Iterator[tuple[str, int]]:
    """For each utterance: the false claims that followed it in words, and how many claims there were."""
    home, texts = dialogue(number)
    played = Conversation(home, number)
    for text in texts:
        if not text.strip():
            continue
        turn = played.say(text)
        made = sum(len(list(claims(each))) for each in turn.answers)
        wrong = false_claims(played.turns)
        told = f"{number} {home}: {[each.text for each in played.turns]} -> {list(turn.answers)}: {wrong}"
        yield (told if wrong else ""), made
