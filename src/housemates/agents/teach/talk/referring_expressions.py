"""Referring expressions: descriptions that single an object or a place out for the Follower."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from housemates.agents.embodied.spatial_relations import Extent, Viewer, is_stacked, misfit, side_of
from housemates.agents.teach.talk.realisation import Realiser, sayings
from housemates.home import Thing, World
from housemates.home.containment import has_inside
from housemates.home.geometry import bounding_box
from housemates.home.kinds import BASINS, SINKS

LANDMARKS = (
    *("Fridge", "Microwave", "Toaster", "CoffeeMachine", "Sink", "SinkBasin", "StoveBurner", "GarbageCan"),
    *("Television", "Sofa", "Bed", "DiningTable", "Desk", "Dresser", "CoffeeTable", "ArmChair", "TVStand"),
    *("Bathtub", "BathtubBasin", "Toilet", "HousePlant", "FloorLamp", "ShelvingUnit"),
)
"""Types that serve as anchors."""
MARGIN = 0.2
"""Misfit by which a description has to fit better than for any other object."""
HEIGHTS = {"top": 1.0, "bottom": -1.0}
FAR_M = 3.0
STACKED = ("Cabinet", "Drawer", "Shelf")
DEEP = ("Toaster", "CoffeeMachine", "Bowl", "Pot", "Mug", "Cup", "Box", "GarbageCan", "LaundryHamper", "Pan")


class Expression(NamedTuple):
    """A description and the margin by which it fits its referent better than all others."""

    text: str
    margin: float


class ReferringExpressions:
    """Generates referring expressions in a home."""

    def __init__(self, home: World, realiser: Realiser, terse: float = 0.0) -> None:
        """`terse` is the probability of not distinguishing the first object of a kind."""
        self.home = home
        self.realiser = realiser
        self.terse = terse
        self.vague: dict[str, Thing] = {}
        """Type -> the object that an ambiguous expression referred to."""

    @property
    def viewer(self) -> Viewer:
        """The Follower's position and heading, to which left and right refer."""
        agent = self.home.agent
        return Viewer(agent.x, agent.z, agent.rotation)

    def extent(self, thing: Thing) -> Extent:
        """The bounding box of an object."""
        lo, hi = bounding_box(self.home.in_world(thing))
        return Extent(thing.id, thing.type, lo, hi, tuple(each.id for each in self.home.ancestors(thing)))

    def where(self, thing: Thing, careful: bool = False) -> str:
        """The place of an object: `in the drawer left of the stove`.

        Args:
            thing: What is looked for.
            careful: Whether to say on which side of the Follower it is as well.
        """
        if self.home.in_hand(thing):
            return "in your hand"
        holder = next(self.home.ancestors(thing), None)
        side = self._relation(side_of(self.extent(thing), self.viewer))
        if holder is None or holder.type == "Floor" or not thing.kind.can("pickup"):
            near = self._beside(thing)
            if not thing.kind.can("pickup"):
                return f"{side}, {near}" if near else side
            return f"on the floor {near} {side if careful else ''}".strip()
        return f"{preposition(holder)} {self.the(holder, thing.type)} {side if careful else ''}".strip()

    def the(self, thing: Thing, but: str = "") -> str:
        """A definite noun phrase for an object: `the cabinet above the sink`.

        Things of the type `but` are not mentioned.
        """
        name = self.realiser.name(thing.type)
        others = self._alike(thing)
        if not others:
            return f"the {name}"
        if self._stands_alone(thing, others):
            return f"the {name} that is {self.where(thing)}"
        fixed = not thing.kind.can("pickup")
        if fixed and thing.type not in self.vague and self.realiser.likely(self.terse):
            self.vague[thing.type] = thing
            return f"the {name}"
        found = self._single_out(thing, others, but)
        return f"the {found.text.format(name=name)}"

    def which(self, thing: Thing) -> str:
        """An object among those of its kind: `the one above the sink`."""
        others = self._alike(thing)
        if self._stands_alone(thing, others):
            return f"the one {self.where(thing)}"
        if not others:
            return f"the one {self._relation(side_of(self.extent(thing), self.viewer))}"
        return f"the {self._single_out(thing, others, '').text.format(name='one')}"

    def _stands_alone(self, thing: Thing, others: Sequence[Thing]) -> bool:
        """Whether its holder tells a portable object from others of its kind."""
        holder = next(self.home.ancestors(thing), None)
        shared = any(next(self.home.ancestors(each), None) == holder for each in others)
        return thing.kind.can("pickup") and not shared

    def _alike(self, thing: Thing) -> list[Thing]:
        """Other objects that the same noun may refer to."""
        kinds = SINKS if thing.type in SINKS else (thing.type,)
        if thing.type in ("StoveBurner", "StoveKnob", *BASINS):
            return []
        found = (other for kind in kinds for other in self.home.of_type(kind))
        return [other for other in found if other.id != thing.id and other.solid]

    def _single_out(self, thing: Thing, others: Sequence[Thing], but: str) -> Expression:
        own, rest = self.extent(thing), [self.extent(each) for each in others]
        found = sorted(self._descriptions(own, rest, but), key=lambda each: -each.margin)
        good = [each for each in found if each.margin >= MARGIN][:3]
        if good:
            return good[int(self.realiser.rng.integers(len(good)))]
        return found[0] if found else Expression("{name}", 0.0)

    def _descriptions(self, own: Extent, others: Sequence[Extent], but: str) -> list[Expression]:
        viewer = self.viewer
        found = []
        for kind in LANDMARKS:
            anchors = [self.extent(each) for each in self.home.of_type(kind)]
            if not anchors or kind in (own.type, but) or (len(anchors) > 1 and kind != "StoveBurner"):
                continue
            for relation in ("left", "right", "near", "above", "below"):
                for height in ("", "top", "bottom") if own.type in STACKED else ("",):
                    fit = _fit(own, relation, anchors, viewer, height)
                    if fit > FAR_M or not self._is_true(own, relation, anchors):
                        continue
                    margin = min(_fit(each, relation, anchors, viewer, height) for each in others) - fit
                    words = self._relation(relation).format(y=self.realiser.name(kind))
                    trait = f"{height} " if height else ""
                    found.append(
                        Expression(
                            f"{trait}{{name}} {words}", margin - 0.1 * bool(height) - 0.1 * max(fit, 0)
                        )
                    )
        for relation in ("my left", "my right", "ahead", "behind me"):
            fit = misfit(own, relation, (), viewer)
            margin = min(misfit(each, relation, (), viewer) for each in others) - fit
            if fit < 1.5:
                found.append(Expression(f"{{name}} {self._relation(relation)}", margin / 2))
        return found

    def _is_true(self, own: Extent, relation: str, anchors: Sequence[Extent]) -> bool:
        if relation not in ("above", "below"):
            return True
        return any(is_stacked(own, relation, each) for each in anchors)

    def _relation(self, relation: str) -> str:
        return self.realiser.choose(sayings()["relations"][relation])

    def _beside(self, thing: Thing) -> str:
        own = self.extent(thing)
        words = self.realiser.name(thing.type)
        kinds = [kind for kind in LANDMARKS if kind != thing.type and self.realiser.name(kind) != words]
        marks = [self.extent(each) for kind in kinds for each in self.home.of_type(kind)]
        if not marks:
            return ""
        nearest = min(marks, key=lambda each: misfit(own, "near", [each], self.viewer))
        return self._relation("near").format(y=self.realiser.name(nearest.type))

    def side_from(self, thing: Thing, other: Thing) -> str | None:
        """The side of another object of its kind on which this one is the nearest; None if on none."""
        own, anchor = self.extent(thing), self.extent(other)
        rest = [self.extent(each) for each in self._alike(other) if each.id != thing.id]
        for side in ("above", "below", "left", "right"):
            fit = misfit(own, side, [anchor], self.viewer)
            if fit < 2.0 and all(misfit(each, side, [anchor], self.viewer) > fit for each in rest):
                return side
        return None


def preposition(place: Thing) -> str:
    """`in` or `on`, as a place takes it."""
    return "in" if has_inside(place) or place.type in (*BASINS, *DEEP) else "on"


def _fit(own: Extent, relation: str, anchors: Sequence[Extent], viewer: Viewer, height: str) -> float:
    return misfit(own, relation, anchors, viewer) - HEIGHTS.get(height, 0.0) * own.middle[1]
