"""Behaviour cloning: the odds of people's next step, and of stopping, by a small network in numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.reader.planning.history_features import TypedStep, holding, with_tables_at_hand
from housemates.agents.reader.planning.routines import whole_of
from housemates.agents.reader.planning.step_features import Situation
from housemates.home.types import object_types

STOP = TypedStep("Stop", "")
UNKNOWN_ROLE = "?"
SCALE, ABOUT_SCALE = 2.0, 4.0
"""Factors of the embeddings before the hidden layer, and before the head of what the task is about."""
IMPOSSIBLE, NOT_YET = 8.0, 20.0
"""Subtracted from the logit of what the hand does not allow, and of stopping before the first step."""
RAREST = float(np.log(1e-5))
"""Log-probability of a step that the network does not know."""
Array = NDArray[np.float32]


class Odds(NamedTuple):
    """What the network says of some continuations."""

    steps: Array
    """Log-probability of all steps together."""
    rarest: Array
    """Log-probability of the least likely step."""
    stop: Array
    """Log-probability of stopping after them."""


class StepPolicy:
    """Inference of the network that `models/reader/continuations.py` trains."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.steps = [TypedStep(*each.split(" ")) for each in arrays["steps"].tolist()]
        self.roles: list[str] = arrays["roles"].tolist()
        self.types = list(arrays["types"].tolist())
        self.weights = {
            name: np.asarray(value, np.float32) for name, value in arrays.items() if value.dtype.kind in "fi"
        }
        for table in ("said", "step"):
            self.weights[table] *= self.weights[f"{table} scale"][:, None]
        self._number = {step: number for number, step in enumerate(self.steps)}
        self._role = {name: number for number, name in enumerate(self.roles)}

    @cached_property
    def _barred(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which steps need an empty hand, and which something in it."""
        empty = np.array([each.action == "Pickup" for each in self.steps])
        return empty, np.array([each.action in ("Place", "Pour") for each in self.steps])

    def about(self, situation: Situation) -> dict[str, float]:
        """Type -> how likely the task is about it."""
        score = self.weights["about.weight"] @ (self._said(situation) * ABOUT_SCALE)
        sure = 1 / (1 + np.exp(-(score + self.weights["about.bias"])))
        return dict(zip(self.types, sure.tolist(), strict=True))

    def odds(self, situation: Situation, continuations: Sequence[Sequence[TypedStep]]) -> Odds:
        """How likely continuations are, step by step."""
        ways = [tuple(each) for each in continuations]
        known = dict.fromkeys(way[:end] for way in ways for end in range(len(way) + 1))
        row = {way: number for number, way in enumerate(known)}
        logs = self._log_probs(situation, list(known))
        steps, rarest = [], []
        for way in ways:
            numbers = [self._number.get(each) for each in with_tables_at_hand(way, situation.table)]
            each = [
                RAREST if number is None else max(float(logs[row[way[:end]], number]), RAREST)
                for end, number in enumerate(numbers)
            ]
            steps.append(sum(each))
            rarest.append(min(each))
        stop = [max(float(logs[row[way], 0]), RAREST) for way in ways]
        return Odds(*(np.array(each, np.float32) for each in (steps, rarest, stop)))

    def _said(self, situation: Situation) -> Array:
        return self._embedded("said", situation.said())

    def _embedded(self, table: str, numbers: Sequence[int]) -> Array:
        found: Array = self.weights[table][numbers].sum(0) / np.float32(np.sqrt(max(len(numbers), 1)))
        return found

    def _log_probs(self, situation: Situation, ways: Sequence[Sequence[TypedStep]]) -> Array:
        """(ways, steps): log-probabilities of the next step; the first is stopping."""
        weights, said = self.weights, self._said(situation)
        rows = [np.concatenate([said, self._embedded("step", situation.step(way))]) for way in ways]
        hidden = np.maximum(self._linear("near", np.array(rows, np.float32) * np.float32(SCALE)), 0.0)
        hidden = hidden + np.maximum(self._linear("far", hidden), 0.0)
        roles = [self._role.get(each, 0) for each in role_names(self.steps, situation.roles.parts)]
        logits = self._linear("typed", hidden)
        logits += hidden @ weights["role.weight"][roles].T + weights["role.bias"][roles]
        empty, full = self._barred
        for row, way in enumerate(ways):
            held = holding((*situation.history.steps, *way))
            logits[row, empty if held else full] -= IMPOSSIBLE
            logits[row, 0] -= 0.0 if way else NOT_YET
        logits -= logits.max(axis=1, keepdims=True)
        return np.asarray(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)), np.float32)

    def _linear(self, name: str, rows: Array) -> Array:
        return np.asarray(rows @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"], np.float32)


def role_names(steps: Sequence[TypedStep], parts: Mapping[str, str]) -> list[str]:
    """The steps with the roles of their types in place of these."""
    return [_role_name(each, parts) for each in steps]


def _role_name(step: TypedStep, parts: Mapping[str, str]) -> str:
    if step == STOP:
        return STOP.action
    whole = whole_of(step.type) if step.type in object_types() else step.type
    part = parts.get(whole, whole)
    return f"{step.action} {part if whole == step.type else f'{part} cut'} {step.which}"
