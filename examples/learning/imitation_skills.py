"""Imitation, then PPO, of acts=skills: ALFRED's generated tasks in flat arrays, in one file.

nice python examples/learning/imitation_skills.py --minutes 8 --seed 0 --log out/imitation_skills-0.jsonl

A planner that knows the task, but not where things are, shows how it is done; then the policy goes on by PPO.
The environment's observations and flat actions are taken as they are: what can be done now is the mask, what
it would be done to stands in `choices`. Rewards are the environment's: the change in goal conditions met.
Prints one JSON line an evaluation: CPU-minutes, and success in tasks of another seed; the first one is that
of imitation alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import torch
import tyro
from torch import Tensor, nn
from torch.distributions import Categorical
from torch.nn import functional

import housemates
from housemates.core import registry
from housemates.core.loading import maker
from housemates.envs.flat import VOCABULARY, Row

ENV, BENCHMARK, ROLE = "housemates/alfred-v3", "alfred", "agent"
NAMED = 3
"""Words of a choice that are read: the type of the thing."""
MOST = 96
"""Acts that are looked at; further ones are never chosen."""
SEEN = 4
"""How often an act was done before is told apart up to this."""


@dataclass
class Args:
    """How to learn."""

    minutes: float = 8.0
    """CPU-minutes, imitation included."""
    seed: int = 0
    """Of the tasks, of the network, and of what is tried."""
    envs: int = 16
    """Environments side by side."""
    steps: int = 16
    """Steps of each between two updates."""
    tasks: int = 200
    """Tasks to learn in; each is shown once."""
    acts: int = 30
    """Skills of an episode, at most; then the only choice is to stop."""
    width: int = 48
    imitated: int = 600
    """Batches of imitation."""
    batch: int = 128
    """Moments of a minibatch."""
    rate: float = 2e-3
    """Of learning, in imitation."""
    rate_ppo: float = 5e-4
    epochs: int = 3
    discount: float = 0.98
    trace: float = 0.95
    """Of the advantages (GAE's lambda)."""
    clip: float = 0.2
    entropy: float = 0.003
    evaluate_every: int = 20
    """Updates between evaluations."""
    evaluated: int = 96
    """Episodes of an evaluation, and tasks to draw them from."""
    log: Path | None = None
    """Where the lines that are printed are kept, too."""


class Moment(NamedTuple):
    """What a policy reads, for each of some environments."""

    numbers: Tensor
    """Of the acts that make sense now, counted from 1 and filled up with 0."""
    kinds: Tensor
    """Their names as numbers."""
    things: Tensor
    """What each would be done to: environments x acts x words."""
    before: Tensor
    """How often each was done in this episode."""
    words: Tensor
    """The goal and the instructions: environments x words."""
    done: Tensor
    """The last acts: environments x acts x (name, words)."""


class Reader:
    """Makes moments of flat observations, and remembers what was done in an episode."""

    def __init__(self, rows: Sequence[Row], most: int) -> None:
        count = rows[-1].first + rows[-1].size
        self.kind, self.listed, self.place = (np.zeros(count, np.int64) for _ in range(3))
        listed = [row for row in rows if row.kind == "listed"]
        for number, row in enumerate(rows):
            part = slice(row.first, row.first + row.size)
            self.kind[part] = number + 1
            self.place[part] = np.arange(row.size)
            self.listed[part] = listed.index(row) if row in listed else -1
        self.stop, self.most = next(row.first for row in rows if row.name == "Stop"), most
        self.begin()

    def begin(self) -> None:
        """Forget the episode."""
        self.acts: list[tuple[int, ...]] = []

    def read(self, observation: Mapping[str, Any]) -> list[np.ndarray]:
        """The parts of a moment."""
        numbers = np.flatnonzero(observation["action_mask"])[:MOST]
        if len(self.acts) >= self.most:
            numbers = np.array([self.stop])
        things = observation["choices"][self.listed[numbers], self.place[numbers]]
        things[self.listed[numbers] < 0] = 0
        self.known = {
            int(number): (int(self.kind[number]), *thing.tolist())
            for number, thing in zip(numbers, things, strict=True)
        }
        before = [min(self.acts.count(each), SEEN) for each in self.known.values()]
        done = np.zeros((8, 1 + NAMED), np.int64)
        for row, each in zip(done, self.acts[:-9:-1], strict=False):
            row[:] = each[: 1 + NAMED]
        words = np.concatenate([observation["goal"][-32:], observation["instructions"][-96:]])
        parts = (numbers + 1, self.kind[numbers], things[:, :NAMED], np.array(before))
        filled = [np.zeros((MOST, *each.shape[1:]), np.int64) for each in parts]
        for whole, part in zip(filled, parts, strict=True):
            whole[: len(part)] = part
        return [*filled, words, done]

    def take(self, number: int) -> None:
        """Remember an act."""
        self.acts.append(self.known[number])


class Policy(nn.Module):
    """Moments in; logits of the acts, in their order, and a value out."""

    def __init__(self, width: int, kinds: int) -> None:
        super().__init__()
        self.words = nn.EmbeddingBag(VOCABULARY, width, mode="sum", padding_idx=0)
        nn.init.normal_(self.words.weight, std=width**-0.5)
        self.kinds = nn.Embedding(kinds + 1, width, padding_idx=0)
        self.before = nn.Embedding(SEEN + 1, width)
        self.order = nn.Parameter(0.3 * torch.randn(8, width))
        self.of_act, self.of_moment = nn.Linear(5 * width, width), nn.Linear(3 * width, width)
        self.together = nn.Linear(2 * width, width)
        self.actor, self.critic = nn.Linear(width, 1), nn.Linear(width, 1)

    def _bag(self, words: Tensor) -> Tensor:
        return self.words(words.flatten(0, -2)).view(*words.shape[:-1], -1)

    def forward(self, moment: Moment) -> tuple[Categorical, Tensor]:
        """What to do, among what makes sense, and what that will bring."""
        last = int((moment.numbers > 0).sum(1).max())
        numbers, kinds, things, before = (each[:, :last] for each in moment[:4])
        goal, steps = self._bag(moment.words[:, :32]), self._bag(moment.words[:, 32:])
        done = self.kinds(moment.done[..., 0]) + self._bag(moment.done[..., 1:])
        done = (done * self.order).sum(1)
        thing = self._bag(things)
        act = self.kinds(kinds) + thing
        pairs = [act, thing * goal[:, None], thing * steps[:, None], act * done[:, None], self.before(before)]
        every = self.of_moment(torch.cat([goal, steps, done], -1))
        each = torch.relu(self.of_act(torch.cat(pairs, -1)) + every[:, None])
        real = (numbers > 0).unsqueeze(-1)
        pooled = (each * real).sum(1, keepdim=True) / real.sum(1, keepdim=True)
        each = torch.relu(self.together(torch.cat([each, pooled.expand_as(each)], -1)))
        logits = self.actor(each).masked_fill(~real, -1e8).squeeze(-1)
        return Categorical(logits=logits, validate_args=False), self.critic(pooled).flatten()


def options(args: Args, tasks: int, seed: int) -> dict[str, Any]:
    """Of environments of so many tasks."""
    seen = {"rgb": False, "size": "96", "actions": "flat", "acts": "skills"}
    return {**seen, "split": "generated", "supply": tasks, "seed": seed}


def demonstrations(args: Args) -> tuple[Moment, Tensor]:
    """All moments of the expert's episodes, and where what it did stands among what made sense."""
    env = gymnasium.make(ENV, **options(args, args.tasks, args.seed)).unwrapped
    expert = maker(BENCHMARK, ROLE, registry.expert(env.seats.benchmark, ROLE))()
    reader = Reader(env.seats.flat[ROLE].rows, args.acts)
    rows, chosen = [], []
    for number in range(args.tasks):
        observation, _ = env.reset(seed=number)
        reader.begin()
        expert.reset(env.session.brief(ROLE))
        expert.observe_privileged(env.instance, env.session)
        over = False
        while not over and len(reader.acts) < args.acts:
            parts, act = reader.read(observation), expert.act(env.session.observe(ROLE))
            meant = [each for each in reader.known if env.seats.meant(env.session, ROLE, each) == act]
            if not meant:
                break
            rows.append(parts)
            chosen.append(list(reader.known).index(meant[0]))
            reader.take(meant[0])
            observation, _, ended, cut, _ = env.step(meant[0])
            over = ended or cut
    return Moment(*(torch.from_numpy(np.stack(each)) for each in zip(*rows, strict=True))), torch.tensor(
        chosen
    )


class Tasks:
    """Environments side by side, and the reader of each."""

    def __init__(self, args: Args, tasks: int, seed: int) -> None:
        same = {"vector_kwargs": {"autoreset_mode": "SameStep"}}
        self.envs: Any = housemates.make_vec(ENV, args.envs, **same, **options(args, tasks, seed))
        rows = self.envs.envs[0].seats.flat[ROLE].rows
        self.kinds = len(rows)
        self.readers = [Reader(rows, args.acts) for _ in range(args.envs)]

    def reset(self, seed: int) -> Moment:
        """Begin everywhere."""
        for each in self.readers:
            each.begin()
        return self._moment(self.envs.reset(seed=seed)[0])

    def step(self, moment: Moment, chosen: Tensor) -> tuple[Moment, Tensor, np.ndarray, np.ndarray]:
        """Act; what is read then, rewards, whose episode is over, and who succeeded."""
        numbers = (moment.numbers.gather(1, chosen[:, None])[:, 0] - 1).tolist()
        observation, rewards, ended, cut, info = self.envs.step(numbers)
        over = ended | cut
        for reader, number, end in zip(self.readers, numbers, over, strict=True):
            reader.begin() if end else reader.take(number)
        won = np.zeros(len(over))
        if over.any():
            won = np.where(over, info["final_info"]["scores"]["success"], 0.0)
        return self._moment(observation), torch.as_tensor(rewards, dtype=torch.float32), over, won

    def _moment(self, observation: Mapping[str, np.ndarray]) -> Moment:
        parts = [
            reader.read({name: each[number] for name, each in observation.items()})
            for number, reader in enumerate(self.readers)
        ]
        return Moment(*(torch.from_numpy(np.stack(each)) for each in zip(*parts, strict=True)))


@torch.no_grad()
def evaluate(policy: Policy, tasks: Tasks, args: Args) -> tuple[float, int]:
    """The share of successes, in as many episodes of each environment, and how many those are."""
    moment = tasks.reset(seed=0)
    won, left = 0.0, np.full(args.envs, -(-args.evaluated // args.envs))
    episodes = int(left.sum())
    while left.any():
        moment, _, over, succeeded = tasks.step(moment, policy(moment)[0].sample())
        won += float(succeeded[left > 0].sum())
        left = np.maximum(left - over, 0)
    return round(won / episodes, 3), episodes


def descend(policy: Policy, optimizer: torch.optim.Optimizer, loss: Tensor) -> None:
    """One step."""
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
    optimizer.step()


def imitate(policy: Policy, args: Args) -> None:
    """Learn to do what was shown."""
    shown, chosen = demonstrations(args)
    optimizer = torch.optim.AdamW(policy.parameters(), lr=args.rate, weight_decay=0.1)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, args.imitated)
    for _ in range(args.imitated):
        part = torch.randint(len(chosen), (args.batch,))
        choice, _ = policy(Moment(*(each[part] for each in shown)))
        descend(policy, optimizer, functional.cross_entropy(choice.logits, chosen[part]))
        plan.step()


def advantages(rewards: Tensor, over: Tensor, values: Tensor, last: Tensor, args: Args) -> Tensor:
    """Generalised advantage estimates."""
    found, running = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for step in reversed(range(len(rewards))):
        after = values[step + 1] if step + 1 < len(rewards) else last
        error = rewards[step] + args.discount * after * (1 - over[step]) - values[step]
        found[step] = running = error + args.discount * args.trace * (1 - over[step]) * running
    return found


def collect(
    policy: Policy, tasks: Tasks, moment: Moment, args: Args
) -> tuple[Moment, list[Tensor], list[float]]:
    """Act for some steps; the last moment, what PPO learns from, and how episodes went that ended."""
    rows, went = [], []
    for _ in range(args.steps):
        with torch.no_grad():
            choice, value = policy(moment)
        action = choice.sample()
        after, rewards, over, won = tasks.step(moment, action)
        went += won[over].tolist()
        ended = torch.as_tensor(over, dtype=torch.float32)
        rows.append([*moment, action, choice.log_prob(action), value, rewards, ended])
        moment = after
    *kept, values, rewards_, over_ = (torch.stack(column) for column in zip(*rows, strict=True))
    with torch.no_grad():
        last = policy(moment)[1]
    gains = advantages(rewards_, over_, values, last, args)
    return moment, [each.flatten(0, 1) for each in (*kept, gains, gains + values)], went


def update(
    policy: Policy, optimizer: torch.optim.Optimizer, data: Sequence[Tensor], args: Args, only: bool
) -> None:
    """PPO's passes over what was collected; `only` the value is learnt at first, which imitation has not."""
    *moment, action, before, advantage, target = data
    for _ in range(args.epochs):
        for part in torch.randperm(len(action)).split(args.batch):
            choice, value = policy(Moment(*(each[part] for each in moment)))
            loss = functional.mse_loss(value, target[part])
            if not only:
                ratio = (choice.log_prob(action[part]) - before[part]).exp()
                gain = advantage[part] / (advantage.std() + 1e-6)
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                loss = 0.5 * loss - torch.min(ratio * gain, clipped * gain).mean()
                loss = loss - args.entropy * choice.entropy().mean()
            descend(policy, optimizer, loss)


def main(args: Args) -> list[dict[str, float]]:
    """Imitate, then improve, and print how it goes."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    began, told = time.process_time(), []
    tasks, unseen = Tasks(args, args.tasks, args.seed), Tasks(args, args.evaluated, args.seed + 1000)
    policy = Policy(args.width, tasks.kinds)
    imitate(policy, args)
    optimizer = torch.optim.Adam(policy.parameters(), lr=args.rate_ppo, eps=1e-5)
    moment, number, lately = tasks.reset(args.seed), 0, [0.0]
    while True:
        minutes = round((time.process_time() - began) / 60, 2)
        if number % args.evaluate_every == 0:
            row: dict[str, float] = {"minutes": minutes, "updates": number}
            row["lately"] = round(float(np.mean(lately[-200:])), 3)
            row["unseen"], row["episodes"] = evaluate(policy, unseen, args)
            told.append(row)
            print(json.dumps(row), flush=True)
            if args.log:
                args.log.parent.mkdir(parents=True, exist_ok=True)
                args.log.write_text("".join(json.dumps(each) + "\n" for each in told))
            if minutes >= args.minutes:
                return told
        moment, data, went = collect(policy, tasks, moment, args)
        lately += went
        update(policy, optimizer, data, args, only=number < 2)
        number += 1


if __name__ == "__main__":
    main(tyro.cli(Args))
