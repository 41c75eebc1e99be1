"""Tokens of a language model's turns in ALFRED and TEACh, with ids and with short names.

python perf/percepts.py [--tokenizer tokenizer.json] [--json]

The agent `plan` plays three generated episodes of each in skills; what a model in its seat would be told and
offered is counted: the percept, its tools, and the whole request with a memory of eight turns.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from housemates.agents.llm.chat import request
from housemates.agents.llm.conversation import Call, Conversation
from housemates.core import registry
from housemates.core.episode import Episode
from housemates.core.loading import make_agents, seat_all
from housemates.core.tokens import ESTIMATE, counter

SEATS = {"alfred": ("agent", ["agent=plan"]), "teach-tatc": ("follower", ["commander=talk", "follower=plan"])}


class Listener:
    """Sits in a seat with an agent, and keeps what a language model would have been sent."""

    def __init__(self, agent: Any, past: str) -> None:
        self._agent, self._past = agent, past
        self.turns: list[dict[str, str]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agent, name)

    def reset(self, brief: Any) -> None:
        """Begin a conversation."""
        self._talk = Conversation(brief, past=self._past)
        self._agent.reset(brief)

    def act(self, percept: Any) -> Any:
        """What the agent does, after writing down what a model would have been sent."""
        self._talk.perceive(percept)
        body = request("model", self._talk.messages(), self._talk.tools)
        whole = {"messages": body["messages"], "tools": body["tools"]}
        self.turns.append(
            {"percept": percept.text, "tools": json.dumps(body["tools"]), "request": json.dumps(whole)}
        )
        act = self._agent.act(percept)
        said = act if isinstance(act, dict) else act.plain()
        call = Call(str(len(self.turns)), said["name"], json.dumps(said.get("arguments", {})))
        self._talk.hear("", (call,))
        return act


def turns(name: str, names: str, past: str, episodes: int) -> Iterator[dict[str, str]]:
    """What a model would have been sent at each turn."""
    benchmark = registry.benchmark(name, acts="skills", names=names)
    role, seats = SEATS[name]
    for reference in islice(benchmark.references("generated", 1), episodes):
        (instance,) = benchmark.open(reference)
        agents = make_agents(type(benchmark), seat_all(type(benchmark), seats, {}))
        listener = Listener(agents[role], past)
        Episode(benchmark, instance, {**agents, role: listener}).run()
        yield from listener.turns


def main() -> None:
    """Print tokens a turn: the mean, and of requests the largest."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokenizer", default="")
    parser.add_argument("--episodes", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    count, rows = counter(given.tokenizer), []
    for name in SEATS:
        for names, past in (("ids", "percepts"), ("short", "percepts"), ("short", "outcomes")):
            sent = list(turns(name, names, past, given.episodes))
            counted = {key: [count(each[key]) for each in sent] for key in sent[0]}
            mean = {key: round(sum(values) / len(values)) for key, values in counted.items()}
            row = {"benchmark": name, "names": names, "past": past, "turns": len(sent), **mean}
            rows.append({**row, "largest request": max(counted["request"])})
    if given.json:
        print(json.dumps({"counted by": given.tokenizer or ESTIMATE, "rows": rows}))
    else:
        for row in rows:
            print(", ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
