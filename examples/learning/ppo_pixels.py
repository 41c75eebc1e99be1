"""PPO from pixels: find a certain thing in generated rooms and pick it up, in one file.

nice python examples/learning/ppo_pixels.py --minutes 60 --seed 0

Prints one JSON line every few updates: CPU-minutes, steps, and the share of successes in the last episodes
and in rooms that are not learnt from.
"""

from __future__ import annotations

import json
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import tyro
from torch import Tensor, nn
from torch.distributions import Categorical

import housemates
from housemates.home import World

WANTED = {"kitchen": "Bread", "living room": "Pillow", "bedroom": "Pillow", "bathroom": "ToiletPaper"}
"""Kind of room -> what is to be found in it."""


def in_hand(world: World) -> bool:
    """Whether the agent holds what is wanted in its room."""
    return world.held is not None and world.held.type == WANTED[world.scene.room]


@dataclass
class Args:
    """How to learn."""

    minutes: float = 60.0
    """CPU-minutes."""
    seed: int = 0
    """Of the rooms, of the network, and of what is tried."""
    envs: int = 16
    """Environments side by side."""
    steps: int = 64
    """Steps of each between two updates."""
    rooms: int = 128
    """Rooms to learn in."""
    side: int = 64
    """Of the pictures, in pixels."""
    epochs: int = 3
    batches: int = 4
    """Minibatches of an update."""
    rate: float = 5e-4
    discount: float = 0.98
    trace: float = 0.95
    """Of the advantages (GAE's lambda)."""
    clip: float = 0.2
    entropy: float = 0.01
    evaluate_every: int = 20
    """Updates between evaluations; 0 for none."""
    evaluated: int = 64
    """Episodes of an evaluation, at least; each environment plays as many."""


class Policy(nn.Module):
    """A picture in; logits of the actions and a value out."""

    def __init__(self, side: int, actions: int) -> None:
        super().__init__()
        self.eyes = nn.Sequential(
            *(nn.Conv2d(3, 16, 8, 4), nn.ReLU(), nn.Conv2d(16, 32, 4, 2), nn.ReLU(), nn.Flatten())
        )
        size = self.eyes(torch.zeros(1, 3, side, side)).shape[1]
        self.body = nn.Sequential(nn.Linear(size, 256), nn.ReLU())
        self.actor, self.critic = nn.Linear(256, actions), nn.Linear(256, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, rgb: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        """What to do, among what the mask allows, and what that will bring."""
        seen = self.body(self.eyes(rgb.permute(0, 3, 1, 2).float() / 255 - 0.5))
        logits = self.actor(seen).masked_fill(mask == 0, -1e8)
        return Categorical(logits=logits), self.critic(seen).squeeze(-1)


def rooms(args: Args, count: int, supply: int, seed: int) -> Any:
    """Environments in generated rooms, whose batches are not copied."""
    options = {"split": "generated", "seed": seed, "supply": supply, "size": args.side, "steps": 100}
    kwargs = {"copy": False, "autoreset_mode": "SameStep"}
    return housemates.make_vec(
        "housemates/home-v3", count, vector_kwargs=kwargs, goal=in_hand, actions="flat", **options
    )


def seen(observation: dict[str, np.ndarray]) -> tuple[Tensor, Tensor]:
    """Copies of the picture and the mask."""
    return torch.from_numpy(observation["rgb"].copy()), torch.from_numpy(observation["action_mask"].copy())


@torch.no_grad()
def evaluate(policy: Policy, args: Args) -> float:
    """The share of successes in rooms of another seed."""
    envs = rooms(args, args.envs, args.evaluated, args.seed + 1000)
    observation, _ = envs.reset(seed=0)
    each = -(-args.evaluated // args.envs)
    won, left = 0.0, np.full(args.envs, each)
    while left.any():
        chosen = policy(*seen(observation))[0].sample()
        observation, rewards, ended, cut, _ = envs.step(chosen.numpy())
        won += float(rewards[(ended | cut) & (left > 0)].sum())
        left = np.maximum(left - (ended | cut), 0)
    return won / (each * args.envs)


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


def update(policy: Policy, optimizer: torch.optim.Optimizer, data: list[Tensor], args: Args) -> None:
    """Several passes over what was collected: the clipped objective, the value's error, the entropy."""
    rgb, mask, action, before, advantage, target = (each.flatten(0, 1) for each in data)
    for _ in range(args.epochs):
        for part in torch.randperm(len(action)).chunk(args.batches):
            choice, value = policy(rgb[part], mask[part])
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
    envs = rooms(args, args.envs, args.rooms, args.seed)
    policy = Policy(args.side, int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(policy.parameters(), lr=args.rate, eps=1e-5)
    observation, _ = envs.reset(seed=args.seed)
    lately: deque[float] = deque(maxlen=200)
    told: list[dict[str, float]] = []
    began, number = time.process_time(), 0
    while (minutes := (time.process_time() - began) / 60) < args.minutes or not number:
        rows: list[list[Tensor]] = []
        for _ in range(args.steps):
            rgb, mask = seen(observation)
            with torch.no_grad():
                choice, value = policy(rgb, mask)
            action = choice.sample()
            observation, rewards, ended, cut, _ = envs.step(action.numpy())
            lately.extend(rewards[ended | cut].tolist())
            brought, over = (torch.as_tensor(each, dtype=torch.float32) for each in (rewards, ended | cut))
            rows.append([rgb, mask, action, choice.log_prob(action), value, brought, over])
        *kept, values, rewards_, over_ = (torch.stack(column) for column in zip(*rows, strict=True))
        with torch.no_grad():
            last = policy(*seen(observation))[1]
        update(policy, optimizer, [*kept, *advantages(rewards_, over_, values, last, args)], args)
        number += 1
        if args.evaluate_every and number % args.evaluate_every == 0:
            row = {"minutes": round(minutes, 2), "steps": number * args.steps * args.envs}
            row |= {
                "lately": round(sum(lately) / max(len(lately), 1), 3),
                "unseen": round(evaluate(policy, args), 3),
            }
            told.append(row)
            print(json.dumps(row), flush=True)
    return told


if __name__ == "__main__":
    main(tyro.cli(Args))
