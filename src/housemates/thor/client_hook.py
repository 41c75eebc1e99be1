"""Has AI2-THOR's published client take the program that HOUSEMATES_THOR_SERVER names for its Unity build.

This file is written as `sitecustomize.py` for programs that `housemates thor run` starts, so it needs nothing
but Python itself, of any version that the clients run on. One that was there before is run first.
"""

import importlib.machinery
import importlib.util
import inspect
import os
import sys

SERVER = os.environ.get("HOUSEMATES_THOR_SERVER")
CLIENT = "ai2thor.controller"


class _Finder:
    """Finds the client's controller as it would be found without this, and changes it when it is loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != CLIENT:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            _change(module.Controller)

        spec.loader.exec_module = exec_module
        return spec


def _change(controller):
    """Name our program wherever none is named."""
    begin, start = controller.__init__, controller.start
    if "local_executable_path" in inspect.signature(begin).parameters:

        def __init__(self, *given, **named):
            if not named.get("local_executable_path"):
                named["local_executable_path"] = SERVER
            begin(self, *given, **named)

        controller.__init__ = __init__
        return

    def start_ours(self, *given, **named):
        if not self.local_executable_path:
            self.local_executable_path = SERVER
        return start(self, *given, **named)

    controller.start = start_ours


def _run_the_next():
    """Run the `sitecustomize` that this one hides."""
    here = os.path.dirname(os.path.abspath(__file__))
    others = [place for place in sys.path if os.path.abspath(place or os.curdir) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if SERVER:
    _run_the_next()
    sys.meta_path.insert(0, _Finder())
