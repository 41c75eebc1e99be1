"""One running episode: what the agent perceives, and what its actions do, by mask or by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from housemates.benchmarks.alfred.tasks.goals import Progress, Task, progress
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS, STOP, AlfredWorld
from housemates.benchmarks.alfred.world.sight import Mask, Sight
from housemates.errors import HousematesError
from housemates.home import Outcome
from housemates.home.outcome import spoken
from housemates.home.things import Scene
from housemates.render.frames import Frame


@dataclass(frozen=True)
class Act:
    """Something to do: one of the thirteen actions, with a mask or an id for the seven on things."""

    action: str
    mask: Any = None
    """300x300 booleans."""
    target: str | None = None
    """An object's id, for planners."""


@dataclass(frozen=True)
class Episode:
    """A task, where it begins, how long the expert takes, and what people say about it."""

    id: str
    start: Scene
    length: int
    """Actions of the demonstration."""
    task: Task | None
    """None where the file does not tell; such an episode can be run but not scored."""
    goal: str = ""
    instructions: Sequence[str] = ()
    prefix: Sequence[Act] = ()
    """What is done before the agent takes over."""


@dataclass
class Observation:
    """What the agent perceives; the picture is drawn when it is asked for."""

    goal: str
    instructions: Sequence[str]
    last: Outcome
    """What came of the last action."""
    session: AlfredSession = field(repr=False)
    """All there is to know, for planners; an agent that is scored does not look."""

    @property
    def frame(self) -> Frame:
        """The picture now, with ids and depth."""
        return self.session.sight.look()

    @property
    def text(self) -> str:
        """What is seen and held and what the last action did, in words."""
        return describe(self.session, self.last)


class AlfredSession:
    """One running episode."""

    def __init__(self, episode: Episode) -> None:
        """Begin it, and do what comes before the agent's part."""
        self.episode = episode
        self.world = AlfredWorld(episode.start)
        self.sight = Sight(self.world.home)
        self.last = Outcome(True, "")
        self.taken = 0
        """How many actions the agent has tried."""
        self.over = False
        for act in episode.prefix:
            outcome = self.world.act(act.action, act.target)
            if not outcome.success:
                raise HousematesError(f"{episode.id}: the demonstration fails here: {outcome.message}")

    @property
    def role(self) -> str | None:
        """The agent, until it stops."""
        return None if self.over else "agent"

    def observe(self) -> Observation:
        """What the agent perceives now."""
        return Observation(self.episode.goal, self.episode.instructions, self.last, self)

    def act(self, action: Any) -> Outcome:
        """Carry out an action; one that makes no sense is a failed one."""
        try:
            self.last = self._carry_out(understand(action))
        except HousematesError as error:
            self.last = Outcome(False, str(error))
        return self.last

    def _carry_out(self, act: Act) -> Outcome:
        if act.action == STOP:
            self.over = True
            return Outcome(True, "The agent stops.")
        self.taken += 1
        target = act.target
        if act.action in INTERACTIONS and act.mask is not None:
            target = self.sight.pick(act.mask)
            if target is None:
                return Outcome(False, f"{act.action}: the mask touches nothing that can be used.")
        return self.world.act(act.action, target)

    @property
    def progress(self) -> Progress:
        """The goal conditions that are met now; none of none if the task is not known."""
        return progress(self.episode.task, self.world) if self.episode.task else Progress(0, 0)

    def mask(self, thing: str) -> Mask:
        """Where a thing is seen now."""
        return self.sight.mask(thing)


def understand(action: Any) -> Act:
    """Whatever an agent says as an act: an `Act`, a mapping with its fields, or the name of an action."""
    if isinstance(action, Act):
        found = action
    elif isinstance(action, str):
        found = Act(action)
    elif isinstance(action, Mapping) and set(action) <= {"action", "mask", "target"} and "action" in action:
        found = Act(**action)
    else:
        raise HousematesError(f"Expected an action, found {str(action)[:80]!r}.")
    if found.action not in ACTIONS:
        raise HousematesError(f"Unknown action {found.action!r}: expected one of {', '.join(ACTIONS)}.")
    return found


MIN_PIXELS = 20
"""A thing of which fewer pixels are seen is not spoken of."""


def describe(session: AlfredSession, last: Outcome) -> str:
    """What is seen from left to right, what is held, what the last action did: text for language models."""
    home = session.world.home
    found = []
    for seen in sorted(session.sight.look().boxes(), key=lambda box: (box.left + box.right, box.id)):
        thing = home.things[seen.id]
        if seen.pixels < MIN_PIXELS or home.in_hand(thing) or thing.type == "Floor":
            continue
        states = [name for name in ("open", "on", "dirty") if getattr(thing, name)]
        note = f" ({', '.join(states)})" if states else ""
        found.append(f"{spoken(thing.type)}{note} [{thing.id}]")
    held = home.held
    lines = [
        f"You see: {', '.join(found) or 'nothing of note'}.",
        f"You hold: {f'{spoken(held.type)} [{held.id}]' if held else 'nothing'}.",
    ]
    if last.message:
        lines.append(f"Last action: {'done' if last.success else 'failed'}. {last.message}")
    elif not last.success:
        lines.append("Last action: failed.")
    return "\n".join(lines)
