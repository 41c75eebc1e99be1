"""How the robot's seat looks to learners: a picture, what was answered, and the number of a skill."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.eb_alfred.benchmark import EBAlfred
from housemates.benchmarks.eb_alfred.session import AGENT, MENU, EBAlfredSession
from housemates.benchmarks.encoding import Encoding
from housemates.benchmarks.spaces import picture_spaces, plain, text_space
from housemates.core.actions import Act, Menu
from housemates.core.benchmark import Benchmark
from housemates.core.session import Session
from housemates.errors import HousematesError

LONGEST_TEXT, LONGEST_SKILL = 2000, 100


class EBAlfredEncoding(Encoding):
    """Pictures and words in, skills out.

    ## Action Space
    A skill in its own words, such as `find a Mug`; those of this home are the choices of the offer `Skill`.
    `stop` ends the episode.

    ## Observation Space
    A dictionary: `rgb` (500x500x3, or as the option `size` says; absent with `rgb=False`), `text`, the
    instruction and what was answered to the last skill, and `success`, whether it worked; with `ids=True` and
    `depth=True` the number of the thing and the metres along the view axis at each pixel.

    ## Rewards
    The change in the share of goal conditions that are met; the sum is 1 when the task is done.

    ## Episode End
    Terminated when all goal conditions are met or by `stop`, truncated after 30 skills or 10 that failed.

    ## Version History
    - v1: first version.

    Args:
        benchmark: Made with the same options as `housemates eval` takes.
        rgb: Whether pictures are observed.
        ids: Whether the things in them are.
        depth: Whether depth is.
    """

    benchmark = "eb-alfred"
    learner = AGENT

    def __init__(
        self, benchmark: Benchmark, rgb: bool = True, ids: bool = False, depth: bool = False
    ) -> None:
        super().__init__(benchmark, rgb=rgb, ids=ids, depth=depth)
        assert isinstance(benchmark, EBAlfred)
        self.side = benchmark.side

    def menu(self, role: str) -> Menu:
        """A skill, and stopping the episode."""
        return MENU

    def observation_space(self, role: str) -> spaces.Dict:
        """The picture, what is read, and whether the last skill worked."""
        parts: dict[str, spaces.Space[Any]] = picture_spaces(self.side, self.side, self.settings)
        return spaces.Dict({**parts, "text": text_space(LONGEST_TEXT), "success": spaces.Discrete(2)})

    def action_space(self, role: str) -> spaces.Text:
        """A skill in its own words."""
        return text_space(LONGEST_SKILL)

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """All but the picture."""
        last = session.observe(role).last
        return {"text": plain(session.text(role), LONGEST_TEXT), "success": int(last is None or last.success)}

    def eyes(self, session: Session, role: str) -> Sight:
        """The camera of the robot, whose arrays are the picture's."""
        assert isinstance(session, EBAlfredSession)
        return session.sight

    def act(self, role: str, action: Any) -> Act:
        """The skill that a text is; one that is too long is refused."""
        if not isinstance(action, str) or len(action) > LONGEST_SKILL:
            raise HousematesError(
                f"Expected a skill of at most {LONGEST_SKILL} letters, found {action!r:.60}."
            )
        return Act("Stop") if action == "stop" else Act("Skill", {"skill": action})
