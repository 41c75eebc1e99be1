"""Running programs that were written for AI2-THOR with its published client: none of them is changed.

The program gets a folder on its `PYTHONPATH` whose `sitecustomize.py` tells the client, as soon as that is
imported, that its build is ours; a display that is only a name; and an `xdpyinfo` that finds nothing wrong.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

from housemates.errors import HousematesError

SERVER = "HOUSEMATES_THOR_SERVER"
"""The variable that names the program which poses as the build."""
NO_SUCH_COMMAND = 127


def write_launcher(path: Path) -> None:
    """Write a program that starts the server with this interpreter."""
    source = Path(__file__).resolve().parents[2]
    start = f'exec "{sys.executable}" -m housemates.cli.main thor-server "$@"'
    _write(path, f'#!/bin/sh\nPYTHONPATH="{source}" {start}\n')


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    except OSError as error:
        raise HousematesError(f"{path}: cannot be written ({error.strerror}).") from None


def variables(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a program whose client finds us; what it needs is written to a folder."""
    launcher = folder / "thor"
    write_launcher(launcher)
    _write(folder / "bin" / "xdpyinfo", "#!/bin/sh\nexit 0\n")
    hook = resources.files(__package__).joinpath("client_hook.py").read_text(encoding="utf-8")
    _write(folder / "hook" / "sitecustomize.py", hook)
    before = environment.get("PYTHONPATH")
    return {
        **environment,
        "PATH": os.pathsep.join([str(folder / "bin"), environment.get("PATH", os.defpath)]),
        "PYTHONPATH": os.pathsep.join([str(folder / "hook"), *([before] if before else [])]),
        "DISPLAY": environment.get("DISPLAY") or ":0",
        SERVER: str(launcher),
    }


def run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a program to its end and return its exit code.

    Raises:
        HousematesError: if there is no such program.
    """
    if shutil.which(command[0], path=environment.get("PATH")) is None:
        raise HousematesError(f"{command[0]}: no such program.")
    with tempfile.TemporaryDirectory(prefix="housemates-thor-") as folder:
        return subprocess.run(command, env=variables(Path(folder), environment), check=False).returncode
