"""Official games into the store: the games themselves, and what they teach about their floor plans."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from housemates.benchmarks.teach.formats.episodes import GAMES, Game
from housemates.benchmarks.teach.formats.looks import looks_of
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.benchmarks.teach.world.poses import from_official, of_agent
from housemates.data.intake import Intake
from housemates.data.records import Text
from housemates.data.store import Store
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.plans.records import thing_from_record
from housemates.typed_json import decode

STEPS = ("Forward", "Backward", "Pan Left", "Pan Right")


def learn_game(knowledge: PlanKnowledge, game: Game) -> None:
    """Learn from where people walked and pointed, and from how things stood at the start and at the end."""
    before, after = game.episode.initial_state, game.episode.final_state
    for state, name in ((before, "initial_state"), (after, "final_state")):
        for record in state.objects:
            thing_from_record(record, f"{game.id}: {name}")
    knowledge.learn_fixtures(before.objects)
    knowledge.learn_state(before.objects)
    knowledge.learn_doors(before.objects, after.objects)
    knowledge.learn_state(after.objects)
    knowledge.learn_steps(steps_of(game))
    knowledge.learn_looks(looks_of(game))


def steps_of(game: Game) -> Iterator[tuple[float, float]]:
    """The places (x, z) where the Follower stood."""
    start = of_agent(game.episode.initial_state.agents[FOLLOWER])
    yield start.x, start.z
    for each in game.episode.interactions:
        if each.agent_id == FOLLOWER and each.success and each.action.name in STEPS:
            assert isinstance(each.pose, list)
            pose = from_official(each.pose)
            yield pose.x, pose.z


class _Episode(msgspec.Struct):
    world: str


class _Task(msgspec.Struct):
    episodes: list[_Episode]


class _Place(msgspec.Struct):
    """All of a game that tells its floor plan."""

    tasks: list[_Task]


def plan_of(text: Text[Game]) -> str:
    """The floor plan of a game that is not read yet."""
    worlds = [each.world for task in decode(text.text, _Place, text.source).tasks for each in task.episodes]
    return worlds[0].removesuffix("_physics") if worlds else ""


INTAKE = Intake(
    records=GAMES,
    plan=plan_of,
    learn=learn_game,
    layouts=("../alfred/layouts.json.zst", "../../alfred/layouts.json.zst"),
    conclude=Store.find_zones,
)
import_games = INTAKE.take
