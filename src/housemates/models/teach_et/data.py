"""Recorded sessions as examples: dialogue, history, and a frame, an action and an object type per step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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
from housemates.benchmarks.teach.formats.starts import Done
from housemates.benchmarks.teach.session import FollowerSession
from housemates.benchmarks.teach.world.actions import MOVES, TOUCHES
from housemates.core.actions import Act
from housemates.core.benchmark import Reference
from housemates.core.percepts import Utterance
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.home.things import type_in
from housemates.home.types import room_types
from housemates.models.caches import FeatureCache, features_folder, pack, unpack
from housemates.models.image_encoders import Encoder
from housemates.models.schedule import evenly
from housemates.models.teach_et.config import EtConfig
from housemates.models.vocabulary import END, Vocabulary, words
from housemates.parallel import track

STOP = "Stop"
ACTIONS = (*MOVES, *TOUCHES, STOP)
START = len(ACTIONS)
"""The action before the first one."""
TYPES = room_types()
NOTHING = len(TYPES)
"""The object type of an action that touches nothing; also the number of types."""
LONGEST_WORDS, LONGEST_HISTORY = 300, 60
"""Limits on the lengths of an example's sequences."""
HOME_NAMES = {**{name: home for name, (home, _) in ALFRED_MOVES.items()}, **INTERACTIONS}
"""ALFRED's names of actions -> the home's, which are TEACh's."""


@dataclass(frozen=True)
class Example:
    """A session from the moment on at which the Follower takes over."""

    tokens: list[int]
    """Of the dialogue."""
    history: NDArray[np.int64]
    """Actions before that moment."""
    frames: NDArray[np.float16]
    """Feature maps, (steps, channels, rows, columns)."""
    actions: NDArray[np.int64]
    """(steps,); the last is `STOP`."""
    objects: NDArray[np.int64]
    """(steps,): types; `NOTHING` where nothing is touched."""


def dialogue_words(dialogue: Iterable[Utterance], config: EtConfig) -> list[str]:
    """The last 300 words of a dialogue, each utterance as its role, its words and an end."""
    found = [word for each in dialogue for word in (each.role, *words(each.text), END)]
    return found[-LONGEST_WORDS:] if config.language and found else [END]


def action_indices(names: Iterable[str]) -> NDArray[np.int64]:
    """The last 60 actions as indices of `ACTIONS`; others, such as speech, are left out."""
    found = [ACTIONS.index(name) for name in names if name in ACTIONS]
    return np.array(found[-LONGEST_HISTORY:], np.int64)


