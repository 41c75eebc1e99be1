"""People's next steps are learnt, and said without torch as with it; the ranker learns what tells it most."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from housemates.agents.reader.planning.history_features import History, TypedStep
from housemates.agents.reader.planning.step_features import Situation
from housemates.agents.reader.planning.step_policy import STOP, StepPolicy
from housemates.core.percepts import Utterance
from housemates.models.reader.continuations import Lesson, trained_ranker
from housemates.models.reader.corpus_statistics import Stretch
from housemates.models.reader.next_steps import SCHEDULE, PolicyTraining, encoded, wanted

WASH = [TypedStep("Pickup", "Mug"), TypedStep("Place", "Sink"), TypedStep("ToggleOn", "Faucet")]
CUT = [TypedStep("Pickup", "Knife"), TypedStep("Slice", "Bread")]


def _stretch(text: str, steps: list[TypedStep], *apt: str) -> Stretch:
    return Stretch(History([Utterance("commander", text)], ()), steps, apt)


FOUND = [
    encoded("game", stretch, [1, 2])
    for stretch in (_stretch("wash the mug", WASH, "Mug"), _stretch("slice the bread", CUT, "Bread"))
    for _ in range(8)
]


def test_steps_that_were_learnt_are_the_likeliest_without_torch_too() -> None:
    training = PolicyTraining(FOUND, replace(SCHEDULE, epochs=60, warmup=0))
    policy = StepPolicy(training.run("test"))
    training.net.eval()
    for number in (0, len(FOUND) - 1):
        example = FOUND[number]
        situation = Situation(example.stretch.history)
        odds = policy.odds(situation, [WASH, CUT])
        assert odds.steps.argmax() == [WASH, CUT].index(example.stretch.steps)
        with torch.no_grad():
            said = training._embedded(training.net.said, [example.said])
            taken = training._embedded(training.net.step, [example.taken[-1]])
            roles = training._roles(number)[None]
            logits = training.net(said, taken, torch.zeros(1, dtype=torch.long), roles)[0]
        barred = np.array([each.action in ("Pickup", "Place", "Pour") for each in policy.steps])
        kept = np.flatnonzero(~barred)
        theirs = logits.numpy()[kept] - logits.numpy()[policy.steps.index(STOP)]
        ours = policy._log_probs(situation, [tuple(example.stretch.steps)])[0]
        np.testing.assert_allclose(ours[kept] - ours[0], theirs, atol=0.05)


def test_only_effects_on_what_the_task_is_about_are_wanted() -> None:
    assert wanted(_stretch("slice the bread", CUT, "Bread")) == {("cut", "Bread"): 1}
    assert wanted(_stretch("wash the mug", WASH, "Plate")) == {}


def test_the_ranker_learns_which_feature_tells_what_is_right() -> None:
    rng = np.random.default_rng(0)
    columns = ("told right", "noise one", "noise two")
    lessons = []
    for _ in range(200):
        right = np.arange(8) == rng.integers(8)
        table = rng.normal(size=(8, 3)).astype(np.float32)
        table[:, 0] = right + 0.2 * table[:, 0]
        lessons.append(Lesson(columns, table, right))
    with_it, without = (_chosen(trained_ranker(lessons[:150], part), lessons[150:]) for part in ("", "told"))
    assert with_it > 0.9
    assert without < 0.5


def _chosen(ranker: dict[str, np.ndarray], lessons: list[Lesson]) -> float:
    """How often what has the highest score is right."""
    found = []
    for each in lessons:
        rows = (each.table - ranker["mean"]) / ranker["deviation"]
        hidden = np.maximum(rows @ ranker["near"][0].T + ranker["near bias"][0], 0.0)
        found.append(each.right[(hidden @ ranker["far"][0]).argmax()])
    return float(np.mean(found))
