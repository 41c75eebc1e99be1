"""Functions compiled to machine code when the first of them is called; until then no compiler is loaded."""

from __future__ import annotations

import functools
import hashlib
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from housemates.file_locks import in_turn
from housemates.parallel import is_worker

PATIENCE_S = 120.0
"""How long a process waits for another that compiles the same, until it does so itself."""
NOTICE = "Compiling for this machine: up to half a minute, the first time only."
UNKEPT = "Compiling for this machine each time: no cache can be written. NUMBA_CACHE_DIR names a folder."


class Compiled:
    """A function that is compiled, or found on disk, when somebody calls it.

    Args:
        function: What is compiled.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.names = dict(function.__globals__)
        """What the names of its module stood for when it was written."""
        self.made: Any = None
        """The machine code, once it is wanted."""

    def __call__(self, *arguments: Any) -> Any:
        if _waiting:
            _make()
        return self.made(*arguments)


_waiting: list[Compiled] = []
_making = threading.RLock()


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile to machine code once and keep it on disk; strict IEEE arithmetic.

    It is made anew when its file has changed, or what its module has from others: their compiled functions,
    which it contains, and their numbers.
    """
    _waiting.append(Compiled(function))
    return _waiting[-1]


def _make() -> None:
    """Get ready all functions that are known by now; machine code takes their places in their modules."""
    import numba

    with _making:
        while _waiting:
            each = _waiting[0]
            each.made = numba.njit(nogil=True, error_model="numpy", fastmath=False)(each.function)
            try:
                each.made.enable_caching()
            except RuntimeError:
                _tell(UNKEPT)
            kept = _kept(each.made)
            if kept is not None:
                kept._source_stamp = _stamp(kept._source_stamp, each.names)
                _share(each.made, Path(f"{kept._index_path}.lock"))
            for name, value in list(each.function.__globals__.items()):
                if isinstance(value, Compiled) and value.made is not None:
                    each.function.__globals__[name] = value.made
            _waiting.pop(0)


def _share(made: Any, turn: Path) -> None:
    """Let one process compile what is not kept on disk yet; others wait, and load what it has kept.

    It is said once a process that this takes long.
    """
    load, make = made._cache.load_overload, made.compile
    waiting = ExitStack()

    def load_in_turn(*arguments: Any) -> Any:
        found = load(*arguments)
        if found is not None:
            return found
        _tell(NOTICE)
        waiting.enter_context(in_turn(turn, PATIENCE_S))
        return load(*arguments)

    def make_in_turn(signature: Any) -> Any:
        with waiting:
            return make(signature)

    made._cache.load_overload, made.compile = load_in_turn, make_in_turn


@cache
def _tell(notice: str) -> None:
    if not is_worker():
        print(notice, file=sys.stderr, flush=True)


def _kept(made: Any) -> Any:
    """The file in which numba keeps machine code, and what it was made from.

    None for anything else, and where machine code is kept nowhere.
    """
    from numba.core.dispatcher import Dispatcher

    code: Any = made.made if isinstance(made, Compiled) else made
    known = isinstance(code, Dispatcher)
    return getattr(code._cache, "_cache_file", None) if known else None


def _stamp(source: bytes, names: Mapping[str, Any]) -> bytes:
    """A fingerprint of a file and of what the names in it stand for."""
    digest = hashlib.sha256(source)
    for name, value in sorted(names.items()):
        if (kept := _kept(value)) is not None:
            digest.update(name.encode() + kept._source_stamp)
        elif isinstance(value, (bool, int, float, np.generic)):
            digest.update(f"{name} {value!r}".encode())
        elif isinstance(value, np.ndarray):
            digest.update(f"{name} {value.dtype} {value.shape}".encode() + value.tobytes())
    return digest.digest()
