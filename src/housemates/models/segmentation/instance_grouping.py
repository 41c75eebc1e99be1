"""Instance grouping: connected components of one type, split by Hough voting of offsets to centres."""

from __future__ import annotations

import numpy as np

from housemates.jit import compiled

BIN = 3
"""Bin size of the vote histogram, in codes."""
MARGIN = 18
"""How far outside the picture a centre may be, in codes."""
SLACK = 4.0
"""Tolerance of a vote, in codes."""
STRETCH = 0.4
"""Additional tolerance per length of the offset."""
LEAST_SHARE = 0.2
"""Minimum share of a component for a thing; the remainder goes to the nearest centre."""


@compiled
def group(types, rims, offsets, least):  # type: ignore[no-untyped-def]
    """Number the things of a map of types.

    Args:
        types: (rows, columns) numbers of types; 0 is no thing.
        rims: (rows, columns) whether another thing of the same type is beside the one there.
        offsets: (rows, columns, 2) codes to the right and down to the middle of the thing there.
        least: Codes that a thing needs; what is smaller is left out.

    Returns:
        (rows, columns) numbers of things from 1, and the type of each; entry 0 is nothing.
    """
    numbers = np.zeros(types.shape, np.uint16)
    found = [0]
    _number(types, rims, offsets, least, numbers, found)
    _grow(types, numbers)
    _number(types, numbers > 0, offsets, least, numbers, found)
    return numbers, np.array(found, np.uint8)


@compiled
def _number(types, left_out, offsets, least, numbers, found):  # type: ignore[no-untyped-def]
    """Number the things of each connected component, leaving some codes out."""
    rows, columns = types.shape
    visited = left_out.copy()
    members = np.empty(rows * columns, np.int32)
    for row in range(rows):
        for column in range(columns):
            if types[row, column] and not visited[row, column]:
                count = _fill(types, visited, row, column, members)
                if count >= least:
                    _separate(members[:count], offsets, least, types[row, column], numbers, found)


@compiled
def _grow(types, numbers):  # type: ignore[no-untyped-def]
    """Breadth-first flood fill of unnumbered codes from neighbours of the same type."""
    rows, columns = types.shape
    waiting = np.empty(rows * columns, np.int32)
    count = 0
    for place in range(rows * columns):
        if numbers[place // columns, place % columns]:
            waiting[count] = place
            count += 1
    done = 0
    while done < count:
        row, column = waiting[done] // columns, waiting[done] % columns
        done += 1
        for near_row in range(max(0, row - 1), min(rows, row + 2)):
            for near_column in range(max(0, column - 1), min(columns, column + 2)):
                same = types[near_row, near_column] == types[row, column]
                if same and not numbers[near_row, near_column]:
                    numbers[near_row, near_column] = numbers[row, column]
                    waiting[count] = near_row * columns + near_column
                    count += 1


@compiled
def _fill(types, visited, row, column, members):  # type: ignore[no-untyped-def]
    """Collect the connected component of a place."""
    rows, columns = types.shape
    kind = types[row, column]
    visited[row, column] = True
    members[0] = row * columns + column
    count, done = 1, 0
    while done < count:
        at_row, at_column = members[done] // columns, members[done] % columns
        done += 1
        for near_row in range(max(0, at_row - 1), min(rows, at_row + 2)):
            for near_column in range(max(0, at_column - 1), min(columns, at_column + 2)):
                if types[near_row, near_column] == kind and not visited[near_row, near_column]:
                    visited[near_row, near_column] = True
                    members[count] = near_row * columns + near_column
                    count += 1
    return count


@compiled
def _separate(members, offsets, least, kind, numbers, found):  # type: ignore[no-untyped-def]
    """Split a component greedily: the centre with most of the remaining votes first."""
    rows, columns = numbers.shape
    votes = np.zeros(((rows + 2 * MARGIN) // BIN + 1, (columns + 2 * MARGIN) // BIN + 1), np.int32)
    points = np.empty((len(members), 3), np.float32)
    owner = np.full(len(members), -1, np.int32)
    for index in range(len(members)):
        row, column = members[index] // columns, members[index] % columns
        dx, dy = offsets[row, column, 0], offsets[row, column, 1]
        points[index, 0] = min(max(column + dx, -MARGIN), columns + MARGIN - 1)
        points[index, 1] = min(max(row + dy, -MARGIN), rows + MARGIN - 1)
        points[index, 2] = SLACK + STRETCH * np.sqrt(dx * dx + dy * dy)
        votes[int(points[index, 1] + MARGIN) // BIN, int(points[index, 0] + MARGIN) // BIN] += 1
    centres = [_middle(points, owner, _peak(votes))]
    left = _claim(points, owner, votes, centres, 0)
    needed = max(least, int(LEAST_SHARE * len(members)))
    while left >= needed:
        centres.append(_middle(points, owner, _peak(votes)))
        rest = _claim(points, owner, votes, centres, len(centres) - 1)
        if left - rest < needed:
            for index in range(len(members)):
                if owner[index] == len(centres) - 1:
                    owner[index] = -1
            centres.pop()
            break
        left = rest
    for index in range(len(members)):
        if owner[index] < 0:
            best = np.inf
            for number in range(len(centres)):
                away = np.hypot(points[index, 0] - centres[number][0], points[index, 1] - centres[number][1])
                if away < best:
                    best, owner[index] = away, number
        numbers[members[index] // columns, members[index] % columns] = len(found) + owner[index]
    for _ in range(len(centres)):
        found.append(kind)


@compiled
def _peak(votes):  # type: ignore[no-untyped-def]
    """The bin with the most votes in its 3x3 neighbourhood."""
    height, width = votes.shape
    best, place = -1, (1, 1)
    for row in range(1, height - 1):
        for column in range(1, width - 1):
            if votes[row, column]:
                count = votes[row - 1 : row + 2, column - 1 : column + 2].sum()
                if count > best:
                    best, place = count, (row, column)
    return place


@compiled
def _middle(points, owner, place):  # type: ignore[no-untyped-def]
    """The mean of the unclaimed votes in the 3x3 neighbourhood of a bin."""
    x, y, count = 0.0, 0.0, 0
    for index in range(len(points)):
        row = int(points[index, 1] + MARGIN) // BIN
        column = int(points[index, 0] + MARGIN) // BIN
        if owner[index] < 0 and abs(row - place[0]) <= 1 and abs(column - place[1]) <= 1:
            x, y, count = x + points[index, 0], y + points[index, 1], count + 1
    return (x / max(count, 1), y / max(count, 1))


@compiled
def _claim(points, owner, votes, centres, number):  # type: ignore[no-untyped-def]
    """Claim the votes within tolerance of a centre and remove them; returns how many are left."""
    x, y = centres[number]
    left = 0
    for index in range(len(points)):
        if owner[index] < 0:
            if np.hypot(points[index, 0] - x, points[index, 1] - y) <= points[index, 2]:
                owner[index] = number
                votes[int(points[index, 1] + MARGIN) // BIN, int(points[index, 0] + MARGIN) // BIN] -= 1
            else:
                left += 1
    return left
