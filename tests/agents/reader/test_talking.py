"""What the reader makes of what people type, sensible or not."""

from __future__ import annotations

from functools import cache

import pytest

from housemates.agents.reader.talking import ReaderFollower
from housemates.benchmarks.base import Instance
from housemates.benchmarks.seat import Act
from housemates.benchmarks.teach.files.recordings import Start
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.session import LIMITS, TatcSession

MOVES = {"Forward", "TurnLeft", "TurnRight", "LookUp", "LookDown"}


@cache
def _start() -> Start:
    return sampling.start(sampling.draws(11, 1, ["Coffee"])[0])


def _told(*orders: str) -> tuple[list[str], list[str]]:
    """What it answers to orders, and what it touches."""
    session = TatcSession(Instance("talk", "Coffee", _start(), 11), LIMITS)
    follower = ReaderFollower()
    follower.reset(session.brief("follower"))
    said, done = [], []
    for text in orders:
        session.act(Act("Say", {"text": text}))
        while session.role == "follower":
            act = follower.act(session.observe("follower"))
            if act.name == "Say":
                said.append(str(act.arguments["text"]))
            elif act.name not in MOVES:
                done.append(act.name)
            session.act(act)
    return said, done


@pytest.mark.parametrize(
    "text",
    ["asdkjh qwe zxc", "por favor limpia el plato que esta en la mesa", "xyzzy " * 2000],
    ids=["nonsense", "another language", "ten thousand letters"],
)
def test_it_says_that_it_does_not_understand(text: str) -> None:
    said, done = _told(text)
    assert not done
    assert len(said) == 1
    assert "understand" in said[0] or "what should I do" in said[0] or "What should I do" in said[0]


def test_it_says_what_cannot_be_done() -> None:
    said, done = _told("toast the sofa")
    assert not done
    assert "sofa" in said[0]


def test_an_order_that_is_taken_back_is_not_carried_out() -> None:
    assert _told("clean a mug. no, don't clean a mug")[1] == []


def test_it_stays_what_was_spoken_of() -> None:
    said, done = _told("wash the mug", "put it in the coffee machine")
    assert done[-2:] == ["Pickup", "Place"]
    assert "faucet" not in said[-1]
