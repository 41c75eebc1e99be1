"""Arrays by their addresses, so that compiled code can be told of any number of them in one small table.

To hand over an array costs a third of a microsecond, and a frame needs thirty; a row of addresses costs that
once. Whoever makes such a row (`raster.addresses`) keeps the arrays alive as long as it is used.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

from housemates.jit import compiled


def _inttoptr(_typing, address):
    """An address as a pointer."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), generate


_pointer: Any = intrinsic(_inttoptr)


@compiled
def floats(address, shape):
    """The float32 array of this shape at an address."""
    return carray(_pointer(address), shape, np.float32)


@compiled
def ints(address, shape):
    """The int32 array of this shape at an address."""
    return carray(_pointer(address), shape, np.int32)


@compiled
def uints(address, shape):
    """The uint32 array of this shape at an address."""
    return carray(_pointer(address), shape, np.uint32)


@compiled
def shorts(address, shape):
    """The uint16 array of this shape at an address."""
    return carray(_pointer(address), shape, np.uint16)


@compiled
def octets(address, shape):
    """The uint8 array of this shape at an address."""
    return carray(_pointer(address), shape, np.uint8)
