"""The demo project: seats that anybody can take at once, with an agent as partner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from housemates.studio.settings import Settings


@dataclass(frozen=True)
class Demo:
    """A benchmark that can be tried, and its seats for people: role -> title and text."""

    project: str
    title: str
    benchmark: str
    seats: Mapping[str, tuple[str, str]]
    options: Mapping[str, str] = field(default_factory=dict)


DEMOS = (
    Demo(
        "demo-teach",
        "Demo: TEACh",
        "teach-tatc",
        {
            "follower": (
                "Be the Follower",
                "You have the hands. The Commander tells you what is to be done; ask if unsure.",
            ),
            "commander": (
                "Be the Commander",
                "You know the task and see everything. Tell the robot what to do.",
            ),
        },
        {"rooms": "seen"},
    ),
    Demo(
        "demo-cerealbar",
        "Demo: CerealBar",
        "cerealbar",
        {
            "leader": (
                "Be the Leader",
                "See the whole board, plan the sets, and tell the Follower which cards to get.",
            ),
            "follower": ("Be the Follower", "See what is before you, and do what the Leader writes."),
        },
    ),
    Demo(
        "demo-handmethat",
        "Demo: HandMeThat",
        "handmethat",
        {"robot": ("Be the robot", "A human worked, then said: hand me that. Guess what is meant.")},
    ),
    Demo(
        "demo-alfred",
        "Demo: ALFRED",
        "alfred",
        {"agent": ("Be the agent", "Do what the instructions say, step by step, in a home.")},
    ),
    Demo(
        "demo-annotation",
        "Demo: describing",
        "alfred-annotation",
        {"annotator": ("Describe", "Watch a robot at work and write what it does, part by part.")},
    ),
)


def demo_options(demo: Demo, settings: Settings) -> dict[str, str]:
    """The options that plays of a demo have."""
    return dict(demo.options)
