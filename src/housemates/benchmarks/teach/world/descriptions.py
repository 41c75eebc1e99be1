"""What each of the two perceives, in words that are enough to act on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.tasks.relevance import relevant_kinds
from housemates.benchmarks.teach.world.agent_camera import Seen
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.follower import Follower
from housemates.benchmarks.teach.world.poses import Pose
from housemates.benchmarks.teach.world.search import whereabouts
from housemates.benchmarks.teach.world.views import ActionRecord
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.core.percepts import Utterance
from housemates.home import Thing, World
from housemates.home.naming import Names
from housemates.home.things import turned


def follower_text(
    follower: Follower, dialogue: Sequence[Utterance], last: ActionRecord | None, names: Names, places: bool
) -> str:
    """What the Follower perceives: its body, what came of its last act, what it sees, what was said.

    Where nobody can point at the picture, `places` on it need not be told.
    """
    home = follower.world.home
    held = home.held
    seen = [_seen(each, names, places) for each in follower.sight.things()]
    title = "You see (at x and y of the picture):" if places else "You see:"
    lines = [
        f"You are {_posed(follower.pose)}, looking {_tilted(follower.pose.horizon)}.",
        f"In your hand: {_with_states(held, names)}." if held is not None else "Your hand is empty.",
        *_came_of(last, names),
        title if seen else "You see nothing that could be touched.",
        *seen,
        *_said(dialogue),
    ]
    return "\n".join(lines)


def commander_text(
    task: tasks.BoundTask | None,
    world: TeachWorld,
    camera: Pose,
    dialogue: Sequence[Utterance],
    last: ActionRecord | None,
    names: Names,
) -> str:
    """What the Commander perceives: the task and how far it is, if it is told, and what was said."""
    home = world.home
    held = home.held
    agent = home.agent
    pose = Pose(agent.x, agent.y, agent.z, agent.rotation, agent.horizon)
    lines = [
        *(() if task is None else _task_lines(task, world, names)),
        f"The Follower is {_posed(pose)}, looking {_tilted(pose.horizon)}; "
        f"it holds {'nothing' if held is None else _with_states(held, names)}.",
        f"Your camera is {_posed(camera)}.",
        *_came_of(last, names),
        *_said(dialogue),
    ]
    return "\n".join(lines)


def _task_lines(task: tasks.BoundTask, world: TeachWorld, names: Names) -> Iterator[str]:
    """The task, how far it is, and where the things are that it is about."""
    progress = tasks.check(task, world.objects())
    yield f"Task: {task.description} {progress.satisfied} of {progress.total} conditions hold."
    yield from _steps("To do:", progress, names, done=False)
    yield from _steps("Settled:", progress, names, done=True)
    yield "What it is about:"
    yield from (_placed(world.home, thing, names) for thing in about(task, world.home))


def about(task: tasks.BoundTask, home: World) -> list[Thing]:
    """The things that a task is about."""
    kinds = relevant_kinds(task)
    return [
        thing
        for thing in home.things.values()
        if thing.solid and (thing.type in kinds or not kinds.isdisjoint(thing.kind.classes))
    ]


def dialogue_text(dialogue: Iterable[Utterance]) -> str:
    """What was said, an utterance a line."""
    return "\n".join(f"{each.role}: {each.text}" for each in dialogue)


def history_text(history: Iterable[ActionRecord], names: Names) -> str:
    """What was done, in short: `Forward x3, Pickup Mug|..., Say "What next?"`."""
    told = (_done(each, names) for each in history if each.act is not None)
    counted = ((text, len(list(same))) for text, same in groupby(told))
    return ", ".join(text if count == 1 else f"{text} x{count}" for text, count in counted)


def _done(deed: ActionRecord, names: Names) -> str:
    assert deed.act is not None
    what = _act(deed.act, deed.outcome, names)
    return what if deed.outcome.success else f"{what} (failed)"


def _act(act: Act, outcome: Outcome, names: Names) -> str:
    if "text" in act.arguments:
        return f'{act.name} "{act.arguments["text"]}"'
    target = outcome.data.get("object") or act.arguments.get("object")
    if target is None and "point" in act.arguments:
        x, y = act.arguments["point"]
        target = f"at {x:.2f} {y:.2f}"
    return f"{act.name} {names.word(target)}" if target else act.name


def _came_of(last: ActionRecord | None, names: Names) -> Iterator[str]:
    if last is not None:
        what = "Your answer" if last.act is None else _act(last.act, last.outcome, names)
        how = "done." if last.outcome.success else "failed."
        yield f"Last: {what}: {how} {last.outcome.message}".rstrip()


def _said(dialogue: Sequence[Utterance]) -> Iterator[str]:
    if dialogue:
        yield "Said so far:"
        yield dialogue_text(dialogue)


def _posed(pose: Pose) -> str:
    return f"at x {pose.x:.2f}, z {pose.z:.2f}, facing {pose.rotation:.0f} degrees (clockwise from +z)"


def _tilted(horizon: float) -> str:
    if round(horizon) == 0:
        return "straight ahead"
    return f"{abs(horizon):.0f} degrees {'down' if horizon > 0 else 'up'}"


def _seen(seen: Seen, names: Names, places: bool) -> str:
    place = f" at {seen.x:.3f} {seen.y:.3f}" if places else ""
    return f"- {_with_states(seen.thing, names)}{place}, {seen.away_m:.1f} m away"


def _with_states(thing: Thing, names: Names) -> str:
    return ", ".join([names.called(thing), *states(thing)])


def states(thing: Thing) -> Iterator[str]:
    """What can be seen of a thing's state, in words."""
    if thing.can("open"):
        yield "open" if thing.open else "closed"
    if thing.can("toggle"):
        yield "on" if thing.on else "off"
    for word in ("dirty", "cooked", "broken"):
        if getattr(thing, word):
            yield word
    if thing.liquid:
        yield f"with {thing.liquid} in it"


def _placed(home: World, thing: Thing, names: Names) -> str:
    """Where a thing is: what holds it, and where that is for the Follower."""
    where = f"{whereabouts(home, thing, names)}{_from_follower(home, thing)}"
    return f"- {_with_states(thing, names)}: {where}"


def _from_follower(home: World, thing: Thing) -> str:
    if home.in_hand(thing):
        return ""
    agent = home.agent
    right, ahead = turned(thing.position[0] - agent.x, thing.position[2] - agent.z, -agent.rotation)
    away = math.hypot(right, ahead)
    side = round(math.degrees(math.atan2(right, ahead)) / 45) % 8
    return f", {away:.1f} m {SIDES[side]} the Follower"


SIDES = (
    *("ahead of", "ahead and to the right of", "to the right of", "behind and to the right of"),
    *("behind", "behind and to the left of", "to the left of", "ahead and to the left of"),
)


def _steps(title: str, progress: tasks.Progress, names: Names, done: bool) -> Iterator[str]:
    """The steps of a progress check that are done, or are not."""
    lines = [
        f"- {step.words}" + (f" [{names.word(step.object_id)}]" if step.object_id else "")
        for subgoal in progress.subgoals
        for step in subgoal.steps
        if step.success == done
    ]
    if lines:
        yield title
        yield from dict.fromkeys(lines)
