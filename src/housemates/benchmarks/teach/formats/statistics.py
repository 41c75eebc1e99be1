"""Numbers of a set of sessions: how many, how long, what was said and what was touched."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import Any

from housemates.benchmarks.teach.formats import instances
from housemates.benchmarks.teach.formats.episodes import Game, Interaction
from housemates.benchmarks.teach.tasks.catalogue import check, dataset_tasks, game_task, with_custom
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER
from housemates.data.store import Store
from housemates.reporting.parts_of_speech import tagged

TOKEN = re.compile(r"\w+(?=n't)|n't|'\w+|\w+|[^\w\s]")


@dataclass
class TaskSessions:
    """What is counted of the sessions of one task."""

    params: set[tuple[str, ...]] = field(default_factory=set)
    scenes: set[str] = field(default_factory=set)
    complete: list[bool] = field(default_factory=list)
    utterances: list[int] = field(default_factory=list)
    follower_actions: list[int] = field(default_factory=list)
    all_actions: list[int] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """The task's row of the paper's Table 2, with the share of sessions that ended complete."""
        return {
            "variants": len(self.params),
            "scenes": len(self.scenes),
            "sessions": len(self.complete),
            "complete": _mean(self.complete),
            **_mean_and_deviation("utterances", self.utterances),
            **_mean_and_deviation("follower_actions", self.follower_actions),
            **_mean_and_deviation("all_actions", self.all_actions),
        }


@dataclass
class Statistics:
    """Everything that the tables and plots are made from."""

    store: Store | None = None
    """What is known about the floor plans of the sessions."""
    per_task: dict[str, TaskSessions] = field(default_factory=lambda: defaultdict(TaskSessions))
    overall: TaskSessions = field(default_factory=TaskSessions)
    objects: Counter[str] = field(default_factory=Counter)
    """Types of what the Follower touched."""
    words: Counter[str] = field(default_factory=Counter)
    parts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Part of speech -> its words."""
    utterances: dict[int, list[int]] = field(default_factory=lambda: {COMMANDER: [], FOLLOWER: []})
    """By speaker: utterances in each session."""
    tokens: dict[int, list[int]] = field(default_factory=lambda: {COMMANDER: [], FOLLOWER: []})
    """By speaker: tokens in each utterance."""
    edh: dict[str, list[int]] = field(
        default_factory=lambda: {
            "history_utterances": [],
            "history_actions": [],
            "future_actions": [],
            "future_interactions": [],
        }
    )
    """Lengths of the EDH instances."""

    def add(self, game: Game) -> None:
        """Add one session to the counts."""
        interactions = game.episode.interactions
        spoken = [each for each in interactions if each.text is not None]
        acted = [each for each in interactions if each.agent_id == FOLLOWER and each.text is None]
        complete, cut = _complete(game), list(instances.cut_edh(game, store=self.store))
        for group in (self.per_task[game.task.task_name], self.overall):
            group.params.add((game.task.task_name, *game.task.params))
            group.scenes.add(game.plan)
            group.complete.append(complete)
            group.utterances.append(len(spoken))
            group.follower_actions.append(len(acted))
            group.all_actions.append(len(interactions))
        self._add_language(spoken)
        self.objects.update(
            str(each.oid).split("|")[0] for each in acted if each.action.touches and each.success and each.oid
        )
        for edh in cut:
            self._add_edh(edh)

    def _add_language(self, spoken: Sequence[Interaction]) -> None:
        for speaker, counts in self.utterances.items():
            counts.append(sum(each.agent_id == speaker for each in spoken))
        for each in spoken:
            found = [token.lower() for token in TOKEN.findall(each.text or "")]
            self.words.update(found)
            for word, part in tagged(found):
                self.parts[part][word] += 1
            self.tokens[each.agent_id].append(len(found))

    def _add_edh(self, edh: instances.Edh) -> None:
        self.edh["history_utterances"].append(len(edh.dialog_history))
        self.edh["history_actions"].append(len(edh.driver_action_history))
        self.edh["future_actions"].append(len(edh.driver_actions_future))
        self.edh["future_interactions"].append(
            sum(action.obj_interaction_action for action in edh.driver_actions_future)
        )

    def _groups(self) -> Iterator[tuple[str, TaskSessions]]:
        known = [name for name in dataset_tasks().values() if name in self.per_task]
        for name in (*known, *sorted(set(self.per_task) - set(known))):
            yield name, self.per_task[name]
        yield "overall", self.overall

    def summary(self) -> dict[str, Any]:
        """Plain numbers: the tables, without the paper's beside them."""
        speakers = {"commander": COMMANDER, "follower": FOLLOWER}
        language: dict[str, Any] = {}
        for name, speaker in speakers.items():
            language[f"{name}_utterances"] = _mean(self.utterances[speaker])
            language[f"{name}_words"] = _mean(self.tokens[speaker])
        return {
            "sessions": len(self.overall.complete),
            "edh_instances": len(self.edh["future_actions"]),
            "tasks": {name: group.row() for name, group in self._groups()},
            "language": {**language, "vocabulary": len(self.words)},
            "edh_lengths": {name: _mean(values) for name, values in self.edh.items()},
        }


def _complete(game: Game) -> bool:
    final = game.episode.final_state
    objects = with_custom(final.objects, final.custom_object_metadata)
    return check(game_task(game.task.definition(), game.id), objects).success


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 2) if values else 0.0


def _mean_and_deviation(name: str, values: Sequence[float]) -> dict[str, float]:
    return {name: _mean(values), f"{name}_sd": round(pstdev(values), 2) if values else 0.0}
