"""Blocks of pixels that compiled code works on all at once, as vectors of the machine.

The compiler makes vectors of loops by itself, but not of short ones over arrays that might overlap, and most
faces are a few pixels wide. `LANES` pixels are one block; where fewer are meant, a bit for each says which.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from housemates.jit import compiled

LANES = 8
ALL = np.uint64((1 << LANES) - 1)
"""The bits of a whole block."""
_FLOATS = ir.VectorType(ir.FloatType(), LANES)
_INTS = ir.VectorType(ir.IntType(32), LANES)
_QUADS, _TRIPLES = ir.VectorType(ir.IntType(8), 4 * LANES), ir.VectorType(ir.IntType(8), 3 * LANES)
_INDICES = ir.VectorType(ir.IntType(32), 3 * LANES)
_BITS = ir.VectorType(ir.IntType(1), LANES)


def _at(context, builder, kind, array, index, vector):
    """A pointer to the block of an array that begins at an index."""
    data = make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())


def _all(builder, value, vector):
    """A block of which every element is this value."""
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.IntType(32)(0))
    return builder.shuffle_vector(one, one, ir.Constant(_INTS, [0] * LANES))


def _mark(_typing, nearness, winner, columns, place, column, slope, base, number, lanes):
    """Code for `mark_nearer`."""

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        near_in, winner_in, columns_in, place, column, slope, base, number, lanes = arguments
        near_at = _at(context, builder, kinds[0], near_in, place, _FLOATS)
        winner_at = _at(context, builder, kinds[1], winner_in, place, _INTS)
        across = builder.load(_at(context, builder, kinds[2], columns_in, column, _FLOATS), align=4)
        before, held = builder.load(near_at, align=4), builder.load(winner_at, align=4)
        rise = builder.fmul(_all(builder, slope, _FLOATS), across)
        value = builder.fadd(_all(builder, base, _FLOATS), rise)
        meant = builder.bitcast(lanes, _BITS)
        nearer = builder.and_(builder.fcmp_ordered(">", value, before), meant)
        builder.store(builder.select(nearer, value, before), near_at, align=4)
        builder.store(builder.select(nearer, _all(builder, number, _INTS), held), winner_at, align=4)
        return impl_ret_untracked(context, builder, types.void, context.get_dummy_value())

    scalars = (types.uint64, types.uint64, types.float32, types.float32, types.int32, types.uint8)
    return types.void(nearness, winner, columns, *scalars), generate


def _follow(_typing, ends, place, row, x, y, slope, most, lanes):
    """Code for `follow_edge`."""

    def generate(context, builder, signature, arguments):
        ends_in, place, row, x, y, slope, most, lanes = arguments
        at = _at(context, builder, signature.args[0], ends_in, place, _INTS)
        before = builder.load(at, align=4)
        rows = builder.add(_all(builder, row, _INTS), ir.Constant(_INTS, list(range(LANES))))
        half, none = ir.Constant(_FLOATS, [0.5] * LANES), ir.Constant(_FLOATS, [0.0] * LANES)
        down = builder.fsub(builder.fadd(builder.sitofp(rows, _FLOATS), half), _all(builder, y, _FLOATS))
        across = builder.fadd(_all(builder, x, _FLOATS), builder.fmul(down, _all(builder, slope, _FLOATS)))
        kind = ir.FunctionType(_FLOATS, [_FLOATS])
        ceil = cgutils.get_or_insert_function(builder.module, kind, f"llvm.ceil.v{LANES}f32")
        value = builder.call(ceil, [builder.fsub(across, half)])
        value = builder.select(builder.fcmp_ordered("<", value, none), none, value)
        limit = _all(builder, most, _FLOATS)
        value = builder.select(builder.fcmp_ordered(">", value, limit), limit, value)
        meant = builder.bitcast(lanes, _BITS)
        builder.store(builder.select(meant, builder.fptosi(value, _INTS), before), at, align=4)
        return impl_ret_untracked(context, builder, types.void, context.get_dummy_value())

    scalars = (types.uint64, types.int32, *[types.float32] * 4, types.uint8)
    return types.void(ends, *scalars), generate


def _between(_typing, values, place, least, most):
    """Code for `lanes_between`."""

    def generate(context, builder, signature, arguments):
        values_in, place, least, most = arguments
        found = builder.load(_at(context, builder, signature.args[0], values_in, place, _FLOATS), align=4)
        above = builder.fcmp_ordered(">", found, _all(builder, least, _FLOATS))
        below = builder.fcmp_ordered("<", found, _all(builder, most, _FLOATS))
        return builder.bitcast(builder.and_(above, below), ir.IntType(LANES))

    return types.uint8(values, types.uint64, types.float32, types.float32), generate


def _pack(_typing, colours, column, rgb, byte):
    """Code for `pack_colours`."""

    def generate(context, builder, signature, arguments):
        kinds, (colours_in, column, rgb_in, byte) = signature.args, arguments
        source = builder.load(_at(context, builder, kinds[0], colours_in, column, _QUADS), align=4)
        kept = ir.Constant(_INDICES, [4 * lane + channel for lane in range(LANES) for channel in range(3)])
        target = _at(context, builder, kinds[2], rgb_in, byte, _TRIPLES)
        builder.store(builder.shuffle_vector(source, source, kept), target, align=1)
        return impl_ret_untracked(context, builder, types.void, context.get_dummy_value())

    return types.void(colours, types.uint64, rgb, types.uint64), generate


_mark_nearer: Any = intrinsic(_mark)
_follow_edge: Any = intrinsic(_follow)
_lanes_between: Any = intrinsic(_between)
_pack_colours: Any = intrinsic(_pack)


@compiled
def mark_nearer(nearness, winner, columns, place, column, slope, base, number, lanes):
    """Where a face is nearer than all before, keep how near it is, and its number."""
    _mark_nearer(nearness, winner, columns, place, column, slope, base, number, lanes)


@compiled
def pack_colours(colours, column, rgb, byte):
    """Write a block of colours, packed as 0xBBGGRR, as three bytes each."""
    _pack_colours(colours, column, rgb, byte)


@compiled
def follow_edge(ends, place, row, x, y, slope, most, lanes):
    """Where an edge crosses a block of rows: the first column whose middle is not left of it."""
    _follow_edge(ends, place, row, x, y, slope, most, lanes)


@compiled
def first_lanes(count):
    """The bits of the first pixels of a block: so many, or all."""
    return ALL >> max(np.int64(LANES) - np.int64(count), np.int64(0))


@compiled
def lanes_between(values, place, least, most):
    """The bits of the values of a block that are more than one number and less than another."""
    return np.uint64(_lanes_between(values, place, least, most))
