"""A plain class for TRL's `GRPOTrainer(environment_factory=...)`: its public methods are what a role can do.

It needs no package but ours. Instances are reset again and again and never closed, as TRL does it.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any, Self

from housemates.adapters.hosting import Host, Visit
from housemates.core.actions import Argument, Offer
from housemates.core.copies import Memo
from housemates.core.percepts import Brief
from housemates.errors import HousematesError

KINDS: dict[str, Any] = {"number": float, "point": list[float], "mask": dict[str, list[int]]}
"""What an argument is annotated with; all others are texts."""


def environment(benchmark: str, **given: Any) -> type:
    """A class whose instances are episodes of one seat.

    Args:
        benchmark: Its name.
        given: What `hosting.Host` takes: `role`, `agents`, `split`, `seed`, `options`.

    Returns:
        The class: `reset(**row)` begins an episode, that of the row's `seed` if it has one, and returns what
        is perceived in words; each thing that the role can ever do is a method; `get_reward` is the sum of
        what the acts have brought the role.
    """
    host = Host(benchmark, **given)
    visit = host.begin(seed=0)
    brief = visit.brief
    host.end(visit.handle)
    tools = {offer.name: _method(offer) for offer in brief.offers}
    shared = {"_host": host, "__doc__": f"Episodes of {benchmark} in the seat of the {host.role}."}
    return type("Environment", (_Seat,), {**tools, **shared})


def fork(environment: Any) -> Any:
    """An environment whose episode goes on from the same moment; `copy.deepcopy` does the same.

    It is no method, as all public methods of an environment are tools.
    """
    return copy.deepcopy(environment)


class _Seat:
    """What all such classes have."""

    _host: Host
    _visit: Visit | None = None
    _earned: float = 0.0
    reason: str = ""
    """What came of the last act, as a `Reason`; reward functions may read it. Empty before the first."""

    def reset(self, seed: int | None = None, **row: Any) -> str:
        """Begin an episode and return what is asked and perceived."""
        if self._visit is not None:
            self._host.end(self._visit.handle)
        self._earned, self.reason = 0.0, ""
        self._visit = self._host.begin(seed)
        return "\n\n".join([*_opening(self._visit.brief), self._seen()])

    def __deepcopy__(self, memo: Memo) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        if self._visit is not None:
            twin._visit = self._host.fork(self._visit.handle)
        return twin

    def get_reward(self) -> float:
        """What the episode has brought so far."""
        return self._earned

    def _act(self, name: str, arguments: dict[str, Any]) -> str:
        if self._visit is None:
            raise HousematesError("There is no episode yet: reset first.")
        given = {key: value for key, value in arguments.items() if value is not None}
        outcome = self._visit.act({"name": name, "arguments": given})
        self._earned += self._visit.reward
        self.reason = outcome.reason.value
        came = outcome.message or ("Done." if outcome.success else "That failed.")
        return f"{came}\n\n{'The episode is over.' if self._visit.over else self._seen()}"

    def _seen(self) -> str:
        assert self._visit is not None
        with self._visit.percept() as percept:
            return percept.text


def _opening(brief: Brief) -> list[str]:
    return [brief.rules, brief.goal] if brief.goal else [brief.rules]


def _method(offer: Offer) -> Callable[..., str]:
    """An offer as a method with the signature and the docstring that tool schemas are made from."""

    def tool(self: _Seat, **arguments: Any) -> str:
        return self._act(offer.name, arguments)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = sorted(map(_parameter, offer.arguments), key=lambda each: each.default is not each.empty)
    lines = [f"    {each.name}: {each.help or each.kind}" for each in offer.arguments]
    tool.__name__ = tool.__qualname__ = offer.name
    tool.__doc__ = "\n".join([offer.help, *(["", "Args:", *lines] if lines else [])])
    tool.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": str}
    tool.__signature__ = inspect.Signature([own, *parameters], return_annotation=str)  # type: ignore[attr-defined]
    return tool


def _parameter(argument: Argument) -> inspect.Parameter:
    kind = KINDS.get(argument.kind, str)
    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    if argument.required:
        return inspect.Parameter(argument.name, keyword, annotation=kind)
    return inspect.Parameter(argument.name, keyword, default=None, annotation=kind | None)
