"""Classes of the shape that the published pickles name, and games written with them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any

from housemates.benchmarks.cerealbar.formats.episodes import Recording, replay
from housemates.benchmarks.cerealbar.formats.released_forms import NAMES
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER, MOVES, Game
from housemates.benchmarks.cerealbar.world.tables import PROPS, TERRAINS

CLASSES = {
    "agent.data.cereal_bar_game": "CerealBarGame",
    "agent.data.game_dataset": "GameDataset",
    "agent.data.gameplay_action": "MovementAction InstructionAction FinishCommandAction",
    "agent.data.instruction_example": "InstructionExample",
    "agent.environment.agent": "Agent",
    "agent.environment.card": "Card",
    "agent.environment.hut": "Hut",
    "agent.environment.plant": "Plant",
    "agent.environment.position": "Position",
    "agent.environment.state_delta": "StateDelta",
    "agent.environment.structures": "Windmill Tower Tent Lamppost",
    "agent.environment.tree": "Tree",
}
ENUMERATIONS = {
    "agent.environment.agent_actions": "AgentAction",
    "agent.environment.card": "CardColor CardCount CardShape CardSelection",
    "agent.environment.environment_objects": "ObjectType",
    "agent.environment.hut": "HutColor",
    "agent.environment.plant": "PlantType",
    "agent.environment.rotation": "Rotation",
    "agent.environment.terrain": "Terrain",
    "agent.environment.tree": "TreeType",
}
HEADINGS = {number: name for name, number in NAMES["heading"].items()}
GROUNDS = {name: theirs for theirs, name in NAMES["terrain"].items()}
STANDING = {name: theirs for theirs, name in NAMES["prop"].items()}
SPLITS = {name: theirs for theirs, name in NAMES["split"].items() if theirs}
KIND_FIELDS = {"Hut": ("_color", "HutColor"), "Tree": ("_tree_type", "TreeType")}


class Member:
    """A member of an enumeration, pickled as Python pickles one: its class, called with its value."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __reduce__(self) -> Any:
        return type(self), (self.value,)


@contextmanager
def authors() -> Iterator[Any]:
    """The classes by their names, importable meanwhile as a pickle of them needs."""
    known = dict(sys.modules)
    found: dict[str, Any] = {}
    for table, base in ((CLASSES, object), (ENUMERATIONS, Member)):
        for module, names in table.items():
            made = sys.modules.setdefault(module, ModuleType(module))
            for name in names.split():
                found[name] = type(name, (base,), {"__module__": module, "__hash__": object.__hash__})
                setattr(made, name, found[name])
    for name in ("agent", "agent.data", "agent.environment"):
        sys.modules.setdefault(name, ModuleType(name))
    try:
        yield found
    finally:
        for name in set(sys.modules) - set(known):
            del sys.modules[name]


class Writer:
    """Writes recordings as the authors' objects."""

    def __init__(self, classes: dict[str, Any]) -> None:
        self.classes = classes
        self._members: dict[tuple[str, str], Any] = {}

    def make(self, kind: str, **fields: Any) -> Any:
        """An object of a class."""
        made = self.classes[kind]()
        made.__dict__.update(fields)
        return made

    def member(self, kind: str, value: str) -> Any:
        """A member of an enumeration."""
        return self._members.setdefault((kind, value), self.classes[kind](value))

    def place(self, at: int) -> Any:
        """A hex."""
        return self.make("Position", x=at % 25, y=at // 25)

    def state(self, game: Game) -> Any:
        """What changes during a game, now."""
        players = [
            self.make(
                "Agent",
                _position=self.place(game.position[role]),
                _type=self.member("ObjectType", name),
                _rotation=self.member("Rotation", HEADINGS[game.heading[role]]),
            )
            for role, name in ((LEADER, "LEADER"), (FOLLOWER, "FOLLOWER"))
        ]
        chosen = "SELECTED" if game.valid else "INVALID"
        cards = [
            self.make(
                "Card",
                _position=self.place(at),
                _type=self.member("ObjectType", "CARD"),
                _color=self.member("CardColor", card.colour.upper()),
                _count=self.member("CardCount", str(card.number)),
                _shape=self.member("CardShape", card.shape.upper()),
                _selection=self.member("CardSelection", chosen if at in game.selected else "UNSELECTED"),
            )
            for at, card in game.cards.items()
        ]
        return self.make("StateDelta", leader=players[0], follower=players[1], cards=cards)

    def objects(self, game: Game) -> Iterator[Any]:
        """What stands on the map."""
        for at, (prop, heading) in enumerate(zip(game.map.prop, game.map.rotation, strict=True)):
            if prop < 0:
                continue
            kind, _, more = STANDING[PROPS[prop].name].partition(" ")
            fields = {"_position": self.place(at)}
            if kind not in ("Tree", "Plant", "Lamppost"):
                fields["_rotation"] = self.member("Rotation", HEADINGS[heading])
            if more:
                name, members = KIND_FIELDS.get(kind, ("plant_type", "PlantType"))
                fields[name] = self.member(members, more)
            yield self.make(kind, **fields)

    def game(self, recording: Recording) -> Any:
        """A game, with an example that leads back to it as the published ones have."""
        actions: list[Any] = []
        moment = datetime(2019, 5, 1, 12)
        pending = None
        for number, game in replay(recording):
            state = self.state(game)
            if pending is not None:
                pending._posterior_game_info = state
            pending = None
            if not number:
                start = game.copy()
            if number == len(recording.actions):
                break
            role, action = recording.actions[number]
            moment += timedelta(seconds=action.amount or 1.5)
            if action.name in MOVES:
                who = self.member("ObjectType", ("LEADER", "FOLLOWER")[role])
                move = self.member("AgentAction", action.name)
                fields = {"_agent": who, "_action": move, "_prior_game_info": state}
                pending = self.make("MovementAction", _time=moment, **fields)
                actions.append(pending)
            elif action.name == "SAY":
                fields = {"_instruction": action.text, "_completed": True}
                actions.append(self.make("InstructionAction", _time=moment, **fields))
            elif action.name == "DONE" and role == FOLLOWER:
                actions.append(self.make("FinishCommandAction", _time=moment, _prior_game_info=state))
        made = self.make(
            "CerealBarGame",
            _game_id=recording.id,
            _split=SPLITS[recording.split],
            _seed=start.seed,
            _num_cards=21,
            _score=recording.score,
            _actions=actions,
            _hex_info=[
                (self.member("Terrain", GROUNDS[TERRAINS[ground].name]), self.place(at))
                for at, ground in enumerate(start.map.terrain)
            ],
            _object_info=list(self.objects(start)),
        )
        seen = {self.place(at): 3 for at in range(25)}
        made._examples = [self.make("InstructionExample", _paired_game=made, ages=seen, words={"a", "b"})]
        return made
