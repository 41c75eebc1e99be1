"""What TEACh remembers beyond the home: notes, moments, and what is different between them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec import UNSET

from housemates.benchmarks.teach.session import TatcSession
from housemates.benchmarks.teach.world.dynamics import Moment, TeachWorld
from housemates.home import World
from housemates.home.scenes import load

GoTo = Callable[[TatcSession, str], str]


@pytest.fixture
def session(begin: Callable[..., TatcSession]) -> TatcSession:
    return begin()


def test_nothing_is_different_from_now(session: TatcSession) -> None:
    world = session.world
    assert world.diff(world.snapshot()) == {}


def test_a_difference_names_fields_and_notes_before_and_now(session: TatcSession, go_to: GoTo) -> None:
    world = session.world
    mug = go_to(session, "Mug")
    before = world.snapshot()
    holder = world.home.things[mug].parents
    assert world.act("Pickup", target=mug).success
    changes = world.diff(before)
    assert changes[mug]["picked_up"] == (False, True)
    assert changes[mug]["last_parent"] == (UNSET, None)
    assert changes[mug]["parents"] == (holder, ())
    assert mug in str(changes) and "boiled" not in changes[mug]
    world.restore(before)
    assert world.diff(before) == {}


def test_a_moment_that_is_gone_back_to_is_the_same_moment(session: TatcSession, go_to: GoTo) -> None:
    world = session.world
    before, digest = world.snapshot(), world.digest()
    world.act("Pickup", target=go_to(session, "Mug"))
    assert world.digest() != digest
    world.restore(before)
    assert world.digest() == digest


def test_notes_follow_what_is_taken_and_put_down(session: TatcSession, go_to: GoTo) -> None:
    world = session.world
    mug = go_to(session, "Mug")
    world.act("Pickup", target=mug)
    entry = next(each for each in world.objects() if each["objectId"] == mug)
    assert (entry["simbotPickedUp"], entry["simbotLastParentReceptacle"]) == (1, None)
    table = go_to(session, "CounterTop")
    outcome = world.act("Place", target=table)
    assert outcome.success, outcome.message
    assert world.notes[mug].last_parent == table


def test_a_full_mug_in_the_machine_holds_coffee_from_the_start() -> None:
    home = World(load("kitchen-03"))
    (machine,) = home.of_type("CoffeeMachine")
    (mug,) = home.contents(machine)
    home.update(mug, liquid="coffee")
    assert TeachWorld(home).notes[mug.id].coffee is True
    assert mug.id not in TeachWorld(World(load("kitchen-03"))).notes


def test_what_is_told_beyond_the_notes_is_no_part_of_the_fingerprint() -> None:
    home = World(load("kitchen-03"))
    (faucet,), (basin,), mug = home.of_type("Faucet"), home.of_type("SinkBasin"), home.of_type("Mug")[0]
    home.move(mug, basin.position, 0.0, (basin.id,))
    home.update(faucet, on=True)
    world = TeachWorld(home)
    entry = next(each for each in world.objects() if each["objectId"] == mug.id)
    assert (entry["simbotIsFilledWithWater"], world.notes) == (1, {})
    digest, kept = world.digest(), world.snapshot()
    world.told = {}
    assert world.digest() == digest
    world.restore(kept)
    assert world.told[mug.id].water


def test_a_moment_can_be_written_down(session: TatcSession, go_to: GoTo) -> None:
    world = session.world
    world.act("Pickup", target=go_to(session, "Mug"))
    kept = world.snapshot()
    kept = kept._replace(home=kept.home._replace(grid=None))
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(kept), type=Moment)
    other = TeachWorld(World(world.home.scene))
    other.restore(again)
    assert other.digest() == world.digest()
    assert other.diff(kept) == {}
