"""Learning curves of the lines that the recipes print: success over CPU-minutes, over seeds.

python examples/learning/curve.py docs/learning/ppo_text-*.jsonl --out docs/learning/ppo_text.png

Prints the interquartile mean of the last evaluations with its 95 % interval, and draws all of them. The
interval is a bootstrap's, which draws seeds anew and, for each, the episodes of its evaluation.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from numpy.typing import ArrayLike, NDArray

from housemates.errors import HousematesError

POINTS, DRAWN = 100, 2000
"""Of a curve; and how often the bootstrap draws."""
Floats = NDArray[np.float64]


@dataclass
class Args:
    """What to draw."""

    logs: Annotated[list[Path], tyro.conf.Positional] = field(default_factory=list)
    """One file a seed, as a recipe's `--log` writes it."""
    out: Path | None = None
    """The picture, a PNG or SVG."""
    title: str = ""


def read(path: Path) -> list[dict[str, float]]:
    """The evaluations of a run, in order."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            if "unseen" in row:
                found.append({name: float(row[name]) for name in ("minutes", "unseen", "episodes")})
        except (ValueError, KeyError, TypeError):
            told = "expected JSON with the numbers minutes, unseen and episodes"
            raise HousematesError(f"{path}, line {number}: {told}.") from None
    if not found:
        raise HousematesError(f"{path}: holds no evaluation.")
    return found


def interquartile_mean(values: Floats) -> Floats:
    """The mean of the middle half along the first axis; parts of values count as such."""
    ordered = np.sort(values, axis=0)
    count = len(ordered)
    edges = np.clip(np.arange(count + 1) / count, 0.25, 0.75)
    return np.tensordot(np.diff(edges) / 0.5, ordered, 1)


def curves(runs: Sequence[Sequence[dict[str, float]]]) -> tuple[Floats, Floats, Floats, Floats]:
    """CPU-minutes, and the interquartile mean of the runs there with the bounds of its interval."""
    first, last = max(run[0]["minutes"] for run in runs), min(run[-1]["minutes"] for run in runs)
    at, rng = np.linspace(first, last, POINTS), np.random.default_rng(0)

    def between(run: Sequence[dict[str, float]], values: ArrayLike) -> Floats:
        return np.interp(at, [each["minutes"] for each in run], np.asarray(values))

    drawn = np.zeros((len(runs), DRAWN, POINTS))
    for row, run in zip(drawn, runs, strict=True):
        counts = np.array([int(each["episodes"]) for each in run])
        chances = np.array([each["unseen"] for each in run])
        for number, won in enumerate(rng.binomial(counts, chances, (DRAWN, len(run))) / counts):
            row[number] = between(run, won)
    picked = rng.integers(len(runs), size=(len(runs), DRAWN))
    again = drawn[picked, np.arange(DRAWN)]
    low, high = np.quantile(interquartile_mean(again), [0.025, 0.975], axis=0)
    mean = interquartile_mean(np.array([between(run, [each["unseen"] for each in run]) for run in runs]))
    return at, mean, low, high


def draw(args: Args, runs: Sequence[Sequence[dict[str, float]]], out: Path) -> None:
    """The picture: each seed thin, their interquartile mean thick, its interval behind."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.0, 3.0), layout="constrained")
    axes = figure.subplots()
    for run in runs:
        axes.plot([each["minutes"] for each in run], [100 * each["unseen"] for each in run], "0.7", lw=0.8)
    at, mean, low, high = curves(runs)
    axes.fill_between(at, 100 * low, 100 * high, alpha=0.2, lw=0)
    axes.plot(at, 100 * mean, lw=2)
    axes.set(xlabel="CPU-minutes", ylabel="success in new episodes, %", ylim=(0, 100), title=args.title)
    axes.grid(alpha=0.3)
    out.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(out, dpi=80, metadata={"Software": None} if out.suffix == ".png" else {"Date": None})


def main(args: Args) -> dict[str, float]:
    """Print the last point of the curve, and draw it."""
    if not args.logs:
        raise HousematesError("logs: expected at least one file that a recipe's --log has written.")
    runs = [read(each) for each in args.logs]
    at, mean, low, high = curves(runs)
    row = {"seeds": len(runs), "minutes": round(float(at[-1]), 2)}
    row |= {name: round(float(each[-1]), 3) for name, each in (("iqm", mean), ("low", low), ("high", high))}
    print(json.dumps(row))
    if args.out is not None:
        draw(args, runs, args.out)
    return row


if __name__ == "__main__":
    try:
        main(tyro.cli(Args))
    except HousematesError as error:
        raise SystemExit(str(error)) from None
