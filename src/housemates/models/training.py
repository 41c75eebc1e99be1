"""The one training loop.

What happens at a step depends on the config, the data, the weights and the number of the step, and on nothing
else: the order of examples and all randomness come from the seed and that number. So a training that was
stopped or killed goes on as if nothing had happened, to the bit on one thread.
"""

from __future__ import annotations

import contextlib
import random
import signal
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from housemates.models.checkpoints import Progress
from housemates.models.distributed import Team
from housemates.models.learner import Learner
from housemates.models.run_folder import Keeper
from housemates.models.schedule import Schedule, rate_at
from housemates.parallel import track

FEW = 16
"""Portions that are arranged together by how long their examples are."""


@dataclass
class Bell:
    """Rings when the process is asked to end; asked twice, it ends at once."""

    rung: bool = False

    def ring(self, number: int, frame: FrameType | None) -> None:
        """Take note of a signal."""
        if self.rung:
            raise KeyboardInterrupt
        self.rung = True


@contextlib.contextmanager
def listening() -> Iterator[Bell]:
    """Have Ctrl-C and SIGTERM wait until the step that is being done is finished and kept."""
    bell = Bell()
    if threading.current_thread() is not threading.main_thread():
        yield bell
        return
    before = {number: signal.signal(number, bell.ring) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield bell
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Training:
    """A network that learns from a learner's examples and is kept in a folder."""

    def __init__(self, learner: Learner[Any], keeper: Keeper, team: Team) -> None:
        """Get ready, or go on from what the folder holds."""
        self.learner, self.keeper, self.team = learner, keeper, team
        self.config: Schedule = learner.config
        learner.net.to(team.device)
        self.optimizer = optimizer_of(learner.net, self.config)
        self.progress = keeper.restore(learner, self.optimizer) or Progress()
        team.align(learner.net.state_dict().values())

    def run(self, label: str | None = None) -> Progress:
        """Train until the last epoch, or until validation gets no better; returns how it went.

        Raises:
            KeyboardInterrupt: the process was asked to end; what was learnt is kept.
        """
        with listening() as bell:
            while not self.progress.finished:
                self.learner.begin(self.progress.epoch)
                for _ in track(self._epoch(), self._steps(), label and f"{label} {self.progress.epoch + 1}"):
                    if self.team.any(bell.rung):
                        self._keep()
                        raise KeyboardInterrupt
        return self.progress

    def _steps(self) -> int:
        """Steps of an epoch; a last portion that is not whole is left out, unless it is the only one."""
        return max(1, self.learner.count // self.config.batch)

    def _epoch(self) -> Iterator[None]:
        """The steps of an epoch that are still to be done, then what follows it."""
        progress, steps = self.progress, self._steps()
        rng = np.random.default_rng((self.config.seed, progress.epoch))
        order = rng.permutation(self.learner.count)
        if (lengths := self.learner.lengths()) is not None:
            order = alike(order, lengths, self.config.batch, rng)
        for number in range(steps):
            if number < progress.steps_of_epoch:
                yield
                continue
            start = number * self.config.batch
            self._step(order[start : start + self.config.batch][self.team.rank :: self.team.size], steps)
            last = number + 1 == steps
            if last:
                progress.epoch, progress.steps_of_epoch = progress.epoch + 1, 0
            ends = progress.epoch >= self.config.epochs
            every = self.config.validate_every
            if ends or (progress.step % every == 0 if every else last):
                self._validate()
            progress.finished |= ends
            if last or progress.finished or progress.step % self.config.save_every == 0:
                self._keep()
            yield
            if progress.finished:
                return

    def _step(self, examples: NDArray[np.int64], steps: int) -> None:
        progress = self.progress
        settle(self.config.seed, progress.step, self.team.rank)
        self.learner.net.train()
        rate = rate_at(self.config, progress.step, steps * self.config.epochs)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        loss, numbers = self.learner.loss(examples)
        loss.backward()  # type: ignore[no-untyped-call]
        self.team.average(self.learner.net.parameters())
        torch.nn.utils.clip_grad_norm_(self.learner.net.parameters(), self.config.clip)
        self.optimizer.step()
        progress.step += 1
        progress.steps_of_epoch += 1
        self.learner.stepped(progress.step)
        self._count({"loss": loss.item(), **numbers})

    def _count(self, numbers: Mapping[str, float]) -> None:
        progress = self.progress
        progress.counted += 1
        for name, value in numbers.items():
            progress.sums[name] = progress.sums.get(name, 0.0) + float(value)

    def _validate(self) -> None:
        """Measure the network, note the numbers, and see whether it has become better."""
        progress = self.progress
        settle(self.config.seed, progress.step, 0)
        found = dict(self._measured()) if self.team.leads else {}
        value = self.team.told(found.get(self.learner.watched, 0.0))
        means = {name: total / progress.counted for name, total in progress.sums.items()}
        row = {
            "step": float(progress.step),
            **means,
            **{f"valid {name}": each for name, each in found.items()},
        }
        progress.history.append(row)
        progress.sums, progress.counted = {}, 0
        better = progress.best is None or value > progress.best
        progress.worse = 0 if better else progress.worse + 1
        if better:
            progress.best, progress.best_step = value, progress.step
        progress.finished |= progress.worse >= self.config.patience
        if self.team.leads:
            self.keeper.note(row)
            if better:
                self.keeper.keep_best(self.learner, progress)

    def _measured(self) -> Mapping[str, float]:
        self.learner.net.eval()
        with torch.no_grad():
            return self.learner.validate()

    def _keep(self) -> None:
        if self.team.leads:
            self.keeper.keep(self.learner, self.optimizer, self.progress)


def optimizer_of(net: torch.nn.Module, config: Schedule) -> torch.optim.Optimizer:
    """Adam, or AdamW where weights decay."""
    kind = torch.optim.AdamW if config.weight_decay else torch.optim.Adam
    return kind(net.parameters(), lr=config.rate, weight_decay=config.weight_decay)


def alike(
    order: NDArray[np.int64], lengths: NDArray[np.int64], batch: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """An order in which portions are of about one length: of each few portions the shortest come together."""
    few = [order[start : start + batch * FEW] for start in range(0, len(order), batch * FEW)]
    found = np.concatenate([each[np.argsort(lengths[each], kind="stable")] for each in few])
    whole = len(found) // batch * batch
    portions = rng.permutation(found[:whole].reshape(-1, batch))
    return np.concatenate([portions.ravel(), found[whole:]])


def settle(seed: int, step: int, rank: int) -> None:
    """Let all randomness from here on follow from these numbers."""
    state = np.random.SeedSequence((seed, step, rank)).generate_state(2)
    torch.manual_seed(int(state[0]))
    np.random.seed(state[1])
    random.seed(int(state[1]))
