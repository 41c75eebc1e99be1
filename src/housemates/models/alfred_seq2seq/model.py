"""ALFRED's Seq2Seq, all of it: biLSTM over words, frame encoder, LSTM decoder with attention, and its heads.

The heads predict actions, masks, object types and the two progress monitors.

Gates of the decoder's LSTM are linear in its inputs, so what follows from frames and previous actions alone
is computed for all steps at once (`_input_gates`) and only attention and recurrence run step by step
(`_recur`).
"""

from __future__ import annotations

import itertools
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
from housemates.models.alfred_seq2seq.config import MASK_PX, SIDE, Seq2SeqConfig
from housemates.models.alfred_seq2seq.data import Example
from housemates.models.alfred_seq2seq.demonstration_frames import NOTHING, START, TYPES
from housemates.models.checkpoints import Card, read_config
from housemates.models.image_encoders import encoder_of
from housemates.models.networks import EntryPoint, Exportable

MASK_CHANNELS = 32
PIXEL_CHANNELS, PIXELS_FROM = (64, 32, 16, 1), 7
"""Of the paper's mask decoder: channels before and after each deconvolution, and the side it begins with."""


def cell_channels(deconvolutions: int) -> tuple[int, ...]:
    """Channels before and after each deconvolution of a mask of cells."""
    return (MASK_CHANNELS, *(MASK_CHANNELS >> 1,) * (deconvolutions - 1), 1)


class Batch(NamedTuple):
    """Demonstrations, padded to the longest."""

    tokens: Tensor
    """(batch, words); 0 is padding."""
    frames: Tensor
    """Feature maps of all examples one after another: (frames, channels, rows, columns)."""
    previous_actions: Tensor
    """(batch, steps)."""
    actions: Tensor
    """(batch, steps); -1 is padding."""
    masks: Tensor
    """(batch, steps, cells); all 0 where nothing is pointed at."""
    types: Tensor
    """(batch, steps): the object type of this action or else of the next that has one; -1 if none follows."""
    subgoals: Tensor
    """(batch, steps): the share of sub-goals that are done."""
    progress: Tensor
    """(batch, steps): the share of steps that are done."""


