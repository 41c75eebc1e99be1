"""Seats as text environments for SkyRL: messages in, lines out.

`from housemates.adapters.skyrl import environment` after `pip install skyrl-gym`; a class for its registry.
"""

from __future__ import annotations

from typing import Any

from housemates.adapters.hosting import Host, Visit
from housemates.agents.llm.conversation import line_of
from housemates.agents.llm.conversation import prompt as worded
from housemates.errors import HousematesError


def environment(benchmark: str, turns: int | None = None, **given: Any) -> type:
    """A class for `skyrl_gym.register(id, entry_point=...)`, whose instances are episodes of one seat.

    Args:
        benchmark: Its name.
        turns: Answers of an episode at most; as many acts as the benchmark allows if None.
        given: What `hosting.Host` takes: `role`, `agents`, `split`, `seed`, `options`.

    Returns:
        The class: `init(prompt)` begins the episode of the seed in `extras`, and adds to the prompt what is
        told and perceived; `step(line)` does what a line says and returns messages, the reward and whether
        it is over; `get_metrics` has the scores.
    """
    try:
        from skyrl_gym.envs.base_text_env import BaseTextEnv
    except ImportError:
        raise HousematesError("SkyRL's environments need its package: pip install skyrl-gym.") from None
    host = Host(benchmark, **given)
    doc = f"Episodes of {benchmark} in the seat of the {host.role}."
    return type("Environment", (_Seat, BaseTextEnv), {"_host": host, "_most": turns, "__doc__": doc})


class _Seat:
    """What all such classes have."""

    _host: Host
    _most: int | None
    _visit: Visit | None = None

    def __init__(self, extras: dict[str, Any] | None = None, **_: Any) -> None:
        super().__init__()
        given = (extras or {}).get("seed", (extras or {}).get("extra_info", {}).get("seed"))
        self._seed = None if given is None else int(given)

    def init(self, prompt: list[dict[str, str]]) -> tuple[list[dict[str, str]], dict[str, Any]]:
        """Begin the episode; the prompt with what is told and perceived at its end."""
        self.close()
        self._visit = self._host.begin(self._seed)
        brief = self._visit.brief
        self.turns = 0
        self.max_turns = brief.limits.steps if self._most is None else self._most
        told = [brief.rules, brief.goal, worded("lines").template, self._seen()]
        return [*prompt, {"role": "user", "content": "\n\n".join(filter(None, told))}], {}

    def step(self, action: str) -> dict[str, Any]:
        """Do what the first line of an answer says."""
        if self._visit is None:
            raise HousematesError("There is no episode yet: call init first.")
        line = next((each.strip() for each in action.splitlines() if each.strip()), "")
        outcome = self._visit.act(line)
        self.turns += 1
        over = self._visit.over or self.turns >= self.max_turns
        came = outcome.message or ("Done." if outcome.success else "That failed.")
        messages = [] if over else [{"role": "user", "content": f"{came}\n\n{self._seen()}"}]
        told = {"reason": outcome.reason.value, "message": came, "success": outcome.success}
        return {"observations": messages, "reward": self._visit.reward, "done": over, "metadata": told}

    def get_metrics(self) -> dict[str, Any]:
        """The scores of the episode; none before it is over."""
        return {} if self._visit is None else dict(self._visit.scores())

    def close(self) -> None:
        """Leave the episode, if there is one."""
        if self._visit is not None:
            self._host.end(self._visit.handle)
            self._visit = None

    def _seen(self) -> str:
        assert self._visit is not None
        with self._visit.percept() as percept:
            lines = "\n".join(map(line_of, percept.offers))
            return f"{percept.text}\n\nNow one line of these:\n{lines}"
