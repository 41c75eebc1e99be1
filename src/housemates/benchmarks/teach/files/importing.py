"""Official games into the store: the games themselves, and what they teach about their floor plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from housemates.benchmarks.teach.files.episodes import FILES, Game, GameText, read_texts
from housemates.benchmarks.teach.files.looks import looks_of
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.benchmarks.teach.world.poses import from_official, of_agent
from housemates.data.intake import Plans, finish, take_in
from housemates.data.records import Skipped
from housemates.data.store import Source, Store
from housemates.errors import HousematesError
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.plans.records import thing_from_record
from housemates.parallel import track

STEPS = ("Forward", "Backward", "Pan Left", "Pan Right")
LAYOUTS = Path("alfred") / "layouts.json.zst"
"""Where ALFRED's layouts lie beside a folder of TEACh data."""


def import_games(store: Store, path: Path, label: str | None = None) -> Source:
    """Read a folder, a file or a packed file of games into the store; what is there already is left alone.

    Args:
        store: Where to.
        path: Where from.
        label: Title of a progress bar; no bar if None.
    """
    unread: list[Skipped] = []
    texts = track(read_texts([path], unread), _count(path), label)
    source = take_in(store, "teach", path, texts, _learn)
    if not source.complete:
        store.find_zones()
    finish(store, source, unread)
    return source


def _learn(text: GameText, plans: Plans) -> str:
    game = text.parse()
    knowledge = plans(game.plan)
    if knowledge is not None:
        learn_game(knowledge, game)
    return game.plan


def learn_game(knowledge: PlanKnowledge, game: Game) -> None:
    """Learn from where people walked and pointed, and from how things stood at the start and at the end."""
    before, after = game.episode.initial_state, game.episode.final_state
    for state, name in ((before, "initial_state"), (after, "final_state")):
        for record in state.objects:
            thing_from_record(record, f"{game.id}: {name}")
    try:
        steps, looks = list(steps_of(game)), list(looks_of(game))
        knowledge.learn_fixtures(before.objects)
        knowledge.learn_state(before.objects)
        knowledge.learn_doors(before.objects, after.objects)
        knowledge.learn_state(after.objects)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise HousematesError(
            f"{game.id}: expected AI2-THOR's records of objects and agents ({error!r})."
        ) from None
    knowledge.learn_steps(steps)
    knowledge.learn_looks(looks)


def steps_of(game: Game) -> Iterator[tuple[float, float]]:
    """The places (x, z) where the Follower stood."""
    start = of_agent(game.episode.initial_state.agents[FOLLOWER])
    yield start.x, start.z
    for each in game.episode.interactions:
        if each.agent_id == FOLLOWER and each.success and each.action.name in STEPS:
            assert isinstance(each.pose, list)
            pose = from_official(each.pose)
            yield pose.x, pose.z


def layouts_beside(paths: Iterable[Path]) -> Path | None:
    """ALFRED's layouts in a folder beside that of the TEACh data, if they are there."""
    for path in paths:
        folder = path if path.is_dir() else path.parent
        for place in (folder.resolve().parent, folder.resolve().parent.parent):
            if (place / LAYOUTS).is_file():
                return place / LAYOUTS
    return None


def _count(path: Path) -> int | None:
    return sum(1 for _ in path.rglob(FILES)) if path.is_dir() else None
