"""Machine code is made anew when what it was made from has changed, and only then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from housemates.jit import NOTICE, UNKEPT

INNER = """
import numpy as np
from housemates.jit import compiled
STEP = np.float32({step})
@compiled
def more(value):
    return value + {more}
"""
OUTER = """
from housemates.jit import compiled
from inner import STEP, more
@compiled
def twice(value):
    return more(more(value)) + STEP
if __name__ == "__main__":
    twice(1)
    print(int(twice(1)), sum(twice.stats.cache_hits.values()))
"""


def run(folder: Path, step: int, more: int) -> tuple[int, int]:
    """What comes out, and how much machine code was kept from before; if none was, that is said once."""
    (folder / "inner.py").write_text(INNER.format(step=step, more=more), encoding="utf-8")
    (folder / "outer.py").write_text(OUTER, encoding="utf-8")
    command = [sys.executable, "-B", folder / "outer.py"]  # bytecode of the same second would pass for new
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    value, kept = told.stdout.split()
    assert told.stderr == ("" if int(kept) else f"{NOTICE}\n")
    return int(value), int(kept)


def test_machine_code_follows_the_functions_and_numbers_of_other_modules(tmp_path: Path) -> None:
    assert run(tmp_path, step=10, more=1) == (13, 0)
    assert run(tmp_path, step=10, more=1) == (13, 1)
    assert run(tmp_path, step=10, more=2) == (15, 0)
    assert run(tmp_path, step=20, more=2) == (25, 0)


def test_of_processes_that_need_the_same_one_compiles_it(tmp_path: Path) -> None:
    (tmp_path / "inner.py").write_text(INNER.format(step=1, more=1), encoding="utf-8")
    (tmp_path / "outer.py").write_text(OUTER, encoding="utf-8")
    command = [sys.executable, tmp_path / "outer.py"]
    together = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    told = [each.communicate()[0].split() for each in together]
    assert sorted(told) == [["4", "0"], ["4", "1"], ["4", "1"]]


def test_whoever_draws_nothing_loads_no_compiler() -> None:
    code = """
import sys
from housemates.core import registry
for name in ("teach-edh", "alfred", "cerealbar", "handmethat"):
    registry.benchmark(name)
sys.exit("numba" in sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_whoever_plays_in_text_loads_no_compiler() -> None:
    code = """
import sys
import housemates
from housemates.core import registry
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
benchmark = registry.benchmark("handmethat")
instance = benchmark.open(next(benchmark.references("generated", 0)))[0]
session = benchmark.session(instance)
trace = play(session, make_agents(type(benchmark), seat_all(type(benchmark), ["listener"], {})), instance)
assert benchmark.score(instance, session, trace)["success"]
env = housemates.make("housemates/handmethat-v1")
env.reset(seed=7)
env.step(env.action_space.sample())
sys.exit("numba" in sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_can_be_kept_nowhere_is_compiled_all_the_same() -> None:
    code = """
from housemates.jit import compiled
@compiled
def more(value):
    return value + 1
@compiled
def twice(value):
    return more(more(value))
assert twice(1) == 3
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stderr == f"{UNKEPT}\n"
