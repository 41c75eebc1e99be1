"""Hands: carry out skills in a benchmark's own low-level acts, with what was seen and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from housemates.core.actions import Act, Offer
from housemates.core.outcome import Outcome, Reason, done, refuse, retold, spoken
from housemates.home import Thing, World
from housemates.home.containment import enclosing
from housemates.home.naming import Names
from housemates.home.navigation import HEADINGS, Pose, agent_at, standing_poses
from housemates.home.recipes import WASHING
from housemates.home.routes import Routes
from housemates.home.skills.menu import FITS, PLAIN, offers_now
from housemates.home.things import GRID_M

MOST_POSES = 40
"""From how many poses of each quality a skill is rehearsed before it is refused."""
STATES = ("open", "on", "dirty", "sliced", "cooked")
"""States of a thing that are spoken of."""


class Low(NamedTuple):
    """A low-level act by the home's name for it, such as `Pickup`, and the thing that it is on."""

    action: str
    target: str | None = None


class Body(Protocol):
    """What a benchmark tells of the one who acts."""

    home: World
    look_deg: int
    """How far one looks up or down at once."""

    def seen(self) -> Iterable[str]:
        """The ids of what the picture shows now."""

    def act(self, low: Low) -> Act:
        """The benchmark's own act for this."""

    def attempt(self, low: Low) -> Outcome:
        """Try it at once; whoever calls has kept the moment."""

    def snapshot(self) -> Any:
        """Return a copy of the state, as `restore` takes it."""

    def restore(self, moment: Any) -> None:
        """Go back to a moment that was kept."""


Do = Callable[[Act], Outcome]
"""Carries out one low-level act for good: it is counted, written down and seen by everybody."""


