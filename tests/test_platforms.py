"""What `docs/platforms.md` says of other machines, as far as a test can hold it on this one."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import housemates
from housemates.data.store import default_folder, open_store
from housemates.errors import HousematesError
from housemates.files import DEVICES
from housemates.folders import user_folder

SOURCE = Path(housemates.__file__).parent
ROOT = Path(__file__).parents[1]
MODULES = sorted(SOURCE.rglob("*.py"))
POSIX_MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
POSIX_NAMES = {
    *("SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "setitimer", "pthread_sigmask"),
    *("fork", "getuid", "killpg", "mkfifo", "sched_getaffinity", "setsid", "SO_REUSEPORT"),
}
"""What `os`, `signal` and `socket` lack on Windows."""
GUARDS = ("hasattr(", "sys.platform", "os.name")
LONGEST_PATH = 180
"""Characters from the root of the repository; Windows has room for 260 from the root of a disk."""
PLAYED = ("eval", "handmethat", "--agents", "listener", "--episodes", "1", "--workers", "1")


def named(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def housemate(
    *words: str, folder: Path | None = None, shell: str = "", **environ: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command, after what the shell is to do with its streams."""
    command = [sys.executable, "-m", "housemates.cli.main", *words]
    if shell:
        command = ["/bin/sh", "-c", f'exec "$@" {shell}', "sh", *command]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **environ}, capture_output=True, timeout=120, check=False
    )


def test_what_only_some_systems_have_is_asked_for_first() -> None:
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        imported = (alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names)
        assert not POSIX_MODULES & set(imported), named(path)
        used = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("os", "signal", "socket")
        }
        assert not used & POSIX_NAMES or any(guard in text for guard in GUARDS), named(path)


def test_processes_are_spawned_and_never_forked() -> None:
    for path in MODULES:
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name, owner = node.func.attr, ast.unparse(node.func.value)
                assert name != "fork" or owner not in ("os", "pty"), named(path)
                assert name != "ProcessPoolExecutor", named(path)
                assert owner != "multiprocessing" or name not in ("Process", "Pool", "Pipe"), named(path)
                if name in ("get_context", "set_start_method"):
                    assert ast.unparse(node.args[0]) == "'spawn'", named(path)


def test_text_is_read_and_written_as_utf_8_and_not_as_the_system_likes() -> None:
    silent = []
    for path in MODULES:
        for node in nodes(path):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = {each.arg for each in node.keywords}
            if name in ("read_text", "write_text") and isinstance(node.func, ast.Attribute):
                ours = len(node.args) > (name == "write_text")
                silent += [f"{named(path)}:{node.lineno}"] * ("encoding" not in given and not ours)
    assert silent == []


def test_every_name_in_the_repository_is_one_on_every_system() -> None:
    folders = [
        ROOT / name for name in ("src", "tests", "docs", "examples", "perf", "release", "requirements")
    ]
    paths = [path.relative_to(ROOT) for folder in folders for path in folder.rglob("*")]
    paths = [path for path in paths if "__pycache__" not in path.parts]
    same = Counter(path.as_posix().casefold() for path in paths)
    assert [name for name, count in same.items() if count > 1] == []
    for path in paths:
        assert path.name.partition(".")[0].casefold() not in DEVICES, path
        assert not set(path.name) & set('<>:"|?*\\') and not path.name.endswith((".", " ")), path
        assert len(path.as_posix()) <= LONGEST_PATH, path


@pytest.mark.skipif(os.name != "posix", reason="closes a stream by a shell of POSIX")
@pytest.mark.parametrize("streams", [">&-", "<&- >&-", "<&- >&- 2>&-"])
def test_a_closed_stream_changes_nothing_but_what_is_seen(streams: str, tmp_path: Path) -> None:
    run = housemate(*PLAYED, "--out", "run", folder=tmp_path, shell=streams)
    assert (run.returncode, run.stdout) == (0, b"")
    assert b"Traceback" not in run.stderr
    assert (tmp_path / "run" / "run.json").is_file()


def test_a_terminal_without_unicode_shows_question_marks(tmp_path: Path) -> None:
    folder = tmp_path / "Räume für zwei"
    folder.mkdir()
    plain = {"PYTHONIOENCODING": "ascii"}
    if str(SOURCE).isascii():  # Python itself cannot begin to work in an installation that it cannot spell
        plain |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    run = housemate(*PLAYED, "--out", "Größe", folder=folder, **plain)
    assert run.returncode == 0, run.stderr
    assert b"success" in run.stdout and run.stdout.isascii()
    told = housemate("report", "Größe", "--out", "Größe", folder=folder, **plain)
    assert told.returncode == 0, told.stderr
    assert b"Gr??" in told.stdout and told.stdout.isascii()
    assert len(list(folder.glob("*/run.json"))) == 1


def test_a_user_without_a_home_needs_to_name_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7, raising=False)  # nobody has this number
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert user_folder("data") is None
    assert open_store(None) is None
    with pytest.raises(HousematesError, match="--store"):
        default_folder()


@pytest.mark.parametrize(
    ("system", "variable"), [("linux", "XDG_CACHE_HOME"), ("win32", "LOCALAPPDATA"), ("darwin", "")]
)
def test_each_system_has_its_own_place_for_a_cache(
    system: str, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for each in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(each, raising=False)
    assert (
        user_folder("cache")
        == tmp_path
        / {
            "linux": ".cache",
            "win32": "AppData/Local",
            "darwin": "Library/Caches",
        }[system]
        / "housemates"
    )
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "elsewhere"))
        assert user_folder("cache") == tmp_path / "elsewhere" / "housemates"
