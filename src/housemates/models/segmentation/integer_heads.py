"""Heads on byte codes in integer arithmetic: identical on every machine, and fast."""

from __future__ import annotations

import numpy as np

from housemates.jit import compiled

FINE_BITS = 12
"""Of the weights of what is read off every code."""
SHARE = 0.15
"""Share of a thing that has to show a state: the water of a faucet, the inside of a pot."""
FAR, BINS = 8.0, 128
"""Range and bins of the histograms of scores."""


@compiled
def best_types(scores, factors, biases):  # type: ignore[no-untyped-def]
    """The best-scoring type of each code.

    The number of the type takes the last eight bits of its score, so that the largest score tells its type.

    Args:
        scores: (codes, types) sums of products.
        factors: (types,) what they are multiplied with to be compared.
        biases: (types,) what is added to them then.
    """
    codes, types = scores.shape
    found = np.empty(codes, np.uint8)
    last = np.empty(types, np.int32)
    for kind in range(types):
        last[kind] = 255 - kind
    for code in range(codes):
        best = np.int32(-2147483648)
        for kind in range(types):
            score = np.int32(np.int32(scores[code, kind] * factors[kind]) + biases[kind])
            tagged = np.int32(score & np.int32(-256) | last[kind])
            if tagged > best:
                best = tagged
        found[code] = 255 - (best & 255)
    return found


@compiled
def read(codes, weights, steps, biases):  # type: ignore[no-untyped-def]
    """A linear layer on every code: (codes, readings).

    Args:
        codes: (codes, channels) bytes.
        weights: (readings, channels) whole numbers.
        steps: (readings,) what a product of one is worth.
        biases: (readings,).
    """
    many, channels = codes.shape
    found = np.empty((many, len(weights)), np.float32)
    for code in range(many):
        for reading in range(len(weights)):
            total = np.int32(0)
            for channel in range(channels):
                total += np.int32(codes[code, channel]) * weights[reading, channel]
            found[code, reading] = total * steps[reading] + biases[reading]
    return found


@compiled
def means(numbers, count, codes):  # type: ignore[no-untyped-def]
    """The mean code of each thing, (things, channels)."""
    flat = numbers.ravel()
    sums = np.zeros((count, codes.shape[1]), np.int32)
    sizes = np.zeros(count, np.int32)
    for place in range(len(flat)):
        thing = flat[place]
        sizes[thing] += 1
        for channel in range(codes.shape[1]):
            sums[thing, channel] += codes[place, channel]
    found = np.empty(sums.shape, np.float32)
    for thing in range(count):
        for channel in range(codes.shape[1]):
            found[thing, channel] = sums[thing, channel] / max(sizes[thing], 1)
    return found


@compiled
def shown(numbers, count, scores):  # type: ignore[no-untyped-def]
    """The score that `SHARE` of each thing's codes exceed, by histogram: (things, states).

    Args:
        numbers: (rows, columns) numbers of things.
        count: How many there are.
        scores: (codes, states).
    """
    flat = numbers.ravel()
    states = scores.shape[1]
    often = np.zeros((count, states, BINS), np.int32)
    sizes = np.zeros(count, np.int32)
    for place in range(len(flat)):
        sizes[flat[place]] += 1
        for state in range(states):
            step = int((scores[place, state] + FAR) * (BINS / (2 * FAR)))
            often[flat[place], state, min(max(step, 0), BINS - 1)] += 1
    found = np.empty((count, states), np.float32)
    for thing in range(count):
        for state in range(states):
            step, above = BINS - 1, often[thing, state, BINS - 1]
            while step and above < SHARE * sizes[thing]:
                step -= 1
                above += often[thing, state, step]
            found[thing, state] = (step + 0.5) * (2 * FAR / BINS) - FAR
    return found
