"""Data-parallel training by several processes, as torchrun starts them; without it there is one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist

CPU = torch.device("cpu")


@dataclass(frozen=True)
class ProcessGroup:
    """The processes of a training, and the rank and device of this one."""

    rank: int = 0
    size: int = 1
    device: torch.device = CPU

    @property
    def is_main(self) -> bool:
        """Whether this process validates, saves and reports (rank 0)."""
        return self.rank == 0

    def average_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Replace gradients by their mean over all processes (one all-reduce); a missing one counts as 0."""
        if self.size == 1:
            return
        own = [each for each in parameters if each.requires_grad]
        flat = torch.cat([_gradient(each).reshape(-1) for each in own])
        dist.all_reduce(flat)
        flat /= self.size
        for each, part in zip(own, torch.split(flat, [each.numel() for each in own]), strict=True):
            each.grad = part.view_as(each).clone()

    def any(self, flag: bool) -> bool:
        """Whether the flag is set in any process."""
        return bool(self._reduced(float(flag), dist.ReduceOp.MAX)) if self.size > 1 else flag

    def _reduced(self, value: float, how: dist.ReduceOp.RedOpType) -> float:
        tensor = torch.tensor([value], dtype=torch.float64, device=self.device)
        dist.all_reduce(tensor, how)
        return float(tensor)

    def broadcast(self, value: float) -> float:
        """The value of rank 0."""
        if self.size == 1:
            return value
        tensor = torch.tensor([value], dtype=torch.float64, device=self.device)
        dist.broadcast(tensor, 0)
        return float(tensor)

    def broadcast_tensors(self, tensors: Iterable[torch.Tensor]) -> None:
        """Overwrite the tensors of every process by those of rank 0."""
        if self.size > 1:
            for each in tensors:
                dist.broadcast(each, 0)


@contextmanager
def process_group() -> Iterator[ProcessGroup]:
    """Join the `WORLD_SIZE` processes of torchrun: with NCCL on GPUs if there are some, else with gloo."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    gpu = torch.cuda.is_available()
    device = torch.device(f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if gpu else "cpu")
    if size == 1:
        yield ProcessGroup(device=device)
        return
    dist.init_process_group("nccl" if gpu else "gloo")
    try:
        yield ProcessGroup(dist.get_rank(), size, device)
        dist.barrier()  # a process that left early could be killed by collectives still running
    finally:
        dist.destroy_process_group()


def _gradient(parameter: torch.nn.Parameter) -> torch.Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
