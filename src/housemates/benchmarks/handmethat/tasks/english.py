"""Instructions in English (Table 17): every way to word an utterance, and reading one back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np

from housemates.benchmarks.handmethat.tasks.meanings import LEVELS, Feature, Meaning
from housemates.benchmarks.handmethat.world.catalog import FLAGS, LOCATIONS, categories, subclasses, table
from housemates.errors import HousematesError

OPENINGS = ("", "please ", "can you ")
GIVE = ("hand me ", "bring me ", "give me ")
PLACE = ("put ", "move ")
CHANGES = {
    "open": ("open", "", "open", 1),
    "toggle": ("toggle", "on", "toggled", 1),
    "heat": ("heat", "up", "cooked", 1),
    "cool": ("cool", "down", "frozen", 1),
    "slice": ("slice", "up", "sliced", 1),
    "soak": ("soak", "", "soaked", 1),
    "clean": ("clean", "up", "dusty", 0),
}
"""Each verb of change-state: how it is said, its particle, and the flag that it sets to a value."""
ADJECTIVES = {
    ("open", True): "open",
    ("open", False): "closed",
    ("toggled", True): "toggled-on",
    ("toggled", False): "toggled-off",
    ("cooked", True): "cooked",
    ("cooked", False): "uncooked",
    ("frozen", True): "frozen",
    ("frozen", False): "unfrozen",
    ("sliced", True): "sliced",
    ("sliced", False): "unsliced",
    ("soaked", True): "soaked",
    ("soaked", False): "dry",
    ("dusty", True): "dusty",
    ("dusty", False): "clean",
    ("stained", True): "stained",
    ("stained", False): "unstained",
}
STATIC = ("size", "color")


def wordings(utterance: Meaning) -> Iterator[str]:
    """Every sentence that says the utterance."""
    for opening in OPENINGS:
        for sentence in _requests(utterance):
            text = f"{opening}{sentence}."
            yield text[0].upper() + text[1:]


def say(utterance: Meaning, rng: np.random.Generator) -> str:
    """One of the wordings."""
    sentences = list(wordings(utterance))
    return sentences[int(rng.integers(len(sentences)))]


def _requests(utterance: Meaning) -> Iterator[str]:
    described = describe(utterance)
    if utterance.quest == "bring_me":
        for verb in GIVE:
            yield f"{verb}{described or 'that'}"
    elif utterance.quest == "move_to":
        thing = described or "it"
        if utterance.arg is None:
            yield f"put {thing} over there"
            return
        for verb in PLACE:
            yield f"{verb}{thing} to {_place(utterance.arg)}"
    else:
        assert utterance.arg is not None
        verb, particle, _, _ = CHANGES[utterance.arg]
        if not particle:
            yield f"{verb} {described or 'it'}"
        elif described:
            yield f"{verb} {particle} {described}"
        else:
            yield f"{verb} it {particle}"


def describe(utterance: Meaning) -> str:
    """The object of an utterance: `the large red box on the table`; empty if nothing is said about it."""
    if not utterance.spec:
        return ""
    said = dict(utterance.spec)
    words = [str(said[key]) for key in STATIC if key in said]
    words += [ADJECTIVES[flag, bool(said[flag])] for flag in FLAGS if flag in said]
    noun = next((_noun(str(said[level])) for level in reversed(LEVELS) if level in said), "one")
    text = " ".join(["the", *words, noun])
    for relation, preposition in (("inside", "in"), ("ontop", "on")):
        if relation in said:
            text += f" {preposition} {_place(str(said[relation]))}"
    return text


def _noun(name: str) -> str:
    return name.lower().replace("_", " ")


def _place(name: str) -> str:
    return f"the {name.replace('#', ' ').replace('_', ' ')}"


@cache
def _nouns() -> dict[str, Feature]:
    found: dict[str, Feature] = {}
    for kind in categories().values():
        if not kind.is_location:
            found.setdefault(_noun(kind.class_), ("class", kind.class_))
    for subclass in subclasses():
        if subclass not in ("inside", "ontop"):
            found.setdefault(_noun(subclass), ("subclass", subclass))
    for kind in categories().values():
        if not kind.is_location:
            found[_noun(kind.name)] = ("type", kind.name)
    return found


@cache
def _adjectives() -> dict[str, Feature]:
    found: dict[str, Feature] = {word: feature for feature, word in ADJECTIVES.items()}
    for key in STATIC:
        found |= {word: (key, word) for word in table()["attributes"][key]}
    return found


POLITE = re.compile(r"(?:please |can you )?(?P<rest>.*?)[.?!]?")


def read_instruction(sentence: str) -> Meaning:
    """The utterance behind a sentence in one of our wordings.

    A subclass that has the name of its only category, such as box, is read as the category.
    """
    text = POLITE.fullmatch(sentence.strip().lower())
    rest = text["rest"] if text else ""
    for verb in GIVE:
        if rest.startswith(verb):
            return Meaning("bring_me", _read_spec(rest.removeprefix(verb), sentence))
    for change, (verb, particle, _, _) in CHANGES.items():
        if rest == f"{verb} it {particle}".strip():
            return Meaning("change_state", (), change)
        start = f"{verb} {particle} " if particle else f"{verb} "
        if rest.startswith(start):
            return Meaning("change_state", _read_spec(rest.removeprefix(start), sentence), change)
    match = re.fullmatch(r"(?:put|move) (?P<thing>.+?) (?:over there|to (?P<place>the .+))", rest)
    if match:
        arg = None if match["place"] is None else _read_place(match["place"], sentence)
        return Meaning("move_to", _read_spec(match["thing"], sentence), arg)
    raise HousematesError(f"The instruction {sentence!r:.80} is in no wording of Table 17.")


def read_description(answer: str, utterance: Meaning) -> Meaning:
    """The meaning in the human's answer to "Can you say it clearly?"."""
    match = re.fullmatch(r"i mean (?P<thing>.+?)(?:, and put it to (?P<place>the .+))?\.", answer.lower())
    if not match:
        raise HousematesError(f"The answer {answer!r:.80} is in no wording of Table 23.")
    spec = () if match["thing"] == "anything" else _read_spec(match["thing"], answer)
    arg = utterance.arg if match["place"] is None else _read_place(match["place"], answer)
    return Meaning(utterance.quest, spec, arg)