class Hands:
    """Whoever acts in skills: remembers what it has seen, and rehearses before it moves.

    Args:
        body: The one who acts.
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        self.acts = 0
        """Low-level acts so far."""
        self.skills = 0
        """Skills so far."""
        self._known: dict[str, None] = {}
        self.notice()

    def notice(self) -> None:
        """Remember what is seen now, and what is held."""
        self._known.update(dict.fromkeys(self.body.seen()))
        if self.body.home.agent.held:
            self._known.setdefault(self.body.home.agent.held)

    def known(self) -> list[Thing]:
        """All that was seen and is still there, in the order in which it was seen."""
        things = self.body.home.things
        return [things[name] for name in self._known if name in things and things[name].solid]

    def offers(self, menu: Iterable[Offer]) -> tuple[Offer, ...]:
        """The offers of a menu that make sense now."""
        home, known = self.body.home, self.known()
        away = {thing.id for thing in known if home.in_hand(thing) or enclosing(home.things, thing)}
        return tuple(offers_now(menu, home, known, away))

    def remembered(self, names: Names) -> str:
        """What was seen before and is not seen now, in words."""
        seen, home = set(self.body.seen()), self.body.home
        rest = [each for each in self.known() if each.id not in seen and not home.in_hand(each)]
        lines = [f"- {names.called(each, _note(each))}{_where(home, each, names)}" for each in rest]
        return "\n".join(["You have also seen:", *lines]) if lines else ""

    def carry_out(self, act: Act, do: Do) -> Outcome:
        """Do a skill; what cannot be done is refused, and then nothing has changed."""
        self.skills += 1
        if act.name == "LookAround":
            return self._look_around(do)
        home = self.body.home
        thing = home.things.get(act.arguments["object"])
        if thing is None or thing.id not in self._known:
            return refuse(Reason.NOT_SEEN, f"{act.name}: you have not seen {act.arguments['object']!r}.")
        if not FITS[act.name](home, thing):
            told = f"{act.name}: the {spoken(thing.type)} is not for that now."
            return refuse(Reason.NOT_POSSIBLE, told, type=thing.type)
        if act.name == "GoTo":
            return self._go(thing, do)
        steps = list(self._steps(act.name, thing))
        return self._at_best(act.name, thing, steps, do)

    def _look_around(self, do: Do) -> Outcome:
        before = len(self._known)
        for _ in HEADINGS:
            self._do(Low("TurnRight"), do)
        found = len(self._known) - before
        return done(f"You see {found} things that you had not seen before.", count=found)

    def _go(self, thing: Thing, do: Do) -> Outcome:
        ways = Routes(self.body.home, self.body.look_deg)
        pose = next(self._poses(thing, ways), None) or _nearest(thing, ways)
        if pose is None:
            told = f"GoTo: there is no way to the {spoken(thing.type)}."
            return refuse(Reason.UNREACHABLE, told, type=thing.type)
        return self._walk(pose, ways, do) or done(f"You are at the {spoken(thing.type)}.", type=thing.type)

    def _at_best(self, name: str, thing: Thing, steps: Sequence[Low], do: Do) -> Outcome:
        """Do steps where a rehearsal of all of them works, the nearest such place first.

        Where they should do something to other things, a place from where they do is better than others.
        """
        ways = Routes(self.body.home, self.body.look_deg)
        told = f"{name}: there is no place from where the {spoken(thing.type)} can be reached."
        refusal = refuse(Reason.UNREACHABLE, told, type=thing.type)
        meant, second = self._meant(name, thing), None
        for pose in (ways.start, *self._poses(thing, ways)):
            outcome, served = self._rehearse(pose, steps, meant)
            if served:
                return self._walk(pose, ways, do) or self._in_turn(steps, do)
            if outcome.success and second is None:
                second = pose
            elif pose != ways.start:
                refusal = outcome
        if second is not None:
            return self._walk(second, ways, do) or self._in_turn(steps, do)
        return retold(refusal, name)

    def _meant(self, name: str, thing: Thing) -> list[str]:
        """What a skill should do something to, beside the thing that it is on."""
        home = self.body.home
        if name == "Clean":
            return [home.agent.held]
        if name != "SwitchOn":
            return []
        return [each.id for place in thing.controls for each in home.contents_deep(home.things[place])]

    def _rehearse(self, pose: Pose, steps: Iterable[Low], meant: Sequence[str]) -> tuple[Outcome, bool]:
        """What comes of steps at a pose, and whether they do what they are meant to do."""
        body = self.body
        moment, before = body.snapshot(), body.home.things.copy()
        body.home.agent = agent_at(body.home.agent, pose)
        outcome = done()
        for step in steps:
            outcome = body.attempt(step)
            if not outcome.success:
                break
        served = not meant or any(_differ(before[name], body.home.things[name]) for name in meant)
        body.restore(moment)
        return outcome, outcome.success and served

    def _walk(self, pose: Pose, ways: Routes, do: Do) -> Outcome | None:
        """Walk to a pose; what came in the way, if anything did."""
        for move in ways.moves(pose):
            outcome = self._do(Low(move), do)
            if not outcome.success:
                return outcome
        return None

    def _in_turn(self, steps: Iterable[Low], do: Do) -> Outcome:
        outcome = done()
        for step in steps:
            outcome = self._do(step, do)
            if not outcome.success:
                break
        return outcome

    def _do(self, low: Low, do: Do) -> Outcome:
        outcome = do(self.body.act(low))
        self.acts += 1
        self.notice()
        return outcome

    def _poses(self, thing: Thing, ways: Routes) -> Iterator[Pose]:
        """Poses before a thing: those with the clearest view first, of these the nearest first."""
        poses = standing_poses(self.body.home, thing, ways.cells, self.body.look_deg)
        best, good = (len(poses) + 3) // 4, (len(poses) + 1) // 2
        for candidates in (poses[:best], poses[best:good], poses[good:]):
            yield from sorted(candidates, key=lambda pose: (ways.length(pose), pose))[:MOST_POSES]

    def _steps(self, name: str, thing: Thing) -> Iterator[Low]:
        """The low-level acts of a skill, once one stands where they work."""
        if name in PLAIN:
            yield Low(PLAIN[name], thing.id)
        elif name == "Clean":
            yield from self._rinsed(thing)
        else:
            yield from self._shut_in(thing, switched=name == "Heat")

    def _shut_in(self, place: Thing, switched: bool) -> Iterator[Low]:
        """Put what is held into something, close it, perhaps switch it on and off, and take it out again."""
        if place.on and place.kind.closed_while_on:
            yield Low("ToggleOff", place.id)
        if not place.open:
            yield Low("Open", place.id)
        yield Low("Place", place.id)
        yield Low("Close", place.id)
        if switched:
            yield Low("ToggleOn", place.id)
            yield Low("ToggleOff", place.id)
        yield Low("Open", place.id)
        yield Low("Pickup", self.body.home.agent.held)
        yield Low("Close", place.id)

    def _rinsed(self, sink: Thing) -> Iterator[Low]:
        """Put what is held under the faucet of a sink, let it run, and take it back."""
        home = self.body.home
        faucet = min(
            home.of_type(WASHING.switch),
            key=lambda each: (sink.id not in each.controls, math.dist(each.position, sink.position)),
            default=None,
        )
        if faucet is not None and faucet.on:
            yield Low("ToggleOff", faucet.id)
        yield Low("Place", sink.id)
        if faucet is not None:
            yield Low("ToggleOn", faucet.id)
            yield Low("ToggleOff", faucet.id)
        yield Low("Pickup", home.agent.held)


def _differ(before: Thing, after: Thing) -> bool:
    """Whether a thing is now in another state."""
    return any(getattr(before, name) != getattr(after, name) for name in ("dirty", "liquid", "cooked"))


def _nearest(thing: Thing, ways: Routes) -> Pose | None:
    """The pose that comes nearest to a thing that cannot be faced from close by, looking its way."""
    x, z = thing.position[0] / GRID_M, thing.position[2] / GRID_M

    def away(pose: Pose) -> tuple[float, float, int]:
        to_x, to_z = HEADINGS[pose.rotation]
        ahead = (x - pose.x) * to_x + (z - pose.z) * to_z
        return round(math.hypot(x - pose.x, z - pose.z), 3), -ahead, ways.length(pose)

    return min(ways.poses(), key=away, default=None)


def _note(thing: Thing) -> str:
    states = [name for name in STATES if getattr(thing, name)]
    return f" ({', '.join(states)})" if states else ""


def _where(home: World, thing: Thing, names: Names) -> str:
    holder = next(home.ancestors(thing), None)
    return f" at {names.pointed(holder.id)}" if holder is not None and holder.type != "Floor" else ""
