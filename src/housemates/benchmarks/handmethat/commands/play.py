"""Playing an episode in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from housemates.benchmarks.handmethat.env import MOVES, HandMeThatEnv
from housemates.benchmarks.handmethat.tasks import english as language
from housemates.benchmarks.handmethat.tasks import questions

HELP = "Type a command, `help` for those possible now, `give up` to see what was meant."


def play(
    path: Path | None,
    seed: int,
    fully: bool,
    style: str,
    question_cost: float,
    ask: Callable[[str], str] = input,
    tell: Callable[[str], None] = print,
) -> bool:
    """Let a person play one episode; return whether they succeeded."""
    env = HandMeThatEnv(path, fully=fully, style=style, question_cost=question_cost)
    text, info = env.reset(seed=seed)
    tell(f"{text}\n{HELP}")
    over = False
    while not over:
        try:
            command = ask(f"[{MOVES - env.moves} moves left] > ").strip()
        except EOFError:
            break
        if command == "give up":
            break
        if command in ("help", "?"):
            tell("\n".join(info["valid_actions"]))
            continue
        if not command:
            continue
        text, _, done, cut, info = env.step(command)
        tell(text)
        over = done or cut
    tell(_verdict(env))
    return env.success


def _verdict(env: HandMeThatEnv) -> str:
    meant = language.describe(env.episode.meaning) or "anything"
    names = sorted(env.world.scene.displayed[subgoal.number] for subgoal in env.wanted)
    how = "That is it!" if env.success else "Not this time."
    asked = f", {env.asked} questions" if env.asked else ""
    answer = questions.answer(env.episode.meaning, questions.WHOLE)
    return (
        f"{how} Score {env.score:g}, {env.moves} moves{asked}. The human meant {meant} ({', '.join(names)}), "
        f"level {env.episode.level}. {answer}"
    )
