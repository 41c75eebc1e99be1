"""Replaying recorded sessions action by action, and comparing each with what happened to people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.teach.formats.episodes import Game, Interaction
from housemates.benchmarks.teach.tasks.catalogue import check, game_task
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.benchmarks.teach.world.agent_camera import CLICKS_PX, Sight
from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS, TeachWorld
from housemates.benchmarks.teach.world.follower import nothing_there
from housemates.benchmarks.teach.world.pointing import Pointed
from housemates.benchmarks.teach.world.poses import from_official
from housemates.core.outcome import Outcome
from housemates.data.replays import Replayed
from housemates.home import World
from housemates.home.things import GRID_M, Scene, whole_in
from housemates.render.frames import Frame


@dataclass(frozen=True)
class Compared:
    """One recorded action beside ours."""

    index: int
    action: str
    moves: bool
    recorded: bool
    """Whether it succeeded for people."""
    ours: bool
    reason: str
    """Why it does not work here."""
    message: str
    target: str
    """The recorded object; empty for moves and for what failed."""
    pointed: str
    """What our picture has under the click, where it was looked up."""
    unmoved: bool
    """Whether nobody had moved the recorded object before."""

    @property
    def agree(self) -> bool:
        """Whether it came out as recorded."""
        return self.recorded == self.ours

    @property
    def same_thing(self) -> bool:
        """Whether the click picks the recorded object."""
        return self.pointed == self.target

    @property
    def sibling(self) -> bool:
        """Whether the click picks another piece of the same whole."""
        return not self.same_thing and bool(self.pointed) and whole_in(self.pointed) == whole_in(self.target)


@dataclass(frozen=True)
class ReplayedInteraction:
    """One recorded interaction that has just been replayed."""

    index: int
    interaction: Interaction
    world: TeachWorld
    """As it is afterwards."""
    frame: Frame | None
    """What the Follower saw before, if it was drawn; its arrays are overwritten later."""
    compared: Compared | None
    """How it came out beside the recording, for the Follower's actions."""


def replay(
    game: Game,
    scene: Scene,
    by: str = "object",
    on_step: Callable[[ReplayedInteraction], None] | None = None,
    every_frame: bool = False,
    refusals: bool = True,
) -> Replayed[Compared]:
    """Replay every action of the Follower.

    Args:
        game: The recorded session.
        scene: Its floor plan at the start, as `rebuild` makes it.
        by: `object` acts on the recorded object, `point` on what our own picture has under the click.
        on_step: Called after each interaction of either agent.
        every_frame: Draw the Follower's picture at every step, not only where a click needs it.
        refusals: Also try, on a copy, the object actions that failed for people.
    """
    run = _Run(scene, by, refusals)
    for index, interaction in enumerate(game.episode.interactions):
        frame = run.sight.look() if every_frame else None
        compared = run.step(index, interaction) if interaction.agent_id == FOLLOWER else None
        if on_step is not None:
            on_step(ReplayedInteraction(index, interaction, run.world, frame, compared))
    return run.judged(game)


def retrace(interactions: Sequence[Interaction], scene: Scene) -> Iterator[TeachWorld]:
    """The world before each of the Follower's actions on it that succeeded, and at last after all of them.

    It is one world that changes, which can be seen through one `Sight`.
    """
    run = _Run(scene, "object", refusals=False)
    for index, each in enumerate(interactions):
        if carried_out(each):
            yield run.world
        if each.agent_id == FOLLOWER:
            run.step(index, each)
    yield run.world


def seen_before(
    before: Sequence[Interaction], scene: Scene, like: Sight
) -> list[tuple[NDArray[np.uint8], str]]:
    """What the Follower saw before each of its actions that succeeded, and their names; drawn only now."""
    names = [each.action.offer for each in before if carried_out(each)]
    found: list[tuple[NDArray[np.uint8], str]] = []
    worlds = retrace(before, scene)
    for name, world in zip(names, worlds, strict=False):
        if not found:
            world.home.looks = like.home.looks
            sight = Sight(world.home, like.width, like.height)
        found.append((sight.look().rgb.copy(), name))
    return found


def carried_out(interaction: Interaction) -> bool:
    """Whether it is an action of the Follower's in the home that succeeded."""
    return bool(
        interaction.agent_id == FOLLOWER and interaction.success and interaction.action.offer in HOME_ACTIONS
    )


