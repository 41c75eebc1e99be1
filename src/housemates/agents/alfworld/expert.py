"""An expert that sees the whole game and takes the cheapest branch of its goal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from housemates.benchmarks.alfworld.session import AlfworldSession
from housemates.benchmarks.alfworld.tasks.goals import Branch, Fact, Negated, Tree, holds
from housemates.benchmarks.alfworld.world.playthrough import Playthrough
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Percept
from housemates.core.session import Session

TREATMENTS = {"isclean": "cleanobject", "ishot": "heatobject", "iscool": "coolobject"}
COSTS = {"inreceptacle": 4.0, **dict.fromkeys(TREATMENTS, 3.0), "istoggled": 2.0, "issliced": 5.0}
"""About how many commands it takes to make a fact true."""
Command = tuple[str, tuple[int, ...]]
"""An action and its arguments."""
LOST: Command = ("look", ())
"""What is done where nothing helps: what is in hand cannot be put down anywhere, say."""


class ExpertAgent(Agent):
    """Plans anew before every command, so that whatever others did is taken into account."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take note of the game."""
        assert isinstance(session, AlfworldSession)
        self._session = session

    def act(self, percept: Percept) -> Act:
        """The next command of the plan; `look` where there is none."""
        return Act("Command", {"command": next_command(self._session.play)})


def next_command(play: Playthrough) -> str:
    """The command that brings a game nearest to its goal; `look` where nothing does."""
    wanted = _wanted(play)
    action, numbers = next(_steps(play, wanted), LOST)
    return play.file.dialect.forms[action].written(play.file.game, numbers)


@dataclass
class _Wanted:
    """What has to become true, by object."""

    treated: dict[int, list[str]] = field(default_factory=dict)
    placed: dict[int, int] = field(default_factory=dict)
    sliced: list[int] = field(default_factory=list)
    toggled: list[int] = field(default_factory=list)
    held: int = -1
    location: int = -1
    opened: list[int] = field(default_factory=list)


def _wanted(play: Playthrough) -> _Wanted:
    numbers, found = play.file.game.numbers, _Wanted()
    for name, *arguments in _chosen(play.file.goal.tree, play)[1]:
        last = numbers[arguments[-1]]
        if name in TREATMENTS:
            found.treated.setdefault(last, []).append(name)
        elif name == "inreceptacle":
            found.placed[numbers[arguments[0]]] = last
        elif name == "issliced":
            found.sliced.append(last)
        elif name == "istoggled":
            found.toggled.append(last)
        elif name == "opened":
            found.opened.append(last)
        elif name == "holds":
            found.held = last
        elif name == "atlocation":
            found.location = last
    return found


def _chosen(tree: Tree, play: Playthrough) -> tuple[float, tuple[Fact, ...]]:
    """The facts of the cheapest way to make a tree true, and what it costs."""
    if isinstance(tree, Negated):
        return 0.0, ()
    if not isinstance(tree, Branch):
        return (0.0 if holds(tree, play.state) else _cost(tree, play)), (tree,)
    ways = [_chosen(part, play) for part in tree.parts]
    if tree.operator == "or":
        return min(ways, default=(1e9, ()))
    facts = tuple(dict.fromkeys(fact for _, found in ways for fact in found))
    return sum(cost for cost, _ in ways), facts


def _cost(fact: Fact, play: Playthrough) -> float:
    """How many commands a fact takes, and more where it cannot be done."""
    name, *arguments = fact
    game, state = play.file.game, play.state
    number = game.numbers[arguments[-1]]
    if name == "inreceptacle":
        thing = game.numbers[arguments[0]]
        if number not in game.fits[thing] or (thing != state.held and not _takeable(play, thing)):
            return 1e6
        shut = game.openable >> number & 1 and not state.opened >> number & 1
        return COSTS[name] - 2 * (thing == state.held) + bool(shut)
    if name == "holds" and number != state.held and not _takeable(play, number):
        return 1e6
    if name in TREATMENTS:
        # What is in hand is kept until it is done, wherever it was before.
        possible = game.works[TREATMENTS[name]] and (number == state.held or _takeable(play, number))
        return COSTS[name] + 4 * (number != state.held) if possible else 1e6
    return COSTS.get(name, 1.0)


