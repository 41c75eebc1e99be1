"""The network: words, what is seen and the last action to the next action, a mask, and two monitors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from housemates.benchmarks.alfred.world.dynamics import ACTIONS
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.alfred_seq2seq.data import Example
from housemates.models.alfred_seq2seq.demonstration_frames import NOTHING, SIDE, START, TYPES
from housemates.models.checkpoints import Card, read_config
from housemates.models.frame_pooling import Looking
from housemates.models.image_encoders import encoder_of
from housemates.models.playable import Part

MASK_CHANNELS = 32


class Batch(NamedTuple):
    """Examples side by side."""

    tokens: Tensor
    seen: Tensor
    """All steps, one example's after the other's, x channels x rows x columns."""
    before: Tensor
    actions: Tensor
    """-1 where there is none."""
    masks: Tensor
    kinds: Tensor
    """The types of what is pointed at now or next; -1 where nothing is."""
    done: Tensor
    along: Tensor
    """For each step the share of steps that are done."""


def coming(kinds: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each step the type of what is pointed at then, or else next."""
    found = kinds.copy()
    for step in reversed(range(len(found) - 1)):
        if found[step] == NOTHING:
            found[step] = found[step + 1]
    return found


def batch_of(examples: Sequence[Example]) -> Batch:
    """Examples as tensors, padded."""
    shows = [each.demonstration for each in examples]
    most = max(len(each.actions) for each in shows)
    count = len(examples)
    tokens = np.zeros((count, max(len(each.tokens) for each in examples)), np.int64)
    seen = np.concatenate([each.seen for each in shows])
    actions = np.full((count, most), -1)
    before = np.full((count, most), START)
    masks = np.zeros((count, most, shows[0].masks.shape[1]), np.float32)
    kinds = np.full((count, most), NOTHING)
    done, along = np.zeros((count, most), np.float32), np.zeros((count, most), np.float32)
    for row, (example, show) in enumerate(zip(examples, shows, strict=True)):
        steps = len(show.actions)
        tokens[row, : len(example.tokens)] = example.tokens
        actions[row, :steps], before[row, 1:steps] = show.actions, show.acted[:-1]
        masks[row, :steps], kinds[row, :steps] = show.masks, coming(show.kinds)
        done[row, :steps], along[row, :steps] = show.done, np.arange(steps) / max(1, steps - 1)
    found = (tokens, seen, before, actions, masks, kinds, done, along)
    return Batch(*(torch.from_numpy(each) for each in found))


class Looks(NamedTuple):
    """What is seen at a step, or at many."""

    frame: Tensor
    """... x size."""
    map: Tensor
    """... x channels x cells: where what is looked for can be."""


class State(NamedTuple):
    """What is known while an episode goes on."""

    said: Tensor
    hidden: Tensor
    """Examples x words: whether it is padding."""
    memory: tuple[Tensor, Tensor]


class Told(NamedTuple):
    """What the network says at a step, as scores."""

    action: Tensor
    inner: Tensor
    """From which a mask is made, where one is needed."""
    progress: Tensor
    subgoals: Tensor


