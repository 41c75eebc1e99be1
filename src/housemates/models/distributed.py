"""Several processes that train one network together, as torchrun starts them; without it there is one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist

CPU = torch.device("cpu")


@dataclass(frozen=True)
class Team:
    """The processes of a training and which of them this is."""

    rank: int = 0
    size: int = 1
    device: torch.device = CPU

    @property
    def leads(self) -> bool:
        """Whether this process writes and reports."""
        return self.rank == 0

    def average(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Make the gradients of all processes their average; one that is missing counts as 0."""
        if self.size == 1:
            return
        own = [each for each in parameters if each.requires_grad]
        flat = torch.cat([_gradient(each).reshape(-1) for each in own])
        dist.all_reduce(flat)
        flat /= self.size
        for each, part in zip(own, torch.split(flat, [each.numel() for each in own]), strict=True):
            each.grad = part.view_as(each).clone()

    def any(self, flag: bool) -> bool:
        """Whether it is so in any of the processes."""
        return bool(self.shared(float(flag), dist.ReduceOp.MAX)) if self.size > 1 else flag

    def shared(self, value: float, how: dist.ReduceOp.RedOpType) -> float:
        """A number put together from those of all processes."""
        if self.size == 1:
            return value
        tensor = torch.tensor([value], dtype=torch.float64, device=self.device)
        dist.all_reduce(tensor, how)
        return float(tensor)

    def told(self, value: float) -> float:
        """The number that the leading process has."""
        if self.size == 1:
            return value
        tensor = torch.tensor([value], dtype=torch.float64, device=self.device)
        dist.broadcast(tensor, 0)
        return float(tensor)

    def align(self, tensors: Iterable[torch.Tensor]) -> None:
        """Give every process the tensors of the leading one."""
        if self.size > 1:
            for each in tensors:
                dist.broadcast(each, 0)


@contextmanager
def team() -> Iterator[Team]:
    """The team that this process was started in: GPUs with NCCL if there are some, else CPUs with gloo."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    gpu = torch.cuda.is_available()
    device = torch.device(f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if gpu else "cpu")
    if size == 1:
        yield Team(device=device)
        return
    dist.init_process_group("nccl" if gpu else "gloo")
    try:
        yield Team(dist.get_rank(), size, device)
        dist.barrier()  # whoever left before the others could be ended by what it had still running for them
    finally:
        dist.destroy_process_group()


def _gradient(parameter: torch.nn.Parameter) -> torch.Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
