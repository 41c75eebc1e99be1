"""Has AI2-THOR's published client take the program that HOUSEMATES_THOR_SERVER names for its Unity build.

This file is written as `sitecustomize.py` for programs that `housemates thor run` starts, so it needs nothing
but Python itself, of any version that the clients run on. One that was there before is run first.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

SERVER = os.environ.get("HOUSEMATES_THOR_SERVER")
CLIENT = "ai2thor.controller"


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the client's controller as it would be found without this, and changes it when it is loaded."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != CLIENT:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


class _Loader(importlib.abc.Loader):
    """Loads a module as another loader does, and changes its controller."""

    def __init__(self, loader: importlib.abc.Loader) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        _change(module.Controller)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


def _change(controller: Any) -> None:
    """Name our program wherever none is named."""
    begin, start = controller.__init__, controller.start
    if "local_executable_path" in inspect.signature(begin).parameters:

        def __init__(self: Any, *given: Any, **named: Any) -> None:
            if not named.get("local_executable_path"):
                named["local_executable_path"] = SERVER
            begin(self, *given, **named)

        controller.__init__ = __init__
        return

    def start_ours(self: Any, *given: Any, **named: Any) -> Any:
        if not self.local_executable_path:
            self.local_executable_path = SERVER
        return start(self, *given, **named)

    controller.start = start_ours


def _run_the_next() -> None:
    """Run the `sitecustomize` that this one hides."""
    here = Path(__file__).resolve().parent
    others = [place for place in sys.path if Path(place).resolve() != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if SERVER:
    _run_the_next()
    sys.meta_path.insert(0, _Finder())
