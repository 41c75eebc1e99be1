"""The papers' models: examples learnt from and steps of inference done, per CPU-second, on one thread.

The reference E.T. takes 5.5 CPU-seconds forward and backward for 8 sessions of 150 words and 100 frames.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from housemates.benchmarks.cerealbar.generate.games import play_game
from housemates.benchmarks.cerealbar.tasks.recorded import take_apart
from housemates.benchmarks.handmethat.generate.synthesis import generate_one
from housemates.models.alfred_seq2seq import config as alfred_config
from housemates.models.alfred_seq2seq import data as alfred_data
from housemates.models.alfred_seq2seq import demonstration_frames
from housemates.models.alfred_seq2seq import model as alfred
from housemates.models.cerealbar_plan import config as plan_config
from housemates.models.cerealbar_plan import data as plan_data
from housemates.models.cerealbar_plan import model as plan
from housemates.models.handmethat_seq2seq import config as hmt_config
from housemates.models.handmethat_seq2seq import data as hmt_data
from housemates.models.handmethat_seq2seq import model as hmt
from housemates.models.teach_et import config as et_config
from housemates.models.teach_et import data as et_data
from housemates.models.teach_et import model as et
from housemates.models.vocabulary import Vocabulary

REFERENCE_ET_S = 5.5
WORDS, FRAMES, BATCH = 150, 100, 8
SHAPE, PUBLISHED = (64, 10, 10), (2048, 7, 7)


def seconds(work: Callable[[], Any], times: int) -> float:
    """CPU-seconds of one time, the least of several."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def learnt(net: torch.nn.Module, loss: Callable[[], torch.Tensor], times: int) -> float:
    """CPU-seconds forward and backward."""

    def work() -> None:
        net.zero_grad()
        loss().backward()

    return seconds(work, times)


def handmethat(times: int) -> dict[str, float]:
    """Seq2Seq on whole episodes; a step of inference is a command."""
    episodes = [generate_one(0, number) for number in range(16)]
    texts = [
        text for each in episodes for text in (*hmt_data.observations(each, True), each.story, *each.demo)
    ]
    words = Vocabulary.of(map(hmt_data.tokens, texts))
    encoder = hmt_data.TextEncoder(words, True)
    rows = [encoder.pack(each, True).astype(np.int64) for each in episodes]
    batch = hmt.collate([hmt_data.unpack(row, "nothing") for row in rows])
    net = hmt.Seq2Seq(hmt_config.CONFIGS["cpu"], len(words))
    one = hmt.collate([hmt_data.unpack(rows[0], "nothing")])

    def command() -> None:
        with torch.no_grad():
            encoded = net.encode(one.story, one.stream)
            for size in range(1, 6):
                net.decode(encoded, one.inputs[:, :1, :size], one.spans[:, :1])

    train = learnt(net, lambda: net(batch).mean(), times)
    return _rates(len(episodes) / train, 1 / seconds(command, times))


def cerealbar(times: int) -> dict[str, float]:
    """Plan and actions on recorded instructions; a step of inference is a recorded action, plans included."""
    game = play_game(0, 3)
    script = take_apart(game)
    texts = [each.text for each in game.instructions]
    words = Vocabulary.of(map(plan_data.words, texts))
    examples = [plan_data.example_of(script.golds[n], texts[n], words) for n in script.completed[:8]]
    config = plan_config.CONFIGS["cpu"]
    net = plan.PlanNet(config, len(words))
    batch, one = (plan.collate(each, config.reach) for each in (examples, examples[:1]))
    steps = len(examples[0].actions)

    def loss() -> torch.Tensor:
        found = net.plan(batch.world)
        used = net.probabilities(found.distributions, batch.world)
        return (
            net.action_generator(used, batch.crops, batch.previous_actions)[0].mean()
            + found.early_goal.mean()
        )

    def act() -> None:
        with torch.no_grad():
            used, state = net.probabilities(net.plan(one.world).distributions, one.world), None
            for step in range(steps):
                now = slice(step, step + 1)
                crops, previous = one.crops[:, now], one.previous_actions[:, now]
                _, state = net.action_generator(used, crops, previous, state)

    return _rates(len(examples) / learnt(net, loss, times), steps / seconds(act, times))


