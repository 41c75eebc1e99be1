"""From pixels to things: those that point to the same middle and are of the same type are one thing."""

from __future__ import annotations

import numpy as np

from housemates.compiling import compiled

BIN = 2
"""Codes, each way, whose votes are counted together."""
MARGIN = 16
"""How far outside the picture the middle of a thing may be."""
SLACK = 3.0
"""How far off a vote may always be, in codes."""
STRETCH = 0.3
"""How much of its own length a vote may be off besides."""


@compiled
def group(types, offsets, least):  # type: ignore[no-untyped-def]
    """Number the things of a map of types.

    Args:
        types: (rows, columns) numbers of types; 0 is no thing.
        offsets: (rows, columns, 2) codes to the right and down to the middle of the thing there.
        least: Codes that a thing needs; what is smaller is left out.

    Returns:
        (rows, columns) numbers of things from 1, and the type of each; entry 0 is nothing.
    """
    rows, columns = types.shape
    order = np.argsort(types.ravel(), kind="mergesort")
    flat = types.ravel()
    numbers = np.zeros(rows * columns, np.uint16)
    found = [0]
    start = 0
    while start < len(order):
        kind = flat[order[start]]
        end = start
        while end < len(order) and flat[order[end]] == kind:
            end += 1
        if kind:
            _separate(order[start:end], columns, rows, offsets, least, kind, numbers, found)
        start = end
    return numbers.reshape(rows, columns), np.array(found, np.uint8)


@compiled
def _separate(members, columns, rows, offsets, least, kind, numbers, found):  # type: ignore[no-untyped-def]
    """Number the things of one type: again and again the middle that most of what is left points to."""
    width = (columns + 2 * MARGIN) // BIN + 1
    height = (rows + 2 * MARGIN) // BIN + 1
    votes = np.zeros((height, width), np.int32)
    xs = np.empty(len(members), np.float32)
    ys = np.empty(len(members), np.float32)
    reach = np.empty(len(members), np.float32)
    left = np.ones(len(members), np.bool_)
    for index in range(len(members)):
        row, column = members[index] // columns, members[index] % columns
        dx, dy = offsets[row, column, 0], offsets[row, column, 1]
        xs[index] = min(max(column + dx, -MARGIN), columns + MARGIN - 1)
        ys[index] = min(max(row + dy, -MARGIN), rows + MARGIN - 1)
        reach[index] = SLACK + STRETCH * np.sqrt(dx * dx + dy * dy)
        votes[int(ys[index] + MARGIN) // BIN, int(xs[index] + MARGIN) // BIN] += 1
    remaining = len(members)
    while remaining >= least:
        x, y = _peak(votes, xs, ys, left)
        number = len(found)
        taken = 0
        for index in range(len(members)):
            near = left[index] and np.hypot(xs[index] - x, ys[index] - y) <= reach[index]
            if near:
                left[index] = False
                votes[int(ys[index] + MARGIN) // BIN, int(xs[index] + MARGIN) // BIN] -= 1
                numbers[members[index]] = number
                taken += 1
        if taken >= least:
            found.append(kind)
        else:
            for index in range(len(members)):
                if numbers[members[index]] == number:
                    numbers[members[index]] = 0
            if not taken:
                return
        remaining -= taken


@compiled
def _peak(votes, xs, ys, left):  # type: ignore[no-untyped-def]
    """The mean of the votes that are left in and around the place with the most of them."""
    height, width = votes.shape
    best, best_row, best_column = -1, 0, 0
    for row in range(1, height - 1):
        for column in range(1, width - 1):
            if votes[row, column]:
                count = votes[row - 1 : row + 2, column - 1 : column + 2].sum()
                if count > best:
                    best, best_row, best_column = count, row, column
    x, y, count = 0.0, 0.0, 0
    for index in range(len(xs)):
        row, column = int(ys[index] + MARGIN) // BIN, int(xs[index] + MARGIN) // BIN
        if left[index] and abs(row - best_row) <= 1 and abs(column - best_column) <= 1:
            x, y, count = x + xs[index], y + ys[index], count + 1
    return (x / count, y / count) if count else (0.0, 0.0)
