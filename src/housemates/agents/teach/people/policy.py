"""When a Commander speaks and with which dialogue acts: counts by context, backed off to coarser ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from housemates.agents.teach.people.acts import merged
from housemates.agents.teach.people.turns import Turn

SILENT = "silent"
BEGIN, WORK = "begin", "work"
MOST_ACTS = 3
NOTHING = "-"


class Context(NamedTuple):
    """What decides with which acts a Commander speaks."""

    stage: str
    """`begin` until the first instruction, then `work`."""
    heard: str
    """The last act of what the Follower said since; `-` if it said nothing."""
    rose: bool
    """Whether the Follower touched anything since the Commander spoke."""
    own: str
    """The last act of the Commander's last turn; `-` before the first one."""

    def backed_off(self) -> list[str]:
        """Names of the context, the finest first."""
        words = [self.stage, self.heard, "rose" if self.rose else "same", self.own]
        return [" ".join(words[:length]) for length in (4, 3, 2, 1)]


def stated(turn: Turn) -> tuple[str, ...]:
    """The acts of a turn as the data labels them."""
    found: list[str] = []
    for _, label in turn.labels:
        act = merged(turn.role, label)
        found += [act] if act and found[-1:] != [act] else []
    return tuple(found)


def contexts_of(
    turns: Sequence[Turn], acts_of: Callable[[Turn], tuple[str, ...]]
) -> Iterator[tuple[Context, str]]:
    """Every context in which a Commander could speak, and the acts with which it did, joined by `+`.

    It could before anybody spoke, after whatever the Follower said, and where it did by itself.
    """
    stage, heard, rose, own = BEGIN, NOTHING, False, NOTHING
    if turns and turns[0].role == "follower":
        yield Context(BEGIN, NOTHING, False, NOTHING), SILENT
    for number, turn in enumerate(turns):
        acts = acts_of(turn)
        rose = rose or bool(turn.touched)
        if turn.role == "follower":
            heard = acts[-1] if acts else "other"
            following = turns[number + 1] if number + 1 < len(turns) else None
            if following is not None and following.role == "follower":
                yield Context(stage, heard, rose, own), SILENT
            continue
        if not acts:
            continue
        yield Context(stage, heard, rose, own), "+".join(acts[:MOST_ACTS])
        stage = WORK if "instruct" in acts else stage
        heard, rose, own = NOTHING, False, acts[-1]
