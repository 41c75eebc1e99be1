"""Counting what is in a set of trajectories: tasks, actions, objects, language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from housemates.benchmarks.alfred.formats.episodes import Params, Plan, Trajectory
from housemates.benchmarks.alfred.tasks.goals import TITLES
from housemates.reporting.parts_of_speech import tagged

WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
MOST_WORDS = 100
LATER_TOKENS = 6
"""Directives of one demonstration up to which new words are counted."""


@dataclass
class Statistics:
    """The counts of a set of trajectories."""

    trajectories: int = 0
    annotations: int = 0
    scenes: set[str] = field(default_factory=set)
    samples: set[tuple[str, ...]] = field(default_factory=set)
    """Different task parameters: type, scene, object, receptacle, movable receptacle."""
    tasks: Counter[str] = field(default_factory=Counter)
    subgoals: dict[str, Counter[str]] = field(default_factory=dict)
    """Task type -> how often each kind of sub-goal occurs."""
    actions: Counter[str] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)
    """Low actions of each demonstration."""
    objects: Counter[str] = field(default_factory=Counter)
    receptacles: Counter[str] = field(default_factory=Counter)
    goal_tokens: list[int] = field(default_factory=list)
    instruction_tokens: list[int] = field(default_factory=list)
    """Tokens of all instructions of a directive together."""
    sentences: int = 0
    words: Counter[str] = field(default_factory=Counter)
    parts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Part of speech -> its words."""
    new_tokens: dict[int, list[int]] = field(default_factory=dict)
    """Number of a demonstration's directive -> tokens that those before it did not have."""

    def add(self, trajectory: Trajectory) -> None:
        """Add one record to the counts."""
        self.trajectories += 1
        self.scenes.add(trajectory.scene.floor_plan)
        self._add_language(trajectory)
        plan, params = trajectory.plan, trajectory.pddl_params
        if isinstance(plan, Plan) and isinstance(params, Params):
            title = TITLES.get(str(trajectory.task_type), str(trajectory.task_type))
            self.tasks[title] += 1
            self._add_plan(title, plan)
            self._add_params(title, trajectory.scene.floor_plan, params)

    def _add_plan(self, title: str, plan: Plan) -> None:
        self.lengths.append(len(plan.low_actions))
        self.actions.update(low.name for low in plan.low_actions)
        names = [high.discrete_action.action for high in plan.high_pddl]
        self.subgoals.setdefault(title, Counter()).update(name for name in names if name != "NoOp")

    def _add_params(self, title: str, scene: str, params: Params) -> None:
        kind = params.object_target + ("Sliced" if params.object_sliced else "")
        self.objects[kind] += 1
        if params.parent_target:
            self.receptacles[params.parent_target] += 1
        self.samples.add(
            (title, scene, kind, params.parent_target, params.mrecep_target, params.toggle_target)
        )

    def _add_language(self, trajectory: Trajectory) -> None:
        known: set[str] = set()
        for number, each in enumerate(trajectory.turk_annotations.anns):
            self.annotations += 1
            goal = tokens(each.task_desc)
            steps = [word for sentence in each.high_descs for word in tokens(sentence)]
            self.sentences += len(each.high_descs)
            self.goal_tokens.append(len(goal))
            self.instruction_tokens.append(len(steps))
            self.words.update(goal + steps)
            for sentence in (each.task_desc, *each.high_descs):
                for word, part in tagged(tokens(sentence)):
                    self.parts[part][word] += 1
            fresh = {*goal, *steps} - known
            if number < LATER_TOKENS:
                self.new_tokens.setdefault(number + 1, []).append(len(fresh))
            known |= fresh

    def summary(self) -> dict[str, Any]:
        """The counts as plain values."""
        return {
            "trajectories": self.trajectories,
            "annotations": self.annotations,
            "instructions": self.sentences,
            "scenes": len(self.scenes),
            "task_parameters": len(self.samples),
            "object_classes": len(self.objects),
            "receptacle_classes": len(self.receptacles),
            "tasks": dict(self.tasks.most_common()),
            "actions": dict(self.actions.most_common()),
            "actions_mean": _mean(self.lengths),
            "actions_median": median(self.lengths) if self.lengths else None,
            "image_action_pairs": sum(self.lengths),
            "goal_tokens_mean": _mean(self.goal_tokens),
            "instruction_tokens_mean": _mean(self.instruction_tokens),
            "vocabulary": len(self.words),
            "new_tokens_per_directive": {n: _mean(found) for n, found in sorted(self.new_tokens.items())},
        }


def tokens(text: str) -> list[str]:
    """The words of a sentence in small letters, without punctuation."""
    return WORD.findall(text.lower())


def _mean(values: list[int]) -> float | None:
    return round(mean(values), 2) if values else None
