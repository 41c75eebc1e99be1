"""The Follower's benchmarks: Execution from Dialogue History, and Trajectory from Dialogue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any

from housemates.benchmarks.base import Agent, Instance, Limits, Session, Trace
from housemates.benchmarks.teach import metrics
from housemates.benchmarks.teach.agents import baselines
from housemates.benchmarks.teach.files import recordings as starts
from housemates.benchmarks.teach.files.episodes import Game, parse_game
from housemates.benchmarks.teach.files.instances import VARIANTS, cut_edh, cut_tfd, cuts, read_edh
from housemates.benchmarks.teach.files.instances import Edh as EdhInstance
from housemates.benchmarks.teach.files.recordings import UNKNOWN, Recordings
from housemates.benchmarks.teach.files.states import Past, recall
from housemates.benchmarks.teach.following import FollowerSession, Given, done, said
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import make
from housemates.benchmarks.teach.options import choose, whole_number
from housemates.benchmarks.teach.tasks.tdl.changes import changes_since
from housemates.parallel import track


class FollowerBenchmark:
    """What both have in common: a Follower on its own, from a moment of a recorded session."""

    name: str
    id: str
    roles = ("follower",)
    limits = Limits(steps=1000, failures=30)

    def __init__(
        self, games: str | None, store: str | None, only: str | None, pair: str, size: int | str
    ) -> None:
        self.split = ""
        self.recordings = Recordings.of_options(games, store, only)
        self.pair = choose("pair", pair, baselines.PAIRS)
        self.size = whole_number("size", size)

    def cut(self, game: Game) -> Iterator[tuple[str, Given]]:
        """The instances of a game with their ids."""
        raise NotImplementedError

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        """Those of the recorded games, in their order; for `generated`, of new sessions that a pair plays."""
        self.split = split
        if split == "generated":
            return list(islice(self.generated(seed), 120 if episodes is None else episodes))
        found = self.recordings.instances(split, seed, self.cut)
        return list(islice(track(found, None, f"{self.name} instances"), episodes))

    def generated(self, seed: int, first: int = 0) -> Iterator[Instance]:
        """Instances of new sessions without end, the twelve tasks in turn, from a number on."""
        for number in count(first):
            (drawn,) = sampling.draws(seed, 1, sampling.task_names(), first=number)
            for name, given in self.cut(parse_game(make(drawn, self.pair).game, drawn.id)):
                yield Instance(name, drawn.task, given, seed)

    def session(self, instance: Instance) -> FollowerSession:
        """Begin where the recorded Follower was."""
        starts.refuse_broken(instance)
        return FollowerSession(instance.data, self.size)

    def agents(self, name: str) -> Mapping[str, Agent]:
        """The Followers that `baselines.py` lists."""
        return {"follower": baselines.follower(name)}

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success and goal conditions; people's actions and one Stop are what length is weighed by."""
        assert isinstance(session, FollowerSession)
        reference = len(session.given.future) + 1
        made = metrics.attempt(session.beginning, session.progress(), reference, len(trace.steps))
        return metrics.scores(made)

    def summarise(self, scores: Sequence[tuple[Instance, dict[str, float]]]) -> dict[str, Any]:
        """The table of a run, beside the paper's Table 4 for the splits that it has."""
        return metrics.report(scores, self.name.removeprefix("teach-"), self.split)


class Edh(FollowerBenchmark):
    """Bring about what people changed before they spoke again."""

    name = "teach-edh"
    id = "housemates/teach-edh-v1"

    def __init__(
        self,
        games: str | None = None,
        store: str | None = None,
        only: str | None = None,
        edh: str | None = None,
        variant: str = "released",
        pair: str = "rule",
        size: int | str = 300,
    ) -> None:
        """Choose the instances.

        Args:
            games: Recorded games: files or folders, parted by commas.
            store: A folder of imported data: what is known about the games' floor plans.
            only: A file with the names of the instances that are wanted, one a line.
            edh: Official EDH files to be used instead of cutting the games.
            variant: `released` or `paper`: which stretches count, where the games are cut.
            pair: Who plays the sessions of the split `generated`.
            size: Side of the pictures in pixels.
        """
        super().__init__(games, store, only, pair, size)
        self.edh = edh
        self.variant = choose("variant", variant, VARIANTS)

    def cut(self, game: Game) -> Iterator[tuple[str, Given]]:
        """The instances of a game."""
        past = recall(game, cuts(game), self.recordings.store)
        for each in cut_edh(game, self.variant, past=past):
            yield each.instance_id, given(each, game, past)

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        """Those of official files, if there are any; else those of the games."""
        if self.edh is None:
            return super().instances(split, episodes, seed)
        self.split = split
        wanted = list(islice(read_edh(self.edh), episodes))
        found = self._official(wanted, split)
        return [Instance(each.instance_id, *found[each.instance_id], seed) for each in wanted]

    def _official(self, wanted: Sequence[EdhInstance], split: str) -> dict[str, tuple[str, Given | str]]:
        """The task and what is given, by instance; where there is no game, a message instead."""
        found: dict[str, tuple[str, Given | str]] = {
            each.instance_id: (UNKNOWN, f"{each.instance_id}: the game {each.game_id} is not there.")
            for each in wanted
        }
        by_game: dict[str, list[EdhInstance]] = defaultdict(list)
        for each in wanted:
            by_game[each.game_id].append(each)
        for game in self.recordings.read(split, [], by_game):
            past = recall(game, [each.pred_start_idx for each in by_game[game.id]], self.recordings.store)
            for each in by_game[game.id]:
                known = each.pred_start_idx in past.moments
                message = f"{each.instance_id}: pred_start_idx: the game has no {each.pred_start_idx}."
                found[each.instance_id] = (game.task.task_name, given(each, game, past) if known else message)
        return found


class Tfd(FollowerBenchmark):
    """Do all that a whole dialogue was about."""

    name = "teach-tfd"
    id = "housemates/teach-tfd-v1"

    def __init__(
        self,
        games: str | None = None,
        store: str | None = None,
        only: str | None = None,
        goal: str = "changes",
        pair: str = "rule",
        size: int | str = 300,
    ) -> None:
        """Choose the instances.

        Args:
            games: Recorded games: files or folders, parted by commas.
            store: A folder of imported data: what is known about the games' floor plans.
            only: A file with the names of the games that are wanted, one a line.
            goal: `changes`, all that people changed, as the paper has it, or `task`, as the published code.
            pair: Who plays the sessions of the split `generated`.
            size: Side of the pictures in pixels.
        """
        super().__init__(games, store, only, pair, size)
        self.goal = choose("goal", goal, ("changes", "task"))

    def cut(self, game: Game) -> Iterator[tuple[str, Given]]:
        """The one instance of a game."""
        end = len(game.episode.interactions)
        past = recall(game, [end], self.recordings.store)
        changes = changes_since(past.objects(0), past.objects(end)) if self.goal == "changes" else None
        tfd = cut_tfd(game)
        yield (
            tfd.instance_id,
            Given(
                past.scene,
                game.task.definition(),
                changes,
                dialogue=said(game.episode.interactions),
                future=tuple(tfd.driver_actions_future),
            ),
        )


def given(edh: EdhInstance, game: Game, past: Past) -> Given:
    """What an EDH instance gives the Follower."""
    before = game.episode.interactions[: edh.pred_start_idx]
    return Given(
        past.scene,
        game.task.definition(),
        edh.state_changes.objects,
        past.moments[edh.pred_start_idx],
        said(before),
        done(before),
        tuple(edh.driver_actions_future),
    )
