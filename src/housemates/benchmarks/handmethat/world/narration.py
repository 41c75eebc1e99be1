"""What the robot reads: places, objects, results of commands, in this package's words or the reference's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from housemates.benchmarks.handmethat.world.catalog import FLAGS, LOCATIONS, displayed, kind_of
from housemates.benchmarks.handmethat.world.dynamics import (
    HUMAN,
    HUMAN_PLACE,
    NOTHING,
    ROBOT,
    STRIDE,
    Scene,
    World,
)
from housemates.benchmarks.handmethat.world.operators import Action
from housemates.core.copies import Memo, copied

HUMAN_ACTIONS = {
    "move": "moves to the {1}",
    "pick-up-at-location": "picks up the {0} at the {1}",
    "pick-up-from-receptacle-at-location": "picks up the {0} from the {1} at the {2}",
    "put-inside-location": "puts the {0} into the {1}",
    "put-ontop-location": "puts the {0} on the {1}",
    "put-inside-receptacle-at-location": "puts the {0} into the {1}",
    "put-ontop-receptacle-at-location": "puts the {0} on the {1}",
    "open-location": "opens the {0}",
    "close-location": "closes the {0}",
    "open-receptacle-at-location": "opens the {0} at the {1}",
    "close-receptacle-at-location": "closes the {0} at the {1}",
    "toggle-on-location": "toggles the {0} on",
    "toggle-off-location": "toggles the {0} off",
    "toggle-on-movable-at-location": "toggles the {0} on at the {1}",
    "toggle-off-movable-at-location": "toggles the {0} off at the {1}",
    "heat-obj": "heats the {0} up with the {1}",
    "cool-obj": "cools the {0} down in the {1}",
    "slice-obj": "slices up the {0} with the {1} at the {2}",
    "soak-obj": "makes the {0} soaked in the {1}",
    "clean-obj-at-location": "cleans up the {0} with the {1} at the {2}",
    "clean-location": "cleans up the {1} with the {0}",
}
ROBOT_ACTIONS = {
    "move": "move from the {0} to the {1}",
    "pick-up-at-location": "pick up the {0} from the {1}",
    "pick-up-from-receptacle-at-location": "pick up the {0} from the {1} at the {2}",
    "put-inside-location": "put the {0} into the {1}",
    "put-ontop-location": "put the {0} onto the {1}",
    "put-inside-receptacle-at-location": "put the {0} into the {1} at the {2}",
    "put-ontop-receptacle-at-location": "put the {0} onto the {1} at the {2}",
    "open-location": "open the {0}",
    "close-location": "close the {0}",
    "open-receptacle-at-location": "open the {0}",
    "close-receptacle-at-location": "close the {0}",
    "toggle-on-location": "toggle the {0} on",
    "toggle-off-location": "toggle the {0} off",
    "toggle-on-movable-at-location": "toggle the {0} on",
    "toggle-off-movable-at-location": "toggle the {0} off",
    "heat-obj": "heat the {0} up with the {1}",
    "cool-obj": "cool the {0} down with the {1}",
    "slice-obj": "slice up the {0} with the {1}",
    "soak-obj": "make the {0} soaked with the {1}",
    "clean-obj-at-location": "clean up the {0} with the {1}",
    "clean-location": "clean up the {1} with the {0}",
    "bring-to-human": "give the {0} to the human",
    "take-from-human": "take the {0} from the human",
}
REFERENCE_ACTIONS = ROBOT_ACTIONS | {
    "put-ontop-location": "put the {0} on the {1}",
    "put-ontop-receptacle-at-location": "put the {0} on the {1} at the {2}",
    "soak-obj": "make the {0} soaked in the {1}",
    "bring-to-human": "give the {0} to human",
    "take-from-human": "take the {0} from human",
}


STATE_WORDS = {"open": ("open", "closed"), "toggled": ("toggled-on", "toggled-off")}
"""Flags that are also seen when they are not raised."""


@dataclass(frozen=True)
class Style:
    """How texts are worded: this package's way, or the way of the reference environment."""

    name: str
    actions: dict[str, str]
    refusal: str
    puzzled: str
    separator: str
    """Between the objects of a list."""


STANDARD = Style("standard", ROBOT_ACTIONS, "You can't do that.", "I can't understand.", ", ")
REFERENCE = Style(
    "reference", REFERENCE_ACTIONS, "You are not able to do so.", "I can't understand what you mean!", ",  "
)
STYLES = {style.name: style for style in (STANDARD, REFERENCE)}


class _Looks(dict[tuple[Any, ...], str]):
    """Official name, colour, size and all flags of an object -> how lists show it."""

    def __missing__(self, key: tuple[Any, ...]) -> str:
        if len(self) > MOST_LOOKS:
            self.clear()
        name, color, size, *flags = key
        words = [color, size]
        for flag, raised in zip(FLAGS, flags, strict=True):
            if flag in kind_of(name).flags:
                if_raised, if_not = STATE_WORDS.get(flag, (flag, ""))
                words.append(if_raised if raised else if_not)
        self[key] = found = " ".join([*filter(None, words), displayed(name)])
        return found


MOST_LOOKS = 1 << 16
_looks = _Looks()


def seen(world: World, number: int) -> str:
    """An object as lists show it: `green small closed box 2`."""
    scene = world.scene
    flags = world.values[number * STRIDE + 1 : (number + 1) * STRIDE]
    return _looks[scene.names[number], scene.colors[number], scene.sizes[number], *flags]


