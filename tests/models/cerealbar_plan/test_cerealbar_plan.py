"""CerealBar's follower plans and acts, learns with every part of it, and takes its seat."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from overfitting import EIGHT, overfitted, unreached

from housemates.agents.cerealbar.plan import PlanFollower
from housemates.core import registry as benchmarks
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
from housemates.models.cerealbar_plan.aggregation import recovery
from housemates.models.cerealbar_plan.config import CONFIGS
from housemates.models.cerealbar_plan.data import ACTIONS, DISTRIBUTIONS
from housemates.models.cerealbar_plan.joined_instructions import joined
from housemates.models.cerealbar_plan.picture import plan_picture
from housemates.models.cerealbar_plan.rollout import Walker, follow
from housemates.models.cerealbar_plan.train import PlanLearner
from housemates.models.export import export_model
from housemates.models.launch import TrainingJob, train
from housemates.models.schedule import override

SMALL = {"channels": 12, "text_channels": 6, "reach": 12, "hidden": 48, "votes": 2, "joined": 0}


def learner_of(games: Path, **given: object) -> PlanLearner:
    """A small learner as it begins."""
    torch.manual_seed(0)
    return PlanLearner(override(CONFIGS["cpu"], {**SMALL, "held_out": 0.25, **given}, "test"), games)


def test_it_overfits_eight_instructions_end_to_end(games: Path) -> None:
    learner = learner_of(games, stage="together", rate=0.01)

    def accuracy() -> float:
        batch = learner.batch([learner.corpus[learner.train[number]] for number in EIGHT])
        plan = learner.net.probabilities(learner.net.plan(batch.world).distributions, batch.world)
        logits = learner.net.action_generator(plan, batch.crops, batch.previous_actions)[0]
        return (logits.argmax(-1) == batch.actions)[batch.actions >= 0].float().mean().item()

    assert overfitted(learner, accuracy, 300) >= 0.95


def test_gradients_reach_every_parameter(games: Path) -> None:
    assert unreached(learner_of(games, stage="together", discriminator=True)) == []
    papers = {"bidirectional": True, "over_map": True, "pooled": False, "shortcut": False, "votes": 0}
    assert unreached(learner_of(games, stage="together", discriminator=True, **papers)) == []


def test_the_words_of_others_side_by_side_change_no_plan(games: Path) -> None:
    learner = learner_of(games)
    short, long = sorted((learner.corpus[number] for number in range(12)), key=lambda each: len(each.tokens))[
        ::11
    ]
    alone, beside = (learner.net.eval().plan(learner.batch(each).world) for each in ([short], [short, long]))
    assert len(short.tokens) < len(long.tokens)
    assert torch.allclose(alone.distributions[0], beside.distributions[0], atol=1e-4)


def test_two_instructions_joined_do_what_both_did(games: Path) -> None:
    learner = learner_of(games)
    pairs = [
        (learner.corpus[number], learner.corpus[number + 1]) for number in range(len(learner.corpus) - 1)
    ]
    found = [(first, second, made) for first, second in pairs if (made := joined(first, second, [5]))]
    assert len(found) > 5
    for first, second, made in found:
        walker = Walker(made)
        for action in made.actions:
            walker.act(action)
        assert (walker.pose, walker.changed) == (second.end, set(made.changed))
        assert made.tokens == [*first.tokens, 5, *second.tokens]


def test_instructions_are_learnt_joined_up_to_the_last(games: Path) -> None:
    learner = learner_of(games, stage="cards", joined=0.9)
    assert torch.isfinite(learner.loss(np.array([0, 1, learner.count - 1]))[0])


@pytest.mark.parametrize("name", [*DISTRIBUTIONS, "recurrence", "instructions"])
def test_every_ablation_acts(games: Path, name: str) -> None:
    learner = learner_of(games, stage="together", **{name: False})
    loss, _ = learner.loss(EIGHT)
    assert torch.isfinite(loss)
    if name in DISTRIBUTIONS:
        batch = learner.batch([learner.corpus[0]])
        used = learner.net.probabilities(learner.net.plan(batch.world).distributions, batch.world)
        assert float(used[:, DISTRIBUTIONS.index(name)].detach().abs().sum()) == 0.0


def test_recorded_actions_walk_where_the_recorded_follower_walked(games: Path) -> None:
    learner = learner_of(games)
    for number in range(0, len(learner.corpus), 3):
        example = learner.corpus[number]
        walker = Walker(example)
        for action, at in zip(example.actions, example.visited, strict=True):
            assert walker.pose // 6 == at
            assert walker.legal()[action]
            walker.act(action)
        assert (walker.pose, walker.done) == (example.end, True)


def test_the_plan_lies_under_the_followers_feet(games: Path) -> None:
    learner = learner_of(games)
    examples = [learner.corpus[number] for number in range(8)]
    batch = learner.batch(examples)
    padded = torch.nn.functional.pad(batch.plan[:, 0], (0, 1))
    for row, example in enumerate(examples):
        centres = batch.crops[row, : len(example.actions), 12]
        assert bool((padded[row, centres] > 0).all())


def test_a_recovery_leads_to_the_same_end(games: Path) -> None:
    learner = learner_of(games)
    made = 0
    for number in range(len(learner.corpus)):
        example = learner.corpus[number]
        if len(example.actions) < 4:
            continue
        start = example.visited[len(example.visited) // 2] * 6 + (example.pose + 1) % 6
        found = recovery(example, start)
        if found is None or example.cards[start // 6]:
            continue
        walker = Walker(found)
        for action in found.actions:
            walker.act(action)
        assert walker.pose == example.end
        made += 1
    assert made > 5


def test_what_was_trained_follows_a_talking_leader(games: Path, tmp_path: Path) -> None:
    given = {**SMALL, "epochs": 1, "stage": "together", "aggregation": True, "held_out": 0.25}
    train(TrainingJob("cerealbar-plan", "cpu", given, games, tmp_path / "run", threads=1))
    benchmark = benchmarks.benchmark("cerealbar")
    seats = seat_all(type(benchmark), ["leader=talking", f"follower={tmp_path / 'run'}"], {})
    instance = benchmark.open(next(benchmark.references("generated", 0)))[0]
    session = benchmark.session(instance)
    trace = play(session, make_agents(type(benchmark), seats), instance)
    assert (trace.error, trace.ended) == ("", "done")
    again = benchmark.session(instance)
    seen = again.observe("follower").data
    export_model(tmp_path / "run", tmp_path / "small")
    follower = PlanFollower(tmp_path / "run")
    follower.reset(session.brief("follower"))
    assert follower.extras() == {}
    plan, exported = (each.plan(seen) for each in (follower, PlanFollower(tmp_path / "small")))
    assert [max(shown) for shown in follower.extras().values()] == [1.0]
    assert len(follower.extras()["plan"]) == len(seen.map.terrain)
    assert plan[0].sum() == pytest.approx(1.0, abs=0.01)
    assert np.allclose(plan, exported, atol=0.01)
    picture = plan_picture(seen, plan)
    assert picture.dtype == np.uint8
    assert picture.shape[1] > 4 * 300


def test_gold_plans_can_be_followed(games: Path) -> None:
    learner = learner_of(games, stage="actions")
    examples = [learner.corpus[number] for number in range(4)]
    walkers = follow(learner.net.eval(), examples, learner.batch(examples).plan)
    assert all(1 <= len(walker.actions) <= 25 for walker in walkers)
    assert all(0 <= action < len(ACTIONS) for walker in walkers for action in walker.actions)