def _takeable(play: Playthrough, thing: int) -> list[int]:
    """The receptacles that a thing can be taken from."""
    game = play.file.game
    if not game.flags["pickupable"] >> thing & 1:
        return []
    return [r for r, inside in enumerate(play.state.inside) if thing in inside and game.place_of[r] >= 0]


def _steps(play: Playthrough, wanted: _Wanted) -> Iterator[Command]:
    """What is to be done, in order; the first of it is the next command."""
    for thing in wanted.sliced:
        if not play.state.flags["issliced"] >> thing & 1:
            yield from _slice(play, wanted, thing)
    things = sorted({*wanted.treated, *wanted.placed}, key=lambda each: each != play.state.held)
    for thing in things:
        yield from _finish(play, wanted, thing)
    if wanted.held >= 0:
        yield from _hold(play, wanted, wanted.held)
    for receptacle in wanted.opened:
        if not play.state.opened >> receptacle & 1:
            yield from _near(play, receptacle)
            yield "openobject", (receptacle,)
    for thing in wanted.toggled:
        if not play.state.flags["istoggled"] >> thing & 1:
            for receptacle, inside in enumerate(play.state.inside):
                if thing in inside:
                    yield from _near(play, receptacle)
                    yield "toggleobject", (thing,)
    if wanted.location >= 0 and play.state.location != wanted.location:
        yield "gotolocation", (play.file.game.receptacles_at[wanted.location][0],)


def _finish(play: Playthrough, wanted: _Wanted, thing: int) -> Iterator[Command]:
    """Treat a thing and put it where it belongs."""
    state = play.state
    missing = [flag for flag in wanted.treated.get(thing, ()) if not state.flags[flag] >> thing & 1]
    target = wanted.placed.get(thing)
    if not missing and (target is None or thing in state.inside[target]):
        return
    yield from _hold(play, wanted, thing)
    for flag in missing:
        station = _nearest(play, sorted(play.file.game.works[TREATMENTS[flag]]))
        yield from _near(play, station)
        yield TREATMENTS[flag], (thing, station)
    if target is not None:
        yield from _put(play, thing, target)


def _slice(play: Playthrough, wanted: _Wanted, thing: int) -> Iterator[Command]:
    """Take a knife to where a thing lies."""
    knives = [
        each for each in sorted(play.file.game.knives) if each == play.state.held or _takeable(play, each)
    ]
    if play.state.held not in knives:
        for knife in knives[:1]:
            yield from _hold(play, wanted, knife)
    for each, location in sorted(play.state.object_at):
        if each == thing and play.file.game.receptacles_at[location]:
            yield from _near(play, play.file.game.receptacles_at[location][0])
            yield "sliceobject", (thing, play.state.held)


def _hold(play: Playthrough, wanted: _Wanted, thing: int) -> Iterator[Command]:
    """Take a thing, with whatever else is in hand put down first."""
    state = play.state
    if state.held == thing:
        return
    if state.held >= 0:
        target = wanted.placed.get(state.held, _spare(play))
        yield from (LOST,) if target is None else _put(play, state.held, target)
    source = _nearest(play, _takeable(play, thing))
    yield from _near(play, source)
    if not state.is_open(source):
        yield "openobject", (source,)
    yield "pickupobject", (thing, source)


def _put(play: Playthrough, thing: int, target: int) -> Iterator[Command]:
    yield from _near(play, target)
    if not play.state.is_open(target):
        yield "openobject", (target,)
    yield "putobject", (thing, target)


def _spare(play: Playthrough) -> int | None:
    """Where what is in hand can be put down, here if possible; None if no receptacle takes it."""
    game, state = play.file.game, play.state
    return min(
        game.fits[state.held],
        key=lambda r: (game.place_of[r] != state.location, not state.is_open(r), r),
        default=None,
    )


def _near(play: Playthrough, receptacle: int) -> Iterator[Command]:
    if play.file.game.place_of[receptacle] != play.state.location:
        yield "gotolocation", (receptacle,)


def _nearest(play: Playthrough, receptacles: Sequence[int]) -> int:
    """The one that takes the fewest commands to use."""
    places: Mapping[int, int] = dict(enumerate(play.file.game.place_of))
    state = play.state
    return min(receptacles, key=lambda r: (places[r] != state.location, not state.is_open(r), r))