class Narrator:
    """Writes texts about one world, remembering what has not changed."""

    def __init__(self, world: World, style: Style) -> None:
        """Speak about this world in this style."""
        self.world = world
        self.style = style
        self._remembered: dict[tuple[str, int, bool], tuple[int, str]] = {}

    def __deepcopy__(self, memo: Memo) -> Narrator:
        """One who speaks about the copy of the world."""
        twin = Narrator(copied(self.world, memo), self.style)
        twin._remembered = self._remembered.copy()
        return twin

    def _name(self, number: int) -> str:
        """An object as results of commands name it."""
        scene = self.world.scene
        kind = scene.kinds[number]
        if self.style is STANDARD or kind.is_location:
            return scene.displayed[number]
        static = [word for word in (scene.sizes[number], scene.colors[number]) if word is not None]
        single = len(scene.instances[kind.name]) == 1
        return " ".join([*static, kind.name if single else f"{kind.name} ({scene.displayed[number]})"])

    def place(self, number: int, everything: bool = False) -> str:
        """A location and what is in or on it, and in its receptacles; shut ones only if `everything`."""
        version = self.world.version[number]
        key = (self.style.name, number, everything)
        if version == 0:
            if key not in self.world.memo:
                self.world.memo[key] = self._place(number, everything)
            first: str = self.world.memo[key]
            return first
        remembered = self._remembered.get(key)
        if remembered is not None and remembered[0] == version:
            return remembered[1]
        text = self._place(number, everything)
        self._remembered[key] = (version, text)
        return text

    def _place(self, number: int, everything: bool) -> str:
        world = self.world
        head = f"You see {'the ' if self.style is STANDARD else ''}{seen(world, number)}.\n"
        if not everything and not world.reachable(number):
            return head
        parts = [self._contents(number, "nothing")]
        for inner in world.children[number]:
            if world.scene.is_receptacle[inner] and (everything or world.reachable(inner)):
                parts.append(self._contents(inner, ""))
        return head + "".join(parts)

    def _contents(self, holder: int, if_empty: str) -> str:
        world = self.world
        if not world.children[holder] and not if_empty:
            return ""
        inner = [seen(world, number) for number in world.children[holder]]
        lead = "In" if world.scene.kinds[holder].relation == "inside" else "On"
        gap = "" if self.style is STANDARD or not inner else " "
        listed = self.style.separator.join(inner) or if_empty
        return f"{lead} {world.scene.displayed[holder]} you can see {gap}{listed}. "

    def surroundings(self) -> str:
        """What the robot sees where it is."""
        world = self.world
        here = world.values[world.scene.at(ROBOT)]
        if here == HUMAN_PLACE:
            return f"You are in front of the human, who is currently holding {self.human_holds()}.\n"
        gap = "\n\n" if self.style is REFERENCE else " "
        return f"You are at the {LOCATIONS[here]}.{gap}{self.place(here)}"

    def human_holds(self) -> str:
        """What is in the human's hands."""
        world = self.world
        held = [seen(world, number) for number in world.children[world.scene.hand(HUMAN)]]
        return ", ".join(held) or "nothing"

    def holding(self) -> str:
        """What is in the robot's hand."""
        held = self.world.values[self.world.scene.held(ROBOT)]
        return "nothing" if held == NOTHING else seen(self.world, held)

    def inventory(self) -> str:
        """What the robot holds, in a sentence."""
        return f"You are holding {self.holding()}."

    def standing(self) -> str:
        """Where the robot is and what it holds."""
        here = self.world.values[self.world.scene.at(ROBOT)]
        where = "in front of the human" if here == HUMAN_PLACE else f"at the {LOCATIONS[here]}"
        return f"You are {where}, holding {self.holding()}."

    def result(self, action: Action) -> str:
        """What the robot did."""
        if action.name == "move":
            names = ["human" if place == HUMAN_PLACE else LOCATIONS[place] for place in action.args]
        else:
            names = [self._name(number) for number in action.args]
        return f"You {self.style.actions[action.name].format(*names)}."

    def welcome(self, everything: bool) -> str:
        """The first text: the places, where the robot is, and what it sees or, if asked, all there is."""
        if self.style is REFERENCE:
            return self._reference_welcome(everything)
        places = ", ".join(_a(name) for name in LOCATIONS[1:])
        here = self.world.values[self.world.scene.at(ROBOT)]
        text = f"Welcome to the world! In the room there is the human, {places}. "
        text += "Now you are standing on the floor.\n"
        if not everything:
            return text + self.surroundings()
        others = [number for number in range(len(LOCATIONS)) if number != here]
        views = [self.surroundings(), *(self.place(number, True) for number in others)]
        return text + "\n".join(views) + f"\nThe human is currently holding {self.human_holds()}."

    def _reference_welcome(self, everything: bool) -> str:
        places = " ".join(_a(name) for name in LOCATIONS[1:])
        text = f"Welcome to the world!\nIn the room there is the human {places}.\n\n"
        text += f"Now you are standing on the floor.\n\n{self.surroundings()}"
        if everything:
            text += "".join("\n" + self.place(number, True) for number in range(1, len(LOCATIONS)))
            text += f"\nHuman is currently holding {self.human_holds()}.\n"
        return text.replace(",", "") + "Now it is your turn to help human to achieve the goal!\n"


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def human_action(scene: Scene, action: Action) -> str:
    """`Human picks up the apple 0 at the table.`"""
    names = [scene.displayed[number] for number in action.args]
    return f"Human {HUMAN_ACTIONS[action.name].format(*names)}."


def story(scene: Scene, actions: Sequence[Action], instruction: str) -> str:
    """What the human did and said."""
    lines = ["", "The human agent has taken a list of actions towards a goal, which includes:"]
    lines += [human_action(scene, action) for action in actions]
    return "\n".join([*lines, f"Human stops and says, '{instruction}'", ""])
