"""Telling Gymnasium about the environments of this package, without importing it before somebody does."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _WhenGymnasiumIsImported:
    """A finder that waits for Gymnasium, lets it be imported as ever, and registers the environments then."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec(name)
        finally:  # who only asks whether it is there does not import it
            sys.meta_path.insert(0, self)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_register(module: ModuleType) -> None:
                sys.meta_path.remove(self)
                execute(module)
                _register()

            spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


def announce() -> None:
    """Register the environments with Gymnasium now if it is there, else as soon as it is imported."""
    if hasattr(sys.modules.get("gymnasium"), "register"):
        _register()
    elif not any(isinstance(each, _WhenGymnasiumIsImported) for each in sys.meta_path):
        sys.meta_path.insert(0, _WhenGymnasiumIsImported())


def _register() -> None:
    from housemates.envs.registration import register_environments

    register_environments()