class Seq2Seq(Looking):
    """Attends to the words by what it remembers, and goes on one step at a time."""

    def __init__(self, config: Seq2SeqConfig, vocabulary: int, shape: tuple[int, int, int]) -> None:
        super().__init__(shape, config.squeezed, config.frame, config.dropout)
        self.config = config
        words = 2 * config.words
        inner = config.frame + words + config.embedding
        if config.seeking:
            self.seek = nn.Linear(words + config.hidden, config.squeezed)
            inner += shape[1] * shape[2]
        self.embed = nn.Embedding(vocabulary, config.embedding, padding_idx=0)
        self.listener = nn.LSTM(config.embedding, config.words, batch_first=True, bidirectional=True)
        self.first = nn.Linear(words, config.hidden)
        self.ask = nn.Linear(config.hidden, words)
        self.acted = nn.Embedding(len(ACTIONS) + 1, config.embedding)
        self.memory = nn.LSTMCell(inner, config.hidden)
        inner += config.hidden
        self.choice = nn.Linear(inner, len(ACTIONS))
        self.progress = nn.Linear(inner, 1)
        self.subgoals = nn.Linear(inner, 1)
        if config.things:
            self.kind = nn.Linear(inner, len(TYPES))
        self.mask = nn.Linear(inner, MASK_CHANNELS * SIDE * SIDE)
        steps = range(config.deconvolutions)
        self.wider = nn.ModuleList(
            nn.ConvTranspose2d(
                MASK_CHANNELS if step == 0 else MASK_CHANNELS >> 1,
                1 if step == config.deconvolutions - 1 else MASK_CHANNELS >> 1,
                4,
                stride=2,
                padding=1,
            )
            for step in steps
        )
        self.drop = nn.Dropout(config.dropout)

    def listen(self, tokens: Tensor) -> State:
        """Read the words; the first thing remembered is their mean."""
        hidden = tokens == 0
        lengths = (~hidden).sum(1)
        said = self.drop(self._both_ways(self.drop(self.embed(tokens)), lengths))
        state = torch.tanh(self.first(said.sum(1) / lengths.unsqueeze(1)))
        return State(said, hidden, (state, torch.zeros_like(state)))

    def _both_ways(self, embedded: Tensor, lengths: Tensor) -> Tensor:
        """Read words forwards and backwards; an example alone has no padding."""
        if len(embedded) == 1:
            alone: Tensor = self.listener(embedded)[0]
            return alone
        packed = pack_padded_sequence(embedded, lengths.cpu(), batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.listener(packed)[0], True, total_length=embedded.shape[1])[0]

    def look(self, seen: Tensor) -> Looks:
        """What is seen, as the decoder takes it in, for each picture."""
        pictures = len(seen)
        squeezed = self.squeezed(seen if self.config.vision else torch.zeros_like(seen[:1]))
        frame, found = torch.relu(self.framed(squeezed)), squeezed.float().flatten(2)
        return Looks(frame.expand(pictures, -1), found.expand(pictures, -1, -1))

    def step(self, state: State, looks: Looks, before: Tensor) -> tuple[Told, State]:
        """Go on by one step."""
        given = self._given(looks.frame, before)
        heard, state = self._gone_on(state, self._begun(given), looks.map, self._rest())
        return self._told(given, heard), state

    def _given(self, frame: Tensor, before: Tensor) -> Tensor:
        """What a step is given from outside: what is seen, and what was done before."""
        found: Tensor = self.drop(torch.cat([frame, self.acted(before)], -1))
        return found

    def _begun(self, given: Tensor) -> Tensor:
        """What of the memory's gates follows from that alone, for all steps at once."""
        known = self.memory.weight_ih[:, : given.shape[-1]]
        return functional.linear(given, known, self.memory.bias_ih + self.memory.bias_hh)

    def _rest(self) -> Tensor:
        """The weights of the gates by which what is heard, found and remembered comes in."""
        known = self.config.frame + self.config.embedding
        return torch.cat([self.memory.weight_ih[:, known:], self.memory.weight_hh], 1)

    def _gone_on(self, state: State, begun: Tensor, seen: Tensor, rest: Tensor) -> tuple[Tensor, State]:
        """Ask the words by what is remembered, look for what they say, and remember; returns all three."""
        hidden, cell = state.memory
        question = self.ask(hidden).unsqueeze(-1)
        weights = (state.said @ question).squeeze(-1).masked_fill(state.hidden, -1e9)
        about = self.drop((functional.softmax(weights, -1).unsqueeze(1) @ state.said).squeeze(1))
        if self.config.seeking:
            sought = self.seek(torch.cat([about, hidden], -1)).unsqueeze(1)
            about = torch.cat([about, (sought @ seen).squeeze(1)], -1)
        gates = begun + functional.linear(torch.cat([about, hidden], -1), rest)
        taken, kept, new, shown = gates.chunk(4, -1)
        cell = torch.sigmoid(kept) * cell + torch.sigmoid(taken) * torch.tanh(new)
        hidden = torch.sigmoid(shown) * torch.tanh(cell)
        return torch.cat([about, self.drop(hidden)], -1), state._replace(memory=(hidden, cell))

    def _told(self, given: Tensor, heard: Tensor) -> Told:
        inner = torch.cat([given, heard], -1)
        return Told(
            self.choice(inner), inner, self.progress(inner).squeeze(-1), self.subgoals(inner).squeeze(-1)
        )

    def masks(self, inner: Tensor) -> Tensor:
        """Scores of the cells of masks: steps x cells."""
        found = torch.relu(self.mask(inner)).view(len(inner), MASK_CHANNELS, SIDE, SIDE)
        for number, wider in enumerate(self.wider):
            found = wider(found)
            if number < len(self.wider) - 1:
                found = torch.relu(found)
        return found.flatten(1)

    def parts(self) -> Mapping[str, Part]:
        """`listen` reads the words; `step` takes in a picture and scores actions and a mask's cells."""
        tokens = torch.ones(1, 2, dtype=torch.int64)
        seen = torch.zeros(1, *self.shape)
        given = {**self._listened(tokens), "seen": seen, "before": torch.tensor([START])}
        return {
            "listen": Part(self._listened, {"tokens": tokens}, {"tokens": (1,)}),
            "step": Part(self._stepped, given, {"said": (1,)}),
        }

    def _listened(self, tokens: Tensor) -> dict[str, Tensor]:
        state = self.listen(tokens)
        return {"said": state.said, "state": state.memory[0], "cell": state.memory[1]}

    def _stepped(
        self, said: Tensor, state: Tensor, cell: Tensor, seen: Tensor, before: Tensor
    ) -> dict[str, Tensor]:
        hidden = torch.zeros_like(said[:, :, 0], dtype=torch.bool)
        told, after = self.step(State(said, hidden, (state, cell)), self.look(seen), before)
        found = {"action": told.action[0], "mask": self.masks(told.inner)[0]}
        if self.config.things:
            found["kind"] = self.kind(told.inner)[0]
        return {**found, "state": after.memory[0], "cell": after.memory[1]}

    def forward(self, batch: Batch) -> Told:
        """All that is told along demonstrations: examples x steps x ..."""
        state = self.listen(batch.tokens)
        kept, looks = batch.actions >= 0, self.look(batch.seen)
        frames, maps = (each.new_zeros(*kept.shape, *each.shape[1:]) for each in looks)
        frames[kept], maps[kept] = looks
        given, rest = self._given(frames, batch.before), self._rest()
        heard = []
        for begun, seen in zip(self._begun(given).unbind(1), maps.unbind(1), strict=True):
            found, state = self._gone_on(state, begun, seen, rest)
            heard.append(found)
        return self._told(given, torch.stack(heard, 1))


def network(folder: Path, card: Card) -> Seq2Seq:
    """The network of a checkpoint, without its weights."""
    config = read_config(folder, card, Seq2SeqConfig)
    return Seq2Seq(config, len(card.vocabulary["words"]), encoder_of(config.encoder, folder).shape)
