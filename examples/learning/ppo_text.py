"""PPO from text: ALFWorld's new games, or any seat that lists its commands, in one file.

nice python examples/learning/ppo_text.py --minutes 3 --seed 0 --log out/ppo_text-0.jsonl

The policy gives each possible command a score (as DRRN does) from bags of words: the command, what it brought
when it was given last in this episode, the task, and the text of now. Rewards are the environment's alone.
Prints one JSON line an evaluation: CPU-minutes, steps, the share of successes lately and in games of another
seed, which are not learnt from.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import tyro
from torch import Tensor, nn
from torch.distributions import Categorical

import housemates
from housemates.envs.flat import VOCABULARY, words

LONGEST = 40
"""Words of a text."""


@dataclass
class Args:
    """How to learn."""

    env: str = "housemates/alfworld-v1"
    kinds: tuple[str, ...] = ("task=pick_and_place_simple", "task=look_at_obj_in_light")
    """An option for each part of the environments; they are as many of each kind."""
    minutes: float = 3.0
    """CPU-minutes."""
    seed: int = 0
    """Of the games, of the network, and of what is tried."""
    envs: int = 64
    """Environments side by side."""
    steps: int = 32
    """Steps of each between two updates."""
    games: int = 128
    """Games of each kind to learn in."""
    width: int = 32
    epochs: int = 2
    batches: int = 4
    """Minibatches of an update."""
    rate: float = 1e-3
    discount: float = 0.97
    trace: float = 0.95
    """Of the advantages (GAE's lambda)."""
    clip: float = 0.2
    entropy: float = 0.01
    scale: float = 1.0
    """Of rewards."""
    evaluate_every: int = 20
    """Updates between evaluations."""
    evaluated: int = 64
    """Episodes of an evaluation."""
    new: int = 64
    """Games of each kind to evaluate in."""
    log: Path | None = None
    """Where the lines that are printed are kept, too."""


class Texts:
    """Every text that was met, once, as the numbers of its words."""

    def __init__(self) -> None:
        self._numbers = {"": 0}
        self._table = np.zeros((1 << 12, LONGEST), np.int32)

    def __call__(self, text: str) -> int:
        """The number of a text; 0 is none."""
        number = self._numbers.setdefault(text, len(self._numbers))
        if number == len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        if number and not self._table[number, 0]:
            self._table[number] = words(text, LONGEST)
        return number

    def rows(self, numbers: Tensor) -> Tensor:
        """The words of texts."""
        return torch.from_numpy(self._table[numbers.numpy()])


class Moment(NamedTuple):
    """What a policy reads, as numbers of texts, for each of some environments."""

    commands: Tensor
    """Environments x commands, filled up with 0."""
    brought: Tensor
    """What each of them brought when it was given last; 0 for nothing yet."""
    about: Tensor
    """Environments x 2: the task, and the text of now."""


class Policy(nn.Module):
    """Texts in; logits of the commands and a value out."""

    def __init__(self, texts: Texts, width: int) -> None:
        super().__init__()
        self.texts = texts
        self.words = nn.EmbeddingBag(VOCABULARY, width, mode="sum", padding_idx=0)
        nn.init.normal_(self.words.weight, std=width**-0.5)
        self.of_command = nn.Linear(6 * width, width)
        self.of_moment = nn.Linear(2 * width, width)
        self.together = nn.Linear(2 * width, width)
        self.actor, self.critic = nn.Linear(width, 1), nn.Linear(width, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, moment: Moment) -> tuple[Categorical, Tensor]:
        """What to do, among the commands, and what that will bring."""
        there = (moment.commands > 0).any(0).nonzero()
        moment = moment._replace(
            commands=moment.commands[:, : len(there)], brought=moment.brought[:, : len(there)]
        )
        command, brought, about = self._vectors(moment)
        task, now = about[:, :1], about[:, 1:]
        pairs = [command, brought, command * task, brought * task, command * now, command * brought]
        each = self.of_command(torch.cat(pairs, -1)) + self.of_moment(about.flatten(1))[:, None]
        each = torch.relu(each)
        real = (moment.commands > 0).unsqueeze(-1)
        every = (each * real).sum(1, keepdim=True) / real.sum(1, keepdim=True)
        each = torch.relu(self.together(torch.cat([each, every.expand_as(each)], -1)))
        logits = self.actor(each).masked_fill(~real, -1e8).squeeze(-1)
        return Categorical(logits=logits, validate_args=False), self.critic(every).flatten()

    def _vectors(self, moment: Moment) -> Iterator[Tensor]:
        """The vectors of all texts; of each that occurs it is computed once."""
        all_of_them = torch.cat([each.flatten() for each in moment])
        once, places = all_of_them.unique(return_inverse=True)
        vectors = self.words(self.texts.rows(once))[places]
        for part, shape in zip(vectors.split([each.numel() for each in moment]), moment, strict=True):
            yield part.view(*shape.shape, -1)


class Games:
    """Environments of all kinds, and what each has read in its episode."""

    def __init__(self, args: Args, texts: Texts, envs: int, games: int, seed: int) -> None:
        self.texts, self.most = texts, 128
        options: dict[str, Any] = {"observations": "text", "split": "generated", "seed": seed}
        self.parts = [
            housemates.make_vec(
                args.env,
                envs // len(args.kinds),
                vector_kwargs={"autoreset_mode": "SameStep"},
                supply=games,
                **options,
                **dict([kind.split("=")] if kind else []),
            )
            for kind in args.kinds
        ]
        self.envs = [env for part in self.parts for env in part.envs]
        self.told: list[dict[str, int]] = [{} for _ in self.envs]
        self.offered: list[Sequence[str]] = [() for _ in self.envs]

    def reset(self, seed: int) -> Moment:
        """Begin everywhere."""
        read = [each for part in self.parts for each in part.reset(seed=seed)[0]]
        self.told = [{} for _ in self.envs]
        return self._moment(read)

    def step(self, chosen: Tensor) -> tuple[Moment, np.ndarray, np.ndarray, np.ndarray]:
        """Give commands; what is read then, rewards, whose episode is over, and who succeeded."""
        given = [offered[number] for offered, number in zip(self.offered, chosen.tolist(), strict=True)]
        read: list[str] = []
        rewards, over, won = [], [], []
        for part in self.parts:
            texts, reward, ended, cut, info = part.step(given[len(read) : len(read) + part.num_envs])
            read += texts
            rewards.append(reward)
            over.append(ended | cut)
            scores = info.get("final_info", {}).get("scores", {}).get("success", np.zeros(part.num_envs))
            won.append(np.where(ended | cut, scores, 0.0))
        done = np.concatenate(over)
        for number, (told, command) in enumerate(zip(self.told, given, strict=True)):
            if done[number]:
                self.told[number] = {}
            else:
                told[command] = self.texts(read[number])
        return self._moment(read), np.concatenate(rewards), done, np.concatenate(won)

    def _moment(self, read: Sequence[str]) -> Moment:
        commands = np.zeros((len(read), self.most), np.int64)
        brought, about = commands.copy(), np.zeros((len(read), 2), np.int64)
        for number, (env, told) in enumerate(zip(self.envs, self.told, strict=True)):
            offered = env.offers()[0].arguments[0].choices[: self.most]
            self.offered[number] = offered
            commands[number, : len(offered)] = [self.texts(each) for each in offered]
            brought[number, : len(offered)] = [told.get(each, 0) for each in offered]
            session = env.session
            about[number] = self.texts(session.goal(session.role)), self.texts(read[number]) if told else 0
        return Moment(*(torch.from_numpy(each) for each in (commands, brought, about)))


@torch.no_grad()
def evaluate(policy: Policy, games: Games, args: Args) -> tuple[float, int]:
    """The share of successes, in as many episodes of each environment, and how many those are."""
    moment = games.reset(seed=0)
    each = -(-args.evaluated // len(games.envs))
    won, left = 0.0, np.full(len(games.envs), each)
    episodes = int(left.sum())
    while left.any():
        moment, _, over, succeeded = games.step(policy(moment)[0].sample())
        won += float(succeeded[left > 0].sum())
        left = np.maximum(left - over, 0)
    return round(won / episodes, 3), episodes


def advantages(
    rewards: Tensor, over: Tensor, values: Tensor, last: Tensor, args: Args
) -> tuple[Tensor, Tensor]:
    """Generalised advantage estimates, and returns."""
    found, running = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for step in reversed(range(len(rewards))):
        after = values[step + 1] if step + 1 < len(rewards) else last
        goes_on = 1 - over[step]
        error = rewards[step] + args.discount * after * goes_on - values[step]
        found[step] = running = error + args.discount * args.trace * goes_on * running
    return found, found + values


def update(policy: Policy, optimizer: torch.optim.Optimizer, data: Sequence[Tensor], args: Args) -> None:
    """Several passes over what was collected: the clipped objective, the value's error, the entropy."""
    *moment, action, before, advantage, target = (each.flatten(0, 1) for each in data)
    for _ in range(args.epochs):
        for part in torch.randperm(len(action)).chunk(args.batches):
            choice, value = policy(Moment(*(each[part] for each in moment)))
            ratio = (choice.log_prob(action[part]) - before[part]).exp()
            gain = advantage[part]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
            loss = -torch.min(ratio * gain, clipped * gain).mean()
            loss = loss + 0.5 * (value - target[part]).pow(2).mean() - args.entropy * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def main(args: Args) -> list[dict[str, float]]:
    """Learn, and print how it goes."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    texts = Texts()
    policy = Policy(texts, args.width)
    optimizer = torch.optim.Adam(policy.parameters(), lr=args.rate, eps=1e-5)
    games = Games(args, texts, args.envs, args.games, args.seed)
    unseen = Games(args, texts, args.envs, args.new, args.seed + 1000)
    moment = games.reset(args.seed)
    lately: deque[float] = deque(maxlen=200)
    told: list[dict[str, float]] = []
    began, number = time.process_time(), 0
    while (minutes := (time.process_time() - began) / 60) < args.minutes or not number:
        rows: list[Sequence[Tensor]] = []
        for _ in range(args.steps):
            with torch.no_grad():
                choice, value = policy(moment)
            action = choice.sample()
            after, rewards, over, won = games.step(action)
            lately.extend(won[over].tolist())
            brought, ended = (torch.as_tensor(each, dtype=torch.float32) for each in (rewards, over))
            rows.append([*moment, action, choice.log_prob(action), value, brought * args.scale, ended])
            moment = after
        *kept, values, rewards_, over_ = (torch.stack(column) for column in zip(*rows, strict=True))
        with torch.no_grad():
            last = policy(moment)[1]
        update(policy, optimizer, [*kept, *advantages(rewards_, over_, values, last, args)], args)
        number += 1
        if number % args.evaluate_every == 0:
            row = {"minutes": round(minutes, 2), "steps": number * args.steps * args.envs}
            row["lately"] = round(sum(lately) / max(len(lately), 1), 3)
            row["unseen"], row["episodes"] = evaluate(policy, unseen, args)
            told.append(row)
            print(json.dumps(row), flush=True)
            if args.log:
                args.log.parent.mkdir(parents=True, exist_ok=True)
                args.log.write_text("".join(json.dumps(each) + "\n" for each in told))
    return told


if __name__ == "__main__":
    main(tyro.cli(Args))
