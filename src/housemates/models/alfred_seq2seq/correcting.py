"""DAgger: a student acts, and at each step the expert, who plans anew from anywhere, says what was right."""

from __future__ import annotations

import numpy as np
import torch

from housemates.benchmarks.alfred.agents.guide import Guide
from housemates.benchmarks.alfred.benchmark import Whole
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS, STOP, AlfredWorld
from housemates.benchmarks.alfred.world.sight import Sight
from housemates.errors import HousematesError
from housemates.models.alfred_seq2seq.data import LONGEST_STEPS, SIDE, START, Example, Film, grown
from housemates.models.alfred_seq2seq.model import Seq2Seq, Told
from housemates.models.seeing import Encoder


@torch.no_grad()
def corrected(
    whole: Whole, tokens: list[int], net: Seq2Seq, encoder: Encoder, rng: np.random.Generator
) -> Example:
    """An episode in which the student acts, but for the expert's share and after what failed.

    An episode that does not tell its task is refused, as no expert can help.
    """
    if whole.episode.task is None:
        raise HousematesError(f"{whole.episode.id}: does not tell its task, so no expert can help.")
    config, world, guide = net.config, AlfredWorld(whole.episode.start), Guide(whole.episode.task)
    sight = Sight(world.home, config.picture, config.picture)
    film = Film(sight, encoder, config.deconvolutions)
    state, before, goals, failed = net.listen(torch.tensor([tokens])), START, [], False
    for step in range(LONGEST_STEPS):
        deed = guide.advise(world)
        goals += [deed.goal] if deed.goal not in goals else []
        ends = deed.action == STOP or step + 1 == LONGEST_STEPS
        share = 1.0 if deed.action == STOP else min(1.0, (len(goals) - 1) / max(1, len(whole.parts)))
        seen = torch.from_numpy(film.add(deed.action, deed.target or "", share))
        if ends:
            break
        told, state = net.step(state, net.look(seen), torch.tensor([before]))
        action, target = deed.action, deed.target
        if not failed and rng.random() >= config.expert_share:
            action, target = _wanted(told, net, sight) or (action, target)
        film.did(before := ACTIONS.index(action))
        failed = not world.act(action, target).success
    return Example(tokens, film.demonstration())


def _wanted(told: Told, net: Seq2Seq, sight: Sight) -> tuple[str, str | None] | None:
    """What the student would do; nothing where it would stop, or points at nothing that can be used."""
    name = ACTIONS[int(told.action[0].argmax())]
    if name not in INTERACTIONS:
        return None if name == STOP else (name, None)
    side = SIDE << net.config.deconvolutions
    cells = net.masks(told.inner)[0].view(side, side).numpy()
    target = sight.pick(grown(cells >= min(0.0, float(cells.max())), sight.height, sight.width))
    return None if target is None else (name, target)
