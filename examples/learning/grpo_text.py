"""GRPO with a small transformer, trained from scratch on the text of new ALFWorld games, in one file.

nice python examples/learning/grpo_text.py --minutes 5 --seed 0 --log out/grpo_text-0.jsonl

It learns to write commands word by word: first by imitation of an expert that sees the whole game, so that it
does not learn to search; then by GRPO, in groups of episodes that are forked from the same start. What it
writes is one of the commands that are possible, everything else is read. Rewards are the environment's.
Prints one JSON line an evaluation: CPU-minutes and the share of successes in games of another seed; the last
line has the gain over the start of GRPO, game by game, and its 95 % interval.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import gymnasium
import numpy as np
import torch
import tyro
from torch import Tensor, nn
from torch.nn import functional

import housemates  # noqa: F401  (registers the environments)
from housemates.agents.alfworld.expert import next_command
from housemates.core.episode import Episode

ROLE, END = "agent", "."
_WORD = re.compile(r"[a-z]+|[0-9]+")


@dataclass
class Args:
    """How to learn."""

    env: str = "housemates/alfworld-v1"
    task: str = "pick_and_place_simple"
    """Type of the games."""
    minutes: float = 5.0
    """CPU-minutes, imitation included."""
    seed: int = 0
    """Of the games, of the network, and of what is tried."""
    games: int = 128
    """Games to learn in."""
    shown: int = 600
    """Demonstrations in them."""
    astray: int = 4
    """Commands by chance before a demonstration, at most."""
    imitated: int = 450
    """Batches of imitation."""
    rate: float = 1e-3
    """Of learning, in imitation."""
    rate_grpo: float = 3e-4
    commands: int = 20
    """Of an episode, at most."""
    longest: int = 320
    """Words of an episode, at most."""
    width: int = 64
    layers: int = 2
    heads: int = 4
    groups: int = 16
    """Starts of an update."""
    members: int = 8
    """Episodes from each start."""
    batch: int = 16
    """Episodes of a minibatch."""
    clip: float = 0.2
    evaluate_every: int = 10
    """Updates between evaluations."""
    evaluated: int = 128
    """Games of an evaluation."""
    log: Path | None = None
    """Where the lines that are printed are kept, too."""


class Words:
    """The numbers of words; those that were not met in the demonstrations share one."""

    def __init__(self, size: int = 512) -> None:
        self.size, self._numbers = size, {"": 0, END: 1}

    def __call__(self, text: str) -> list[int]:
        """A text as numbers; the last number of all is for words that are not known."""
        return [
            self._numbers.setdefault(each, len(self._numbers))
            if len(self._numbers) < self.size - 1
            else self._numbers.get(each, self.size - 1)
            for each in _WORD.findall(text.lower())
        ]

    def command(self, text: str) -> list[int]:
        """A command, with its end."""
        return [*self(text), 1]


@dataclass
class Stream:
    """An episode as one line of words: what is read, and what is written."""

    episode: Episode
    words: Words
    numbers: list[int] = field(default_factory=list)
    """The words so far."""
    chosen: list[int] = field(default_factory=list)
    """Where the words stand that were written."""
    allowed: list[np.ndarray] = field(default_factory=list)
    """Which words would have been possible there."""
    weights: list[float] = field(default_factory=list)
    """Log-probabilities of what was written."""

    def __post_init__(self) -> None:
        self.ahead: list[int] = [0, *self.words(self.episode.session.goal(ROLE))]
        """What is still to be read: the task, at first; what there is in the room shows in the commands."""
        self._offer()

    def _offer(self) -> None:
        offered = self.episode.percept().offers[0].arguments[0].choices
        self._open = [(each, self.words.command(each)) for each in offered]
        self._written = 0

    def possible(self) -> np.ndarray:
        """Which words go on with a command."""
        found = np.zeros(self.words.size, np.bool_)
        found[[numbers[self._written] for _, numbers in self._open]] = True
        return found

    def read(self) -> None:
        """Go on by a word that is not the policy's."""
        self.numbers.append(self.ahead.pop(0))

    def write(self, number: int, weight: float, allowed: np.ndarray) -> None:
        """Go on by a word of the policy; the last of a command carries it out."""
        self.chosen.append(len(self.numbers))
        self.allowed.append(allowed)
        self.weights.append(weight)
        self.numbers.append(number)
        self._open = [each for each in self._open if each[1][self._written] == number]
        self._written += 1
        if number == 1:
            self.episode.act(ROLE, self._open[0][0])
            self.ahead = self.words(self.episode.percept(ROLE).text)
            if not self.episode.over:
                self._offer()

    def forget(self) -> None:
        """Count what was written so far as read."""
        self.chosen, self.allowed, self.weights = [], [], []

    @property
    def won(self) -> float:
        """1 for success."""
        return float(self.episode.session.won)


