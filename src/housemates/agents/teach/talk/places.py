"""How the Commander says where things are: in words that single a place out for the Follower."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from housemates.agents.embodied.spatial_relations import Extent, Viewer, is_stacked, misfit, side_of
from housemates.agents.teach.talk.wording import Tongue, sayings
from housemates.home import Thing, World
from housemates.home.containment import has_inside
from housemates.home.geometry import bounding_box
from housemates.home.kinds import BASINS, SINKS

LANDMARKS = (
    *("Fridge", "Microwave", "Toaster", "CoffeeMachine", "Sink", "SinkBasin", "StoveBurner", "GarbageCan"),
    *("Television", "Sofa", "Bed", "DiningTable", "Desk", "Dresser", "CoffeeTable", "ArmChair", "TVStand"),
    *("Bathtub", "BathtubBasin", "Toilet", "HousePlant", "FloorLamp", "ShelvingUnit"),
)
"""What people orient themselves by."""
MARGIN = 0.2
"""How much better than all others a thing has to fit a description."""
HEIGHTS = {"top": 1.0, "bottom": -1.0}
FAR_M = 3.0
STACKED = ("Cabinet", "Drawer", "Shelf")
DEEP = ("Toaster", "CoffeeMachine", "Bowl", "Pot", "Mug", "Cup", "Box", "GarbageCan", "LaundryHamper", "Pan")


class Words(NamedTuple):
    """A description, and how much better it fits what is meant than anything else."""

    text: str
    margin: float


class Describer:
    """Finds words for places in a home."""

    def __init__(self, home: World, tongue: Tongue, terse: float = 0.0) -> None:
        """`terse` is how likely the first thing of a kind is not told apart from others."""
        self.home = home
        self.tongue = tongue
        self.terse = terse
        self.vague: dict[str, Thing] = {}
        """What was meant by words that did not tell it apart, by type."""

    @property
    def viewer(self) -> Viewer:
        """The Follower, whose left and right count."""
        agent = self.home.agent
        return Viewer(agent.x, agent.z, agent.rotation)

    def extent(self, thing: Thing) -> Extent:
        """The box of a thing."""
        lo, hi = bounding_box(self.home.in_world(thing))
        return Extent(thing.id, thing.type, lo, hi, tuple(each.id for each in self.home.ancestors(thing)))

    def where(self, thing: Thing, careful: bool = False) -> str:
        """Where a thing is: `in the drawer left of the stove`.

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
        """A noun phrase that singles a thing out among those of its kind: `the cabinet above the sink`.

        Things of the type `but` are not mentioned.
        """
        name = self.tongue.name(thing.type)
        others = self._alike(thing)
        if not others:
            return f"the {name}"
        if self._stands_alone(thing, others):
            return f"the {name} that is {self.where(thing)}"
        fixed = not thing.kind.can("pickup")
        if fixed and thing.type not in self.vague and self.tongue.likely(self.terse):
            self.vague[thing.type] = thing
            return f"the {name}"
        found = self._single_out(thing, others, but)
        return f"the {found.text.format(name=name)}"

    def which(self, thing: Thing) -> str:
        """What tells a thing from others of its kind: `the one above the sink`."""
        others = self._alike(thing)
        if self._stands_alone(thing, others):
            return f"the one {self.where(thing)}"
        if not others:
            return f"the one {self._relation(side_of(self.extent(thing), self.viewer))}"
        return f"the {self._single_out(thing, others, '').text.format(name='one')}"

    def _stands_alone(self, thing: Thing, others: Sequence[Thing]) -> bool:
        """Whether what it stands on or in tells something that can be carried from others of its kind."""
        holder = next(self.home.ancestors(thing), None)
        shared = any(next(self.home.ancestors(each), None) == holder for each in others)
        return thing.kind.can("pickup") and not shared

    def _alike(self, thing: Thing) -> list[Thing]:
        """Other things that the same word may mean."""
        kinds = SINKS if thing.type in SINKS else (thing.type,)
        if thing.type in ("StoveBurner", "StoveKnob", *BASINS):
            return []
        found = (other for kind in kinds for other in self.home.of_type(kind))
        return [other for other in found if other.id != thing.id and other.solid]

    def _single_out(self, thing: Thing, others: Sequence[Thing], but: str) -> Words:
        own, rest = self.extent(thing), [self.extent(each) for each in others]
        found = sorted(self._descriptions(own, rest, but), key=lambda each: -each.margin)
        good = [each for each in found if each.margin >= MARGIN][:3]
        if good:
            return good[int(self.tongue.rng.integers(len(good)))]
        return found[0] if found else Words("{name}", 0.0)

    def _descriptions(self, own: Extent, others: Sequence[Extent], but: str) -> list[Words]:
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
                    words = self._relation(relation).format(y=self.tongue.name(kind))
                    trait = f"{height} " if height else ""
                    found.append(
                        Words(f"{trait}{{name}} {words}", margin - 0.1 * bool(height) - 0.1 * max(fit, 0))
                    )
        for relation in ("my left", "my right", "ahead", "behind me"):
            fit = misfit(own, relation, (), viewer)
            margin = min(misfit(each, relation, (), viewer) for each in others) - fit
            if fit < 1.5:
                found.append(Words(f"{{name}} {self._relation(relation)}", margin / 2))
        return found

    def _is_true(self, own: Extent, relation: str, anchors: Sequence[Extent]) -> bool:
        if relation not in ("above", "below"):
            return True
        return any(is_stacked(own, relation, each) for each in anchors)

    def _relation(self, relation: str) -> str:
        return self.tongue.choose(sayings()["relations"][relation])

    def _beside(self, thing: Thing) -> str:
        own = self.extent(thing)
        words = self.tongue.name(thing.type)
        kinds = [kind for kind in LANDMARKS if kind != thing.type and self.tongue.name(kind) != words]
        marks = [self.extent(each) for kind in kinds for each in self.home.of_type(kind)]
        if not marks:
            return ""
        nearest = min(marks, key=lambda each: misfit(own, "near", [each], self.viewer))
        return self._relation("near").format(y=self.tongue.name(nearest.type))

    def side_from(self, thing: Thing, other: Thing) -> str | None:
        """On which side of another thing of its kind this one is, if it is the first one there."""
        own, anchor = self.extent(thing), self.extent(other)
        rest = [self.extent(each) for each in self._alike(other) if each.id != thing.id]
        for side in ("above", "below", "left", "right"):
            fit = misfit(own, side, [anchor], self.viewer)
            if fit < 2.0 and all(misfit(each, side, [anchor], self.viewer) > fit for each in rest):
                return side
        return None


def preposition(place: Thing) -> str:
    """Whether things are in or on a place."""
    return "in" if has_inside(place) or place.type in (*BASINS, *DEEP) else "on"


def _fit(own: Extent, relation: str, anchors: Sequence[Extent], viewer: Viewer, height: str) -> float:
    return misfit(own, relation, anchors, viewer) - HEIGHTS.get(height, 0.0) * own.middle[1]
