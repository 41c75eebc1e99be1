"""AI2-THOR's published clients, unchanged, each in the environment that `make test-thor` prepares."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from housemates.thor import Controller

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = Path(os.environ.get("HOUSEMATES_THOR_ENVIRONMENTS", ROOT / ".venv-thor"))
SCRIPT = Path(__file__).with_name("script.py")


def script() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("version", "style"), [("2.1.0", "old"), ("3.1.0", "new"), ("5.0.0", "new")])
def test_a_published_client_gets_the_same_metadata_as_the_controller(
    version: str, style: str, tmp_path: Path, environment: Any, command: list[str]
) -> None:
    python = ENVIRONMENTS / version / "bin" / "python"
    if not python.exists():
        pytest.skip(f"no ai2thor {version} in {ENVIRONMENTS}; `make test-thor` installs it")
    run = subprocess.run(
        [str(python), str(SCRIPT), shlex.join(command), style],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    theirs = json.loads(run.stdout.splitlines()[-1])["digests"]
    if style == "old":
        controller = Controller()
        controller.start()
    else:
        controller = Controller(scene=script().SCENES[0])
    ours = script().run(controller, style == "old")
    assert len(theirs) > 500
    assert [tuple(each) for each in theirs] == [tuple(each) for each in ours]