class Sessions:
    """The sessions of a split, replayed once; frames are kept as features in the cache."""

    def __init__(self, data: Path, split: str, config: EtConfig, encoder: Encoder, limit: int) -> None:
        """Replay the sessions that are not cached; one that cannot be replayed is left out.

        Args:
            data: Recorded games, or ALFRED's trajectories.
            split: Such as `train`.
            config: Of the model.
            encoder: Of frames.
            limit: Games at most, spread evenly over the split; 0 takes all.

        Raises:
            HousematesError: no session of the split can be replayed.
        """
        self._config, self._encoder = config, encoder
        store = Path(config.store) if config.store else None
        self._benchmark: Any
        if config.source == "alfred":
            self._benchmark = Alfred(AlfredOptions(data=data, store=store))
        elif config.source == "edh":
            self._benchmark = Edh(EdhOptions(data=str(data), store=store, size=str(config.picture)))
        else:
            self._benchmark = Tfd(TfdOptions(data=str(data), store=store, size=str(config.picture)))
        references = evenly(list(self._benchmark.references(split, 0)), limit)
        maker = {
            "what": "teach-et 1",
            "source": config.source,
            "data": fingerprint(data).sha256,
            "store": None if store is None else fingerprint(store).sha256,
            "encoder": encoder.name,
            "picture": config.picture,
            "longest": config.longest,
        }
        self._cache = FeatureCache(features_folder(), maker, (), "uint8")
        self._fill({f"{split} {each.id}": each for each in references})
        self.names = [
            f"{split} {each.id} {number}"
            for each in references
            for number in range(self._count(f"{split} {each.id}"))
        ]
        if not self.names:
            raise HousematesError(f"{data}: no session of {split} could be replayed; see store.")

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
        numbers = [row[name].astype(np.int64) for name in ("history", "actions", "objects")]
        return Example(vocabulary.numbers(self.tokens(number)), numbers[0], row["seen"], *numbers[1:])

    def _row(self, number: int) -> dict[str, NDArray[Any]]:
        return unpack(self._cache[self.names[number]])

    def _count(self, name: str) -> int:
        return int(unpack(self._cache[name])["count"][0])

    def _fill(self, references: dict[str, Reference]) -> None:
        """Cache the sessions of each reference, and last under its own name how many there are."""

        def make(missing: list[str]) -> Iterator[tuple[str, NDArray[Any]]]:
            for name in track(iter(missing), len(missing), "sessions as features"):
                rows = list(self._rows(references[name]))
                yield from ((f"{name} {number}", row) for number, row in enumerate(rows))
                yield name, pack({"count": np.array([len(rows)], np.int32)})

        self._cache.fill(references, make)

    def _rows(self, reference: Reference) -> Iterator[NDArray[np.uint8]]:
        try:
            if self._config.source == "alfred":
                yield self._demonstration(reference)
                return
            for instance in self._benchmark.open(reference):
                yield self._session(self._benchmark.session(instance))
        except HousematesError:
            return

    def _session(self, session: FollowerSession) -> NDArray[np.uint8]:
        """Replay what people did, one frame before each action and one after the last."""
        given = session.given
        pictures, names, objects = [], [], []
        for step in given.future[: self._config.longest - 1]:
            if step.action not in ACTIONS:
                continue
            pictures.append(session.drawn("follower", "view"))
            names.append(step.action)
            objects.append(type_in(step.object) if step.object else "")
            session.act(_act_of(step))
        pictures.append(session.drawn("follower", "view"))
        text = "\n".join(f"{each.role} {' '.join(each.text.split())}" for each in given.dialogue)
        history = action_indices(each.action for each in given.history)
        return self._row_of(text, history, pictures, names, objects)

    def _demonstration(self, reference: Reference) -> NDArray[np.uint8]:
        """Replay a demonstration of ALFRED's; its goal and instructions are the Commander's utterances."""
        whole = next(self._benchmark.wholes(reference))
        world = AlfredWorld(whole.episode.start)
        sight = AlfredSight(world.home, self._config.picture, self._config.picture)
        pictures, names, objects = [], [], []
        for action, target in [deed for part in whole.parts for deed in part.deeds][
            : self._config.longest - 1
        ]:
            pictures.append(sight.look().rgb.copy())
            known = known_as(world, target) if target else ""
            names.append(HOME_NAMES[action])
            objects.append(type_in(known) if known else "")
            world.act(action, known or None)
        pictures.append(sight.look().rgb.copy())
        texts = (whole.episode.goal, *whole.episode.instructions)
        text = "\n".join(f"commander {' '.join(each.split())}" for each in texts)
        return self._row_of(text, action_indices(()), pictures, names, objects)

    def _row_of(
        self,
        text: str,
        history: NDArray[np.int64],
        pictures: Sequence[NDArray[np.uint8]],
        names: Sequence[str],
        objects: Sequence[str],
    ) -> NDArray[np.uint8]:
        numbers = [TYPES.index(each) if each in TYPES else NOTHING for each in (*objects, "")]
        return pack(
            {
                "text": np.frombuffer(text.encode() or b" ", np.uint8),
                "history": history.astype(np.int8),
                "seen": self._encoder.encode(np.stack(pictures)).astype(np.float16),
                "actions": np.array([ACTIONS.index(each) for each in (*names, STOP)], np.int8),
                "objects": np.array(numbers, np.int16),
            }
        )


def _act_of(step: Done) -> Act:
    """A recorded step as an act on an object id."""
    return Act(step.action, {"object": step.object} if step.action in TOUCHES and step.object else {})
