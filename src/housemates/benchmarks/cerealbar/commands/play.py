"""`housemates play cerealbar`: take a role in the terminal, with a scripted partner."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal, TextIO

from housemates.benchmarks.base import Instance
from housemates.benchmarks.cerealbar.agents.baselines import pair
from housemates.benchmarks.cerealbar.world.dynamics import act, new_game
from housemates.benchmarks.cerealbar.world.hexes import HEADINGS
from housemates.benchmarks.cerealbar.world.observe import Memory, Observation, observe
from housemates.benchmarks.cerealbar.world.state import LEADER, ROLES, Action, Game, Options
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PROPS, TERRAINS
from housemates.errors import HousematesError

KEYS = {"w": "MF", "s": "MB", "a": "RL", "d": "RR", "e": "DONE"}
HELP = "w forward, s backward, a turn left, d turn right (several: wwad), e done, ? this, q quit"
GROUND = {"grass": "· ", "path": "░░", "water": "~~", "deep water": "≈≈", "hill": "^^", "short hill": "⌃⌃"}
MARKS = {
    "tree": "♣ ",
    "hut": "⌂ ",
    "tent": "△ ",
    "windmill": "✢ ",
    "tower": "♜ ",
    "plant": "❀ ",
    "lamppost": "¡ ",
}
ARROWS = ("↗", "→", "↘", "↙", "←", "↖")
UNKNOWN = "  "


def draw(seen: Observation) -> str:
    """The known map as text, north up: cards as their numbers, players as arrows."""
    width, height = seen.map.size
    numbers = {at: number for number, at in enumerate(sorted(seen.cards))}
    poses = {seen.pose: ROLES[seen.role][0].upper()}
    if seen.partner is not None:
        poses[seen.partner] = ROLES[1 - seen.role][0].upper()
    players = {pose // 6: f"{letter}{ARROWS[pose % 6]}" for pose, letter in poses.items()}
    lines = []
    for y in range(height - 1, -1, -1):
        cells = []
        for at in range(y * width, (y + 1) * width):
            if seen.seen is not None and at not in seen.seen:
                cell = UNKNOWN
            elif at in players:
                cell = players[at]
            elif at in numbers:
                cell = f"{numbers[at]:>2}"
            elif seen.map.prop[at] != NO_PROP:
                cell = MARKS[PROPS[seen.map.prop[at]].family]
            else:
                cell = GROUND[TERRAINS[seen.map.terrain[at]].name]
            cells.append(cell)
        lines.append((" " if y & 1 else "") + "".join(cells).rstrip())
    legend = [
        f"{number:>2} {seen.cards[at] or '?'}{' *' if at in seen.selected else ''}"
        for at, number in numbers.items()
    ]
    columns = [legend[i::3] for i in range(3)]
    rows = ["".join(f"{entry:<26}" for entry in row) for row in zip(*columns, strict=False)]
    return "\n".join([*lines, "", *rows])


def status(seen: Observation) -> str:
    """One line on the turn."""
    facing = HEADINGS[seen.pose % 6]
    return (
        f"{ROLES[seen.role]}: score {seen.score}, {seen.turns_left} turns left, {seen.steps} steps, "
        f"facing {facing}, {seen.waiting} instructions waiting"
    )


@dataclass
class Play:
    """Play one game in the terminal as the leader or the follower."""

    role: Literal["leader", "follower"] = "follower"
    """Which player you are."""
    partner: Literal["talking", "planner"] = "talking"
    """Who plays the other."""
    seed: int = 0
    """Which map and cards."""
    view: Literal["partial", "full"] = "partial"
    """What the follower sees: what people see, or everything."""

    def run(self) -> None:
        """Play until the game is over or you quit."""
        game = new_game(self.seed, Options())
        Table(game, ROLES.index(self.role), self.partner, self.view == "partial").play(sys.stdin, sys.stdout)


class Table:
    """A person and a scripted partner at one game."""

    def __init__(self, game: Game, person: int, partner: str, partial: bool) -> None:
        self.game = game
        self.person = person
        self.agent = pair(partner)[ROLES[1 - person]]
        self.agent.reset(Instance("play", "game", None, game.seed))
        self.memory = Memory() if partial else None

    def play(self, source: TextIO, out: TextIO) -> None:
        """Read lines until the game ends."""
        print(HELP if self.person else f"{HELP}; anything else is an instruction", file=out)
        while not self.game.over:
            if self.game.role != self.person:
                self.let_partner_act(out)
                continue
            seen = observe(self.game, self.person, self.memory)
            print(f"\n{draw(seen)}\n{status(seen)}", file=out)
            if seen.instruction and self.person != LEADER:
                print(f"instruction: {seen.instruction}", file=out)
            out.write("> ")
            out.flush()
            line = source.readline()
            if not line or line.strip() == "q":
                break
            self.take(line.strip(), out)
        print(f"score {self.game.score} after {self.game.turn} turns", file=out)

    def let_partner_act(self, out: TextIO) -> None:
        """One action of the partner, told to the person."""
        action = self.agent.act(observe(self.game, self.game.role, self.memory))
        role = self.game.role
        if not act(self.game, role, action).success:
            raise HousematesError(f"The {ROLES[role]} tried {action.name}, which is not possible.")
        print(f"{ROLES[role]}: {action.text or action.name}", file=out)

    def take(self, line: str, out: TextIO) -> None:
        """Carry out what the person typed: keys, or an instruction."""
        if line == "?":
            print(HELP, file=out)
        elif line and set(line) <= set(KEYS):
            for key in line:
                self.attempt(Action(KEYS[key]), out)
        elif self.person == LEADER:
            self.attempt(Action("SAY", line), out)
        else:
            print(f"Unknown keys {line!r}: {HELP}", file=out)

    def attempt(self, action: Action, out: TextIO) -> None:
        """Act, and say why not if it is refused."""
        if self.game.over or self.game.role != self.person:
            return
        outcome = act(self.game, self.person, action)
        if not outcome.success:
            print(outcome.message, file=out)