class _Run:
    """A replay in progress."""

    def __init__(self, scene: Scene, by: str, refusals: bool) -> None:
        self.by = by
        self.refusals = refusals
        self.world = TeachWorld(World(scene))
        self.sight = Sight(self.world.home, clicks=CLICKS_PX)
        self.moved: set[str] = set()
        self.compared: list[Compared] = []

    def step(self, index: int, interaction: Interaction) -> Compared | None:
        """Do one of the Follower's actions as recorded, and note how it compares."""
        name = interaction.action.offer
        if name not in HOME_ACTIONS:
            return None
        if interaction.action.moves:
            self._move(index, interaction)
        elif interaction.success:
            self._touch(index, interaction)
        elif self.refusals:
            self._fail(index, interaction)
        else:
            self.world.settle(name)
            return None
        return self.compared[-1]

    def _move(self, index: int, interaction: Interaction) -> None:
        name, recorded = interaction.action.offer, bool(interaction.success)
        before = self.world.snapshot()
        outcome = self.world.act(name)
        self._note(index, interaction, outcome)
        if not recorded:
            self.world.restore(before)
        elif isinstance(interaction.pose, list):
            pose = from_official(interaction.pose)
            home = self.world.home
            home.agent = msgspec.structs.replace(
                home.agent,
                x=round(pose.x / GRID_M) * GRID_M,
                z=round(pose.z / GRID_M) * GRID_M,
                rotation=round(pose.rotation / 90) * 90 % 360,
                horizon=round(pose.horizon),
            )

    def _touch(self, index: int, interaction: Interaction) -> None:
        """An object action that succeeded for people."""
        name, target = interaction.action.name, str(interaction.oid)
        pointed = self._pointed(interaction) if self.by == "point" else self._named(interaction)
        if pointed is None:
            outcome = self._miss(name)
        else:
            outcome = self.world.act(name, target=pointed.thing, at=pointed.at)
        self._note(index, interaction, outcome, target, pointed)
        if name in ("Pickup", "Slice"):
            self._mark_moved(target)

    def _fail(self, index: int, interaction: Interaction) -> None:
        """An object action that failed for people: tried on a copy, so that it disturbs nothing."""
        name = interaction.action.name
        before = self.world.snapshot()
        pointed = self._pointed(interaction)
        if pointed is None:
            outcome = self._miss(name)
        else:
            outcome = self.world.act(name, target=pointed.thing, at=pointed.at)
        self._note(index, interaction, outcome, "", pointed)
        self.world.restore(before)
        self.world.settle(name)

    def _miss(self, name: str) -> Outcome:
        self.world.settle(name)
        return nothing_there(name)

    def _named(self, interaction: Interaction) -> Pointed | None:
        return self.sight.touch(interaction.action.name, str(interaction.oid), *_click(interaction))

    def _pointed(self, interaction: Interaction) -> Pointed | None:
        return self.sight.point(interaction.action.name, *_click(interaction))

    def _mark_moved(self, name: str) -> None:
        """People have moved a thing, and what was in it, or have cut it up."""
        home = self.world.home
        self.moved.add(name)
        if name in home.things:
            self.moved.update(other.id for other in home.contents_deep(home.things[name]))

    def _note(
        self,
        index: int,
        interaction: Interaction,
        outcome: Outcome,
        target: str = "",
        pointed: Pointed | None = None,
    ) -> None:
        self.compared.append(
            Compared(
                index,
                interaction.action.name,
                interaction.action.moves,
                bool(interaction.success),
                outcome.success,
                outcome.reason,
                outcome.message,
                target,
                pointed.thing if pointed else "",
                self.moved.isdisjoint((target, whole_in(target))),
            )
        )

    def judged(self, game: Game) -> Replayed[Compared]:
        """What came of it, with the task checked in the state we have come to."""
        count = len(game.episode.interactions)
        result: Replayed[Compared] = Replayed(game.id, game.plan, game.task.task_name, count)
        result.compared += self.compared
        progress = check(game_task(game.task.definition(), game.id), self.world.objects())
        result.judge(progress.satisfied, progress.total, bool(progress.success))
        result.digest = self.world.digest()
        return result


def _click(interaction: Interaction) -> tuple[float, float]:
    x, y = interaction.x, interaction.y
    assert isinstance(x, int | float) and isinstance(y, int | float)
    return float(x), float(y)
