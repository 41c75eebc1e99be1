"""ALFWorld: steps, resets and copies of games beside the original engine's, per CPU-second.

The original (`pip install alfworld==0.4.2`, ten minutes) needs an environment of its own, whose Python is
named by `--original`; without it, ours is measured alone and a line says so. Both play the same games with
random commands that are possible, drawn from the same seed.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

GAMES = 40
STEPS = 50
"""Commands before a game is begun anew."""
ORIGINAL = Path(".venv-alfworld/bin/python")


def walk(begin: Callable[[int], Any], choices: Callable[[Any], Sequence[str]], do: Callable[[Any, str], Any],
         steps: int, games: int) -> float:  # fmt: skip
    """Steps per CPU-second of random possible commands, resets not counted."""
    rng = random.Random(0)
    taken = done = 0.0
    while done < steps:
        state = begin(int(done) // STEPS % games)
        start = time.process_time()
        for _ in range(STEPS):
            listed = choices(state)
            state = do(state, listed[int(rng.random() * len(listed))])
        taken += time.process_time() - start
        done += STEPS
    return done / taken


def original(folder: Path, steps: int) -> dict[str, float]:
    """The original engine; run by a Python that has it, without ours."""
    import textworld
    from alfworld.agents.environment.alfred_tw_env import AlfredDemangler
    from textworld.envs.pddl import PddlEnv

    files = sorted(folder.glob("*.tw-pddl"))
    resets = []
    env = AlfredDemangler(PddlEnv(textworld.EnvInfos(won=True, admissible_commands=True)))

    def begin(number: int) -> Any:
        start = time.process_time()
        env.load(str(files[number]))
        state = env.reset()
        resets.append(time.process_time() - start)
        return state

    rate = walk(
        begin, lambda state: state.admissible_commands, lambda _, each: env.step(each)[0], steps, len(files)
    )
    return {"steps_per_cpu_s": round(rate, 1), "reset_ms": round(1000 * sum(resets) / len(resets), 1)}


def texts(path: Path | None) -> list[str]:
    """The games of a file or folder, else new ones."""
    from housemates.benchmarks.alfworld.formats.places import places, text_of
    from housemates.benchmarks.alfworld.generate.games import Harder, make

    if path is not None:
        found = [text_of(place) for place in places(path)]
        return random.Random(0).sample(found, min(GAMES, len(found)))
    return [make(f"0-{number}", 0, number, Harder()).text for number in range(GAMES)]


def ours(games: Sequence[str], steps: int) -> dict[str, float]:
    """This package, with the list of commands, without it, and through the seat."""
    from housemates.benchmarks.alfworld.formats.games import read_game
    from housemates.benchmarks.alfworld.session import AlfworldSession, Record
    from housemates.benchmarks.alfworld.world.playthrough import Playthrough
    from housemates.core.benchmark import Instance
    from housemates.core.percepts import Limits

    read_game(games[0], "game")
    start = time.process_time()
    files = [read_game(text, "game") for text in games]
    opened = (time.process_time() - start) / len(games)
    for file in files:
        Playthrough(file).commands()
    start = time.process_time()
    for file in files:
        Playthrough(file)
    reset = (time.process_time() - start) / len(files)

    def do(play: Playthrough, command: str) -> Playthrough:
        play.step(command)
        return play

    listed = walk(lambda n: Playthrough(files[n]), lambda play: play.commands(), do, steps, len(files))
    instances = [Instance("", "", Record(str(number), text)) for number, text in enumerate(games)]

    def act(session: AlfworldSession, command: str) -> AlfworldSession:
        if session.role is not None:
            session.act(command)
        assert session.observe("agent").text
        return session

    seat = walk(
        lambda n: AlfworldSession(instances[n], Limits(STEPS, STEPS)),
        lambda session: session.offers("agent")[0].arguments[0].choices, act, steps // 4, len(files),
    )  # fmt: skip
    return {
        "steps_per_cpu_s": round(listed),
        "steps_per_cpu_s_without_list": round(_without_list(files, steps)),
        "steps_per_cpu_s_in_a_seat": round(seat),
        "reset_ms": round(1000 * reset, 3),
        "open_ms": round(1000 * opened, 3),
        "copy_us": round(_copy_us(files), 2),
        "thousand_games_mb": round(_memory_mb(games)),
    }


def _without_list(files: Sequence[Any], steps: int) -> float:
    """Steps of walks whose commands were drawn before, the goal looked at after each."""
    from housemates.benchmarks.alfworld.world.playthrough import Playthrough

    rng, walks = random.Random(0), []
    for number in range(steps // STEPS):
        file = files[number % len(files)]
        play, commands = Playthrough(file), []
        for _ in range(STEPS):
            commands.append(rng.choice(play.commands()))
            play.step(commands[-1])
        walks.append((Playthrough(file), commands))
    start = time.process_time()
    for play, commands in walks:
        for command in commands:
            play.step(command)
            assert play.won is not None
    return len(walks) * STEPS / (time.process_time() - start)


def _copy_us(files: Sequence[Any], copies: int = 20_000) -> float:
    from housemates.benchmarks.alfworld.world.playthrough import Playthrough

    plays = [Playthrough(file) for file in files]
    start = time.process_time()
    for number in range(copies):
        plays[number % len(plays)].copy()
    return 1e6 * (time.process_time() - start) / copies


def _memory_mb(games: Sequence[str]) -> float:
    """What a thousand games take that are open at once, in a process of its own."""
    code = (
        "import json, resource, sys\n"
        "from housemates.benchmarks.alfworld.formats.games import read_game\n"
        "from housemates.benchmarks.alfworld.world.playthrough import Playthrough\n"
        "games = json.load(sys.stdin)\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "kept = [Playthrough(read_game(games[n % len(games)], 'game')) for n in range(1000)]\n"
        "for each in kept: each.commands()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(games), capture_output=True, text=True
    )
    return int(run.stdout) / 1024


def beside(python: Path, games: Sequence[str], steps: int) -> dict[str, float] | None:
    """What the original does with the same games; None if that Python has it not."""
    if subprocess.run([python, "-I", "-c", "import alfworld"], capture_output=True).returncode:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(games):
            Path(folder, f"{number:03}.tw-pddl").write_text(text, encoding="utf-8")
        command = [python, "-I", __file__, "--folder", folder, "--steps", str(steps)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--games", type=Path, help="a file or folder of games; new ones are made without it")
    parser.add_argument(
        "--original", type=Path, default=ORIGINAL, help="the Python of the original's environment"
    )
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--original-steps", type=int, default=1_000)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.folder is not None:
        print(json.dumps(original(args.folder, args.steps)))
        return
    games = texts(args.games)
    result: dict[str, Any] = {"housemates": ours(games, args.steps)}
    other = beside(args.original, games, args.original_steps) if args.original.exists() else None
    if other is None:
        result["skipped"] = f"the original: {args.original} has no package alfworld"
    else:
        result["original"] = other
        result["ratio"] = round(result["housemates"]["steps_per_cpu_s"] / other["steps_per_cpu_s"])
    print(json.dumps(result) if args.json else "\n".join(f"{key}: {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()
