"""Counts in recorded sessions how Commanders speak."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from housemates.agents.reader.language.decoding import decode_dialogue
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.text import dialogue
from housemates.agents.teach.people.acts import Tagger, merged, split
from housemates.agents.teach.people.counts import Counts, People
from housemates.agents.teach.people.delexicalisation import (
    Pattern,
    instruction,
    mention,
    nouns_of,
    tokens_of,
    whole_task,
)
from housemates.agents.teach.people.places import place_of
from housemates.agents.teach.people.policy import contexts_of, stated
from housemates.agents.teach.people.turns import Turn, recorded, turns_of
from housemates.benchmarks.teach.formats.episodes import Game
from housemates.core.percepts import Utterance

LEAST = 3
"""In how many sessions a phrase must occur in order to be kept."""
LEAST_CONTEXT = 12
"""How often a context must occur in order to be kept."""
LONGEST_PHRASE = 6
"""Words of what is kept whole: greetings, praise and the like."""
SURE = 0.5
"""Probability from which the first instructions count as the whole task."""


class Counting:
    """Counts sessions, one after the other."""

    def __init__(self) -> None:
        self.sessions = 0
        self._segments: dict[str, list[tuple[str, str]]] = {"commander": [], "follower": []}
        self._found: dict[str, dict[tuple[str, str], set[int]]] = defaultdict(lambda: defaultdict(set))
        self._counts: dict[str, Counter[Any]] = defaultdict(Counter)
        self._contexts: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, game: Game) -> None:
        """Count one recorded session."""
        self.sessions += 1
        turns = turns_of(recorded(game.episode.interactions))
        for turn in turns:
            self._segments[turn.role] += [
                (text, act) for text, label in turn.labels if (act := merged(turn.role, label))
            ]
        for context, acts in contexts_of(turns, stated):
            for name in context.backed_off():
                self._contexts[name][acts] += 1
        own = [each for each in turns if each.role == "commander"]
        for turn in own:
            self._add_turn(turn)
        self._add_task(own, game)
        self._add_style(own)
        self._add_typing(game)

    def _add_turn(self, turn: Turn) -> None:
        acts = [(text, merged("commander", label)) for text, label in turn.labels]
        segments = [
            (each, act) for text, act in acts for each in (split(text) if act != "instruct" else [text])
        ]
        self._counts["looks"].update(turns=1, checked=turn.checked)
        if any(act == "locate" for _, act in segments):
            self._counts["looks"].update(locating=1, searched=turn.searched)
        for text, act in segments:
            text = text.strip()
            if act == "instruct":
                self._add_instruction(text, turn)
            elif act == "locate":
                self._add_place(text, turn)
            elif len(tokens_of(text)) <= LONGEST_PHRASE and not any(nouns_of(tokens_of(text))):
                self._note("phrases", act, " ".join(tokens_of(text)))

    def _add_instruction(self, text: str, turn: Turn) -> None:
        named = instruction(text)
        kinds: Sequence[str] = () if named is None else named[1].types
        pattern: Pattern | None = None if named is None else named[0]
        if named is None and (found := mention(text, turn.ahead)) is not None:
            pattern, kinds = found
        if pattern is None:
            return
        self._note("cores", pattern.key, pattern.core)
        self._note("openers", "instruct", pattern.opener)
        self._note("closers", pattern.key.split()[0], pattern.closer)
        self._add_names(text, (*turn.ahead, *kinds[:1]))

    def _add_place(self, text: str, turn: Turn) -> None:
        found = place_of(text)
        if found is None:
            return
        self._note("subjects", "", found.subject)
        self._note("shapes", "", found.shape)
        for relation, words in found.words:
            self._note("relations", relation, words)
        self._add_names(text, turn.ahead)

    def _add_names(self, text: str, likely: Sequence[str]) -> None:
        """Note what a thing is called that is touched soon after."""
        for noun in nouns_of(tokens_of(text)):
            kind = next((each for each in noun.types if each in likely), None)
            if kind is not None and not kind.endswith("Sliced"):
                self._note("names", kind, noun.words)

    def _add_task(self, own: Sequence[Turn], game: Game) -> None:
        """Note whether the first instruction is the whole task, as the reader decodes it."""
        first = next(
            (text for turn in own for text, label in turn.labels if merged("commander", label) == "instruct"),
            "",
        )
        name = game.task.task_name
        network = shipped_network()
        words = dialogue([Utterance("commander", first)])
        best = decode_dialogue(network.card, network.log_probs(words), words)[0] if first else None
        pattern = whole_task(first, game.task.params)
        is_whole = best is not None and best.task.name == name and best.probability >= SURE
        self._counts["handed"][name, "whole" if is_whole else "parts"] += 1
        if is_whole and pattern:
            self._note("tasks", name, pattern)

    def _add_style(self, own: Sequence[Turn]) -> None:
        lines = [line for turn in own for line in turn.lines]
        if not lines:
            return
        share = {
            "capitals": sum(line[:1].isupper() for line in lines) / len(lines),
            "stops": sum(line[-1:] in ".!?" for line in lines) / len(lines),
            "please": 2
            * sum("please" in line.lower() or "can you" in line.lower() for line in lines)
            / len(lines),
        }
        words = sum(len(tokens_of(line)) for line in lines) / len(lines)
        length = "short" if words < 4 else "long" if words >= 8 else "usual"
        told = [name for name, value in share.items() if value > 0.5]
        self._counts["styles"][" ".join([*told, length])] += 1

    def _add_typing(self, game: Game) -> None:
        for each in game.episode.interactions:
            if each.text is None or each.agent_id != 0:
                continue
            meant = each.corrected_utterance
            self._counts["typing"]["lines"] += 1
            if isinstance(meant, str) and meant.strip() and each.is_corrected:
                kinds = _mistakes(each.text.lower(), meant.lower())
                self._counts["typing"].update(kinds)
                self._counts["typing"]["mistaken"] += bool(kinds)

    def _note(self, table: str, key: str, value: str) -> None:
        self._found[table][key, value].add(self.sessions)

    def people(self) -> People:
        """The counts; phrases of fewer than `LEAST` sessions are left out."""
        policy = {
            name: dict(sorted(acts.items()))
            for name, acts in sorted(self._contexts.items())
            if acts.total() >= LEAST_CONTEXT
        }
        return People(
            sessions=self.sessions,
            taggers={role: Tagger.of(found) for role, found in self._segments.items()},
            policy=policy,
            cores=self._kept("cores"),
            openers=self._kept("openers"),
            closers=self._kept("closers"),
            tasks=self._kept("tasks"),
            handed=_nested(self._counts["handed"]),
            subjects=self._kept("subjects").get("", {}),
            shapes=self._kept("shapes").get("", {}),
            relations=self._kept("relations"),
            phrases=self._kept("phrases"),
            names=self._kept("names"),
            styles=dict(sorted(self._counts["styles"].items())),
            typing=dict(sorted(self._counts["typing"].items())),
            looks=dict(sorted(self._counts["looks"].items())),
        )

    def _kept(self, table: str) -> Counts:
        found: Counts = defaultdict(dict)
        for (key, value), where in sorted(self._found[table].items()):
            if len(where) >= LEAST:
                found[key][value] = len(where)
        return dict(found)


def _nested(counts: Counter[Any]) -> Counts:
    found: Counts = defaultdict(dict)
    for (name, way), count in sorted(counts.items()):
        found[name][way] = count
    return dict(found)


def _mistakes(said: str, meant: str) -> Iterable[str]:
    """The kinds of the small differences between a line and its correction."""
    if abs(len(said) - len(meant)) > 4:
        return []
    return [kind for kind in (_mistake(*each) for each in _changes(said, meant)) if kind]


def _changes(said: str, meant: str) -> Iterable[tuple[str, str]]:
    matcher = SequenceMatcher(None, meant, said, autojunk=False)
    return [(meant[i:j], said[k:n]) for tag, i, j, k, n in matcher.get_opcodes() if tag != "equal"]


def _mistake(meant: str, said: str) -> str:
    """One of `omission`, `insertion`, `substitution`, `apostrophe`, `space`; empty for anything larger."""
    if meant in ("'", ".", ",", "!", "?"):
        return "apostrophe" if meant == "'" else ""
    if meant == " " and not said:
        return "space"
    if len(meant) == 1 and not said and meant.isalpha():
        return "omission"
    if not meant and len(said) == 1 and said.isalpha():
        return "insertion"
    return "substitution" if len(meant) == len(said) == 1 and (meant + said).isalpha() else ""
