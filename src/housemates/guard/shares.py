"""Shares: how much one address, one seat or one project may have of what everybody needs."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from housemates.errors import HousematesError

REMEMBERED = 10_000
"""Keys whose rates are remembered."""
AGAIN_S = 5
"""After so long it is worth trying again where nobody can say when there is room."""


class Busy(HousematesError):
    """The server has too much to do; `retry_s` says when to try again."""

    status = 503

    def __init__(self, sentence: str, retry_s: float = AGAIN_S) -> None:
        super().__init__(sentence)
        self.retry_s = max(1, math.ceil(retry_s))

    @property
    def headers(self) -> dict[str, str]:
        """What an HTTP answer says about it."""
        return {"Retry-After": str(self.retry_s)}


class Spent(Busy):
    """Somebody has used up a share."""

    status = 429


class Flow(NamedTuple):
    """A share that refills: so much per second for long, and a burst (a token bucket)."""

    per_s: float
    burst: float


Limit = Flow | int
"""A share that refills, or how many there may be at once."""
Shares = Mapping[str, Mapping[str, Limit]]
"""Kind of holder -> what it may have -> how much; what is not listed is not limited."""
Holders = Mapping[str, str]
"""Kind of holder -> which one, for example `{"address": "192.0.2.1", "seat": TOKEN}`."""


class Rate:
    """So much per second for long, and a burst; by key."""

    def __init__(self, per_s: float, burst: float) -> None:
        self.per_s, self.burst = per_s, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str = "", cost: float = 1.0) -> float:
        """Seconds until so much is there; 0 if it is there now."""
        now = time.monotonic()
        left, since = self._left.get(key, (self.burst, now))
        missing = cost - min(self.burst, left + (now - since) * self.per_s)
        return max(0.0, missing / self.per_s)

    def allows(self, key: str = "", cost: float = 1.0) -> bool:
        """Whether there is enough left for one more; then it is taken."""
        if self.wait(key, cost):
            return False
        self.give_back(key, -cost)
        return True

    def give_back(self, key: str, cost: float = 1.0) -> None:
        """Undo what was taken last."""
        now = time.monotonic()
        left, since = self._left.pop(key, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.per_s)
        self._left[key] = (min(self.burst, left + cost), now)
        while len(self._left) > REMEMBERED:
            self._left.popitem(last=False)


class Ledger:
    """Who has used how much of their shares; a request takes from all of its holders or from none."""

    def __init__(self, shares: Shares) -> None:
        self._shares = shares
        self._rates = {
            (kind, what): Rate(*limit)
            for kind, limits in shares.items()
            for what, limit in limits.items()
            if isinstance(limit, Flow)
        }
        self._held: Counter[tuple[str, str, str]] = Counter()

    def take(self, what: str, holders: Holders, cost: float = 1.0) -> None:
        """Use up some of what refills; Spent if one of the holders has not enough left."""
        rates = [
            (rate, key)
            for kind, key in holders.items()
            if (rate := self._rates.get((kind, what))) is not None
        ]
        wait = max((rate.wait(key, min(cost, rate.burst)) for rate, key in rates), default=0.0)
        if wait:
            raise Spent(f"Too many {what}; wait a moment.", wait)
        for rate, key in rates:
            rate.give_back(key, -cost)

    def allows(self, what: str, holders: Holders) -> bool:
        """Whether one more is left, which is taken then."""
        try:
            self.take(what, holders)
        except Spent:
            return False
        return True

    def enter(self, what: str, holders: Holders) -> None:
        """Have one more at once, until `leave`; Spent if one of the holders has as many as it may."""
        for kind, key in holders.items():
            limit = self._shares.get(kind, {}).get(what)
            if isinstance(limit, int) and self._held[kind, what, key] >= limit:
                raise Spent(f"Too many {what}; wait a moment.")
        for kind, key in holders.items():
            self._held[kind, what, key] += 1

    def leave(self, what: str, holders: Holders) -> None:
        """Have one fewer at once, after `enter`."""
        for kind, key in holders.items():
            self._held[kind, what, key] -= 1
            if self._held[kind, what, key] <= 0:
                del self._held[kind, what, key]

    @contextmanager
    def held(self, what: str, holders: Holders) -> Iterator[None]:
        """Have one more at once, as long as this lasts."""
        self.enter(what, holders)
        try:
            yield
        finally:
            self.leave(what, holders)
