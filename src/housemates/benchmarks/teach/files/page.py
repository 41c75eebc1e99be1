"""A page with the tables and plots of a set of sessions, the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from housemates.benchmarks.teach.files.statistics import Statistics
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER
from housemates.files import read_text
from housemates.reporting.plots import bars, figure_html, histogram


def page(statistics: Statistics, published: Mapping[str, Any], title: str) -> str:
    """The whole page, plots included, as one HTML text."""
    summary = statistics.summary()
    style = read_text(Path(__file__).with_name("page.css"))
    parts = [
        f"<h1>{escape(title)}</h1>",
        "<h2>Sessions by task (Table 2)</h2>",
        _table(summary["tasks"], published["sessions_table2"]),
        "<h2>Language and EDH instances</h2>",
        _table(
            {"language": summary["language"], "EDH lengths": summary["edh_lengths"]},
            {"language": published["language"], "EDH lengths": published["edh_lengths"]},
            upright=True,
        ),
        "<p class=paper>Grey: the paper, over all of its splits.</p>",
        *(figure_html(name, picture) for name, picture in _plots(statistics)),
    ]
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        f"<style>{style}</style><body>{''.join(parts)}</body></html>\n"
    )


def _table(ours: Mapping[str, Any], theirs: Mapping[str, Any], upright: bool = False) -> str:
    if upright:
        rows = [
            (key, value, theirs.get(group, {}).get(key, ""))
            for group, values in ours.items()
            for key, value in values.items()
        ]
        cells = "".join(
            f"<tr><td>{escape(str(key).replace('_', ' '))}<td>{value}<td class=paper>{paper}"
            for key, value, paper in rows
        )
        return f"<table><tr><th><th>here<th class=paper>paper{cells}</table>"
    columns = [name for name in next(iter(ours.values())) if not name.endswith("_sd")]
    head = "".join(f"<th>{name.replace('_', ' ')}" for name in columns)
    body = ""
    for task, row in ours.items():
        cells = ""
        for name in columns:
            spread = f" ± {row[f'{name}_sd']}" if f"{name}_sd" in row else ""
            paper = theirs.get(task, {}).get(name, "")
            cells += f"<td>{row[name]}{spread} <span class=paper>{paper}</span>"
        body += f"<tr><td>{escape(task)}{cells}"
    return f"<table><tr><th>{head}{body}</table>"


def _plots(statistics: Statistics) -> list[tuple[str, bytes]]:
    complete = {name: sum(each.complete) / len(each.complete) for name, each in statistics.per_task.items()}
    sessions = [
        sum(pair)
        for pair in zip(statistics.utterances[COMMANDER], statistics.utterances[FOLLOWER], strict=True)
    ]
    tokens = [length for lengths in statistics.tokens.values() for length in lengths]
    edh = statistics.edh
    return [
        ("Share of sessions that end with their task complete (Figure 5)", bars(complete)),
        ("What the Follower touched (Figure 6)", bars(dict(statistics.objects.most_common(60)), log=True)),
        ("The 100 most common words (Figure 7)", bars(dict(statistics.words.most_common(100)), log=True)),
        ("Utterances in a session (Figure 8)", histogram(sessions, log=True)),
        ("Tokens in an utterance (Figure 9)", histogram(tokens, log=True)),
        (
            "Follower actions in a session (Figure 10)",
            histogram(statistics.overall.follower_actions, log=True),
        ),
        ("EDH: utterances in the history (Figure 13)", histogram(edh["history_utterances"], log=True)),
        ("EDH: actions in the history (Figure 14)", histogram(edh["history_actions"])),
        ("EDH: actions to predict (Figure 15)", histogram(edh["future_actions"])),
        ("EDH: object actions to predict (Figure 16)", histogram(edh["future_interactions"])),
    ]
