"""Work in processes comes back in order and stops at once when it is interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

from housemates.parallel import map_ordered

ENDLESS = """
import sys, time
from housemates.parallel import map_ordered
if __name__ == "__main__":
    for done in map_ordered(time.sleep, [0.0, 0.0, *[60.0] * 20], workers=2):
        print("one", flush=True)
"""


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(map_ordered(abs, iter([-3, 2, -1, 0]), workers=2)) == [3, 2, 1, 0]


def test_an_impatient_interruption_ends_the_processes_too(tmp_path) -> None:
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS, encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert running.stdout is not None and running.stdout.readline() == "one\n"
    for _ in range(2):
        running.send_signal(signal.SIGINT)
        time.sleep(0.05)
    assert running.wait(timeout=30) != 0
