"""How like people a Commander is: distances between what is counted in its sessions and in recorded ones.

Each measure is a histogram. Its score is 100 where sessions are as far from the recorded ones as halves of
those are from each other, and 0 where they have nothing in common; `docs/simulated-people.md` defines it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from housemates.agents.reader.language.decoding import decode_dialogue
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.text import dialogue
from housemates.agents.teach.people.acts import Tagger
from housemates.agents.teach.people.delexicalisation import nouns_of, tokens_of
from housemates.agents.teach.people.places import place_of
from housemates.agents.teach.people.policy import contexts_of
from housemates.agents.teach.people.turns import Turn, played, recorded, turns_of
from housemates.benchmarks.teach.formats.episodes import Game
from housemates.core.actions import Act
from housemates.core.percepts import Utterance
from housemates.errors import HousematesError
from housemates.evaluation.results import read_episodes, read_header, read_transcripts

SPLITS = 40
"""Random halves over which distances are averaged."""
STEPS = (0, 1, 2, 4, 8, 16, 32, 64)
"""Lower ends of the bins of counts."""
Histogram = Counter[Hashable]
Measures = dict[str, Histogram]


class Session(NamedTuple):
    """What is counted of one session: a histogram for each measure."""

    id: str
    measures: Measures


class Task(NamedTuple):
    """The task of a session, to see whether its words tell it."""

    name: str
    params: tuple[str, ...]


GROUPS: Mapping[str, tuple[str, ...]] = {
    "lengths": ("words a line", "words a turn", "lines a turn", "turns a session", "words a session"),
    "dialogue acts": ("acts", "pairs of acts", "acts after what was heard"),
    "timing": ("touches between turns", "steps between turns", "silence", "checks and searches"),
    "what is mentioned": ("things", "words", "forms"),
    "places": ("when told", "how told"),
    "how Followers fare": ("task told", "touches a session", "Follower's turns"),
}
"""Group -> its measures; the index is the mean over groups of their means."""


def counted(name: str, turns: Sequence[Turn], task: Task, taggers: Mapping[str, Tagger]) -> Session:
    """The histograms of a session."""
    found: Measures = defaultdict(Counter)
    own = [each for each in turns if each.role == "commander"]
    tags = {id(each): taggers[each.role].acts(each.lines) or ("other",) for each in turns}

    def acts_of(turn: Turn) -> tuple[str, ...]:
        return tags[id(turn)]

    _lengths(found, own)
    _timing(found, turns, acts_of)
    _places(found, turns, acts_of)
    for turn in own:
        tokens = tokens_of(turn.text)
        found["words"].update(tokens)
        found["things"].update(each.types[0] for each in nouns_of(tokens))
        found["forms"].update(map(_form, turn.lines))
        found["acts"].update(acts_of(turn))
    flat = ["<", *((each.role[0], act) for each in turns for act in acts_of(each)), ">"]
    found["pairs of acts"].update((one, other) for one, other in pairwise(flat) if "c" in (one[0], other[0]))
    found["task told"][_is_told(turns, task)] += 1
    touches = sum(len(each.touched) for each in turns) + len(turns[-1].ahead if turns else ())
    found["touches a session"][_bin(touches)] += 1
    found["Follower's turns"][_bin(len(turns) - len(own))] += 1
    return Session(name, dict(found))


def _lengths(found: Measures, own: Sequence[Turn]) -> None:
    for turn in own:
        words = [len(tokens_of(line)) for line in turn.lines]
        found["words a line"].update(map(_bin, words))
        found["words a turn"][_bin(sum(words))] += 1
        found["lines a turn"][min(len(words), 4)] += 1
    found["turns a session"][_bin(len(own))] += 1
    found["words a session"][_bin(sum(len(tokens_of(each.text)) for each in own))] += 1


def _timing(found: Measures, turns: Sequence[Turn], acts_of: Callable[[Turn], tuple[str, ...]]) -> None:
    """What the Follower does between the Commander's turns, and after which acts nothing is said."""
    touches = steps = 0
    for turn in turns:
        touches, steps = touches + len(turn.touched), steps + turn.steps
        if turn.role == "commander":
            found["touches between turns"][_bin(touches)] += 1
            found["steps between turns"][_bin(steps)] += 1
            found["checks and searches"][turn.checked, turn.searched] += 1
            touches = steps = 0
    for context, acts in contexts_of(turns, acts_of):
        found["silence"][context.stage, context.heard, acts == "silent"] += 1
        found["acts after what was heard"][context.heard, acts.split("+")[0]] += 1


