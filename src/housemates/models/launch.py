"""Beginning a training, or going on with it, as the command line asks for it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from housemates.data.claims import claimed
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.models import registry
from housemates.models.checkpoints import load_matching, read_card, read_tensors, weights_of
from housemates.models.distributed import team
from housemates.models.learner import Learner
from housemates.models.run_folder import Keeper, told
from housemates.models.schedule import override
from housemates.models.training import Training, settle


@dataclass(frozen=True)
class Order:
    """What is to be trained, on what, and where to."""

    model: str
    config: str
    given: Mapping[str, Any]
    """Fields of the config that are to be otherwise."""
    data: Path
    out: Path
    start: Path | None = None
    """A checkpoint whose weights it begins with."""
    threads: int | None = None


def train(order: Order, label: str | None = None) -> dict[str, Any]:
    """Train until it is finished; returns how it went."""
    spec = registry.spec_of(order.model)
    config = override(spec.config(order.config), order.given, f"{order.model} {order.config}")
    if not order.data.exists():
        raise HousematesError(f"{order.data}: no such file or folder.")
    if order.threads is not None:
        torch.set_num_threads(order.threads)
    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(team())
        if ours.leads:
            stack.enter_context(claimed(folders=[order.out]))
        settle(config.seed, 0, 0)
        learner = spec.learning()(config, order.data)
        keeper = Keeper(order.out, spec, "" if order.start is None else begin_with(learner, order.start))
        stack.callback(keeper.close)
        progress = Training(learner, keeper, ours).run(label)
    return {"model": order.model, "out": str(order.out), "watched": learner.watched, **told(progress)}


def begin_with(learner: Learner[Any], folder: Path) -> str:
    """Give a network the weights of a checkpoint that fit; returns their fingerprint.

    A checkpoint that knows other names by the same numbers is refused, unless their weights have a row for
    each name: then those of names that both know are taken over.
    """
    card, path = read_card(folder), weights_of(folder)
    tensors = read_tensors(path)
    for name, own in learner.vocabulary().items():
        theirs = card.vocabulary.get(name)
        if theirs is None or theirs == list(own):
            continue
        if name not in learner.rows:
            raise HousematesError(f"{folder}: has another vocabulary of {name} than the data.")
        for each in learner.rows[name]:
            if each not in tensors or len(tensors[each]) != len(theirs):
                raise HousematesError(f"{folder}: {each}: expected a row for each of {len(theirs)} {name}.")
            tensors[each] = renamed(learner.net.state_dict()[each], own, tensors[each], theirs)
    for name, file in learner.carried().items():
        if card.carried.get(name) != fingerprint(file).sha256:
            raise HousematesError(f"{folder}: was trained with another {name} than {file}.")
    if not load_matching(learner.net, tensors):
        raise HousematesError(f"{path}: has no weights that a {type(learner).__name__} has.")
    return fingerprint(path).sha256


def renamed(own: Tensor, names: Sequence[str], theirs: Tensor, known: Sequence[str]) -> Tensor:
    """Weights with a row for each name: theirs for names that they know, else one's own."""
    places = {name: number for number, name in enumerate(known)}
    both = [(number, places[name]) for number, name in enumerate(names) if name in places]
    found = own.clone()
    if own.shape[1:] == theirs.shape[1:]:
        found[[number for number, _ in both]] = theirs[[number for _, number in both]].to(own.dtype)
    return found
