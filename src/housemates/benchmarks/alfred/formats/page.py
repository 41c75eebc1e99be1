"""A page with the numbers and plots of a set of trajectories, the paper's numbers beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from housemates.benchmarks.alfred.formats.statistics import MOST_WORDS, Statistics
from housemates.files import shipped
from housemates.reporting.pages import Figure, Page
from housemates.reporting.parts_of_speech import ADJECTIVE, NOUN, OTHER, VERB
from housemates.reporting.plots import bars, histogram, stacked

DEMOS = "demonstrations"


def page_of(found: Statistics, title: str) -> Page:
    """The whole page, plots included."""
    page = Page(title)
    page.table(beside(found.summary()))
    page.text("The paper's numbers are those of all its folds.", "paper")
    page.section("Plots")
    page.figures(_plots(found))
    return page


def beside(summary: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The single numbers, ours and the paper's."""
    paper = shipped("housemates.benchmarks.alfred", "published.toml")["dataset"]
    return {
        name.replace("_", " "): {"here": value, "in the paper": paper.get(name)}
        for name, value in summary.items()
        if isinstance(value, int | float)
    }


def _plots(found: Statistics) -> Iterator[Figure]:
    shares = {
        task: {name: 100 * number / sum(counts.values()) for name, number in counts.most_common()}
        for task, counts in found.subgoals.items()
    }
    fresh = {str(number): sum(counts) / len(counts) for number, counts in sorted(found.new_tokens.items())}
    yield Figure("Actions of a demonstration (Figure 3)", histogram(found.lengths, "actions", DEMOS))
    yield Figure(
        "Tokens of a directive's instructions (Figure 3)",
        histogram(found.instruction_tokens, "tokens", "directives"),
    )
    yield Figure("Tasks (Figure F1)", bars(found.tasks, DEMOS))
    yield Figure("Sub-goals by task (Figure F2)", stacked(shares, "sub-goals, %"))
    yield Figure(
        "New tokens with each further directive of a demonstration (Figure F3)",
        bars(fresh, "new tokens", "directive"),
    )
    yield Figure("Things to be handled (Figure F6)", bars(_most(found.objects), DEMOS))
    yield Figure("Receptacles (Figure F7)", bars(_most(found.receptacles), DEMOS))
    yield Figure(
        f"The {MOST_WORDS} most common words (Figure F8)", bars(_most(found.words), "uses", log=True)
    )
    others = found.parts[ADJECTIVE] + found.parts[OTHER]
    for name, counts in (("verbs", found.parts[VERB]), ("nouns", found.parts[NOUN]), ("other words", others)):
        yield Figure(
            f"The {MOST_WORDS} most common {name} (Figure F8)", bars(_most(counts), "uses", log=True)
        )


def _most(counts: Counter[str]) -> dict[str, float]:
    return dict(counts.most_common(MOST_WORDS))
