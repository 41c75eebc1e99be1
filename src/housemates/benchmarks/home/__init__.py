"""The home itself, without a task: an environment to act in and a way to play."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="home",
    summary="The home itself, without a task.",
    environments={"housemates/home-v1": "env:HomeEnv"},
    commands={"play home": "play:Play"},
)
