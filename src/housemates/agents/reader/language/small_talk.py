"""Small talk: greetings, thanks, and questions about the Follower and the home, by patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from housemates.agents.embodied.navigation import Navigator
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.embodied.semantics import LogicalForm, NounPhrase, Question, Remark
from housemates.core.outcome import spoken
from housemates.home.types import object_type

NEXT = "What should I do next?"
KINDS = {
    "stop": r"^\W*(?:(?:please|ok|no|hey|actually|sorry)\W+)*"
    r"(?:stop|wait|halt|cancel|abort|never ?mind|forget (?:it|that|about)|hold on|pause|"
    r"do(?:n'?t| not)(?: do (?:it|that|this))?\W*$)\b",
    "where": r"\bwhere (?:are|r) (?:you|u)\b",
    "holding": r"\bin (?:your|ur) hands?\b|\bwhat (?:are|r) (?:you|u) (?:holding|carrying)\b|"
    r"\bwhat do (?:you|u) (?:have|hold)\b",
    "here": r"\bcome (?:over )?(?:here|closer|to me)\b|\bfollow me\b",
    "doing": r"\bwhat (?:are|r) (?:you|u) (?:doing|up to)|\bare (?:you|u) (?:done|ready|finished|busy)\b",
    "seeing": r"\bwhat (?:do|can) (?:you|u) see\b|\bwhat is (?:there|here|around)\b|^\W*look around\W*$",
    "how it is": r"\b(?:is|are|was) (?:(?:the|that|this|my|your) )?(?P<theme>[\w ]+?) (?:still |already )?"
    r"(?:done|ready|finished|cooked|boiled|toasted|clean|washed|dirty|open|closed|shut|on|off|sliced|cut)\W*$",
    "help": r"\b(?:need|want) (?:any |some |my )?help\b|\bcan i help\b",
    "able": r"\bwhat (?:can|could) (?:you|u) do\b|^\W*help\W*$|\bhow does this work\b",
    "name": r"\bwhat(?:'| i)?s your name\b|\bwho are (?:you|u)\b",
    "feeling": r"\bhow are (?:you|u)\b|\bhow(?:'| i)s it going\b",
    "bye": r"^\W*(?:good ?)?bye\b|^\W*see you\b",
    "nod": r"^\W*(?:(?:ok|okay|please|well|lol|robot|fine|alright|all right|take your time)\W*)+$",
}
"""Kinds of utterance, and how people say them."""
ANSWERS = {
    "stop": f"All right, I leave it. {NEXT}",
    "help": f"No, thank you. {NEXT}",
    "able": "I can take, put, open, close, wash, slice, cook, toast, boil, fill, pour and turn things on, "
    f'and do whole tasks such as "make a salad". {NEXT}',
    "here": "I cannot see where you are. What should I go to?",
    "name": f"I am your Follower. {NEXT}",
    "feeling": f"Fine, thank you. {NEXT}",
    "bye": "Goodbye!",
    "hello": "Hello! What should I do?",
    "no": "I am sorry. What should I do instead?",
    "thanks": f"You are welcome. {NEXT}",
    "praise": f"Thank you. {NEXT}",
}
"""Fixed answers, by kind."""
WAITING = f"I am waiting for you. {NEXT}"
MOST = 6
"""Most objects that an answer lists."""


def is_halt(text: str) -> bool:
    """Whether a text says to stop and nothing else."""
    found = re.match(KINDS["stop"], text.lower())
    return found is not None and len(text[found.end() :].split()) < 2


def kind_of(text: str, found: Iterable[LogicalForm]) -> str:
    """The kind of an utterance without orders, or of its first remark; empty if it has none."""
    plain = text.lower().replace("’", "'")
    for kind, pattern in KINDS.items():
        if re.search(pattern, plain):
            return kind
    return next((each.kind for each in found if isinstance(each, Remark)), "")


def theme_of(text: str) -> str:
    """What a question about a state names; empty if it is no such question."""
    asked = re.search(KINDS["how it is"], text.lower())
    return asked["theme"] if asked is not None else ""


def answer(
    kind: str, about: NounPhrase | None, found: Iterable[LogicalForm], navigator: Navigator, did: str
) -> str:
    """The answer to an utterance; empty if none is due.

    Args:
        kind: As `kind_of` has it.
        about: The thing whose state is asked about.
        found: All that was understood.
        navigator: What it remembers and where it stands.
        did: What it did last, in words.
    """
    asked = next((each for each in found if isinstance(each, Question) and each.about == "where"), None)
    if asked is not None and asked.theme is not None and asked.theme.types:
        return f"{_whereabouts(navigator, asked.theme.types, asked.theme.words)} {NEXT}"
    if kind == "where":
        return f"I am {_beside(navigator)}{_holding(navigator)}. {NEXT}"
    if kind == "holding":
        held = _holding(navigator).removeprefix(" and")
        return f"I{held}. {NEXT}" if held else f"My hand is empty. {NEXT}"
    if kind == "doing":
        return f"I am done with {did!r}{_holding(navigator)}. {NEXT}" if did else WAITING
    if kind == "seeing":
        return f"{_sights(navigator)} {NEXT}"
    if kind == "how it is":
        return f"{_states(navigator, about)} {NEXT}"
    return ANSWERS.get(kind, WAITING if kind else "")


def contents(navigator: Navigator, place: TrackedObject) -> str:
    """A sentence about what was seen in or on a place."""
    where = f"{_side(place)} the {spoken(place.type)}"
    found = [each.type for each in navigator.memory.things.values() if each.holder == place.key]
    names = [spoken(each) for each in sorted(set(found))]
    return f"I see {', '.join(names) or 'nothing'} {where}. {NEXT}"


def _beside(navigator: Navigator) -> str:
    """The nearest large object, as a phrase."""
    x, _, z = navigator.position
    big = [each for each in navigator.memory.things.values() if not each.can("pickup")]
    if not big:
        return "where I was at the beginning"
    near = min(big, key=lambda each: float(np.hypot(each.points[:, 0] - x, each.points[:, 2] - z).min()))
    return f"by the {spoken(near.type)}"


def _holding(navigator: Navigator) -> str:
    held = navigator.memory.things.get(navigator.memory.held)
    return "" if held is None else f" and hold the {spoken(held.type)}"


def _sights(navigator: Navigator) -> str:
    """A sentence about some of what was seen, objects that can be carried first."""
    kinds = sorted({each.type for each in navigator.memory.things.values()}, key=_importance)[:MOST]
    names = [spoken(each) for each in kinds]
    return f"Among other things I have seen: {', '.join(names)}." if names else "I have seen nothing yet."


def _states(navigator: Navigator, about: NounPhrase | None) -> str:
    """A sentence about the known states of an object."""
    types = () if about is None else about.types
    types = (*types, *_slices(types))
    known = [each for each in navigator.memory.things.values() if each.type in types]
    if about is None or not known:
        return "I have not seen it yet."
    thing = max(known, key=lambda each: each.last_used)
    told = {
        "sliced": thing.type.endswith("Sliced"),
        "cooked": thing.cooked,
        "clean": thing.clean,
        "open": thing.open,
        "on": thing.running,
    }
    states = [state for state, so in told.items() if so]
    return f"As far as I know the {about.words} is {' and '.join(states) or 'as it was'}."


def _slices(types: Iterable[str]) -> tuple[str, ...]:
    return tuple(kind for each in types if (kind := object_type(each).slice_type))


def _importance(kind: str) -> tuple[bool, str]:
    return (not object_type(kind).can("pickup"), kind)


def _whereabouts(navigator: Navigator, types: tuple[str, ...], words: str) -> str:
    """A sentence about where objects of some types were seen."""
    found = navigator.memory.of(types)
    if navigator.memory.held and navigator.memory.things[navigator.memory.held].type in types:
        return f"I hold the {words}."
    if not found:
        return f"I have not seen the {words} yet."
    return f"I have seen the {words} {_place(navigator, found[0])}."


def _place(navigator: Navigator, thing: TrackedObject) -> str:
    holder = navigator.memory.things.get(thing.holder)
    if holder is None:
        return "here"
    return f"{_side(holder)} the {spoken(holder.type)}"


def _side(holder: TrackedObject) -> str:
    return "in" if holder.can("open") else "on"
