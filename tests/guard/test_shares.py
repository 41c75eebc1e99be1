"""Shares of work: what refills, what there may be at once, and that a request takes all or nothing."""

from __future__ import annotations

import pytest

from housemates.guard.shares import Flow, Ledger, Rate, Spent


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still unless it is moved."""
    found = [100.0]
    monkeypatch.setattr("housemates.guard.shares.time.monotonic", lambda: found[0])
    return found


def test_rates_allow_a_burst_and_then_so_many_a_second(now: list[float]) -> None:
    rate = Rate(per_s=20, burst=80)
    assert [rate.allows("a") for _ in range(100)].count(True) == 80
    assert rate.allows("b")
    now[0] += 0.5
    assert [rate.allows("a") for _ in range(100)].count(True) == 10


def test_one_address_leaves_the_demo_to_the_others_and_takes_nothing_when_refused(now: list[float]) -> None:
    ledger = Ledger({"visitor": {"starts": Flow(1, 3)}, "demo": {"starts": Flow(1, 5)}})
    taken = [ledger.allows("starts", {"visitor": "a", "demo": ""}) for _ in range(10)]
    assert taken.count(True) == 3
    assert [ledger.allows("starts", {"visitor": "b", "demo": ""}) for _ in range(10)].count(True) == 2
    with pytest.raises(Spent, match="Too many starts") as refused:
        ledger.take("starts", {"visitor": "c", "demo": ""})
    assert (refused.value.status, refused.value.headers) == (429, {"Retry-After": "1"})
    now[0] += 3.0
    assert [ledger.allows("starts", {"visitor": "c", "demo": ""}) for _ in range(10)].count(True) == 3


def test_what_is_held_is_given_back(now: list[float]) -> None:
    ledger = Ledger({"seat": {"connections": 1}, "demo": {"connections": 2}})
    with ledger.held("connections", {"seat": "a", "demo": ""}):
        with pytest.raises(Spent):
            ledger.enter("connections", {"seat": "a", "demo": ""})
        with ledger.held("connections", {"seat": "b", "demo": ""}), pytest.raises(Spent):
            ledger.enter("connections", {"seat": "c", "demo": ""})
    with ledger.held("connections", {"seat": "a", "demo": ""}):
        pass


def test_a_cost_beyond_the_burst_takes_all_of_it(now: list[float]) -> None:
    ledger = Ledger({"address": {"bytes": Flow(10, 100)}})
    ledger.take("bytes", {"address": "a"}, 1000)
    assert not ledger.allows("bytes", {"address": "a"})