class Transformer(nn.Module):
    """Words in, logits of the next word out."""

    def __init__(self, args: Args, vocabulary: int) -> None:
        super().__init__()
        width = args.width
        self.heads, self.longest = args.heads, args.longest
        self.words = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(args.longest, width)
        nn.init.normal_(self.words.weight, std=0.1)
        nn.init.normal_(self.places.weight, std=0.1)
        self.layers = nn.ModuleList(
            nn.ModuleDict(
                {
                    "before": nn.LayerNorm(width),
                    "attend": nn.Linear(width, 3 * width),
                    "mix": nn.Linear(width, width),
                    "between": nn.LayerNorm(width),
                    "think": nn.Sequential(
                        nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
                    ),
                }
            )
            for _ in range(args.layers)
        )
        self.after = nn.LayerNorm(width)

    def cache(self, count: int) -> Tensor:
        """Room for the keys and values of so many streams."""
        width = self.words.embedding_dim
        return torch.zeros(len(self.layers), 2, count, self.heads, self.longest, width // self.heads)

    def forward(self, numbers: Tensor, cache: Tensor | None = None, at: int = 0) -> Tensor:
        """What follows each word: streams x words x width; with a cache, of the one word at a place."""
        count, length = numbers.shape
        found = self.words(numbers) + self.places.weight[at : at + length]
        for number, layer in enumerate(self.layers):
            parts = layer["attend"](layer["before"](found)).view(count, length, 3, self.heads, -1)
            query, key, value = parts.permute(2, 0, 3, 1, 4)
            if cache is not None:
                cache[number, 0, :, :, at], cache[number, 1, :, :, at] = key[:, :, 0], value[:, :, 0]
                key, value = cache[number, :, :, :, : at + 1]
            mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=cache is None)
            found = found + layer["mix"](mixed.transpose(1, 2).reshape(count, length, -1))
            found = found + layer["think"](layer["between"](found))
        return self.after(found)

    def logits(self, found: Tensor, allowed: Tensor) -> Tensor:
        """Of words that are possible."""
        return (found @ self.words.weight.T).masked_fill(~allowed, -1e8)


@torch.no_grad()
def play(policy: Transformer, streams: Sequence[Stream]) -> None:
    """Write in all streams, one word of each at a time, until their episodes or their room end."""
    cache = policy.cache(len(streams))
    left = list(range(len(streams)))
    for at in range(policy.longest - 1):
        if any(at >= len(streams[each].numbers) for each in left):
            for each in left:
                if streams[each].ahead and len(streams[each].numbers) == at:
                    streams[each].read()
        found = policy(torch.tensor([[streams[each].numbers[at]] for each in left]), cache, at)[:, 0]
        writing = [row for row, each in enumerate(left) if not streams[each].ahead]
        if writing:
            allowed = np.stack([streams[left[row]].possible() for row in writing])
            logs = policy.logits(found[writing], torch.from_numpy(allowed)).log_softmax(-1)
            chosen = logs.exp().multinomial(1)
            weights = logs.gather(1, chosen)[:, 0].tolist()
            for row, number, weight, could in zip(
                writing, chosen[:, 0].tolist(), weights, allowed, strict=True
            ):
                streams[left[row]].write(number, weight, could)
        stay = [row for row, each in enumerate(left) if not streams[each].episode.over]
        if len(stay) < len(left):
            left = [left[row] for row in stay]
            cache = cache[:, :, stay]
        if not left:
            return


def demonstration(episode: Episode, words: Words, args: Args) -> Stream:
    """The expert's stream, after a few commands by chance, which are not to be imitated."""
    stream = Stream(episode, words)
    chance = int(torch.randint(args.astray + 1, ()))
    while not episode.over and len(stream.numbers) + len(stream.ahead) < args.longest - 8:
        while stream.ahead:
            stream.read()
        command = next_command(episode.session.play)
        if chance:
            offered = episode.percept(ROLE).offers[0].arguments[0].choices
            command = offered[int(torch.randint(len(offered), ()))]
        for number in words.command(command):
            stream.write(number, 0.0, stream.possible())
        if chance:
            chance -= 1
            stream.forget()
    return stream