def _read_spec(text: str, sentence: str) -> tuple[Feature, ...]:
    if text in ("that", "it"):
        return ()
    match = re.fullmatch(r"the (?P<words>.+?)(?: (?P<how>in|on) (?P<place>the .+))?", text)
    if not match:
        raise HousematesError(f"The instruction {sentence!r:.80} is in no wording of Table 17.")
    found: list[Feature] = []
    words = match["words"].replace(",", "").replace("not soaked", "dry").split()
    while words and words[0] in _adjectives():
        found.append(_adjectives()[words.pop(0)])
    noun = " ".join(words)
    if noun in _nouns():
        found.append(_nouns()[noun])
    elif noun != "one":
        raise HousematesError(f"The instruction {sentence!r:.80}: unknown thing {noun!r:.40}.")
    if match["place"]:
        relation = "inside" if match["how"] == "in" else "ontop"
        found.append((relation, _read_place(match["place"], sentence)))
    return tuple(sorted(found))


def _read_place(text: str, sentence: str) -> str:
    match = re.fullmatch(r"the (?P<kind>[a-z ]+?)(?: (?P<number>\d+))?", text)
    kind = match["kind"].replace(" ", "_") if match else ""
    if not match or kind not in categories() or (match["number"] is None) != (kind in LOCATIONS):
        raise HousematesError(f"The instruction {sentence!r:.80}: unknown place {text!r:.40}.")
    return kind if match["number"] is None else f"{kind}#{match['number']}"