def fill_backward(types: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each step, (steps,), its type of object or else the next one."""
    found = types.copy()
    for step in reversed(range(len(found) - 1)):
        if found[step] == NOTHING:
            found[step] = found[step + 1]
    return found


def collate(examples: Sequence[Example]) -> Batch:
    """Pad examples to a batch."""
    shows = [each.demonstration for each in examples]
    most = max(len(each.actions) for each in shows)
    count = len(examples)
    tokens = np.zeros((count, max(len(each.tokens) for each in examples)), np.int64)
    frames = np.concatenate([each.frames for each in shows])
    actions = np.full((count, most), -1)
    previous = np.full((count, most), START)
    masks = np.zeros((count, most, shows[0].masks.shape[1]), np.float32)
    types = np.full((count, most), NOTHING)
    subgoals, progress = np.zeros((count, most), np.float32), np.zeros((count, most), np.float32)
    for row, (example, show) in enumerate(zip(examples, shows, strict=True)):
        steps = len(show.actions)
        tokens[row, : len(example.tokens)] = example.tokens
        actions[row, :steps], previous[row, 1:steps] = show.actions, show.acted[:-1]
        masks[row, :steps], types[row, :steps] = show.masks, fill_backward(show.kinds)
        subgoals[row, :steps], progress[row, :steps] = show.done, np.arange(steps) / max(1, steps - 1)
    found = (tokens, frames, previous, actions, masks, types, subgoals, progress)
    return Batch(*(torch.from_numpy(each) for each in found))


class Frame(NamedTuple):
    """An encoded frame, or many."""

    vector: Tensor
    """(..., size)."""
    map: Tensor
    """(..., channels, cells): what is attended to with `seeking`."""


class DecoderState(NamedTuple):
    """The encoded words, and the state of the decoder's LSTM."""

    words: Tensor
    """(batch, words, size)."""
    padding: Tensor
    """(batch, words)."""
    lstm: tuple[Tensor, Tensor]
    """Hidden and cell state, each (batch, size)."""


class Logits(NamedTuple):
    """What the heads give, (batch, steps, ...) or (batch, ...) for one step."""

    actions: Tensor
    state: Tensor
    """The decoder's features, of which `masks` and `type_head` make masks and types."""
    progress: Tensor
    subgoals: Tensor


class Seq2Seq(nn.Module, Exportable):
    """Encodes the words once, then decodes an action, a mask and a type of object at each step."""

    def __init__(self, config: Seq2SeqConfig, vocabulary: int, frame_shape: tuple[int, int, int]) -> None:
        super().__init__()
        channels, rows, columns = frame_shape
        self.config, self.frame_shape = config, frame_shape
        self.channel_reduction = nn.Conv2d(channels, config.reduced, 1) if config.reduced else None
        self.channel_projection = nn.Conv2d(config.reduced or channels, config.squeezed, 1)
        self.frame_projection = nn.Linear(config.squeezed * rows * columns, config.frame)
        words = 2 * config.words
        size = config.frame + words + config.embedding
        if config.seeking:
            self.frame_query = nn.Linear(words + config.hidden, config.squeezed)
            size += rows * columns
        self.word_embedding = nn.Embedding(vocabulary, config.embedding, padding_idx=0)
        self.word_encoder = nn.LSTM(config.embedding, config.words, batch_first=True, bidirectional=True)
        self.self_attention = nn.Linear(words, 1) if config.attended else None
        self.initial_state = nn.Linear(words, config.hidden)
        self.word_query = nn.Linear(config.hidden, words)
        self.action_embedding = nn.Embedding(len(ACTIONS) + 1, config.embedding)
        self.decoder = nn.LSTMCell(size, config.hidden)
        size += config.hidden
        self.action_head = nn.Linear(size, len(ACTIONS))
        self.progress_head = nn.Linear(size, 1)
        self.subgoal_head = nn.Linear(size, 1)
        if config.things:
            self.type_head = nn.Linear(size, len(TYPES))
        mask_channels = PIXEL_CHANNELS if config.pixels else cell_channels(config.deconvolutions)
        self.mask_side = PIXELS_FROM if config.pixels else SIDE
        self.mask_head = nn.Linear(size, mask_channels[0] * self.mask_side**2)
        self.mask_deconvolutions = nn.ModuleList(
            nn.ConvTranspose2d(inner, outer, 4, stride=2, padding=1)
            for inner, outer in itertools.pairwise(mask_channels)
        )
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, batch: Batch) -> Logits:
        """The logits of all steps of demonstrations, with their own previous actions (teacher forcing)."""
        state = self.encode_language(batch.tokens)
        present, encoded = batch.actions >= 0, self.encode_frames(batch.frames)
        vectors, maps = (each.new_zeros(*present.shape, *each.shape[1:]) for each in encoded)
        vectors[present], maps[present] = encoded
        inputs, weights = self._inputs(vectors, batch.previous_actions), self._recurrent_weights()
        decoded = []
        for gates, frame in zip(self._input_gates(inputs).unbind(1), maps.unbind(1), strict=True):
            found, state = self._recur(state, gates, frame, weights)
            decoded.append(found)
        return self._logits(inputs, torch.stack(decoded, 1))

    def encode_language(self, tokens: Tensor) -> DecoderState:
        """The initial state of words, (batch, words); the hidden state is made of their weighted mean."""
        padding = tokens == 0
        lengths = (~padding).sum(1)
        words = self.dropout(self._bidirectional(self.dropout(self.word_embedding(tokens)), lengths))
        if self.self_attention is None:
            mean = words.sum(1) / lengths.unsqueeze(1)
        else:
            scores = self.self_attention(words).squeeze(-1).masked_fill(padding, -1e9)
            mean = (functional.softmax(scores, -1).unsqueeze(1) @ words).squeeze(1)
        hidden = torch.tanh(self.initial_state(mean))
        return DecoderState(words, padding, (hidden, torch.zeros_like(hidden)))

    def encode_frames(self, frames: Tensor) -> Frame:
        """Encode feature maps, (frames, channels, rows, columns); in bfloat16 while training."""
        count = len(frames)
        frames = frames if self.config.vision else torch.zeros_like(frames[:1])
        frames = frames.to(torch.bfloat16 if self.training else torch.float32)
        with torch.autocast(frames.device.type, torch.bfloat16, enabled=self.training):
            if self.channel_reduction is not None:
                frames = torch.relu(self.channel_reduction(frames))
            reduced = self.dropout(torch.relu(self.channel_projection(frames)))
            vectors = self.frame_projection(reduced.flatten(1))
        vectors, maps = torch.relu(vectors.float()), reduced.float().flatten(2)
        return Frame(vectors.expand(count, -1), maps.expand(count, -1, -1))

    def step(self, state: DecoderState, frame: Frame, previous_action: Tensor) -> tuple[Logits, DecoderState]:
        """The logits of one step after previous actions, (batch,), and the state after it."""
        inputs = self._inputs(frame.vector, previous_action)
        decoded, state = self._recur(state, self._input_gates(inputs), frame.map, self._recurrent_weights())
        return self._logits(inputs, decoded), state

    def masks(self, state: Tensor) -> Tensor:
        """The logits of masks' cells, (steps, cells), of decoder features, (steps, size)."""
        found = torch.relu(self.mask_head(state)).view(len(state), -1, self.mask_side, self.mask_side)
        last = len(self.mask_deconvolutions) - 1
        for number, deconvolution in enumerate(self.mask_deconvolutions):
            if self.config.pixels and number < last:
                found = functional.interpolate(found, scale_factor=2.0, mode="bilinear", align_corners=False)
            found = deconvolution(found)
            if number < last:
                found = torch.relu(found)
        if self.config.pixels:
            found = functional.interpolate(found, (MASK_PX, MASK_PX), mode="bilinear", align_corners=False)
        return found.flatten(1)

    def entry_points(self) -> Mapping[str, EntryPoint]:
        """`encode_language` reads the words; `step` takes a frame and gives actions, types and a mask."""
        tokens = torch.ones(1, 2, dtype=torch.int64)
        frame, previous = torch.zeros(1, *self.frame_shape), torch.tensor([START])
        inputs = {**self._run_encode(tokens), "frame": frame, "previous_action": previous}
        return {
            "encode_language": EntryPoint(self._run_encode, {"tokens": tokens}, {"tokens": (1,)}),
            "step": EntryPoint(self._run_step, inputs, {"words": (1,)}),
        }

    def _run_encode(self, tokens: Tensor) -> dict[str, Tensor]:
        state = self.encode_language(tokens)
        return {"words": state.words, "hidden": state.lstm[0], "cell": state.lstm[1]}

    def _run_step(
        self, words: Tensor, hidden: Tensor, cell: Tensor, frame: Tensor, previous_action: Tensor
    ) -> dict[str, Tensor]:
        padding = torch.zeros_like(words[:, :, 0], dtype=torch.bool)
        state = DecoderState(words, padding, (hidden, cell))
        logits, after = self.step(state, self.encode_frames(frame), previous_action)
        found = {"actions": logits.actions[0], "mask": self.masks(logits.state)[0]}
        if self.config.things:
            found["types"] = self.type_head(logits.state)[0]
        return {**found, "hidden": after.lstm[0], "cell": after.lstm[1]}

    def _bidirectional(self, embedded: Tensor, lengths: Tensor) -> Tensor:
        """Word states in both directions; a batch of one has no padding and is not packed."""
        if len(embedded) == 1:
            alone: Tensor = self.word_encoder(embedded)[0]
            return alone
        packed = pack_padded_sequence(embedded, lengths.cpu(), batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.word_encoder(packed)[0], True, total_length=embedded.shape[1])[0]

    def _inputs(self, vectors: Tensor, previous_actions: Tensor) -> Tensor:
        """The decoder's inputs that do not depend on its state: frames and previous actions."""
        found: Tensor = self.dropout(torch.cat([vectors, self.action_embedding(previous_actions)], -1))
        return found

    def _input_gates(self, inputs: Tensor) -> Tensor:
        """The part of the LSTM's gates that follows from `_inputs`, with the biases."""
        weights = self.decoder.weight_ih[:, : inputs.shape[-1]]
        return functional.linear(inputs, weights, self.decoder.bias_ih + self.decoder.bias_hh)

    def _recurrent_weights(self) -> Tensor:
        """The weights of the gates for attended words, attended cells and the hidden state."""
        inputs = self.config.frame + self.config.embedding
        return torch.cat([self.decoder.weight_ih[:, inputs:], self.decoder.weight_hh], 1)

    def _recur(
        self, state: DecoderState, input_gates: Tensor, frame: Tensor, weights: Tensor
    ) -> tuple[Tensor, DecoderState]:
        """Attend to words and frame by the hidden state, then update the LSTM.

        Returns:
            Attended words, scores of the frame's cells and hidden state, (batch, size); and the state.
        """
        hidden, cell = state.lstm
        query = self.word_query(hidden).unsqueeze(-1)
        scores = (state.words @ query).squeeze(-1).masked_fill(state.padding, -1e9)
        attended = self.dropout((functional.softmax(scores, -1).unsqueeze(1) @ state.words).squeeze(1))
        if self.config.seeking:
            query = self.frame_query(torch.cat([attended, hidden], -1)).unsqueeze(1)
            attended = torch.cat([attended, (query @ frame).squeeze(1)], -1)
        gates = input_gates + functional.linear(torch.cat([attended, hidden], -1), weights)
        input_gate, forget_gate, candidate, output_gate = gates.chunk(4, -1)
        cell = torch.sigmoid(forget_gate) * cell + torch.sigmoid(input_gate) * torch.tanh(candidate)
        hidden = torch.sigmoid(output_gate) * torch.tanh(cell)
        return torch.cat([attended, self.dropout(hidden)], -1), state._replace(lstm=(hidden, cell))

    def _logits(self, inputs: Tensor, decoded: Tensor) -> Logits:
        state = torch.cat([inputs, decoded], -1)
        actions, *monitors = (
            head(state) for head in (self.action_head, self.progress_head, self.subgoal_head)
        )
        return Logits(actions, state, *(each.squeeze(-1) for each in monitors))


def network(folder: Path, card: Card) -> Seq2Seq:
    """Build the network of a checkpoint, without its weights."""
    config = read_config(folder, card, Seq2SeqConfig)
    return Seq2Seq(config, len(card.vocabulary["words"]), encoder_of(config.encoder, folder).shape)
