"""Recorded sessions as examples: dialogue, history, and a frame, an action and an object type per step.

The frames of a game are drawn and encoded once; its sessions name their part of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.alfred.benchmark import Alfred, AlfredOptions
from housemates.benchmarks.alfred.formats.loader import known_as
from housemates.benchmarks.alfred.world.agent_camera import Sight as AlfredSight
from housemates.benchmarks.alfred.world.dynamics import INTERACTIONS, AlfredWorld
from housemates.benchmarks.alfred.world.dynamics import MOVES as ALFRED_MOVES
from housemates.benchmarks.teach.benchmark import Edh, EdhOptions, Tfd, TfdOptions
from housemates.benchmarks.teach.formats.episodes import Interaction
from housemates.benchmarks.teach.formats.replay import carried_out, retrace
from housemates.benchmarks.teach.formats.starts import Given, read_game
from housemates.benchmarks.teach.world.actions import MOVES, TOUCHES
from housemates.benchmarks.teach.world.agent_camera import Sight
from housemates.core.benchmark import Reference
from housemates.core.options import Paths
from housemates.core.percepts import Utterance
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.home.things import type_in
from housemates.home.types import room_types
from housemates.models.caches import FeatureCache, features_folder, pack, unpack
from housemates.models.image_encoders import Encoder
from housemates.models.schedule import evenly, held_out
from housemates.models.teach_et.config import EtConfig
from housemates.models.vocabulary import END, Vocabulary, words
from housemates.parallel import track

STOP, TRAIN = "Stop", "train"
ACTIONS = (*MOVES, *TOUCHES, STOP)
START = len(ACTIONS)
"""The action before the first one."""
TYPES = room_types()
NOTHING = len(TYPES)
"""The object type of an action that touches nothing; also the number of types."""
LONGEST_WORDS = 300
"""Of an example's dialogue."""
HOME_NAMES = {**{name: home for name, (home, _) in ALFRED_MOVES.items()}, **INTERACTIONS}
"""ALFRED's names of actions -> the home's, which are TEACh's."""

Pictures = NDArray[np.uint8]


@dataclass(frozen=True)
class Example:
    """A session from the moment on at which the Follower takes over."""

    tokens: list[int]
    """Of the dialogue."""
    history: NDArray[np.int64]
    """Actions before that moment."""
    frames: NDArray[np.float16]
    """Feature maps, (frames, channels, rows, columns): of the steps, or of history and steps."""
    actions: NDArray[np.int64]
    """(steps,); the last is `STOP`, unless the session is longer than what is learnt from."""
    objects: NDArray[np.int64]
    """(steps,): types; `NOTHING` where nothing is touched."""


def dialogue_words(dialogue: Iterable[Utterance], config: EtConfig) -> list[str]:
    """The last 300 words of a dialogue, each utterance as its role, its words and an end."""
    found = [word for each in dialogue for word in (each.role, *words(each.text), END)]
    return found[-LONGEST_WORDS:] if config.language and found else [END]


def history_of(names: Iterable[str], config: EtConfig) -> NDArray[np.int64]:
    """The last actions as indices of `ACTIONS`; others, such as speech, are left out."""
    found = [ACTIONS.index(name) for name in names if name in ACTIONS]
    return np.array(found[max(0, len(found) - config.longest_history) :], np.int64)


