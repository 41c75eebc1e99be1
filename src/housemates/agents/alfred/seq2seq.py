"""The agent that plays with what was trained."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.agents.alfred.dead_reckoning import Bearings
from housemates.benchmarks.alfred.session import VIEW, View
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, FOV_DEG, INTERACTIONS
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept
from housemates.home.types import object_type
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.alfred_seq2seq.data import said
from housemates.models.alfred_seq2seq.demonstration_frames import SIDE, START, TYPES, grown
from housemates.models.checkpoints import read_card, read_config
from housemates.models.image_encoders import encoder_of
from housemates.models.networks import Arrays, open_network
from housemates.models.segmentation.inference import shipped
from housemates.models.vocabulary import Vocabulary
from housemates.render.detections import Glimpse, Seen

PICK = "PickupObject"
SMALL = (PICK, "SliceObject")
"""Actions at things that cover little of the picture."""
SURE = 0.25
"""How much worse than the best of its cells those of a small thing may score."""
TRIES = 3
"""How often a thing is reached for from one place, each time elsewhere in the picture."""
AFFORDANCES = {
    PICK: "pickup",
    "PutObject": "receptacle",
    "OpenObject": "open",
    "CloseObject": "open",
    "ToggleObjectOn": "toggle",
    "ToggleObjectOff": "toggle",
    "SliceObject": "slice",
}
"""What a thing must afford for each action."""


class Seq2SeqAgent(Agent):
    """Goes on one step at a time; what failed is as if it had not been done, and is not tried again there.

    Demonstrations do not fail, so the network has not learnt what comes then.
    """

    def __init__(self, folder: Path) -> None:
        card = read_card(folder)
        self._config = read_config(folder, card, Seq2SeqConfig)
        self._words = Vocabulary(card.vocabulary["words"])
        self._encoder = encoder_of(self._config.encoder, folder)
        self._points = self._config.things and self._config.vision
        """Whether it points at things that the eyes see; who sees nothing has only its mask."""
        self._net = open_network(folder)

    def reset(self, brief: Brief) -> None:
        """Nothing has been read yet."""
        self._size = (brief.data["height"], brief.data["width"])
        self._chosen = START
        self._bearings = Bearings()
        self._state: Arrays = {}
        self._tried: set[int] = set()

    def act(self, percept: Percept) -> Act:
        """See, and do the likeliest thing; after what failed, the likeliest of the rest."""
        failed = self._chosen != START and percept.last is not None and not percept.last.success
        if self._chosen != START:
            self._bearings.note(ACTIONS[self._chosen], not failed)
        if failed:
            self._failed.append(self._chosen)
        else:
            self._go_on(percept)
        self._scores[self._useless()] = -np.inf
        while True:
            self._chosen = int(self._scores.argmax())
            name = ACTIONS[self._chosen]
            if name not in INTERACTIONS:
                return Act(name)
            mask = self._thing(name, percept) if self._points else self._mask(name)
            if mask is not None:
                return Act(name, {"mask": mask})
            self._scores[self._chosen] = -np.inf

    def _go_on(self, percept: Percept) -> None:
        """Take in what is seen now, and what was done; at first the words, and what others did before."""
        if not self._state:
            self._state = self._listen(percept.data)
            for picture, action in percept.data.past():
                self._take_in(partial(np.asarray, picture))
                self._chosen = ACTIONS.index(action)
                self._bearings.note(action, True)
        self._found = self._take_in(percept.pictures[VIEW])
        self._scores, self._cells = self._found["action"].copy(), self._found["mask"].copy()
        self._failed: list[int] = []
        self._tried = set()

    def _take_in(self, picture: Callable[[], NDArray[np.uint8]]) -> Arrays:
        """Go on by one step, with a picture that is drawn if it is seen."""
        blind = np.zeros((1, *self._encoder.shape), np.float32)
        seen = self._encoder.encode(picture()[None]) if self._config.vision else blind
        found = self._net.run("step", **self._state, seen=seen, before=np.array([self._chosen]))
        self._state = {**self._state, "state": found["state"], "cell": found["cell"]}
        return found

    def _useless(self) -> list[int]:
        """Actions that would bring nothing, by what came of those before."""
        again = INTERACTIONS if self._points else (PICK,)
        often = [
            each for each in self._failed if ACTIONS[each] not in again or self._failed.count(each) >= TRIES
        ]
        return [*often, *map(ACTIONS.index, self._bearings.idle())]

    def _listen(self, view: View) -> Arrays:
        tokens = said(view.goal, view.instructions, self._config)
        return self._net.run("listen", tokens=np.array([self._words.numbers(tokens)]))

    def _thing(self, action: str, percept: Percept) -> NDArray[np.bool_] | None:
        """The likeliest thing that the eyes see, that fits the action and was not tried, if there is one."""
        glimpse = shipped().look(percept.pictures[VIEW](), self._bearings.pose.horizon, FOV_DEG)
        fitting = [
            each
            for each in glimpse.things
            if each.number not in self._tried and object_type(each.type).can(AFFORDANCES[action])
        ]
        if not fitting:
            return None
        best = max(fitting, key=lambda each: self._likely(glimpse, each))
        self._tried.add(best.number)
        return glimpse.mask(best)

    def _likely(self, glimpse: Glimpse, thing: Seen) -> float:
        """How likely a thing is meant: by its type, and by what of the mask lies on it."""
        side = SIDE << self._config.deconvolutions
        named = self._found["kind"] - np.logaddexp.reduce(self._found["kind"])
        cells = -np.logaddexp(0.0, -self._found["mask"].reshape(side, side))
        rows, columns = np.nonzero(glimpse.mask(thing))
        height, width = glimpse.numbers.shape
        inside = cells[rows * side // height, columns * side // width].mean()
        return float(named[TYPES.index(thing.type)] + inside + np.log(thing.confidence))

    def _mask(self, action: str) -> NDArray[np.bool_]:
        """The cells that are likelier than not, or else the likeliest; of what is small only the likeliest.

        Cells of a thing and of the rest count the same in learning, so masks of small things come out too
        large, and would mean what lies under them. Where one was tried, the next is tried beside it.
        """
        side = SIDE << self._config.deconvolutions
        best = float(self._cells.max())
        chosen = (self._cells >= (best - SURE if action in SMALL else min(0.0, best))).reshape(side, side)
        self._cells[_wider(chosen).ravel()] = -np.inf
        return grown(chosen, *self._size)


def _wider(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Cells, and those beside them."""
    rows = cells | np.pad(cells, ((1, 0), (0, 0)))[:-1] | np.pad(cells, ((0, 1), (0, 0)))[1:]
    return np.asarray(rows | np.pad(rows, ((0, 0), (1, 0)))[:, :-1] | np.pad(rows, ((0, 0), (0, 1)))[:, 1:])
