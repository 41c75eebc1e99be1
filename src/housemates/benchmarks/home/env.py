"""The home as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from housemates.errors import HousematesError
from housemates.home import Outcome, Scene, World, act
from housemates.home.geometry import in_reach
from housemates.home.metadata import metadata
from housemates.home.outcome import refuse
from housemates.home.scenes import load, scene_ids
from housemates.home.things import HORIZON_RANGE_DEG
from housemates.home.types import object_types
from housemates.render.camera import agent_camera
from housemates.render.frames import Frame
from housemates.render.scene import Renderer

MOVES = ("Forward", "Backward", "TurnLeft", "TurnRight", "LookUp", "LookDown", "PanLeft", "PanRight")
TOUCHES = ("Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice", "Pour")
ACTION_NAMES = (*MOVES, *TOUCHES)
"""What an agent can do, in the order of the action space."""
TYPE_NUMBERS = {name: number for number, name in enumerate(sorted(object_types()), start=1)}
"""The number of each type in `held`; 0 is an empty hand."""
FAR_M = 100.0


class HomeEnv(gymnasium.Env[dict[str, Any], dict[str, Any]]):
    """One agent in one home.

    ## Description
    The agent walks about in a room, looks around and uses what it finds. There is no task unless a
    `goal` is given. The same seed and the same actions give the same episode, to the bit.

    ## Action Space
    `Dict(action=Discrete(16), target=Box(0, 1, (2,)))`. The action is a number of `ACTION_NAMES`, or
    the name itself. The target is a place in the picture, as fractions from its top left corner, or
    the id of an object; moves do not read it.

    | number | action | | number | action |
    | --- | --- | --- | --- | --- |
    | 0 | Forward | | 8 | Pickup |
    | 1 | Backward | | 9 | Place, at the target |
    | 2 | TurnLeft | | 10 | Open |
    | 3 | TurnRight | | 11 | Close |
    | 4 | LookUp | | 12 | ToggleOn |
    | 5 | LookDown | | 13 | ToggleOff |
    | 6 | PanLeft | | 14 | Slice, with the knife in hand |
    | 7 | PanRight | | 15 | Pour, what is in the hand |

    ## Observation Space
    A `Dict` of
    - `frame`: what the agent sees, RGB, `size` x `size` (absent with `frames=False`),
    - `ids`: the number of the thing at each pixel, 0 for the building (with `ids=True`),
    - `depth`: metres along the view axis at each pixel, at most 100 (with `depth=True`),
    - `pose`: x and z in metres, rotation and horizon in degrees,
    - `held`: the number of the held thing's type, 0 for an empty hand,
    - `success`: whether the last action worked.

    `info` has `message` (what came of the action, in words), `target` (id of the thing it was about),
    `scene` and, unless `thor_metadata=False`, `metadata` with AI2-THOR's field names.

    ## Rewards
    1 when the goal is reached, else 0.

    ## Starting State
    The scene as it is. `reset(options={"scene": "kitchen-03"})` names one; otherwise it is the one
    given to the constructor, or one drawn from the training rooms.

    ## Episode End
    Terminated when the goal is reached, truncated after `max_steps` actions.

    ## Arguments
    - `scene`: id of a room or a `Scene`,
    - `size`: width and height of the picture in pixels,
    - `frames`, `ids`, `depth`, `thor_metadata`: what to observe; what is not asked for is not computed,
    - `goal`: a function of the world that says whether it is reached,
    - `max_steps`: length of an episode.

    ## Version History
    - v1: first version.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": ["rgb_array"],
        "render_fps": 10,
    }

    def __init__(
        self,
        scene: str | Scene | None = None,
        size: int = 300,
        frames: bool = True,
        ids: bool = False,
        depth: bool = False,
        thor_metadata: bool = True,
        goal: Callable[[World], bool] | None = None,
        max_steps: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise HousematesError(f"Unknown render mode {render_mode!r}: expected 'rgb_array'.")
        if not 1 <= size <= 900:
            raise HousematesError(f"Argument 'size' is {size}: expected 1 to 900 pixels.")
        self.render_mode = render_mode
        self.scene, self.size, self.goal, self.max_steps = scene, size, goal, max_steps
        self.thor_metadata = thor_metadata
        self.action_space = spaces.Dict(
            {"action": spaces.Discrete(len(ACTION_NAMES)), "target": spaces.Box(0.0, 1.0, (2,), np.float32)}
        )
        self.observation_space = _observation_space(size, frames, ids, depth)
        self.world: World
        self._steps = 0
        self._renderer: Renderer
        self._frame: Frame | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        wanted = (options or {}).get("scene", self.scene)
        if wanted is None:
            rooms = scene_ids(split="train")
            wanted = rooms[int(self.np_random.integers(len(rooms)))]
        self.world = World(wanted if isinstance(wanted, Scene) else load(wanted))
        self._steps = 0
        self._renderer = Renderer(self.world)
        self._frame = None
        outcome = Outcome(True)
        return self._observe(outcome), self._info("", outcome, None)

    def step(self, action: Mapping[str, Any]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Try an action."""
        name = action_name(action.get("action"))
        arguments = self._arguments(name, action.get("target"))
        if arguments is None:
            outcome, arguments = refuse(f"{name}: there is nothing to use at that place of the picture."), {}
        else:
            outcome = act(self.world, name, **arguments)
        self._frame = None
        self._steps += 1
        reached = self.goal is not None and self.goal(self.world)
        observation = self._observe(outcome)
        info = self._info(name, outcome, arguments.get("target"))
        return observation, float(reached), reached, self._steps >= self.max_steps, info

    def look(self) -> Frame:
        """What the agent sees now, with the thing and the depth at each pixel; drawn once a step."""
        if self._frame is None:
            self._frame = self._renderer.frame(agent_camera(self.world.agent, self.size, self.size))
        return self._frame

    def render(self) -> Any:
        """The picture as an array."""
        return self.look().rgb if self.render_mode == "rgb_array" else None

    def _arguments(self, name: str, target: Any) -> dict[str, Any] | None:
        """The arguments of an action; None if there is nothing at the place pointed at."""
        if name in MOVES:
            return {}
        if isinstance(target, str):
            return {"target": target}
        x, y = _fractions(target)
        frame = self.look()
        column, row = min(int(x * self.size), self.size - 1), min(int(y * self.size), self.size - 1)
        thing = frame.thing_at(column, row)
        if thing is None:
            return None
        if name != "Place":
            return {"target": thing}
        at = frame.camera.point(column + 0.5, row + 0.5, float(frame.depth[row, column]))
        return {"target": thing, "at": at}

    def _observe(self, outcome: Outcome) -> dict[str, Any]:
        agent, held = self.world.agent, self.world.held
        seen: dict[str, Any] = {
            "pose": np.array([agent.x, agent.z, agent.rotation, agent.horizon], dtype=np.float32),
            "held": TYPE_NUMBERS[held.type] if held else 0,
            "success": int(outcome.success),
        }
        wanted = self.observation_space
        assert isinstance(wanted, spaces.Dict)
        if "frame" in wanted.spaces:
            seen["frame"] = self.look().rgb
        if "ids" in wanted.spaces:
            seen["ids"] = self.look().ids
        if "depth" in wanted.spaces:
            seen["depth"] = np.minimum(self.look().depth, np.float32(FAR_M))
        return seen

    def _info(self, name: str, outcome: Outcome, target: str | None) -> dict[str, Any]:
        info: dict[str, Any] = {"message": outcome.message, "target": target, "scene": self.world.scene.id}
        if self.thor_metadata:
            info["metadata"] = metadata(self.world, name, outcome, self._within_reach())
        return info

    def _within_reach(self) -> set[str] | None:
        """Ids of the things seen within reach, if there is a picture to tell from."""
        if self._frame is None:
            return None
        seen = (self.world.things[name] for name in self._frame.visible())
        return {thing.id for thing in seen if in_reach(self.world.agent, thing)}


def action_name(action: Any) -> str:
    """The name of an action given by its number or by its name."""
    if isinstance(action, str):
        if action not in ACTION_NAMES:
            raise HousematesError(f"Unknown action {action!r}: expected one of {', '.join(ACTION_NAMES)}.")
        return action
    if not isinstance(action, int | np.integer) or not 0 <= action < len(ACTION_NAMES):
        raise HousematesError(f"Unknown action {action!r}: expected 0 to {len(ACTION_NAMES) - 1}, or a name.")
    return ACTION_NAMES[action]


def _fractions(target: Any) -> tuple[float, float]:
    try:
        x, y = (float(value) for value in target)
    except (TypeError, ValueError):
        x = y = np.nan
    if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
        raise HousematesError(
            f"Target {target!r}: expected an object id or two fractions (x, y) of the picture from 0 to 1."
        )
    return x, y


def _observation_space(size: int, frames: bool, ids: bool, depth: bool) -> spaces.Dict:
    low = np.array([-1000, -1000, 0, HORIZON_RANGE_DEG[0]], dtype=np.float32)
    high = np.array([1000, 1000, 270, HORIZON_RANGE_DEG[1]], dtype=np.float32)
    parts: dict[str, spaces.Space[Any]] = {
        "pose": spaces.Box(low, high, dtype=np.float32),
        "held": spaces.Discrete(len(TYPE_NUMBERS) + 1),
        "success": spaces.Discrete(2),
    }
    if frames:
        parts["frame"] = spaces.Box(0, 255, (size, size, 3), np.uint8)
    if ids:
        parts["ids"] = spaces.Box(0, 65535, (size, size), np.uint16)
    if depth:
        parts["depth"] = spaces.Box(0.0, FAR_M, (size, size), np.float32)
    return spaces.Dict(parts)