class Sessions:
    """Sessions of train, replayed once; frames are kept as features in the cache."""

    def __init__(self, data: Path, held: bool, config: EtConfig, encoder: Encoder, limit: int) -> None:
        """Replay the sessions that are not cached; one that cannot be replayed is left out.

        Args:
            data: Recorded games, or ALFRED's trajectories.
            held: Whether those of train are wanted that are held out for validation, or all others.
            config: Of the model.
            encoder: Of frames.
            limit: Games at most, spread evenly; 0 takes all.

        Raises:
            HousematesError: no session of train can be replayed.
        """
        self._config, self._encoder = config, encoder
        store = Path(config.store) if config.store else None
        self._benchmark: Any
        if config.source == "alfred":
            self._benchmark = Alfred(AlfredOptions(data=data, store=store))
        elif config.source == "edh":
            self._benchmark = Edh(EdhOptions(data=Paths(data), store=store, size=str(config.picture)))
        else:
            self._benchmark = Tfd(TfdOptions(data=Paths(data), store=store, size=str(config.picture)))
        references = evenly(held_out(list(self._benchmark.references(TRAIN, 0)))[held], limit)
        maker = {
            "what": "teach-et 2",
            "past": config.past,
            "longest_history": config.longest_history,
            "source": config.source,
            "data": fingerprint(data).sha256,
            "store": None if store is None else fingerprint(store).sha256,
            "encoder": encoder.name,
            "picture": config.picture,
            "longest": config.longest,
        }
        self._cache = FeatureCache(features_folder(), maker, (), "uint8")
        self._fill({f"{TRAIN} {each.id}": each for each in references})
        self.names = [
            f"{TRAIN} {each.id} {number}"
            for each in references
            for number in range(self._count(f"{TRAIN} {each.id}"))
        ]
        if not self.names:
            raise HousematesError(f"{data}: no session of {TRAIN} could be replayed; see store.")

    def __len__(self) -> int:
        return len(self.names)

    def lengths(self) -> list[int]:
        """Steps of each session, including its history."""
        rows = map(self._row, range(len(self)))
        return [len(row["history"]) + len(row["actions"]) for row in rows]

    def tokens(self, number: int) -> list[str]:
        """The words of a session's dialogue."""
        text = bytes(self._row(number)["text"]).decode()
        lines = [line.partition(" ")[::2] for line in text.splitlines()]
        return dialogue_words((Utterance(role, text) for role, text in lines), self._config)

    def example(self, number: int, vocabulary: Vocabulary) -> Example:
        """A session with its words as indices of a vocabulary."""
        row = self._row(number)
        history, actions, objects = (row[name].astype(np.int64) for name in ("history", "actions", "objects"))
        seen = unpack(self._cache[seen_of(self.names[number])])["seen"]
        end = int(row["first"][0]) + len(actions)
        start = int(row["first"][0]) - (len(history) if self._config.past else 0)
        return Example(vocabulary.numbers(self.tokens(number)), history, seen[start:end], actions, objects)

    def _row(self, number: int) -> dict[str, NDArray[Any]]:
        return unpack(self._cache[self.names[number]])

    def _count(self, name: str) -> int:
        return int(unpack(self._cache[name])["count"][0])

    def _fill(self, references: dict[str, Reference]) -> None:
        """Cache the sessions of each reference, and last under its own name how many there are."""

        def make(missing: list[str]) -> Iterator[tuple[str, NDArray[Any]]]:
            for name in track(iter(missing), len(missing), "sessions as features"):
                seen, rows = self._made(references[name])
                yield from ((f"{name} {number}", row) for number, row in enumerate(rows))
                if rows:
                    yield seen_of(f"{name} 0"), pack({"seen": self._encoder.encode(seen).astype(np.float16)})
                yield name, pack({"count": np.array([len(rows)], np.int32)})

        self._cache.fill(references, make)

    def _made(self, reference: Reference) -> tuple[Pictures, list[NDArray[np.uint8]]]:
        """What is seen in a game or demonstration, and its sessions; none if it cannot be replayed."""
        made = self._demonstration if self._config.source == "alfred" else self._game
        try:
            return made(reference)
        except HousematesError:
            return np.empty(0, np.uint8), []

    def _game(self, reference: Reference) -> tuple[Pictures, list[NDArray[np.uint8]]]:
        """One frame before each action that people's Follower carried out and one after the last."""
        given: list[Given] = [each.data for each in self._benchmark.open(reference)]
        if not given:
            return np.empty(0, np.uint8), []
        game = read_game(reference.data["game"], reference.text)
        first = 0 if self._config.past else min(_carried_out(each.before) for each in given)
        worlds = islice(retrace(game.episode.interactions, given[0].scene), first, None)
        sight: Sight | None = None
        pictures = []
        for world in worlds:
            sight = sight or Sight(world.home, self._config.picture, self._config.picture)
            pictures.append(sight.look().rgb.copy())
        return np.stack(pictures), [self._session(each, first) for each in given]

    def _session(self, given: Given, drawn: int) -> NDArray[np.uint8]:
        """What people did, and where among the frames that were drawn it begins."""
        told = "\n".join(f"{each.role} {' '.join(each.text.split())}" for each in given.dialogue)
        before = [each.action for each in given.history if each.success or not self._config.past]
        steps = [step for step in given.future if step.action in ACTIONS]
        objects = [type_in(step.object) if step.object else "" for step in steps]
        return self._row_of(
            told, before, [step.action for step in steps], objects, _carried_out(given.before) - drawn
        )

    def _demonstration(self, reference: Reference) -> tuple[Pictures, list[NDArray[np.uint8]]]:
        """Replay a demonstration of ALFRED's; its goal and instructions are the Commander's utterances."""
        whole = next(self._benchmark.wholes(reference))
        world = AlfredWorld(whole.episode.start)
        sight = AlfredSight(world.home, self._config.picture, self._config.picture)
        pictures, names, objects = [], [], []
        for action, target in [deed for part in whole.parts for deed in part.deeds]:
            pictures.append(sight.look().rgb.copy())
            known = known_as(world, target) if target else ""
            names.append(HOME_NAMES[action])
            objects.append(type_in(known) if known else "")
            world.act(action, known or None)
        pictures.append(sight.look().rgb.copy())
        texts = (whole.episode.goal, *whole.episode.instructions)
        text = "\n".join(f"commander {' '.join(each.split())}" for each in texts)
        return np.stack(pictures), [self._row_of(text, (), names, objects, 0)]

    def _row_of(
        self, text: str, before: Iterable[str], names: Sequence[str], objects: Sequence[str], first: int
    ) -> NDArray[np.uint8]:
        """A session, cut where it is too long; then it does not end with a Stop that nobody did."""
        actions = [*names, STOP][: self._config.longest]
        numbers = [TYPES.index(each) if each in TYPES else NOTHING for each in (*objects, "")]
        return pack(
            {
                "text": np.frombuffer(text.encode() or b" ", np.uint8),
                "history": history_of(before, self._config).astype(np.int8),
                "first": np.array([first], np.int32),
                "actions": np.array([ACTIONS.index(each) for each in actions], np.int8),
                "objects": np.array(numbers[: len(actions)], np.int16),
            }
        )


def seen_of(name: str) -> str:
    """The name of the frames of a session's game."""
    return f"{name.rpartition(' ')[0]} seen"


def _carried_out(before: Iterable[Interaction]) -> int:
    """How many actions the Follower has carried out."""
    return sum(map(carried_out, before))
