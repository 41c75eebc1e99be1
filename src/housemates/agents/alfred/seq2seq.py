"""ALFRED's agent played by a trained Seq2Seq."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.agents.alfred.dead_reckoning import DeadReckoning
from housemates.benchmarks.alfred.session import VIEW, View
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, FOV_DEG, INTERACTIONS
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept
from housemates.home.types import object_type
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.alfred_seq2seq.data import language_words
from housemates.models.alfred_seq2seq.demonstration_frames import START, TYPES, upsampled
from housemates.models.checkpoints import read_card, read_config
from housemates.models.image_encoders import encoder_of
from housemates.models.networks import Arrays, open_network
from housemates.models.segmentation.inference import shipped
from housemates.models.vocabulary import Vocabulary
from housemates.render.detections import Glimpse, Seen

PICK = "PickupObject"
SMALL = (PICK, "SliceObject")
"""Actions whose objects cover little of the picture."""
MARGIN = 0.25
"""The cells of a small object's mask have logits at most so far below the best one."""
TRIES = 3
"""Attempts at one action from one place, each at another place of the picture."""
AFFORDANCES = {
    PICK: "pickup",
    "PutObject": "receptacle",
    "OpenObject": "open",
    "CloseObject": "open",
    "ToggleObjectOn": "toggle",
    "ToggleObjectOff": "toggle",
    "SliceObject": "slice",
}
"""Action -> what its object must afford."""


class Seq2SeqAgent(Agent):
    """Takes the likeliest action at each step; with `heuristics`, after a failure the next likeliest.

    Demonstrations contain no failures, so the network has not learnt what follows one.
    """

    def __init__(self, folder: Path) -> None:
        card = read_card(folder)
        self._config = read_config(folder, card, Seq2SeqConfig)
        self._words = Vocabulary(card.vocabulary["words"])
        self._encoder = encoder_of(self._config.encoder, folder)
        self._points = self._config.things and self._config.vision
        """Whether it points at detected things; without vision there is only the mask."""
        self._net = open_network(folder)

    def reset(self, brief: Brief) -> None:
        """Forget the episode before."""
        self._size = (brief.data["height"], brief.data["width"])
        self._chosen = START
        self._reckoning = DeadReckoning()
        self._state: Arrays = {}
        self._tried: set[int] = set()

    def act(self, percept: Percept) -> Act:
        """The likeliest action that is not known to fail, with the mask of its object."""
        failed = self._chosen != START and percept.last is not None and not percept.last.success
        if self._chosen != START:
            self._reckoning.note(ACTIONS[self._chosen], not failed)
        if failed and self._config.heuristics:
            self._failed.append(self._chosen)
        else:
            self._advance(percept)
        if self._config.heuristics:
            self._logits[self._ruled_out()] = -np.inf
        while True:
            self._chosen = int(self._logits.argmax())
            name = ACTIONS[self._chosen]
            if name not in INTERACTIONS:
                return Act(name)
            mask = self._detected(name, percept) if self._points else self._mask(name)
            if mask is not None:
                return Act(name, {"mask": mask})
            self._logits[self._chosen] = -np.inf

    def _advance(self, percept: Percept) -> None:
        """Run one step of the network; at first encode the words, and replay the steps that others took."""
        if not self._state:
            self._state = self._encode_language(percept.data)
            for picture, action in percept.data.past():
                self._step(partial(np.asarray, picture))
                self._chosen = ACTIONS.index(action)
                self._reckoning.note(action, True)
        self._found = self._step(percept.pictures[VIEW])
        self._logits, self._cells = self._found["actions"].copy(), self._found["mask"].copy()
        self._failed: list[int] = []
        self._tried = set()

    def _step(self, picture: Callable[[], NDArray[np.uint8]]) -> Arrays:
        """One step of the network; the picture is rendered only with vision."""
        blank = np.zeros((1, *self._encoder.shape), np.float32)
        frame = self._encoder.encode(picture()[None]) if self._config.vision else blank
        previous = np.array([self._chosen])
        found = self._net.run("step", **self._state, frame=frame, previous_action=previous)
        self._state = {**self._state, "hidden": found["hidden"], "cell": found["cell"]}
        return found

    def _ruled_out(self) -> list[int]:
        """Actions that failed here too often, or lead back to where it was."""
        again = INTERACTIONS if self._points else (PICK,)
        often = [
            each for each in self._failed if ACTIONS[each] not in again or self._failed.count(each) >= TRIES
        ]
        return [*often, *map(ACTIONS.index, self._reckoning.idle())]

    def _encode_language(self, view: View) -> Arrays:
        tokens = language_words(view.goal, view.instructions, self._config)
        return self._net.run("encode_language", tokens=np.array([self._words.numbers(tokens)]))

    def _detected(self, action: str, percept: Percept) -> NDArray[np.bool_] | None:
        """The mask of the likeliest untried detection that affords the action; None if there is none."""
        glimpse = shipped().look(percept.pictures[VIEW](), self._reckoning.pose.horizon, FOV_DEG)
        fitting = [
            each
            for each in glimpse.things
            if each.number not in self._tried and object_type(each.type).can(AFFORDANCES[action])
        ]
        if not fitting:
            return None
        best = max(fitting, key=lambda each: self._log_likelihood(glimpse, each))
        self._tried.add(best.number)
        return glimpse.mask(best)

    def _log_likelihood(self, glimpse: Glimpse, thing: Seen) -> float:
        """Log-probability of a detection's type, plus the mean of its mask's cells, plus log-confidence."""
        side = self._config.mask_side
        types = self._found["types"] - np.logaddexp.reduce(self._found["types"])
        cells = -np.logaddexp(0.0, -self._found["mask"].reshape(side, side))
        rows, columns = np.nonzero(glimpse.mask(thing))
        height, width = glimpse.numbers.shape
        inside = cells[rows * side // height, columns * side // width].mean()
        return float(types[TYPES.index(thing.type)] + inside + np.log(thing.confidence))

    def _mask(self, action: str) -> NDArray[np.bool_]:
        """The cells above one half, or else the best one; of small objects only those near the best.

        The loss weighs cells inside and outside a mask the same, so masks of small objects come out too large
        and would select what lies under them. A mask that was tried is excluded with its neighbouring cells.
        """
        side = self._config.mask_side
        best = float(self._cells.max())
        small = action in SMALL and self._config.heuristics
        chosen = (self._cells >= (best - MARGIN if small else min(0.0, best))).reshape(side, side)
        self._cells[_dilated(chosen).ravel()] = -np.inf
        return upsampled(chosen, *self._size)


def _dilated(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Cells and their eight neighbours."""
    rows = cells | np.pad(cells, ((1, 0), (0, 0)))[:-1] | np.pad(cells, ((0, 1), (0, 0)))[1:]
    return np.asarray(rows | np.pad(rows, ((0, 0), (1, 0)))[:, :-1] | np.pad(rows, ((0, 0), (0, 1)))[:, 1:])
