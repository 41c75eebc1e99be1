"""Functions compiled to machine code."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

from housemates.parallel import is_worker

NOTICE = "Compiling for this machine: up to half a minute, the first time only."


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile to machine code once and keep it on disk; strict IEEE arithmetic.

    It is made anew when its file has changed, or what its module has from others: their compiled functions,
    which it contains, and their numbers.
    """
    made: Callable[..., Any] = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=False)(
        function
    )
    if isinstance(made, Dispatcher):
        kept = _kept(made)
        kept._source_stamp = _stamp(kept._source_stamp, function.__globals__)
        _announce(made)
    return made


def _announce(made: Any) -> None:
    """Say so, once a process, before something is compiled that is not kept on disk yet."""
    load = made._cache.load_overload

    def load_or_tell(*arguments: Any) -> Any:
        found = load(*arguments)
        if found is None and not is_worker():
            _tell()
        return found

    made._cache.load_overload = load_or_tell


@cache
def _tell() -> None:
    print(NOTICE, file=sys.stderr, flush=True)


def _kept(made: Any) -> Any:
    """The file in which numba keeps machine code, and what it was made from."""
    return made._cache._cache_file


def _stamp(source: bytes, names: Mapping[str, Any]) -> bytes:
    """A fingerprint of a file and of what the names in it stand for."""
    digest = hashlib.sha256(source)
    for name, value in sorted(names.items()):
        if isinstance(value, Dispatcher):
            digest.update(name.encode() + _kept(value)._source_stamp)
        elif isinstance(value, (bool, int, float, np.generic)):
            digest.update(f"{name} {value!r}".encode())
        elif isinstance(value, np.ndarray):
            digest.update(f"{name} {value.dtype} {value.shape}".encode() + value.tobytes())
    return digest.digest()
