"""New episodes: a scene, a goal, a plan cut short, a meaning and an utterance, and an expert's answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from housemates.benchmarks.handmethat.generate import scenes
from housemates.benchmarks.handmethat.generate.demonstrate import demonstration
from housemates.benchmarks.handmethat.generate.stopping_rule import idle_moments, stop_range, stops
from housemates.benchmarks.handmethat.tasks import english, goals
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.benchmarks.handmethat.tasks.goals import Goal
from housemates.benchmarks.handmethat.tasks.logic import write_pddl
from housemates.benchmarks.handmethat.tasks.meanings import QUESTS, Grounded, Lexicon, Meaning
from housemates.benchmarks.handmethat.tasks.planning.plans import HumanPlan, human_plan
from housemates.benchmarks.handmethat.tasks.subgoals import Mind, helpful, mind, served_conjunct
from housemates.benchmarks.handmethat.world.dynamics import World
from housemates.errors import HousematesError
from housemates.files import shipped

SPLITS = {1: (0.8, 0.1, 0.1), 2: (0.9, 0.05, 0.05)}
"""Shares of train, validation and test in each version."""
SPLIT_NAMES = ("train", "validation", "test")
MAX_TRIES = 10_000


@dataclass(frozen=True)
class Settings:
    """All that decides an episode besides its seed and number."""

    version: int = 2
    planner: str = "exact"
    """`exact`, or `ff` for one conjunct after another by best-first search with the FF heuristic."""
    expert: str = "exact"
    """`exact`, or `ff` for greedy best-first search with the FF heuristic."""
    understood: str = "drawn"
    """What the listener of the hardness levels understands: a `drawn` meaning, as in the published version 2,
    or the `likeliest` one, as the paper says. Balanced levels always take the likeliest."""
    balanced: bool = False
    """Whether the levels take turns, so that each has as many episodes."""
    level: int | None = None
    """Keep only episodes of this level, as they come."""


class Spoken(NamedTuple):
    """A meaning, what she says for it, and the meaning that a listener understands."""

    meaning: int
    utterance: Meaning
    understood: int


@dataclass(frozen=True)
class Story:
    """What happened before the human speaks."""

    goal: Goal
    initial: World
    current: World
    plan: HumanPlan
    cut: int
    """How many actions of the plan she has done."""


MIN_CHANCE = 0.01
"""A state serves for a level if meanings and utterances of that level are at least this likely in it."""


def generate_one(seed: int, number: int = 0, settings: Settings = Settings()) -> Episode:  # noqa: B008
    """The episode with this number of the set with this seed."""
    rng = np.random.default_rng([seed, number, settings.version])
    level = number % 4 + 1 if settings.balanced else None
    quest = QUESTS[0]
    if settings.version == 1:
        counts = quest_counts(level)
        quest = QUESTS[int(rng.choice(len(QUESTS), p=counts / counts.sum()))]
    for _ in range(MAX_TRIES):
        made = _try(settings, number, quest, level, rng)
        if made is not None:
            return made
    raise HousematesError(f"No episode came of seed {seed}, number {number} in {MAX_TRIES} tries.")


def quest_counts(level: int | None) -> npt.NDArray[np.int64]:
    """Episodes of each quest type of version 1 (Table 20), at a level or at all levels."""
    published = shipped("housemates.benchmarks.handmethat", "published.toml")["levels"]["version_1"]
    counts = np.array([published[quest] for quest in QUESTS])
    return counts.sum(axis=1) if level is None else counts[:, level - 1]


def _try(
    settings: Settings, number: int, quest: str, level: int | None, rng: np.random.Generator
) -> Episode | None:
    if settings.version == 2:
        chosen = goals.version2()[number // (4 if settings.balanced else 1) % len(goals.version2())]
    else:
        chosen = int(rng.integers(len(goals.templates())))
    story = tell(goals.templates()[chosen], quest, settings, rng)
    if story is None:
        return None
    thoughts = mind(
        quest, helpful(quest, story.goal, story.current, story.plan.value), Lexicon(story.current)
    )
    spoken = None if thoughts is None else speak(thoughts, level, settings.understood, rng)
    if thoughts is None or spoken is None:
        return None
    if settings.level not in (None, thoughts.level(*spoken)):
        return None
    return _episode(story, thoughts, spoken, settings, number, rng)


def speak(thoughts: Mind, level: int | None, understood: str, rng: np.random.Generator) -> Spoken | None:
    """A meaning and an utterance; of this level if one is given, None if the state gives none such."""
    speech = thoughts.speech
    if level is None:
        meaning = int(rng.choice(len(thoughts.prior.meanings), p=thoughts.prior.probability))
        utterance = speech.utter(meaning, rng)
        drawn = understood == "drawn"
        heard = speech.draw_understood(utterance, rng) if drawn else speech.understood(utterance)
        return Spoken(meaning, utterance, heard)
    chances = thoughts.at_level(level)
    total = chances.sum()
    if total < MIN_CHANCE:
        return None
    row, column = divmod(int(rng.choice(chances.size, p=chances.ravel() / total)), chances.shape[1])
    utterance = speech.utterances[row]
    return Spoken(column, utterance, speech.understood(utterance))


def tell(template: goals.Template, quest: str, settings: Settings, rng: np.random.Generator) -> Story | None:
    """Sample a home and a goal, plan, and let the human do the first part; None if that gives no story."""
    initial = scenes.sample_world(rng)
    goal = goals.sample_goal(template, initial.scene, rng)
    if goal is not None and quest == "change_state" and not any(want.states for want in goal.wants):
        return None
    if goal is None or goals.satisfied(goal, initial):
        return None
    plan = human_plan(goal, initial, settings.planner, rng)
    if plan is None:
        return None
    current = initial.copy()
    cut = _cut(goal, plan, current, settings.version, rng)
    return None if cut is None else Story(goal, initial, current, plan, cut)


def _cut(goal: Goal, plan: HumanPlan, world: World, version: int, rng: np.random.Generator) -> int | None:
    """Do a random first part of the plan, up to a moment at which the human may ask; return its length."""
    length = len(plan.actions)
    low, high = stop_range(length) if version == 2 else (1, max(length - 2, 1))
    at = int(rng.integers(low, high + 1))
    if version == 2:
        moments = stops(goal, world, plan.actions, plan.conjuncts)
    else:
        moments = idle_moments(world, plan.actions)
    for position, free in enumerate(moments):
        if free and position >= at:
            return position if length - position > 1 and position > 2 else None
    return None


def _episode(
    story: Story,
    thoughts: Mind,
    spoken: Spoken,
    settings: Settings,
    number: int,
    rng: np.random.Generator,
) -> Episode | None:
    meant = thoughts.prior.meanings[spoken.meaning]
    level = thoughts.level(*spoken)
    extension = thoughts.prior.extensions[spoken.meaning]
    at_work = story.plan.conjuncts[story.cut]
    first = Grounded((extension & -extension).bit_length() - 1, meant.arg)
    served = served_conjunct(story.goal, story.current, meant.quest, first, at_work)
    if served is None or (settings.version == 2 and at_work not in (None, served)):
        return None
    demo = demonstration(story.current, meant, settings.expert)
    if demo is None:
        return None
    split = SPLIT_NAMES[int(rng.choice(3, p=SPLITS[settings.version]))]
    return Episode.of(
        name=f"task-{meant.quest}-{story.goal.number}-{number}-{level}",
        version=settings.version,
        goal=story.goal,
        initial=story.initial,
        current=story.current,
        actions=story.plan.actions[: story.cut],
        solution=story.plan.actions,
        meaning=meant,
        utterance=spoken.utterance,
        understood=thoughts.prior.meanings[spoken.understood],
        useful=tuple(thoughts.useful),
        level=level,
        subgoal=write_pddl(story.goal.conjuncts[served]),
        instruction=english.say(spoken.utterance, rng),
        demo=demo,
        split=split,
    )
