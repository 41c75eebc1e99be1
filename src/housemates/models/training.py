"""The training loop that all models share.

A step depends only on the config, the data, the weights and its number: the order of examples and all
randomness follow from the seed and that number. So a training that was stopped or killed resumes as if
nothing had happened, to the bit on one thread.
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
from housemates.models.distributed import ProcessGroup
from housemates.models.learner import Learner
from housemates.models.run_folder import RunFolder
from housemates.models.schedule import Schedule, rate_at
from housemates.parallel import track

BUCKET_BATCHES = 16
"""Batches that are sorted by length together."""


@dataclass
class StopRequest:
    """Set by the first signal that asks the process to end; the second one interrupts at once."""

    requested: bool = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal, as `signal.signal` calls it."""
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


@contextlib.contextmanager
def deferred_signals() -> Iterator[StopRequest]:
    """Defer Ctrl-C and SIGTERM until the current step is done and saved; other threads get no signals."""
    stop = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, stop.handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Training:
    """Trains a learner's network by Adam(W) with gradient clipping and early stopping."""

    def __init__(self, learner: Learner[Any], folder: RunFolder, group: ProcessGroup) -> None:
        """Start anew, or resume what the folder holds."""
        self.learner, self.folder, self.group = learner, folder, group
        self.config: Schedule = learner.config
        learner.net.to(group.device)
        self.optimizer = optimizer_of(learner.net, self.config)
        self.progress = folder.restore(learner, self.optimizer) or Progress()
        group.broadcast_tensors(learner.net.state_dict().values())

    def run(self, label: str | None = None) -> Progress:
        """Train until the last epoch or until validation stops improving.

        Raises:
            KeyboardInterrupt: the process was asked to stop; the state was saved.
        """
        with deferred_signals() as stop:
            while not self.progress.finished:
                self.learner.begin_epoch(self.progress.epoch)
                for _ in track(self._epoch(), self._steps(), label and f"{label} {self.progress.epoch + 1}"):
                    if self.group.any(stop.requested):
                        self._save()
                        raise KeyboardInterrupt
        return self.progress

    def _steps(self) -> int:
        """Steps of an epoch; an incomplete last batch is dropped, unless it is the only one."""
        return max(1, self.learner.count // self.config.batch)

    def _epoch(self) -> Iterator[None]:
        """The remaining steps of an epoch with their validations and checkpoints."""
        progress, steps = self.progress, self._steps()
        rng = np.random.default_rng((self.config.seed, progress.epoch))
        order = rng.permutation(self.learner.count)
        if (lengths := self.learner.lengths()) is not None:
            order = bucket_by_length(order, lengths, self.config.batch, rng)
        for number in range(steps):
            if number < progress.steps_of_epoch:
                yield
                continue
            start = number * self.config.batch
            self._step(order[start : start + self.config.batch][self.group.rank :: self.group.size], steps)
            last = number + 1 == steps
            if last:
                progress.epoch, progress.steps_of_epoch = progress.epoch + 1, 0
            ends = progress.epoch >= self.config.epochs
            every = self.config.validate_every
            if ends or (progress.step % every == 0 if every else last):
                self._validate()
            progress.finished |= ends
            if last or progress.finished or progress.step % self.config.save_every == 0:
                self._save()
            yield
            if progress.finished:
                return

    def _step(self, examples: NDArray[np.int64], steps: int) -> None:
        progress = self.progress
        seed_everything(self.config.seed, progress.step, self.group.rank)
        self.learner.net.train()
        rate = rate_at(self.config, progress.step, steps * self.config.epochs)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        loss, numbers = self.learner.loss(examples)
        loss.backward()  # type: ignore[no-untyped-call]
        self.group.average_gradients(self.learner.net.parameters())
        torch.nn.utils.clip_grad_norm_(self.learner.net.parameters(), self.config.clip)
        self.optimizer.step()
        progress.step += 1
        progress.steps_of_epoch += 1
        self.learner.after_step(progress.step)
        self._count({"loss": loss.item(), **numbers})

    def _count(self, numbers: Mapping[str, float]) -> None:
        progress = self.progress
        progress.counted += 1
        for name, value in numbers.items():
            progress.sums[name] = progress.sums.get(name, 0.0) + float(value)

    def _validate(self) -> None:
        """Validate, log the metrics, save the weights if they are the best, and decide on early stopping."""
        progress = self.progress
        seed_everything(self.config.seed, progress.step, 0)
        found = dict(self._metrics()) if self.group.is_main else {}
        value = self.group.broadcast(found.get(self.learner.monitor, 0.0))
        means = {name: total / progress.counted for name, total in progress.sums.items()}
        row = {
            "step": float(progress.step),
            **means,
            **{f"valid {name}": each for name, each in found.items()},
        }
        progress.history.append(row)
        progress.sums, progress.counted = {}, 0
        better = progress.best is None or value > progress.best or self.config.weights == "last"
        progress.worse = 0 if better else progress.worse + 1
        if better:
            progress.best, progress.best_step = value, progress.step
        progress.finished |= progress.worse >= self.config.patience
        if self.group.is_main:
            self.folder.log(row)
            if better:
                self.folder.save_best(self.learner, progress)

    def _metrics(self) -> Mapping[str, float]:
        self.learner.net.eval()
        with torch.no_grad():
            return self.learner.validate()

    def _save(self) -> None:
        if self.group.is_main:
            self.folder.save(self.learner, self.optimizer, self.progress)


def optimizer_of(net: torch.nn.Module, config: Schedule) -> torch.optim.Optimizer:
    """Adam, or AdamW if the config has weight decay."""
    kind = torch.optim.AdamW if config.weight_decay else torch.optim.Adam
    return kind(net.parameters(), lr=config.rate, weight_decay=config.weight_decay)


def bucket_by_length(
    order: NDArray[np.int64], lengths: NDArray[np.int64], batch: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """An order whose batches hold examples of similar length: every 16 batches are sorted by length.

    Args:
        order: A permutation of the examples.
        lengths: Of each example.
        batch: Examples per batch.
        rng: Shuffles the whole batches; the incomplete one stays last.
    """
    size = batch * BUCKET_BATCHES
    buckets = [order[start : start + size] for start in range(0, len(order), size)]
    found = np.concatenate([each[np.argsort(lengths[each], kind="stable")] for each in buckets])
    whole = len(found) // batch * batch
    batches = rng.permutation(found[:whole].reshape(-1, batch))
    return np.concatenate([batches.ravel(), found[whole:]])


def seed_everything(seed: int, step: int, rank: int) -> None:
    """Seed torch, numpy and `random` by the training's seed, a step and the process's rank."""
    state = np.random.SeedSequence((seed, step, rank)).generate_state(2)
    torch.manual_seed(int(state[0]))
    np.random.seed(state[1])
    random.seed(int(state[1]))
