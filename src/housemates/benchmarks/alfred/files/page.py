"""A page with the numbers and plots of a set of trajectories, the paper's numbers beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape
from typing import Any

from housemates.benchmarks.alfred.files.statistics import MOST_WORDS, Statistics
from housemates.reporting.plots import bars, figure_html, histogram, stacked

PAPER: Mapping[str, Any] = {
    "trajectories": 8055,
    "annotations": 25743,
    "scenes": 120,
    "task_parameters": 2685,
    "object_classes": 58,
    "receptacle_classes": 26,
    "actions_mean": 50,
    "image_action_pairs": 428322,
}
"""What the paper says of all its folds together (sections 1 and 3)."""
STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;color:#222}"
    "td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd}.paper{color:#888}"
    "figure{margin:2em 0}img{max-width:100%}"
)


def page(found: Statistics, title: str) -> str:
    """The whole page, plots included, as one HTML text."""
    parts = [
        f"<h1>{escape(title)}</h1>",
        table(found.summary()),
        "<p class=paper>Grey: the paper, over all of its folds.</p>",
        *(figure_html(caption, picture) for caption, picture in _plots(found)),
    ]
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        f"<style>{STYLE}</style><body>{''.join(parts)}</body></html>\n"
    )


def table(summary: Mapping[str, Any]) -> str:
    """The single numbers, ours and the paper's."""
    rows = "".join(
        f"<tr><td>{escape(name.replace('_', ' '))}<td>{value}<td class=paper>{PAPER.get(name, '')}"
        for name, value in summary.items()
        if not isinstance(value, dict)
    )
    return f"<table><tr><th><th>here<th class=paper>paper{rows}</table>"


def _plots(found: Statistics) -> list[tuple[str, bytes]]:
    shares = {
        task: {name: number / sum(counts.values()) for name, number in counts.most_common()}
        for task, counts in found.subgoals.items()
    }
    fresh = {str(number): sum(counts) / len(counts) for number, counts in sorted(found.new_tokens.items())}
    return [
        ("Actions of a demonstration (Figure 3)", histogram(found.lengths)),
        ("Tokens of a directive's instructions (Figure 3)", histogram(found.instruction_tokens)),
        ("Tasks (Figure F1)", bars(found.tasks)),
        ("Sub-goals by task (Figure F2)", stacked(shares)),
        ("New tokens with each further directive of a demonstration (Figure F3)", bars(fresh)),
        ("Things to be handled (Figure F6)", bars(_most(found.objects))),
        ("Receptacles (Figure F7)", bars(_most(found.receptacles))),
        (f"The {MOST_WORDS} most common words (Figure F8)", bars(_most(found.words), log=True)),
    ]


def _most(counts: Counter[str]) -> dict[str, float]:
    return dict(counts.most_common(MOST_WORDS))
