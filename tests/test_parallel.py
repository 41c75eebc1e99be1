"""Work in processes comes back in order, a process that dies costs its own piece, and none is left behind."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from housemates.errors import HousematesError
from housemates.parallel import LATER, Again, Loss, doomed, map_ordered, note

SLEEPERS = """
import os, signal, sys, time
from housemates.parallel import map_ordered

def work(seconds):
    os.write(2, f"{os.getpid()}\\n".encode())
    time.sleep(seconds)

if __name__ == "__main__":
    for done in map_ordered(work, [0.0, 0.0, *[60.0] * 20], workers=2):
        pass
"""
SLOW = """
import multiprocessing, os, time

if multiprocessing.current_process().name != "MainProcess":
    os.write(2, f"{os.getpid()}\\n".encode())
    time.sleep(60)

def work(number):
    return number
"""
IMPORTERS = """
from housemates.parallel import map_ordered

if __name__ == "__main__":
    from slow import work

    list(map_ordered(work, range(2), workers=2))
"""
DEADLY = {"exits": 3, "is killed": 4, "crashes": 5, "hangs": 6}


def deadly(number: int) -> int:
    """Squares a number, and dies of some of them."""
    note(f"number {number}")
    if number == DEADLY["exits"]:
        os._exit(7)
    if number == DEADLY["is killed"]:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == DEADLY["crashes"]:
        ctypes.string_at(0)
    while number == DEADLY["hangs"]:
        try:
            with doomed(0.3):
                time.sleep(60)
        except BaseException:
            pass
    return number * number


def mortal(marks: Path, number: int) -> int:
    """Squares a number, and is killed the first time at each of them."""
    note(f"number {number}")
    if not (marks / str(number)).exists():
        (marks / str(number)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def process_of(_: int) -> int:
    return os.getpid()


def raising(number: int) -> int:
    if number == 2:
        raise HousematesError("not 2")
    return number


def talking(number: int) -> int:
    print("I am at work")
    sys.stdout.flush()
    return number


def unpicklable(_: int) -> object:
    return threading.Lock()


def exiting(_: int) -> None:
    sys.exit("enough")


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    assert list(map_ordered(abs, iter([-3, 2, -1, 0]), workers)) == [3, 2, 1, 0]


def test_what_a_killed_process_was_at_is_done_by_another_one(tmp_path: Path) -> None:
    assert list(map_ordered(partial(mortal, tmp_path), range(5), workers=2)) == [0, 1, 4, 9, 16]


def test_an_item_of_which_two_processes_die_is_lost_and_no_other() -> None:
    def lost(number: int, loss: Loss) -> tuple[int, Loss]:
        return number, loss

    found = list(map_ordered(deadly, range(9), workers=2, lost=lost))
    assert [each for each in found if isinstance(each, int)] == [0, 1, 4, 49, 64]
    losses = dict(each for each in found if not isinstance(each, int))
    assert [number for number, _ in found[3:7]] == list(DEADLY.values())
    assert losses[3].reason == "ended with exit code 7"
    assert losses[4].reason.startswith("was ended by SIGKILL")
    assert losses[5].reason == "was ended by SIGSEGV"
    assert losses[5].trail.endswith("in deadly")
    assert losses[6].reason == "took too long"
    assert [loss.late for loss in losses.values()] == [False, False, False, True]
    assert [loss.at for loss in losses.values()] == [f"number {number}" for number in losses]


def test_without_anybody_to_replace_it_a_lost_item_is_one_sentence() -> None:
    results = map_ordered(deadly, range(9), workers=2)
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    with pytest.raises(
        HousematesError, match=r"^A process ended with exit code 7 in the middle of its work\.$"
    ):
        next(results)


def test_something_else_can_be_done_in_the_place_of_what_was_lost() -> None:
    found = map_ordered(deadly, [2, 3, 4], workers=2, lost=lambda number, loss: Again(number + 10))
    assert list(found) == [4, 169, 196]


def test_processes_that_die_at_birth_are_not_replaced_for_ever(tmp_path: Path) -> None:
    script = tmp_path / "unguarded.py"
    script.write_text("from housemates.parallel import map_ordered\nlist(map_ordered(abs, [1, 2], 2))\n")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert "HousematesError: A process ended with exit code 1 before it could begin to work." in run.stderr


def test_an_exception_comes_in_its_turn_and_says_where_it_was() -> None:
    results = map_ordered(raising, range(5), workers=2)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(HousematesError, match="not 2") as raised:
        next(results)
    assert "in raising" in raised.value.__notes__[0]


def test_what_cannot_be_sent_back_is_an_error() -> None:
    with pytest.raises(TypeError, match="cannot pickle"):
        list(map_ordered(unpicklable, range(2), workers=2))
    with pytest.raises(RuntimeError, match="SystemExit: enough"):
        list(map_ordered(exiting, range(2), workers=2))


def test_an_endless_iterator_is_drawn_from_as_needed() -> None:
    drawn = []

    def endless() -> Iterator[int]:
        for number in iter(int, 1):
            drawn.append(number)
            yield number

    results = map_ordered(abs, endless(), workers=2)
    for _ in range(10):
        next(results)
    assert len(drawn) <= 10 + 16 * 2
    results.close()


def test_items_can_wait_for_results() -> None:
    taken: list[int] = []

    def one_by_one() -> Iterator[int]:
        for number in range(4):
            while len(taken) < number:
                yield LATER
            yield number

    for result in map_ordered(abs, one_by_one(), workers=2):
        taken.append(result)
    assert taken == [0, 1, 2, 3]


def test_one_worker_is_this_process_unless_it_is_to_be_apart() -> None:
    assert list(map_ordered(process_of, [0], workers=1)) == [os.getpid()]
    assert list(map_ordered(process_of, [0], workers=1, apart=True)) != [os.getpid()]


@pytest.mark.parametrize("workers", [0, -1])
def test_less_than_one_worker_is_refused(workers: int) -> None:
    with pytest.raises(HousematesError, match=f"^--workers: expected 1 or more, found {workers}.$"):
        map_ordered(abs, [1], workers)


def test_what_workers_print_is_not_mixed_with_results(capfd) -> None:
    assert list(map_ordered(talking, [1, 2], workers=2)) == [1, 2]
    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err.count("I am at work") == 2


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_one_that_started_it(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "sleepers.py"
    script.write_text(SLEEPERS, encoding="utf-8")
    running = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    processes = {int(running.stderr.readline()) for _ in range(4)}
    running.send_signal(how)
    time.sleep(0.05)
    if how is signal.SIGINT:
        running.send_signal(how)
    assert running.wait(timeout=30) != 0
    assert not left_of(processes)


def test_processes_that_still_import_what_they_work_with_do_not_outlive_it_either(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    (tmp_path / "importers.py").write_text(IMPORTERS, encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, str(tmp_path / "importers.py")], stderr=subprocess.PIPE, text=True
    )
    assert running.stderr is not None
    processes = {int(running.stderr.readline()) for _ in range(2)}
    running.kill()
    running.wait(timeout=30)
    assert not left_of(processes)


def left_of(processes: set[int]) -> list[int]:
    """Those that are still alive after some seconds."""
    until = time.monotonic() + 5.0
    while time.monotonic() < until and any(map(alive, processes)):
        time.sleep(0.05)
    return [each for each in processes if alive(each)]


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or ") Z " not in state.read_text()
