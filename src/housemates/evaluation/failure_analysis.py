"""Why the reader failed: causes over a run, and a page about one episode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from functools import partial
from pathlib import Path
from typing import Any

from housemates.agents.reader.diagnostics import CAUSES, Interpretation, cause_of, drawn, interpretation_of
from housemates.core.benchmark import Benchmark, Instance, Result
from housemates.core.episode import Episode
from housemates.core.loading import Seating, make_agents
from housemates.core.session import Session
from housemates.core.trace import Step, Trace
from housemates.errors import HousematesError
from housemates.evaluation.replay import play_again, same_benchmark
from housemates.evaluation.results import TRANSCRIPTS, Header, read_episodes, read_header, read_transcripts
from housemates.evaluation.runner import find_references
from housemates.evaluation.transcripts import Transcript
from housemates.parallel import track
from housemates.render.detections import given
from housemates.render.maps import top_down
from housemates.render.scene import Renderer
from housemates.reporting.pages import Figure, Page
from housemates.reporting.words import several

READERS = ("reader", "reader-oracle-task")
CLEAR_PX = 30
"""How many pixels of a thing eyes should make out."""
BELIEVED = "believed: floor, what is in the way (grey), furniture (blue), other things (red), itself (green)"
ENDS = {
    "done": "then it was over",
    "steps": "it came to the limit of steps",
    "failures": "it came to the limit of failures",
    "left": "somebody left",
    "error": "it ended with an error",
}
"""How an episode ended, in words."""


class Account:
    """The reader's account of a folder of results.

    Args:
        folder: What `housemates eval --agents reader --out` wrote.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.header: Header = read_header(folder)
        self.role = next((role for role, seat in self.header.agents.items() if seat.name in READERS), "")
        if not self.role:
            raise HousematesError(f"{folder}: expected a run of the agent reader.")
        self.benchmark: Benchmark = same_benchmark(folder, self.header)
        self.results = list(read_episodes(folder))

    def causes(self, label: str | None = None) -> dict[str, int]:
        """How many episodes failed for each cause; `label` is the title of a progress bar."""
        failed = [each for each in self.results if not each.scores.get("success")]
        instances = self._instances(failed)
        told = self._transcripts(failed)
        found = Counter(
            self._cause(each, instances.get(each.id), told[each.id])
            for each in track(iter(failed), len(failed), label)
        )
        return {cause: found[cause] for cause in CAUSES}

    def _transcripts(self, results: list[Result]) -> dict[str, Transcript]:
        """What was recorded of some episodes."""
        found = {each.id: each for each in read_transcripts(self.folder)}
        missing = next((each.id for each in results if each.id not in found), None)
        if missing is not None:
            raise HousematesError(f"{self.folder}: {TRANSCRIPTS} has no episode {missing!r}.")
        return found

    def _cause(self, result: Result, instance: Instance | None, told: Transcript) -> str:
        return cause_of(result, self._reading(instance), partial(self._shown, instance, told))

    def _shown(self, instance: Instance | None, told: Transcript) -> Set[str]:
        """The types of things that the pictures of an episode showed, which is played again for that."""
        found: set[str] = set()
        if instance is None:
            return found

        def look(session: Session, step: Step) -> None:
            if step.role == self.role and session.role is not None:
                seen = given(session.observe(step.role).data.frame()).things
                found.update(each.type for each in seen if each.pixels >= CLEAR_PX)

        play_again(self.benchmark.session(instance), told, self.benchmark.roles, instance, look)
        return found

    def _instances(self, results: list[Result]) -> dict[str, Instance]:
        sources = {each.source for each in results}
        references = find_references(
            self.benchmark, self.header.split, self.header.seed, sources, len(self.results)
        )
        opened = (each for reference in references.values() for each in self.benchmark.open(reference))
        return {each.id: each for each in opened}

    def _reading(self, instance: Instance | None) -> Interpretation | None:
        seat = self.header.agents[self.role]
        if instance is None or seat.privileged:
            return None
        return interpretation_of(instance, seat.options.get("words", "all"))

    def page(self, episode: str) -> Page:
        """What was said, read, believed, done, and what went wrong in an episode, which is played again."""
        result = next((each for each in self.results if each.id == episode), None)
        if result is None:
            raise HousematesError(f"There is no episode {episode!r} in this run.")
        instance = self._instances([result]).get(episode)
        if instance is None:
            raise HousematesError(f"{episode}: is not where it came from any more.")
        seats = {role: Seating(seat.name, shared=seat.options) for role, seat in self.header.agents.items()}
        agents: dict[str, Any] = make_agents(type(self.benchmark), seats)
        played = Episode(self.benchmark, instance, agents, key=str(self.header.seed))
        trace, session, brief = played.run(), played.session, played.brief(self.role)
        reading, agent = self._reading(instance), agents[self.role]
        told = self._transcripts([result])[episode]
        how = "success" if result.scores.get("success") else self._cause(result, instance, told)
        page = Page(f"{episode}: {how}")
        page.section("What was asked")
        for line in brief.goal.splitlines():
            page.text(line)
        if reading is not None:
            page.section("What was read")
            page.rows(
                [{"may mean": text, "probability": round(share, 3)} for text, share in reading.alternatives]
            )
            page.text(f"True: {reading.truth}", "" if reading.right else "failed")
        page.section("What was done")
        page.text(
            f"{several(len(trace.steps), 'act')}, {trace.failures} of them failed; {ENDS[trace.ended]}."
        )
        page.rows(list(_deeds(trace, self.role)))
        page.heading("What it could not do")
        page.items(
            f"{each.kind}: {each.type} {each.place}".strip() for each in getattr(agent, "troubles", ())
        )
        page.section("The home as believed, and as it is")
        home = getattr(session, "world").home  # noqa: B009
        page.figures([Figure(BELIEVED, drawn(agent.navigator)), Figure("as it is", top_down(Renderer(home)))])
        page.rows(
            [
                {"thing": each.type, "in": _name(agent, each.holder), "seen at step": each.step}
                for each in sorted(agent.navigator.memory.things.values(), key=lambda each: each.type)
            ]
        )
        return page


def _deeds(trace: Trace, role: str) -> Iterator[dict[str, Any]]:
    """What a role did with its hands or said, and what came of it; moves are left out."""
    for number, step in enumerate(trace.steps):
        if step.role == role and step.act is not None and step.act.arguments:
            said = step.act.arguments.get("text", "")
            how = step.outcome.message or ("done" if step.outcome.success else "failed")
            yield {"step": number, "act": f"{step.act.name} {said}".rstrip(), "what came of it": how}


def _name(agent: Any, key: str) -> str:
    thing = agent.navigator.memory.things.get(key)
    return "" if thing is None else thing.type
