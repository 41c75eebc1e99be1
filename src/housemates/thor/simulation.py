"""A home that answers AI2-THOR's actions: messages in, moments out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np

from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.home.navigation import reachable
from housemates.home.things import GRID_M, Agent, Scene, Thing
from housemates.home.world import World
from housemates.thor import scenes
from housemates.thor.arguments import Arguments, checked
from housemates.thor.moments import Moment, Shown, Stage, lay_down, take_up
from housemates.thor.replies import INVALID_ACTION, Refused, Reply
from housemates.thor.settings import FAR_M, NEAR_M, Settings, ThirdCamera, initialised, resized

APART_M = 0.5
"""How far from each other agents begin."""


class Simulation:
    """One scene with its agents.

    Args:
        settings: Size of the pictures and whatever else differs from a new scene's.
        store: Floor plans that were imported.
        scene: Where it begins.
    """

    def __init__(
        self, settings: Settings | None = None, store: Store | None = None, scene: str = scenes.FIRST
    ) -> None:
        self.settings = settings or Settings()
        self.store = store
        self._first = self.settings
        self.unbreakable: set[str] = set()
        """Types of which nothing breaks."""
        self.begin(scene)

    def begin(self, name: str) -> None:
        """Open a scene, as it is before Initialize."""
        self.place = scenes.open_place(name, self.store, self.settings.old)
        self.settings = msgspec.structs.replace(
            self._first, width=self.settings.width, height=self.settings.height
        )
        self.furnish(self.place.scene)
        self.last = self._moment(Reply("Reset"), frozenset(["rgb"]))

    def furnish(self, scene: Scene) -> None:
        """Go on in another scene, or in this one with other things in it."""
        self.world = World(scene)
        self.world.agent = msgspec.structs.replace(scene.agent, fov=self.settings.fov)
        self.agents: list[Agent] = [self.world.agent]
        self.active = 0
        self.cameras: list[ThirdCamera] = []
        self.from_above = False
        self.unbreakable = set()
        self.shown = Shown()
        self.rng = np.random.default_rng(0)
        """Draws materials and light."""
        self.stage = Stage(self.place, scene)

    def refurnish(self, scene: Scene) -> None:
        """Go on with other things in the same plan; agents, cameras and all else stay as they are."""
        self.turn_to(0)
        agent = msgspec.structs.replace(self.world.agent, held="")
        self.world = World(scene)
        self.world.agent = agent
        self.agents = [msgspec.structs.replace(each, held="") for each in self.agents]
        self.stage = Stage(self.place, scene)

    def rebuild(self, scene: Scene) -> None:
        """Go on in a building that looks otherwise; things and agents stay as they are."""
        now = self.world.snapshot()
        self.world = World(scene)
        self.world.restore(now)
        self.stage = Stage(self.place, scene)

    def perform(self, message: Mapping[str, Any]) -> Moment:
        """Do what a message asks; whatever it is, the answer is a moment."""
        name = message.get("action")
        arguments: Arguments = {}
        try:
            arguments, spec = self._understood(name, message)
            self.turn_to(int(arguments.get("agentId", self.active if len(self.agents) > 1 else 0)))
            value = spec.answer(self, arguments)
            reply = Reply(str(name), value=value)
        except Refused as refusal:
            reply = Reply(str(name), False, refusal.message, refusal.code)
        except HousematesError as error:
            reply = Reply(str(name), False, str(error))
        if name != "Initialize":
            self.settings = self.settings.after(arguments)
        self.last = self._moment(reply, self.settings.images_now(arguments))
        return self.last

    def _understood(self, name: Any, message: Mapping[str, Any]) -> tuple[Arguments, Answering]:
        spec = ANSWERS.get(name) if isinstance(name, str) else None
        if spec is None:
            raise Refused(f"Invalid action: {name!s:.80}", INVALID_ACTION)
        lenient = self.settings.old or name == "Initialize"
        return checked(str(name), message, spec.required, lenient), spec

    def _moment(self, reply: Reply, images: frozenset[str]) -> Moment:
        self.agents[self.active] = self.world.agent
        return Moment(
            dict(self.world.things),
            tuple(self.agents),
            self.active,
            tuple(self.cameras),
            self.settings,
            images,
            self.from_above,
            reply,
            self.shown,
        )

    def now(self) -> Moment:
        """The moment as it is, in the middle of an action."""
        return self._moment(self.last.reply, self.settings.images)

    def turn_to(self, number: int) -> None:
        """Let one of the agents act."""
        if not 0 <= number < len(self.agents):
            raise Refused(f"agentId: {number} is not one of {len(self.agents)} agents")
        if number == self.active:
            return
        self.agents[self.active] = self.world.agent
        lay_down(self.world)
        self.world.agent = msgspec.structs.replace(self.agents[number], held="")
        take_up(self.world, self.agents[number].held)
        self.active = number

    def others(self) -> list[Agent]:
        """The agents that do not act now."""
        return [agent for number, agent in enumerate(self.agents) if number != self.active]

    def seat_agents(self) -> None:
        """Have as many agents as the settings say, the first where it is and the others apart from it."""
        self.turn_to(0)
        first = msgspec.structs.replace(self.world.agent, fov=self.settings.fov)
        self.world.agent = first
        self.agents = [first]
        for cell in sorted(reachable(self.world)):
            if len(self.agents) == self.settings.agents:
                return
            x, z = cell.x * GRID_M, cell.z * GRID_M
            if all(abs(each.x - x) + abs(each.z - z) >= APART_M for each in self.agents):
                self.agents.append(msgspec.structs.replace(first, x=x, z=z, held=""))
        if len(self.agents) < self.settings.agents:
            raise Refused(f"No room for {self.settings.agents} agents.")

    def breaks(self, thing: Thing) -> bool:
        """Whether a thing can break."""
        return thing.type not in self.unbreakable and self.place.affords(thing, "break")

    def held_by_another(self, thing: Thing) -> bool:
        """Whether another agent has it in its hand."""
        return any(agent.held == thing.id for agent in self.others())


Answer = Callable[[Simulation, Arguments], Any]


class Answering(NamedTuple):
    """How an action is answered, and the arguments it cannot do without."""

    answer: Answer
    required: tuple[str, ...]


ANSWERS: dict[str, Answering] = {}
"""Every action of AI2-THOR that is known here, by name; filled by the modules that define them."""


def answers(*names: str, required: tuple[str, ...] = ()) -> Callable[[Answer], Answer]:
    """Enter a function into the table of actions; what it returns is the event's `actionReturn`."""

    def enter(answer: Answer) -> Answer:
        ANSWERS.update({name: Answering(answer, required) for name in names})
        return answer

    return enter


