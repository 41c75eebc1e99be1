"""`housemates play home SCENE`: drive the agent in a terminal, with keys or words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import tyro

from housemates.benchmarks.home.commands.naming import find_thing
from housemates.errors import HousematesError
from housemates.home import ACTIONS, Outcome, World, act
from housemates.home.metadata import visible_things
from housemates.home.outcome import done, refuse, spoken
from housemates.home.scenes import load
from housemates.home.scenes.files import load_scene
from housemates.home.world import Snapshot
from housemates.render.camera import agent_camera
from housemates.render.scene import Renderer
from housemates.render.terminal import blocks
from housemates.reporting.video import save_png

KEYS = {
    "w": "forward",
    "s": "back",
    "a": "left",
    "d": "right",
    "q": "panleft",
    "e": "panright",
    "r": "up",
    "f": "down",
}
MOVES = {
    "forward": "Forward",
    "back": "Backward",
    "left": "TurnLeft",
    "right": "TurnRight",
    "panleft": "PanLeft",
    "panright": "PanRight",
    "up": "LookUp",
    "down": "LookDown",
}
TOUCHES = {
    "pickup": "Pickup",
    "take": "Pickup",
    "place": "Place",
    "put": "Place",
    "open": "Open",
    "close": "Close",
    "on": "ToggleOn",
    "off": "ToggleOff",
    "slice": "Slice",
    "pour": "Pour",
    "fill": "Fill",
    "empty": "Empty",
    "clean": "Clean",
    "dirty": "Dirty",
    "cook": "Cook",
    "break": "Break",
}


@dataclass
class Play:
    """Drive the agent about a room: type `help` to see how."""

    scene: tyro.conf.Positional[str] = "kitchen-03"
    """Id of a room, or a scene file."""
    picture: Path | None = None
    """PNG file that shows what the agent sees, written anew after each step."""
    columns: int | None = None
    """Width of the picture in the terminal in characters; 0 shows none, as when output is no terminal."""
    size: int = 300
    """Width and height of the picture in pixels."""

    def run(self) -> None:
        """Read commands until `quit` or the end of the input."""
        scene = load_scene(self.scene) if self.scene.endswith(".json") else load(self.scene)
        columns = self.columns
        if columns is None:
            columns = 80 if sys.stdout.isatty() else 0
        player = Player(World(scene))
        eyes = Renderer(player.world)
        print(f"You are in {scene.id}, a {scene.room}. Type help to see what you can do.")
        while True:
            frame = eyes.frame(agent_camera(player.world.agent, self.size, self.size))
            if self.picture is not None:
                save_png(self.picture, frame.rgb)
            if columns:
                print(blocks(frame.rgb, columns))
            line = _read()
            if line is None or line in ("quit", "exit"):
                return
            for outcome in player.obey(line):
                print(outcome.message or "Done." if outcome.success else f"No: {outcome.message}")


def _read() -> str | None:
    """The next line, or None at the end of the input."""
    print("> ", end="", flush=True)
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        print(line.rstrip("\n"))
    return line.strip().lower() if line else None


class Player:
    """A world that is told what to do in words; every command can be undone."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._past: list[Snapshot] = []
        self._words: dict[str, Callable[[str], Outcome]] = {
            "help": self._help,
            "look": self._look,
            "undo": self._undo,
            "reset": self._reset,
        }

    def obey(self, line: str) -> list[Outcome]:
        """Carry out a line: a command, or several keys one after the other."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return []
        if word in self._words:
            return [self._words[word](rest)]
        if word in MOVES or word in TOUCHES:
            return [self._act(word, rest)]
        if set(word) <= set(KEYS) and not rest:
            return [self._act(KEYS[key], "") for key in word]
        return [refuse(f"I do not know {word!r}. Type help to see what you can do.")]

    def _act(self, word: str, rest: str) -> Outcome:
        before = self.world.snapshot()
        try:
            outcome = self._try(word, rest)
        except HousematesError as error:
            return refuse(str(error))
        self._past.append(before)
        return outcome

    def _try(self, word: str, rest: str) -> Outcome:
        if word in MOVES:
            return act(self.world, MOVES[word])
        if not rest:
            raise HousematesError(f"{word}: what? Name a thing, for example: {word} mug.")
        return act(self.world, TOUCHES[word], target=find_thing(self.world, rest).id)

    def _help(self, _: str) -> Outcome:
        keys = ", ".join(f"{key} {word}" for key, word in KEYS.items())
        lines = [f"Keys, also several at once: {keys}.", "Words: " + ", ".join(MOVES) + "."]
        words = {
            name: "/".join(word for word in TOUCHES if TOUCHES[word] == name) for name in TOUCHES.values()
        }
        lines += [f"  {word} THING: {ACTIONS[name].help}" for name, word in words.items()]
        lines += ["  look: what is in reach and view; undo; reset; quit."]
        return done("\n".join(lines))

    def _look(self, _: str) -> Outcome:
        agent, held = self.world.agent, self.world.held
        seen = sorted({spoken(self.world.things[name].type) for name in visible_things(self.world)})
        hand = f"the {spoken(held.type)}" if held else "nothing"
        place = (
            f"You stand at ({agent.x}, {agent.z}), turned {agent.rotation}°, looking {agent.horizon}° down"
        )
        return done(f"{place}, with {hand} in your hand. In reach: {', '.join(seen) or 'nothing'}.")

    def _undo(self, _: str) -> Outcome:
        if not self._past:
            return refuse("There is nothing to undo.")
        self.world.restore(self._past.pop())
        return done("Undone.")

    def _reset(self, _: str) -> Outcome:
        self._past.append(self.world.snapshot())
        self.world.reset()
        return done("Everything is as it was at the start.")
