"""How the agent's seat looks to learners: a text, and a command as an answer."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from housemates.benchmarks.alfworld.benchmark import Alfworld
from housemates.benchmarks.alfworld.session import AGENT, MAX_LENGTH, MENU, AlfworldSession
from housemates.benchmarks.encoding import Encoding
from housemates.benchmarks.spaces import CHARACTERS, picture_spaces, plain, text_space
from housemates.core.actions import Act, Menu
from housemates.core.benchmark import Benchmark
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.render.agent_camera import Eyes

LONGEST_TEXT = 4000
_KNOWN = frozenset(CHARACTERS)


class AlfworldEncoding(Encoding):
    """Texts in, commands out.

    ## Action Space
    A command such as `go to desk 1`. Those that would do something now are the choices of the offer
    `Command`.

    ## Observation Space
    `text`, what the game says; `success`, whether the last command did something. With `rgb=True` the picture
    of the same moment (300x300x3, or as the option `size` says), with `ids=True` and `depth=True` the number
    of the thing and the metres along the view axis at each pixel; published games have no pictures.

    ## Rewards
    1 when the goal is reached.

    ## Episode End
    Terminated when the goal is reached, truncated after the limit of steps.

    ## Version History
    - v1: first version.

    Args:
        benchmark: Made with the same options as `housemates eval` takes.
        rgb: Whether pictures are observed.
        ids: Whether the things in them are.
        depth: Whether depth is.
    """

    benchmark = "alfworld"
    learner = AGENT

    def __init__(
        self, benchmark: Benchmark, rgb: bool = False, ids: bool = False, depth: bool = False
    ) -> None:
        super().__init__(benchmark, rgb=rgb, ids=ids, depth=depth)
        assert isinstance(benchmark, Alfworld)
        self.size = benchmark.size

    def menu(self, role: str) -> Menu:
        """Commands, and nothing else."""
        return MENU

    def observation_space(self, role: str) -> spaces.Dict:
        """What is read and seen, and whether the last command did something."""
        parts: dict[str, spaces.Space[Any]] = picture_spaces(*self.size, self.settings)
        return spaces.Dict({**parts, "text": text_space(LONGEST_TEXT), "success": spaces.Discrete(2)})

    def action_space(self, role: str) -> spaces.Text:
        """A command of at most 200 characters."""
        return text_space(MAX_LENGTH)

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """What the game says now."""
        last = session.observe(role).last
        return {"text": plain(session.text(role), LONGEST_TEXT), "success": int(last is None or last.success)}

    def eyes(self, session: Session, role: str) -> Eyes | None:
        """The camera of the agent, if pictures are wanted."""
        assert isinstance(session, AlfworldSession)
        return session.eyes() if any(self.settings.values()) else None

    def act(self, role: str, action: Any) -> Act:
        """The command that a text is; one of other characters or lengths is refused."""
        if not isinstance(action, str) or len(action) > MAX_LENGTH or not _KNOWN.issuperset(action):
            raise HousematesError(
                f"Expected a command of at most {MAX_LENGTH} plain characters, found {action!r:.60}."
            )
        return Act("Command", {"command": action})
