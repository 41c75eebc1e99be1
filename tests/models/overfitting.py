"""What has to hold for every model that learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from housemates.models.learner import Learner
from housemates.models.training import optimizer_of, seed_everything

EIGHT = np.arange(8)


def overfitted(
    learner: Learner[Any], measure: Callable[[], float], steps: int, enough: float = 0.97, count: int = 8
) -> float:
    """What eight examples, learnt over and over, come to; at most so many steps, measured at each tenth."""
    optimizer = optimizer_of(learner.net, learner.config)
    found = 0.0
    for step in range(steps):
        seed_everything(0, step, 0)
        learner.net.train()
        optimizer.zero_grad()
        loss, _ = learner.loss(np.arange(count))
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(learner.net.parameters(), learner.config.clip)
        optimizer.step()
        if step % 10 == 9:
            learner.net.eval()
            with torch.no_grad():
                found = measure()
            if found >= enough:
                break
    return found


def unreached(learner: Learner[Any], count: int = 8) -> list[str]:
    """The parameters whose gradient is nothing after one loss."""
    seed_everything(0, 0, 0)
    learner.net.train()
    learner.net.zero_grad()
    learner.loss(np.arange(count))[0].backward()  # type: ignore[no-untyped-call]
    return [
        name
        for name, each in learner.net.named_parameters()
        if each.grad is None or not bool(each.grad.abs().sum() > 0)
    ]