@answers("Reset", required=("sceneName",))
def reset(simulation: Simulation, arguments: Arguments) -> None:
    """Open a scene by its name, and forget the one before."""
    simulation.begin(arguments["sceneName"])


@answers("Initialize")
def initialize(simulation: Simulation, arguments: Arguments) -> dict[str, float]:
    """Set how the scene is lived in, and seat the agents."""
    before = simulation.settings
    simulation.settings = initialised(before, arguments)
    try:
        simulation.seat_agents()
    except Refused:
        simulation.settings = before
        raise
    return {"cameraNearPlane": NEAR_M, "cameraFarPlane": FAR_M}


@answers("ChangeResolution", required=("x", "y"))
def change_resolution(simulation: Simulation, arguments: Arguments) -> None:
    """Take pictures of another size."""
    simulation.settings = resized(simulation.settings, arguments)


@answers("GetScenesInBuild")
def scenes_in_build(simulation: Simulation, arguments: Arguments) -> list[str]:
    """The names of all scenes."""
    return scenes.names()


@answers(
    "Pass", "Done", "ChangeQuality", "PausePhysicsAutoSim", "UnpausePhysicsAutoSim", "AdvancePhysicsStep"
)
def do_nothing(simulation: Simulation, arguments: Arguments) -> None:
    """Nothing is in motion between actions, so there is nothing to wait for."""
