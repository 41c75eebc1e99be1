"""What commands print to, read from and write to, where that is not as usual."""

from __future__ import annotations

import errno
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.cli.train import failures_reported_once
from housemates.errors import HousematesError
from housemates.evaluation.runner import evaluate

HOUSEMATES = f'"{sys.executable}" -m housemates.cli.main'
ASCII = "LANG=C LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)


def test_a_closed_standard_output_costs_nobody_a_traceback() -> None:
    for closed in (">&-", ">&- 2>&-"):
        done = shell(f"{HOUSEMATES} benchmarks home {closed}")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(
    not sys.prefix.isascii(), reason="Python itself reads no .pth of such a path in this locale"
)
def test_tables_are_printed_where_the_locale_knows_ascii_alone() -> None:
    done = shell(f"{ASCII} {HOUSEMATES} benchmarks home")
    assert (done.returncode, done.stderr) == (0, "")
    assert "role   agents" in done.stdout


@pytest.mark.parametrize("name", ["", "episodes.jsonl", "transcripts.jsonl"])
def test_a_link_that_leads_nowhere_is_not_written_through(counting, tmp_path: Path, name: str) -> None:
    """Attack, low: `--out` with a dangling link wrote outside."""
    out, outside = tmp_path / "run", tmp_path / "outside"
    if name:
        out.mkdir()
    (out / name).symlink_to(outside)
    with pytest.raises(HousematesError, match="is a link that leads nowhere"):
        evaluate(counting.run_of("good", episodes=1), workers=1, out=out)
    assert not outside.exists()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
@pytest.mark.parametrize(
    "words",
    [
        ["import", "teach", "/dev/zero", "--store", "STORE"],
        ["import", "alfred", "/dev/zero", "--store", "STORE"],
        ["import", "cerealbar", "/dev/zero", "--out", "STORE"],
        ["stats", "teach", "/dev/zero"],
        ["stats", "handmethat", "/dev/zero"],
        ["eval", "alfred", "--split", "valid_seen", "--option", "data=/dev/zero"],
    ],
    ids=" ".join,
)
def test_a_device_is_no_file(words: list[str], tmp_path: Path, capsys) -> None:
    """Attack, low: `import teach /dev/zero` never ended."""
    with pytest.raises(SystemExit):
        main([str(tmp_path / "store") if word == "STORE" else word for word in words])
    assert "found a device" in capsys.readouterr().err


def test_a_full_disk_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attack, low: a full disk was also told as an exception in a thread that writes curves."""

    def fails(error: Exception) -> None:
        raise error

    told: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda raised: told.append(raised.exc_value))
    full, mistake = OSError(errno.ENOSPC, "full"), ValueError("a mistake")
    with failures_reported_once():
        for error in (full, mistake):
            thread = threading.Thread(target=fails, args=(error,))
            thread.start()
            thread.join()
    assert told == [mistake]
