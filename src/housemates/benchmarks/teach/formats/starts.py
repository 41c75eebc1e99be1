"""Where sessions begin: recorded games by their places, and what the benchmarks take from one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from housemates.benchmarks.teach.formats.episodes import GAMES, Game, GameText, Interaction
from housemates.benchmarks.teach.formats.instances import Edh, cut_tfd
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.benchmarks.teach.formats.states import Past, recall
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.tasks.tdl.changes import changes_since
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER, actions
from housemates.benchmarks.teach.world.dynamics import Moment
from housemates.benchmarks.teach.world.follower import Point
from housemates.benchmarks.teach.world.poses import Pose, of_agent
from housemates.core.percepts import Utterance
from housemates.data.packs import Place, read_place
from housemates.data.store import Store, of_split
from housemates.errors import HousematesError
from housemates.files import read_text_lines
from housemates.home.things import Scene

SPEAKERS = {COMMANDER: "commander", FOLLOWER: "follower"}
SPLITS = ("train", "valid_seen", "valid_unseen", "test_seen", "test_unseen")
"""The official splits."""
RECORDED = "recorded"
"""The split that any games are."""


class Done(msgspec.Struct, frozen=True):
    """Something that the Follower did in a recorded session."""

    action: str
    """As it is offered here."""
    success: bool = True
    object: str | None = None
    point: Point | None = None
    text: str | None = None

    def arguments(self) -> dict[str, Any]:
        """What was told with it."""
        found = {"object": self.object, "point": self.point, "text": self.text}
        return {name: value for name, value in found.items() if value is not None}

    @property
    def repeated(self) -> str:
        """The name that an oracle gives to the object where it may not say where people clicked."""
        return f"{self.object}@{','.join(map(str, self.point or ()))}"


@dataclass(frozen=True)
class Start:
    """A home, the task that is to be done in it, and where the Commander's camera is."""

    scene: Scene
    definition: Mapping[str, Any]
    """The task with its parameters filled in, as `tasks.definition` gives it."""
    commander: Pose | None = None
    """At the Follower's place if it is not known."""
    reference: int = 0
    """How many actions people took; 0 if nobody has done it."""
    changes: Mapping[str, Mapping[str, Any]] | None = None
    """What is scored; the task itself if None."""


@dataclass(frozen=True)
class Given:
    """What a Follower starts from, what it is to bring about, and what people did."""

    scene: Scene
    definition: Mapping[str, Any]
    """The task of the recorded session."""
    changes: Mapping[str, Mapping[str, Any]] | None = None
    """What is to be brought about; the task itself if None."""
    moment: Moment | None = None
    """The world as it is when the Follower takes over; the scene if None."""
    dialogue: tuple[Utterance, ...] = ()
    history: tuple[Done, ...] = ()
    """What the Follower did and said before."""
    future: tuple[Done, ...] = ()
    """What people did then, for oracles only."""
    before: tuple[Interaction, ...] = ()
    """What both did before, as it was recorded: from it the pictures of the history are drawn."""

    def touched(self) -> Iterator[tuple[tuple[str, str, Point | None], tuple[str, Point | None]]]:
        """The acts by which an oracle repeats what people did then, as `Follower.recorded` has them."""
        for each in self.future:
            if each.object is not None:
                click = (each.object, each.point)
                yield (each.action, each.repeated, None), click
                if each.point is not None:
                    yield (each.action, *click), click

    def goal(self) -> tasks.BoundTask:
        """What is to be brought about, ready to be checked."""
        if self.changes is None:
            return tasks.game_task(self.definition, str(self.definition.get("task_name")))
        return tasks.task_of_changes(self.changes)


class Listed(NamedTuple):
    """A game that is there, not read yet."""

    id: str
    place: Place
    problem: str = ""
    """Why it cannot be read, if that is known."""


