"""DAgger: a student acts, and at each step the expert, who plans anew from anywhere, says what was right."""

from __future__ import annotations

import numpy as np
import torch

from housemates.benchmarks.alfred.benchmark import Whole
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS, STOP
from housemates.models.alfred_seq2seq.data import Example
from housemates.models.alfred_seq2seq.demonstration_frames import SIDE, START, TYPES, Guided, grown
from housemates.models.alfred_seq2seq.model import Seq2Seq, Told
from housemates.models.image_encoders import Encoder


@torch.no_grad()
def corrected(
    whole: Whole, tokens: list[int], net: Seq2Seq, encoder: Encoder, rng: np.random.Generator
) -> Example:
    """An episode in which the student acts, but for the expert's share and where what it wants fails."""
    guided = Guided(whole, net.config, encoder)
    state, before = net.listen(torch.tensor([tokens])), START
    while (advice := guided.advise()) is not None:
        deed, seen = advice
        told, state = net.step(state, net.look(torch.from_numpy(seen)), torch.tensor([before]))
        wanted = _wanted(told, net, guided.sight) if rng.random() >= net.config.expert_share else None
        name = deed.action if wanted is None else wanted[0]
        if wanted is None or not guided.act(*wanted):
            guided.act(name := deed.action, deed.target)
        before = ACTIONS.index(name)
    return Example(tokens, guided.film.demonstration())


def _wanted(told: Told, net: Seq2Seq, sight: Sight) -> tuple[str, str | None] | None:
    """What the student would do; nothing where it would stop, or points at nothing that can be used."""
    name = ACTIONS[int(told.action[0].argmax())]
    if name not in INTERACTIONS:
        return None if name == STOP else (name, None)
    target = _named(told, net, sight) if net.config.things else _masked(told, net, sight)
    return None if target is None else (name, target)


def _named(told: Told, net: Seq2Seq, sight: Sight) -> str | None:
    """The nearest thing in sight of the type that it points at."""
    kind = TYPES[int(net.kind(told.inner)[0].argmax())]
    found = [each for each in sight.seen() if each.thing.type == kind and sight.usable(each.thing)]
    return min(found, key=lambda each: each.away_m).thing.id if found else None


def _masked(told: Told, net: Seq2Seq, sight: Sight) -> str | None:
    """The thing that its mask means."""
    side = SIDE << net.config.deconvolutions
    cells = net.masks(told.inner)[0].view(side, side).numpy()
    return sight.pick(grown(cells >= min(0.0, float(cells.max())), sight.height, sight.width))
