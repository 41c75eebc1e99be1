"""A Commander that says what is to be done once, and no more: what a task costs without dialogue."""

from __future__ import annotations

from housemates.agents.teach.talk.commander import TalkCommander
from housemates.benchmarks.teach.world.views import CommanderView
from housemates.core.actions import Act

PATIENCE = 8
"""Turns without a change in the home after which it ends the session."""


class OnceCommander(TalkCommander):
    """Hands the whole task over in one utterance, answers nothing, and stops when nothing changes."""

    def _turn(self, view: CommanderView) -> list[Act]:
        self._attend(view)
        if not any(each.role == "commander" for each in view.dialogue):
            self._before, self._waited = dict(self.home.things), 0
            return [Act("Say", {"text": self.writer.whole_task()})]
        self._waited = 0 if self._came_on() else self._waited + 1
        self._before = dict(self.home.things)
        return [Act("Stop")] if self._waited > PATIENCE else [Act("Pass")]