def listed(data: str, split: str) -> Iterator[Listed]:
    """The games of files, folders and stores, separated by commas; nothing but their ids is looked at.

    A folder with folders or packed files of splits in it means the one of this split. A split that is not
    there is refused.
    """
    if split not in (RECORDED, *SPLITS):
        known = ", ".join(("generated", RECORDED, *SPLITS))
        raise HousematesError(f"Unknown split {split!r}: expected one of {known}.")
    places = [Path(each.strip()) for each in data.split(",")]
    return _listed([path for place in places for path in of_split(place, "teach", split, SPLITS)])


def _listed(paths: Sequence[Path]) -> Iterator[Listed]:
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob(GAMES.pattern)):
                yield Listed(_stem(file), Place(str(file)))
        elif ".jsonl" in path.name:
            try:
                for number, line in read_text_lines(path):
                    place = Place(str(path), number)
                    yield Listed(GameText(str(place), line).id, place)
            except HousematesError as error:
                yield Listed(str(path), Place(str(path)), str(error))
        else:
            yield Listed(_stem(path), Place(str(path)))


def _stem(path: Path) -> str:
    return path.name.removesuffix(GAMES.pattern.removeprefix("*"))


def read_game(place: Sequence[Any], text: str | None = None) -> Game:
    """The game at a place, whose text may be at hand; one that is broken raises HousematesError."""
    where = Place(*place)
    return GameText(str(where), read_place(*where) if text is None else text).parse()


def start_of(game: Game, store: Store | None, by_changes: bool = False) -> Start:
    """Where two begin who do the task of a recorded game; scored is the task, or what people changed."""
    camera = of_agent(game.episode.initial_state.agents[COMMANDER])
    end = len(game.episode.interactions)
    changes = None
    if by_changes:
        past = recall(game, [end], store)
        changes = changes_since(past.objects(0), past.objects(end))
    return Start(scene_of(game, store), game.task.definition(), camera, reference=end, changes=changes)


def edh_given(edh: Edh, game: Game, past: Past) -> Given:
    """What an EDH instance gives the Follower; `past` holds the moment at which it begins."""
    if edh.pred_start_idx not in past.moments:
        raise HousematesError(f"{edh.instance_id}: pred_start_idx: the game has no {edh.pred_start_idx}.")
    before = game.episode.interactions[: edh.pred_start_idx]
    moment = past.moments[edh.pred_start_idx]
    return Given(
        past.scene,
        game.task.definition(),
        edh.state_changes.objects,
        moment._replace(home=moment.home._replace(grid=None)),
        said(before),
        done(before),
        tuple(
            _done(each.action_id, True, each.oid, each.x, each.y, None) for each in edh.driver_actions_future
        ),
        tuple(before),
    )


def tfd_given(game: Game, store: Store | None, by_changes: bool) -> Given:
    """What the TfD instance of a game gives the Follower; the goal is what people changed, or the task."""
    end = len(game.episode.interactions)
    past = recall(game, [end], store)
    changes = changes_since(past.objects(0), past.objects(end)) if by_changes else None
    future = cut_tfd(game).driver_actions_future
    return Given(
        past.scene,
        game.task.definition(),
        changes,
        dialogue=said(game.episode.interactions),
        future=tuple(_done(each.action_id, True, each.oid, each.x, each.y, None) for each in future),
    )


def said(interactions: Iterable[Interaction]) -> tuple[Utterance, ...]:
    """What was said in a recorded session."""
    return tuple(
        Utterance(SPEAKERS[each.agent_id], each.text) for each in interactions if each.text is not None
    )


def done(interactions: Iterable[Interaction]) -> tuple[Done, ...]:
    """What the Follower did and said in a recorded session."""
    return tuple(
        _done(each.action_id, bool(each.success), each.oid, each.x, each.y, each.text)
        for each in interactions
        if each.agent_id == FOLLOWER
    )


def _done(action_id: int, success: bool, oid: Any, x: Any, y: Any, text: str | None) -> Done:
    action = actions()[action_id]
    point = (float(x), float(y)) if action.touches and isinstance(x, int | float) else None
    return Done(action.offer, success, oid if isinstance(oid, str) else None, point, text)
