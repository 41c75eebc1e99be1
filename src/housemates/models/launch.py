"""Starts or resumes a training as `housemates train` asks for it, from scratch or from other weights."""

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
from housemates.models.distributed import process_group
from housemates.models.learner import Learner
from housemates.models.run_folder import RunFolder, summary
from housemates.models.schedule import override
from housemates.models.training import Training, seed_everything


@dataclass(frozen=True)
class TrainingJob:
    """A model, its config, its data and the folder that the training is saved in."""

    model: str
    config: str
    overrides: Mapping[str, Any]
    """Fields of the config and their values, typed or as text."""
    data: Path
    out: Path
    start: Path | None = None
    """A checkpoint to take the first weights from."""
    threads: int | None = None
    """Of torch; its default if None."""


def train(job: TrainingJob, label: str | None = None) -> dict[str, Any]:
    """Train to the end, resuming where the folder of the job stopped.

    Args:
        job: What to train.
        label: Of the progress bar; none is shown without it.

    Returns:
        Epochs, steps, the best value of the monitored metric and its step, and the folder.

    Raises:
        HousematesError: model, config, data or checkpoint do not exist or do not fit together.
        KeyboardInterrupt: the process was asked to stop; the state was saved.
    """
    spec = registry.spec_of(job.model)
    config = override(spec.config(job.config), job.overrides, f"{job.model} {job.config}")
    if not job.data.exists():
        raise HousematesError(f"{job.data}: no such file or folder.")
    if job.threads is not None:
        torch.set_num_threads(job.threads)
    with contextlib.ExitStack() as stack:
        group = stack.enter_context(process_group())
        if group.is_main:
            stack.enter_context(claimed(folders=[job.out]))
        seed_everything(config.seed, 0, 0)
        learner = spec.learner_class()(config, job.data)
        folder = RunFolder(job.out, spec, "" if job.start is None else warm_start(learner, job.start))
        stack.callback(folder.close)
        progress = Training(learner, folder, group).run(label)
    return {"model": job.model, "out": str(job.out), "monitor": learner.monitor, **summary(progress)}


def warm_start(learner: Learner[Any], folder: Path) -> str:
    """Copy into a learner's network all weights of a checkpoint with the same name and shape.

    Where the vocabularies differ, parameters with a row per name (`learner.vocabulary_rows`) are remapped by
    name.

    Returns:
        The SHA-256 of the checkpoint's weights.

    Raises:
        HousematesError: the image encoder or a vocabulary without rows differs, or no weight fits.
    """
    card, path = read_card(folder), weights_of(folder)
    tensors = read_tensors(path)
    for name, own in learner.vocabulary().items():
        theirs = card.vocabulary.get(name)
        if theirs is None or theirs == list(own):
            continue
        if name not in learner.vocabulary_rows:
            raise HousematesError(f"{folder}: has another vocabulary of {name} than the data.")
        for each in learner.vocabulary_rows[name]:
            if each not in tensors or len(tensors[each]) != len(theirs):
                raise HousematesError(f"{folder}: {each}: expected a row for each of {len(theirs)} {name}.")
            tensors[each] = remap_rows(learner.net.state_dict()[each], own, tensors[each], theirs)
    for name, file in learner.carried().items():
        if card.carried.get(name) != fingerprint(file).sha256:
            raise HousematesError(f"{folder}: was trained with another {name} than {file}.")
    if not load_matching(learner.net, tensors):
        raise HousematesError(f"{path}: has no weights that a {type(learner).__name__} has.")
    return fingerprint(path).sha256


def remap_rows(own: Tensor, names: Sequence[str], theirs: Tensor, known: Sequence[str]) -> Tensor:
    """`own`, (names, ...), with the rows of `theirs`, (known, ...), of names that both have."""
    places = {name: number for number, name in enumerate(known)}
    both = [(number, places[name]) for number, name in enumerate(names) if name in places]
    found = own.clone()
    if own.shape[1:] == theirs.shape[1:]:
        found[[number for number, _ in both]] = theirs[[number for _, number in both]].to(own.dtype)
    return found