def written(policy: Transformer, streams: Sequence[Stream]) -> Tensor:
    """The log-probabilities of all words that were written, stream after stream."""
    length = max(len(each.numbers) for each in streams)
    numbers = torch.zeros(len(streams), length, dtype=torch.long)
    for row, each in enumerate(streams):
        numbers[row, : len(each.numbers)] = torch.tensor(each.numbers)
    rows = torch.tensor([row for row, each in enumerate(streams) for _ in each.chosen])
    places = torch.tensor([place for each in streams for place in each.chosen])
    allowed = torch.from_numpy(np.concatenate([each.allowed for each in streams]))
    found = policy(numbers)[rows, places - 1]
    return policy.logits(found, allowed).log_softmax(-1).gather(1, numbers[rows, places][:, None])[:, 0]


def descend(policy: Transformer, optimizer: torch.optim.Optimizer, loss: Tensor) -> None:
    """One step."""
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optimizer.step()


def imitate(policy: Transformer, shown: Sequence[Stream], args: Args) -> None:
    """Learn to write what was written."""
    optimizer = torch.optim.AdamW(policy.parameters(), lr=args.rate, weight_decay=0.01)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, args.imitated)
    for _ in range(args.imitated):
        batch = [shown[int(each)] for each in torch.randint(len(shown), (args.batch,))]
        descend(policy, optimizer, -written(policy, batch).mean())
        plan.step()


def improve(
    policy: Transformer, optimizer: torch.optim.Optimizer, starts: Sequence[Episode], words: Words, args: Args
) -> float:
    """One update of GRPO; the share of successes in its episodes."""
    streams = [Stream(start.fork(), words) for start in starts for _ in range(args.members)]
    play(policy, streams)
    won = torch.tensor([each.won for each in streams]).view(len(starts), args.members)
    gains = ((won - won.mean(1, keepdim=True)) / (won.std(1, keepdim=True) + 1e-6)).flatten()
    useful = [number for number in torch.randperm(len(streams)).tolist() if gains[number]]
    for first in range(0, len(useful), args.batch):
        part = useful[first : first + args.batch]
        batch = [streams[each] for each in part]
        now = written(policy, batch)
        ratio = (now - torch.tensor([weight for each in batch for weight in each.weights])).exp()
        gain = gains[part].repeat_interleave(torch.tensor([len(each.chosen) for each in batch]))
        clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
        descend(policy, optimizer, -torch.min(ratio * gain, clipped * gain).mean())
    return float(won.mean())


def evaluate(policy: Transformer, starts: Sequence[Episode], words: Words) -> np.ndarray:
    """Success in episodes that begin so."""
    streams = [Stream(each.fork(), words) for each in starts]
    for first in range(0, len(streams), 100):
        play(policy, streams[first : first + 100])
    return np.array([each.won for each in streams])


def begun(env: gymnasium.Env[str, str], number: int) -> Episode:
    """The episode that a seed begins."""
    env.reset(seed=number)
    episode: Episode = env.unwrapped.episode.fork()
    return episode


def main(args: Args) -> list[dict[str, float]]:
    """Imitate, then improve, and print how it goes."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    began, words = time.process_time(), Words()
    told: list[dict[str, float]] = []

    def tell(**more: float) -> None:
        row = {"minutes": round((time.process_time() - began) / 60, 2)}
        told.append(row | {key: round(value, 3) for key, value in more.items()})
        print(json.dumps(told[-1]), flush=True)
        if args.log:
            args.log.write_text("".join(json.dumps(each) + "\n" for each in told))

    options = {"observations": "text", "split": "generated", "task": args.task, "steps": args.commands}
    games = gymnasium.make(args.env, seed=args.seed, supply=args.games, **options)
    other = gymnasium.make(args.env, seed=args.seed + 1000, supply=args.evaluated, **options)
    unseen = [begun(other, number) for number in range(args.evaluated)]
    shown = [demonstration(begun(games, number), words, args) for number in range(args.shown)]
    policy = Transformer(args, words.size)
    imitate(policy, shown, args)
    first = evaluate(policy, unseen, words)
    tell(update=0, unseen=first.mean())
    optimizer = torch.optim.AdamW(policy.parameters(), lr=args.rate_grpo, weight_decay=0.01)
    number, lately = 0, []
    while (time.process_time() - began) / 60 < args.minutes or not number:
        starts = [begun(games, int(each)) for each in torch.randint(1 << 30, (args.groups,))]
        lately.append(improve(policy, optimizer, starts, words, args))
        number += 1
        if number % args.evaluate_every == 0:
            last = evaluate(policy, unseen, words)
            tell(update=number, lately=float(np.mean(lately[-args.evaluate_every :])), unseen=last.mean())
    gain = evaluate(policy, unseen, words) - first
    tell(update=number, gain=gain.mean(), interval=1.96 * gain.std() / len(gain) ** 0.5)
    return told


if __name__ == "__main__":
    main(tyro.cli(Args))
