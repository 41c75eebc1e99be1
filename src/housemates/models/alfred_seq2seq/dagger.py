"""DAgger: the student acts, and the expert, who can plan from any state, labels each step."""

from __future__ import annotations

import numpy as np
import torch

from housemates.benchmarks.alfred.benchmark import Whole
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS, STOP
from housemates.models.alfred_seq2seq.data import Example
from housemates.models.alfred_seq2seq.demonstration_frames import START, TYPES, GuidedEpisode, upsampled
from housemates.models.alfred_seq2seq.model import Logits, Seq2Seq
from housemates.models.image_encoders import Encoder


@torch.no_grad()
def corrected(
    whole: Whole, tokens: list[int], net: Seq2Seq, encoder: Encoder, rng: np.random.Generator
) -> Example:
    """The states of an episode in which the student acts, with the expert's actions as labels.

    The expert acts in `expert_share` of the steps, and wherever the student's action fails or is none.
    """
    guided = GuidedEpisode(whole, net.config, encoder)
    state, previous = net.encode_language(torch.tensor([tokens])), START
    while (advice := guided.advise()) is not None:
        expert, features = advice
        frame = net.encode_frames(torch.from_numpy(features))
        logits, state = net.step(state, frame, torch.tensor([previous]))
        chosen = _chosen(logits, net, guided.sight) if rng.random() >= net.config.expert_share else None
        name = expert.action if chosen is None else chosen[0]
        if chosen is None or not guided.act(*chosen):
            guided.act(name := expert.action, expert.target)
        previous = ACTIONS.index(name)
    return Example(tokens, guided.recorder.demonstration())


def _chosen(logits: Logits, net: Seq2Seq, sight: Sight) -> tuple[str, str | None] | None:
    """The student's action and object id; None where it would stop or points at nothing usable."""
    name = ACTIONS[int(logits.actions[0].argmax())]
    if name not in INTERACTIONS:
        return None if name == STOP else (name, None)
    find = _nearest_of_type if net.config.things else _under_mask
    target = find(logits, net, sight)
    return None if target is None else (name, target)


def _nearest_of_type(logits: Logits, net: Seq2Seq, sight: Sight) -> str | None:
    """The nearest usable thing in sight of the likeliest type."""
    kind = TYPES[int(net.type_head(logits.state)[0].argmax())]
    found = [each for each in sight.seen() if each.thing.type == kind and sight.usable(each.thing)]
    return min(found, key=lambda each: each.away_m).thing.id if found else None


def _under_mask(logits: Logits, net: Seq2Seq, sight: Sight) -> str | None:
    """The thing that the mask of the likeliest cells selects."""
    side = net.config.mask_side
    cells = net.masks(logits.state)[0].view(side, side).numpy()
    return sight.pick(upsampled(cells >= min(0.0, float(cells.max())), sight.height, sight.width))