def alfred_seq2seq(times: int) -> dict[str, float]:
    """Demonstrations of 50 steps; a step of inference is an action with its mask."""
    config = alfred_config.CONFIGS["cpu"]
    rng = np.random.default_rng(0)
    side = config.mask_side
    actions = rng.integers(0, 12, 50)
    show = demonstration_frames.Demonstration(
        rng.random((50, *SHAPE)).astype(np.float16),
        actions,
        actions,
        rng.random((50, side * side)) < 0.1,
        rng.integers(0, len(demonstration_frames.TYPES), 50),
        np.linspace(0, 1, 50, dtype=np.float32),
    )
    examples = [alfred_data.Example(rng.integers(4, 500, 80).tolist(), show) for _ in range(BATCH)]
    net = alfred.Seq2Seq(config, 1000, SHAPE)
    batch = alfred.collate(examples)

    def loss() -> torch.Tensor:
        logits = net(batch)
        masks = net.masks(logits.state[:, ::6].flatten(0, 1))
        return logits.actions.mean() + masks.mean() + net.type_head(logits.state).mean()

    state = net.encode_language(batch.tokens[:1])

    def step() -> None:
        with torch.no_grad():
            frame = net.encode_frames(batch.frames[:1])
            logits, _ = net.step(state, frame, batch.previous_actions[:1, 0])
            net.masks(logits.state)

    return _rates(BATCH / learnt(net, loss, times), 1 / seconds(step, 5 * times))


def sessions_of(shape: tuple[int, int, int]) -> list[et_data.Example]:
    """Sessions of 150 words and 100 frames."""
    rng = np.random.default_rng(0)
    frames = rng.random((FRAMES, *shape)).astype(np.float16)
    numbers = rng.integers(0, 16, FRAMES)
    objects = rng.integers(0, et_data.NOTHING, FRAMES)
    tokens = rng.integers(4, 2000, WORDS).tolist()
    return [et_data.Example(tokens, np.zeros(0, np.int64), frames, numbers, objects) for _ in range(BATCH)]


def episodic(times: int) -> dict[str, float]:
    """E.T. at the shapes of `cpu` and as published, and what a late step costs beside an early one."""
    small = et.EpisodicTransformer(et_config.CONFIGS["cpu"], 2233, SHAPE)
    batch = et.collate(sessions_of(SHAPE))
    train = learnt(small, lambda: small(batch).actions.mean(), times)
    early, late = _early_and_late(small.eval(), batch, times)
    published = et.EpisodicTransformer(et_config.CONFIGS["paper"], 2233, PUBLISHED)
    large = et.collate(sessions_of(PUBLISHED))
    taken = learnt(published, lambda: sum(each.mean() for each in published(large)), 2)
    return {
        **_rates(BATCH / train, 1 / early),
        "late_over_early": round(late / early, 2),
        "published_cpu_s": round(taken, 2),
        "reference_published_cpu_s": REFERENCE_ET_S,
    }


def _early_and_late(net: et.EpisodicTransformer, batch: et.Batch, times: int) -> tuple[float, float]:
    """CPU-seconds of the first steps, and of steps after a hundred."""
    caches = [net.begin(batch.tokens[:1])]
    with torch.no_grad():
        for step in range(FRAMES):
            frame, previous = batch.frames[step : step + 1], batch.previous_actions[:1, step]
            caches.append(net.step(caches[-1], frame, previous)[1])

    def step_from(cache: et.EpisodeCache) -> Callable[[], None]:
        def work() -> None:
            with torch.no_grad():
                for _ in range(20):
                    net.step(cache, batch.frames[:1], batch.previous_actions[:1, 0])

        return work

    return tuple(seconds(step_from(each), 5 * times) / 20 for each in (caches[1], caches[-1]))  # type: ignore[return-value]


def _rates(examples: float, steps: float) -> dict[str, float]:
    return {"examples_per_cpu_s": round(examples, 1), "steps_per_cpu_s": round(steps, 1)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--times", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    measures = {
        "handmethat-seq2seq": handmethat,
        "cerealbar-plan": cerealbar,
        "alfred-seq2seq": alfred_seq2seq,
        "teach-et": episodic,
    }
    result = {name: measure(args.times) for name, measure in measures.items()}
    if args.json:
        print(json.dumps(result))
        return
    for name, found in result.items():
        print(name, ", ".join(f"{key} {value}" for key, value in found.items()))


if __name__ == "__main__":
    main()
