"""How the agent's seat looks to learners: a text, and a command as an answer."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from housemates.benchmarks.alfworld.session import AGENT, MAX_LENGTH, MENU
from housemates.benchmarks.encoding import Encoding
from housemates.benchmarks.spaces import CHARACTERS, plain, text_space
from housemates.core.actions import Act, Menu
from housemates.core.session import Session
from housemates.errors import HousematesError

LONGEST_TEXT = 4000
_KNOWN = frozenset(CHARACTERS)


class AlfworldEncoding(Encoding):
    """Texts in, commands out.

    ## Action Space
    A command such as `go to desk 1`. Those that would do something now are the choices of the offer
    `Command`.

    ## Observation Space
    `text`, what the game says; `success`, whether the last command did something.

    ## Rewards
    1 when the goal is reached.

    ## Episode End
    Terminated when the goal is reached, truncated after the limit of steps.

    ## Version History
    - v1: first version.
    """

    benchmark = "alfworld"
    learner = AGENT

    def menu(self, role: str) -> Menu:
        """Commands, and nothing else."""
        return MENU

    def observation_space(self, role: str) -> spaces.Dict:
        """What is read, and whether the last command did something."""
        return spaces.Dict({"text": text_space(LONGEST_TEXT), "success": spaces.Discrete(2)})

    def action_space(self, role: str) -> spaces.Text:
        """A command of at most 200 characters."""
        return text_space(MAX_LENGTH)

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """What the game says now."""
        last = session.observe(role).last
        return {"text": plain(session.text(role), LONGEST_TEXT), "success": int(last is None or last.success)}

    def act(self, role: str, action: Any) -> Act:
        """The command that a text is; one of other characters or lengths is refused."""
        if not isinstance(action, str) or len(action) > MAX_LENGTH or not _KNOWN.issuperset(action):
            raise HousematesError(
                f"Expected a command of at most {MAX_LENGTH} plain characters, found {action!r:.60}."
            )
        return Act("Command", {"command": action})
