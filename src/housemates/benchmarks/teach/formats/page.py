"""A page with the tables and plots of a set of sessions, the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from housemates.benchmarks.teach.formats.statistics import Statistics
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER
from housemates.reporting.pages import Beside, Figure, Page
from housemates.reporting.parts_of_speech import ADJECTIVE, NOUN, VERB
from housemates.reporting.plots import bars, histogram


def page_of(statistics: Statistics, published: Mapping[str, Any], title: str) -> Page:
    """The whole page, plots included."""
    summary = statistics.summary()
    page = Page(title)
    page.section("Sessions by task (Table 2)")
    paper = published["sessions_table2"]
    page.table({task: _row(row, paper.get(task, {})) for task, row in summary["tasks"].items()})
    page.section("Language and EDH instances")
    page.table(beside(summary, published))
    page.text("Grey, or in the last column: the paper, over all of its splits.", "paper")
    page.section("Plots")
    page.figures(_plots(statistics))
    return page


def beside(summary: Mapping[str, Any], published: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The numbers of language and of EDH instances, ours and the paper's."""
    return {
        name.replace("_", " "): {"here": value, "in the paper": published[group].get(name)}
        for group in ("language", "edh_lengths")
        for name, value in summary[group].items()
    }


def _row(ours: Mapping[str, Any], paper: Mapping[str, Any]) -> dict[str, Beside]:
    row = {
        name: Beside(value, paper.get(name), ours.get(f"{name}_sd"))
        for name, value in ours.items()
        if not name.endswith("_sd")
    }
    complete = row.pop("complete")
    return {**row, "complete, %": complete._replace(ours=100 * complete.ours)}


def _plots(statistics: Statistics) -> Iterator[Figure]:
    tasks = statistics.per_task.items()
    complete = {name: 100 * sum(each.complete) / len(each.complete) for name, each in tasks}
    spoken = zip(statistics.utterances[COMMANDER], statistics.utterances[FOLLOWER], strict=True)
    tokens = [length for lengths in statistics.tokens.values() for length in lengths]
    touched, words = dict(statistics.objects.most_common(60)), dict(statistics.words.most_common(100))
    acted, edh = statistics.overall.follower_actions, statistics.edh
    many, cut = partial(histogram, log=True), partial(histogram, counted="instances")
    yield Figure(
        "Share of sessions that end with their task complete (Figure 5)", bars(complete, "sessions, %")
    )
    yield Figure("What the Follower touched (Figure 6)", bars(touched, "touches", log=True))
    yield Figure("The 100 most common words (Figure 7)", bars(words, "uses", log=True))
    for part in (VERB, NOUN, ADJECTIVE):
        most = dict(statistics.parts[part].most_common(100))
        yield Figure(f"The 100 most common {part}s (Figure 7)", bars(most, "uses", log=True))
    yield Figure(
        "Utterances in a session (Figure 8)", many([sum(pair) for pair in spoken], "utterances", "sessions")
    )
    yield Figure("Tokens in an utterance (Figure 9)", many(tokens, "tokens", "utterances"))
    yield Figure("Follower actions in a session (Figure 10)", many(acted, "actions", "sessions"))
    yield Figure(
        "EDH: utterances in the history (Figure 13)",
        many(edh["history_utterances"], "utterances", "instances"),
    )
    yield Figure("EDH: actions in the history (Figure 14)", cut(edh["history_actions"], "actions"))
    yield Figure("EDH: actions to predict (Figure 15)", cut(edh["future_actions"], "actions"))
    yield Figure(
        "EDH: object actions to predict (Figure 16)", cut(edh["future_interactions"], "object actions")
    )
