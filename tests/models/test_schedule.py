"""What all trainings share: parts of the data, and the learning rate."""

from __future__ import annotations

from housemates.models.schedule import Schedule, held_out, rate_at


def test_one_in_twenty_is_held_out_and_never_learnt_from() -> None:
    learnt, apart = held_out(list(range(100)))
    assert len(apart) == 5
    assert sorted([*learnt, *apart]) == list(range(100))
    assert held_out([7, 8]) == ([8], [7])
    assert held_out([7]) == ([7], [7])


def test_a_rate_that_drops_falls_to_a_tenth_after_half_of_the_steps() -> None:
    config = Schedule(rate=1.0, decay="drop")
    assert [rate_at(config, step, 10) for step in (0, 4, 5, 9)] == [1.0, 1.0, 0.1, 0.1]
