"""How the robot's seat looks to learners: a text, and a command as an answer."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from housemates.benchmarks.encoding import Encoding
from housemates.benchmarks.handmethat.session import MENU, ROBOT_ROLE, SILENT_MENU
from housemates.benchmarks.handmethat.world.commands import MAX_LENGTH
from housemates.benchmarks.spaces import CHARACTERS, plain, text_space
from housemates.core.actions import Act, Menu
from housemates.core.session import Session
from housemates.errors import HousematesError

LONGEST_TEXT = 20_000
_KNOWN = frozenset(CHARACTERS)


class HandMeThatEncoding(Encoding):
    """Texts in, commands out.

    ## Action Space
    A command such as `move to table` or `give apple 0 to human`, a question if questions are allowed, or
    `stop`. Those that would work now are the choices of the offer `Command`.

    ## Observation Space
    `text`, what the robot reads; `success`, whether the last command worked.

    ## Rewards
    Less one a command that is not free, less the price of a question, 100 for success.

    ## Episode End
    Terminated by success or `stop`, truncated after 40 moves.

    ## Version History
    - v1: first version.
    """

    benchmark = "handmethat"
    learner = ROBOT_ROLE

    def menu(self, role: str) -> Menu:
        """Commands, questions if they are allowed, and stopping."""
        return SILENT_MENU if self.options.questions is None else MENU

    def observation_space(self, role: str) -> spaces.Dict:
        """What is read, and whether the last command worked."""
        return spaces.Dict({"text": text_space(LONGEST_TEXT), "success": spaces.Discrete(2)})

    def action_space(self, role: str) -> spaces.Text:
        """A command of at most 200 characters."""
        return text_space(MAX_LENGTH)

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """What the robot reads now."""
        last = session.observe(role).last
        return {"text": plain(session.text(role), LONGEST_TEXT), "success": int(last is None or last.success)}

    def act(self, role: str, action: Any) -> Act:
        """The command that a text is; one of other characters or lengths is refused."""
        if not isinstance(action, str) or len(action) > MAX_LENGTH or not _KNOWN.issuperset(action):
            raise HousematesError(
                f"Expected a command of at most {MAX_LENGTH} plain characters, found {action!r:.60}."
            )
        return Act("Stop") if action == "stop" else Act("Command", {"command": action})