def _places(found: Measures, turns: Sequence[Turn], acts_of: Callable[[Turn], tuple[str, ...]]) -> None:
    """When places are told, after which act and in which third of the session; and in which shape."""
    for number, turn in enumerate(turns):
        if turn.role != "commander" or "locate" not in acts_of(turn):
            continue
        before = acts_of(turns[number - 1])[-1] if number and turns[number - 1].role == "follower" else "-"
        with_order = "instruct" in acts_of(turn)
        found["when told"][before == "where", with_order, 3 * number // len(turns)] += 1
        for place in filter(None, map(place_of, turn.lines)):
            found["how told"][place.shape] += 1


def _form(line: str) -> tuple[bool, bool, bool, bool]:
    """How a line is typed: a capital at the beginning, a stop at the end, a polite word, a digit."""
    polite = "please" in line.lower() or "can you" in line.lower() or "could you" in line.lower()
    return line[:1].isupper(), line[-1:] in ".!?", polite, any(each.isdigit() for each in line)


def _is_told(turns: Sequence[Turn], task: Task) -> bool:
    """Whether the reader's network reads the task with all parameters from what was said."""
    said = [Utterance(each.role, line) for each in turns for line in each.lines]
    if not said:
        return False
    network, words = shipped_network(), dialogue(said)
    best = decode_dialogue(network.card, network.log_probs(words), words)[0].task
    return best.name == task.name and tuple(best.params) == task.params


def _bin(count: int) -> int:
    return max((number for number, low in enumerate(STEPS) if count >= low), default=0)


def of_game(game: Game, taggers: Mapping[str, Tagger]) -> Session:
    """What is counted of a recorded session."""
    turns = turns_of(recorded(game.episode.interactions))
    return counted(game.id, turns, Task(game.task.task_name, game.task.params), taggers)


def of_run(folder: Path, tasks: Mapping[str, Task], taggers: Mapping[str, Tagger]) -> Iterator[Session]:
    """What is counted of the sessions of a run of TATC on these games."""
    header = read_header(folder)
    if header.name != "teach-tatc":
        raise HousematesError(f"{folder}: expected a run of teach-tatc, found one of {header.name}.")
    results = {each.id for each in read_episodes(folder) if not each.error}
    for each in read_transcripts(folder):
        game = each.id.removesuffix(".tatc")
        if each.id not in results or game not in tasks:
            continue
        events = [
            played(step.role, Act(step.act.name, step.act.arguments), step.success, _object(step.data))
            for step in each.steps
            if step.act is not None
        ]
        yield counted(game, turns_of(events), tasks[game], taggers)


def _object(data: Mapping[str, object]) -> str:
    return str(data.get("object") or "")


class Score(NamedTuple):
    """The index of some sessions, and what it is made of."""

    overall: float
    groups: dict[str, float]
    measures: dict[str, float]


def score(sessions: Sequence[Session], people: Sequence[Session], seed: int = 0) -> Score:
    """How like people's sessions others are.

    Args:
        sessions: Those that are judged.
        people: Recorded ones.
        seed: Of the halves.
    """
    rng = np.random.default_rng(seed)
    apart: dict[str, list[float]] = defaultdict(list)
    usual: dict[str, list[float]] = defaultdict(list)
    for _ in range(SPLITS):
        one, other = _halves(people, rng)
        mine, _ = _halves(sessions, rng)
        size = min(len(one), len(mine))
        one, mine = one[:size], mine[:size]
        ours, first, second = map(_pooled, (mine, one, other))
        for measure in (each for group in GROUPS.values() for each in group):
            usual[measure].append(distance(first[measure], second[measure]))
            apart[measure].append(distance(ours[measure], second[measure]))
    scores = {each: _score(fmean(apart[each]), fmean(usual[each])) for each in apart}
    groups = {name: fmean(scores[each] for each in measures) for name, measures in GROUPS.items()}
    return Score(fmean(groups.values()), groups, scores)


def _score(apart: float, usual: float) -> float:
    """100 at the distance of halves of people or nearer, 0 at the largest distance there is."""
    return 100.0 * min(1.0, (1.0 - apart) / (1.0 - usual)) if usual < 1.0 else 100.0


def _halves(sessions: Sequence[Session], rng: np.random.Generator) -> tuple[list[Session], list[Session]]:
    order = rng.permutation(len(sessions))
    half = (len(sessions) + 1) // 2
    return [sessions[at] for at in order[:half]], [sessions[at] for at in order[half:]]


def _pooled(sessions: Iterable[Session]) -> Mapping[str, Histogram]:
    found: Measures = defaultdict(Counter)
    for each in sessions:
        for measure, counts in each.measures.items():
            found[measure].update(counts)
    return found


def distance(one: Mapping[Hashable, int], other: Mapping[Hashable, int]) -> float:
    """Total variation between two histograms, from 0 to 1; 1 if just one of them is empty."""
    if not one or not other:
        return float(bool(one) != bool(other))
    totals = sum(one.values()), sum(other.values())
    keys = {**dict.fromkeys(one), **dict.fromkeys(other)}
    return sum(abs(one.get(key, 0) / totals[0] - other.get(key, 0) / totals[1]) for key in keys) / 2
