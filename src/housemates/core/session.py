"""A session: one running episode of a benchmark, as it describes itself to each role."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from housemates.core.actions import Act, Menu, Offer, understand
from housemates.core.copies import Memo, copied_fields
from housemates.core.outcome import Outcome
from housemates.core.percepts import Brief, Handle, Limits, Percept, Utterance, register
from housemates.errors import HousematesError

if TYPE_CHECKING:
    from housemates.core.benchmark import Instance


class Session(ABC):
    """One running episode: whose turn it is, what they perceive, and what their act does.

    A session gives each role what it may know: `brief`, `observe` and `act` are what everybody uses, the
    methods below them are what a benchmark fills in. `world` and other attributes are for privileged agents
    and for scoring.
    """

    told_once = False
    """Whether the first text of a role tells what no later one repeats."""

    def __init__(self, instance: Instance, limits: Limits) -> None:
        self.turn = 0
        """How many acts there were."""
        self.limits = limits
        self._key = register(self)
        self._code = f"{instance.seed} {instance.id}"
        self._last: dict[str, Outcome] = {}
        self.acted: Act | None = None
        """The last act, as it was understood."""

    def brief(self, role: str) -> Brief:
        """What a role is told before its first turn."""
        code = hashlib.blake2b(self._code.encode(), digest_size=8)
        name = code.hexdigest()
        code.update(role.encode())
        return Brief(
            name,
            role,
            self.rules(role),
            self.goal(role),
            tuple(self.menu(role).values()),
            self.limits,
            int.from_bytes(code.digest(), "big") >> 1,
            self.settings(role),
            self.told_once,
        )

    def observe(self, role: str | None = None) -> Percept:
        """What a role perceives now: the one whose turn it is, if none is named."""
        role = self.role if role is None else role
        if role is None:
            raise HousematesError("The episode is over: nobody has a turn.")
        return Percept(role, self.turn, self._last.get(role), self._key)

    def act(self, action: Any) -> Outcome:
        """Let the role whose turn it is act; what makes no sense is a failed act, never an exception."""
        role = self.role
        if role is None:
            raise HousematesError("The episode is over: nobody has a turn.")
        menu = self.menu(role)
        act = understand(action, menu, lambda: self.offers(role))
        if isinstance(act, Outcome):
            self.acted = None
            outcome = self.misunderstood(role, act)
        else:
            self.acted = act = self.meant(role, act)
            outcome = self.do(role, act)
        self.turn += 1
        self._last[role] = outcome
        return outcome

    def __deepcopy__(self, memo: Memo) -> Self:
        """The session at this moment, to go on by itself; handles of one do not lead to the other."""
        twin = copied_fields(self, memo)
        twin._key = register(twin)
        return twin

    def drawn(self, role: str, name: str) -> np.ndarray:
        """A picture of a role, as an array of one's own; agents call it through `Percept.pictures`."""
        return np.array(self.draw(role, name))

    def handle(self, method: str, *arguments: Any) -> Handle:
        """A call of one of the session's methods that an agent may have; it holds no part of the session."""
        return Handle(self._key, self.turn, method, *arguments)

    @property
    @abstractmethod
    def role(self) -> str | None:
        """The role whose turn it is; None when the episode is over."""

    @abstractmethod
    def menu(self, role: str) -> Menu:
        """All that a role can ever do, by name."""

    @abstractmethod
    def rules(self, role: str) -> str:
        """How things go for a role, in words."""

    @abstractmethod
    def goal(self, role: str) -> str:
        """What is asked of a role, in words, as far as it may know it."""

    @abstractmethod
    def text(self, role: str) -> str:
        """What a role perceives, in words that are enough to act on."""

    @abstractmethod
    def do(self, role: str, act: Act) -> Outcome:
        """Carry out an act of the menu whose arguments are of the right kind."""

    @abstractmethod
    def digest(self) -> str:
        """A fingerprint of everything that can differ between two episodes."""

    def meant(self, role: str, act: Act) -> Act:
        """An act of the menu in the words of the session, where a role has others; it is recorded so."""
        return act

    def settings(self, role: str) -> Mapping[str, Any]:
        """The benchmark's own settings that a role may know."""
        return {}

    def offers(self, role: str) -> tuple[Offer, ...]:
        """What a role may do now, with the choices there are."""
        return tuple(self.menu(role).values())

    def said(self, role: str) -> Sequence[Utterance]:
        """All that a role has heard and said."""
        return ()

    def view(self, role: str) -> Any:
        """The benchmark's own typed view of what a role perceives; it leads to nothing else."""
        return None

    def pictures(self, role: str) -> Sequence[str]:
        """The names of a role's pictures."""
        return ()

    def draw(self, role: str, name: str) -> np.ndarray:
        """Draw a picture; it may be overwritten by the next one."""
        raise HousematesError(f"There is no picture {name!r}.")

    def facts(self) -> Mapping[str, str]:
        """The state in words, thing by thing, for those who watch what changes; no agent is told it."""
        return {}

    def overview(self) -> np.ndarray | None:
        """All from above, for those who watch; None where that cannot be drawn, or a role sees it anyway."""
        return None

    def misunderstood(self, role: str, refusal: Outcome) -> Outcome:
        """What follows from an answer that makes no sense: by default, nothing but the refusal."""
        return refusal

    def reward(self, role: str) -> float:
        """What the last act brought a role, for learners."""
        return 0.0
