"""How fast CerealBar runs, in seconds of one processor: steps and games without thinking, and maps.

The players draw their actions beforehand, so that only the game is timed. CB2, the original's successor, was
measured in process with its simple agents: 370 to 660 steps and 126 ms for a map.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from housemates.benchmarks.cerealbar.generate.maps import generate_map, new_game
from housemates.benchmarks.cerealbar.world.dynamics import act
from housemates.benchmarks.cerealbar.world.state import BACKWARD, DONE, FORWARD, LEFT, RIGHT, Game, say

CHOICES = (FORWARD, FORWARD, FORWARD, BACKWARD, LEFT, RIGHT)
MAPS, GAMES = 100, 300


def finish(game: Game, draws: list[int]) -> int:
    """Play a game to its end with the drawn moves; return the number of actions."""
    count = 0
    while not game.over:
        if game.role == 0 and game.steps == 0:
            act(game, 0, say("go on"))
            act(game, 0, DONE)
            count += 2
        else:
            act(game, game.role, CHOICES[draws[count % len(draws)]])
            count += 1
    return count


def measure() -> dict[str, float]:
    """All numbers."""
    rng = np.random.default_rng(0)
    start = time.process_time()
    maps = [generate_map(rng) for _ in range(MAPS)]
    map_s = (time.process_time() - start) / MAPS
    games = [new_game(seed, hexmap=maps[seed % MAPS]) for seed in range(GAMES)]
    for hexmap in maps:
        _ = hexmap.exits
    draws = rng.integers(len(CHOICES), size=1000).tolist()
    start = time.process_time()
    steps = sum(finish(game, draws) for game in games)
    played = time.process_time() - start
    start = time.process_time()
    for seed in range(50):
        finish(new_game(seed), draws)
    whole = time.process_time() - start
    return {
        "steps_per_cpu_s": round(steps / played),
        "games_per_cpu_s": round(50 / whole, 1),
        "map_ms": round(1000 * map_s, 2),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    arguments = parser.parse_args()
    numbers = measure()
    if arguments.json:
        print(json.dumps(numbers))
        return
    print(f"steps per CPU-second  {numbers['steps_per_cpu_s']:>10,.0f}   (CB2: 660)")
    print(f"games per CPU-second  {numbers['games_per_cpu_s']:>10,.1f}   (a new map, cards and all moves)")
    print(f"a map, ms             {numbers['map_ms']:>10.2f}   (CB2: 126)")


if __name__ == "__main__":
    main()
