"""People in browsers, as `static/seat.js` has them: they wait, sit, act, come back, and remember it all."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from failing import Line, Lost

if TYPE_CHECKING:
    from simulating import Schedule

IMPATIENT_S = 12.0
"""After so long without a word somebody loads the page anew."""
ACTS = ("Say", "Say", "Say", "Note", "Pass")


class Visitor:
    """Somebody who takes part, until their session is over or they have had enough."""

    def __init__(self, schedule: Schedule, token: str) -> None:
        self.schedule, self.world, self.token = schedule, schedule.world, token
        self.seat = self.role = ""
        self.over = ""
        """How they were told that it ended."""
        self.gone = False
        """Whether they have had enough."""
        self.patience = self.world.rng.choice((0, 0, 0, 0, 5, 20))
        """How many acts they do until they have had enough; 0 for any number."""
        self.line: Line | None = None
        self.confirmed: list[str] = []
        self.refused: list[str] = []
        self.shown: list[tuple[tuple[str, str], ...]] = []
        """The histories that they were shown, each time when one changed."""
        self.heard: list[str] = []
        """All messages, as they came."""
        self._wanted: dict[str, Any] | None = None
        """What they want to do, and do not know to be done."""
        self._asked: dict[int, str] = {}
        self._number = self._acts = 0

    @property
    def finished(self) -> bool:
        """Whether they want nothing more."""
        return bool(self.over) or self.gone

    async def live(self) -> None:
        """Take part."""
        rng = self.world.rng
        await asyncio.sleep(rng.random() * 3.0)
        while not self.finished:
            try:
                await (self._play() if self.seat else self._wait())
            except Lost:
                self._asked.clear()
                if rng.random() < 0.5:
                    self._number = 0
                await asyncio.sleep(rng.random() * rng.choice((1.0, 5.0, 5.0, 40.0)))

    async def _wait(self) -> None:
        where = await self.schedule.ask("lobby", self.token)
        if where.stage == "play":
            self.seat = where.seat
        elif where.stage != "lobby":
            self.over = where.stage
        await asyncio.sleep(self.world.rng.random() * 3.0)

    async def _play(self) -> None:
        rng = self.world.rng
        line = self.line = await self.schedule.connect(self.seat)
        quiet, act_at = self.world.now, 0.0
        self.state: dict[str, Any] | None = None
        while not self.finished:
            said = await line.hear(max(0.01, act_at - self.world.now) if act_at else IMPATIENT_S)
            if said is not None:
                quiet = self.world.now
                self._hear(str(said))
            elif act_at:
                self._act(line)
                act_at = 0.0
            if self.world.now - quiet > IMPATIENT_S and (self._asked or rng.random() < 0.1):
                break
            if not act_at and self._may_act():
                act_at = self.world.now + rng.random() * rng.choice((0.05, 1.0, 1.0, 4.0))
        line.close()
        if not self.finished:
            raise Lost

    def _may_act(self) -> bool:
        return self.state is not None and self.state["role"] == self.role and not self._asked

    def _act(self, line: Line) -> None:
        if not self._may_act():
            return
        rng = self.world.rng
        if self.patience and self._acts >= self.patience:
            self.gone = True
            return
        self._number += 1
        if rng.random() < 0.05:
            other = ({"type": "ping"}, {"type": "point", "id": 2**30, "picture": "x", "x": 0, "y": 1}, {})
            line.say(json.dumps(rng.choice(other)))
        if self._wanted is None:
            self._acts += 1
            name = rng.choice(ACTS)
            text = f"{self.role}-{self._acts}."
            self._wanted = {"name": name, "arguments": {} if name == "Pass" else {"text": text}}
        self._asked[self._number] = self._text
        line.say(json.dumps({"type": "act", "id": self._number, "act": self._wanted}))

    @property
    def _text(self) -> str:
        return self._wanted["arguments"].get("text", "") if self._wanted else ""

    def _hear(self, said: str) -> None:
        self.heard.append(said)
        message = json.loads(said)
        kind = message["type"]
        if kind == "hello":
            self.role, self.over = message["role"], message["over"]
        elif kind == "state":
            self._see(message["state"])
        elif kind == "ended":
            self.over = message["how"]
        elif kind in ("done", "refused") and message["id"] in self._asked:
            text = self._asked.pop(message["id"])
            (self.confirmed if kind == "done" else self.refused).append(text)
            if text == self._text:
                self._wanted = None

    def _see(self, state: dict[str, Any]) -> None:
        self.state = state
        self.over = self.over or state["over"]
        told = tuple((each["role"], each["text"]) for each in state["said"])
        if not self.shown or self.shown[-1] != told:
            self.shown.append(told)
        known = [text for _, text in told] + state["text"].split()
        if self._text in known and not self._asked:
            self._wanted = None
