"""The table of actions, and what all of them share: arguments, targets, reach, sight and refusals.

Functions enter themselves with `@action`; `actions.toml` says which of them agents are offered, and how.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import msgspec

from housemates.core.outcome import Outcome, Reason, refuse, spoken
from housemates.errors import HousematesError
from housemates.files import shipped
from housemates.home import rules
from housemates.home.containment import is_shut
from housemates.home.geometry import in_reach, in_view, point_in_view
from housemates.home.things import REACH_M, Thing
from housemates.home.types import Vec
from housemates.home.world import World

Handler = Callable[..., Outcome]
InSight = Callable[[Thing], bool]


@dataclass(frozen=True)
class Action:
    """Something to do, by the name it has in the table, with its arguments."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


class Offered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How agents are offered an action: a row of `actions.toml`; see there for what each column means."""

    help: str
    text: str
    key: str
    sign: str = ""
    pad: int = 0
    label: str = ""
    nothing: str = ""


HANDS: dict[str, Callable[[Thing | None], object]] = {
    "": lambda held: True,
    "empty": lambda held: held is None,
    "full": lambda held: held,
    "cuts": lambda held: held and held.kind.cuts,
    "filled": lambda held: held and held.liquid,
}
"""What the hand must be for an action to make sense: anything, empty, full, with what cuts or is filled."""
STATES: dict[str, Callable[[Thing], bool]] = {
    "shut": is_shut,
    **{name: attrgetter(name) for name in ("open", "on", "dirty", "cooked", "broken", "heel")},
}
"""States of a thing that decide whether an action makes sense; `shut` is closed around what it holds."""


@cache
def offered() -> dict[str, Offered]:
    """The actions that agents are offered, in the order of menus."""
    return msgspec.convert(shipped(__package__, "actions.toml"), dict[str, Offered])


@dataclass(frozen=True)
class ActionSpec:
    """One row of the table."""

    name: str
    handler: Handler
    required: tuple[str, ...]
    optional: tuple[str, ...]
    affords: str
    """What the target must afford."""
    fits: tuple[str, ...]
    """What a thing that it is meant for affords, one of these."""
    never: str
    """The state of a thing for which it is never meant."""
    hand: str
    """What the hand must be for it to make sense, by its name in `HANDS`."""
    when: Mapping[str, bool]
    """The states of a thing in which it changes something."""
    first: Mapping[str, bool]
    """The states that a thing must be brought into before it works."""
    held_too: bool
    """Whether the target may be the thing in hand."""
    interaction: bool
    """Whether it touches things, so that their rules follow."""

    @property
    def passed(self) -> tuple[str, ...]:
        """The arguments that its function takes besides the target."""
        return tuple(key for key in self.handler.__annotations__ if key not in ("world", "target", "return"))

    @property
    def help(self) -> str:
        """One line that says what it does."""
        return (self.handler.__doc__ or "").strip().splitlines()[0]

    @property
    def offered(self) -> Offered:
        """How agents are offered it."""
        return offered()[self.name]

    def meant(self, thing: Thing) -> bool:
        """Whether it can be meant for a thing, whatever is in the hand and however the thing stands now."""
        return any(map(thing.can, self.fits)) and not (self.never and STATES[self.never](thing))

    def changes(self, thing: Thing) -> bool:
        """Whether a thing is in a state in which it changes something."""
        return _is(thing, self.when)

    def sensible(self, thing: Thing, held: Thing | None) -> bool:
        """Whether it would work on a thing with this in the hand, as far as one can see."""
        ready = HANDS[self.hand](held) and _is(thing, self.first)
        return bool(ready and self.meant(thing) and self.changes(thing))


def _is(thing: Thing, states: Mapping[str, bool]) -> bool:
    return all(STATES[name](thing) == value for name, value in states.items())


ACTIONS: dict[str, ActionSpec] = {}
"""Every action by name; filled by the modules that define them."""


def action(
    name: str,
    required: tuple[str, ...] = (),
    optional: tuple[str, ...] = (),
    affords: str = "",
    fits: tuple[str, ...] = (),
    never: str = "",
    hand: str = "",
    when: Mapping[str, bool] = MappingProxyType({}),
    first: Mapping[str, bool] = MappingProxyType({}),
    held_too: bool = False,
    interaction: bool = True,
) -> Callable[[Handler], Handler]:
    """Enter a function into the table of actions.

    Whatever takes a `target` also takes `at`, the point that is touched; reach is measured to it. What
    `affords` says is checked before the function is called. `fits` (by default the same), `never`, `hand`,
    `when` and `first` only say where the action is offered; see `ActionSpec`.
    """

    def enter(handler: Handler) -> Handler:
        extra = ("at",) if "target" in required and "at" not in optional else ()
        options = (*optional, *extra)
        meant = fits or (affords,)
        ACTIONS[name] = ActionSpec(
            name, handler, required, options, affords, meant, never, hand, when, first, held_too, interaction
        )
        return handler

    return enter


def act(world: World, name: str, *, in_sight: InSight | None = None, **arguments: Any) -> Outcome:
    """Try an action: `act(world, "Pickup", target="Mug|...")`.

    A target must be within reach and in the field of the camera, and seen, if `in_sight` is there to say so.
    An action that the home does not know, or whose arguments are wrong, raises HousematesError and
    leaves the world as it was. One that cannot be done now is refused with a message.
    """
    return _try(world, name, arguments, False, in_sight)


def force(world: World, name: str, **arguments: Any) -> Outcome:
    """Try an action on a thing wherever it is: reach, sight and what shuts it in do not matter."""
    return _try(world, name, arguments, True, None)


def _try(
    world: World, name: str, arguments: Mapping[str, Any], anywhere: bool, in_sight: InSight | None
) -> Outcome:
    spec = _checked(name, arguments)
    outcome = _attempt(world, spec, arguments, anywhere, in_sight)
    world.tick += 1
    if spec.interaction:
        rules.follow(world, name, arguments.get("target", ""), outcome.success)
    return outcome


def perform(world: World, action: Action) -> Outcome:
    """Try an action given as a record."""
    return act(world, action.name, **action.arguments)


def _checked(name: str, arguments: Mapping[str, Any]) -> ActionSpec:
    spec = ACTIONS.get(name)
    if spec is None:
        raise HousematesError(f"Unknown action {name!r}: expected one of {', '.join(ACTIONS)}.")
    missing = [key for key in spec.required if key not in arguments]
    if missing:
        raise HousematesError(f"{name}: missing argument {missing[0]!r}.")
    for key, value in arguments.items():
        if key not in spec.required and key not in spec.optional:
            expected = ", ".join((*spec.required, *spec.optional)) or "none"
            raise HousematesError(f"{name}: unexpected argument {key!r} (arguments: {expected}).")
        _check_value(name, key, value)
    return spec


def _check_value(name: str, key: str, value: Any) -> None:
    expected, ok = VALUE_CHECKS[key]
    if not ok(value):
        raise HousematesError(f"{name}: argument {key!r} is {value!r}: expected {expected}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_point(value: Any) -> bool:
    return isinstance(value, tuple | list) and len(value) == 3 and all(map(_is_number, value))


VALUE_CHECKS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "target": ("the id of an object", lambda value: isinstance(value, str)),
    "liquid": ("water, coffee or wine", lambda value: value in ("water", "coffee", "wine")),
    "at": ("a point (x, y, z) of finite numbers", _is_point),
    "near": ("a point (x, y, z) of finite numbers", _is_point),
    "x": ("a finite number", _is_number),
    "z": ("a finite number", _is_number),
    "rotation": ("0, 90, 180 or 270", lambda value: _is_number(value) and value in (0, 90, 180, 270)),
    "horizon": ("a whole number of degrees", lambda value: _is_number(value) and value == int(value)),
    "degrees": (
        "a whole number of degrees between 1 and 90",
        lambda value: _is_number(value) and value == int(value) and 1 <= value <= 90,
    ),
}


def _attempt(
    world: World, spec: ActionSpec, arguments: Mapping[str, Any], anywhere: bool, in_sight: InSight | None
) -> Outcome:
    if "target" not in spec.required:
        return spec.handler(world, **arguments)
    target = world.things.get(arguments["target"])
    if target is None or not target.solid:
        return refuse(Reason.NO_SUCH_THING, f"{spec.name}: there is no {arguments['target']!r} here.")
    refusal = _unfit(world, spec, target)
    if refusal is None and not (anywhere or world.in_hand(target)):
        refusal = _unavailable(world, spec, target, arguments.get("at"), in_sight)
    if refusal is not None:
        return refusal
    passed = {key: arguments[key] for key in arguments if key in spec.passed}
    return spec.handler(world, target, **passed)


def _unfit(world: World, spec: ActionSpec, target: Thing) -> Outcome | None:
    """Why the target cannot be acted on wherever the agent is, if it cannot."""
    name = spoken(target.type)
    if spec.affords and not target.can(spec.affords):
        told = f"{spec.name}: a {name} cannot be used that way."
        return refuse(Reason.NOT_POSSIBLE, told, type=target.type)
    if world.in_hand(target) and not (spec.held_too and target.id == world.agent.held):
        return refuse(Reason.IN_HAND, f"{spec.name}: the {name} is in your hand.", type=target.type)
    return None


def _unavailable(
    world: World, spec: ActionSpec, target: Thing, at: Vec | None, in_sight: InSight | None
) -> Outcome | None:
    """Why the target cannot be acted on from here, if it cannot. `at` is the point touched, if known."""
    name = spoken(target.type)
    shut = world.enclosing(target)
    if shut is not None:
        told = f"{spec.name}: the {name} is inside the closed {spoken(shut.type)}. Open it first."
        return refuse(Reason.SHUT_IN, told, type=target.type, inside=shut.type)
    near = in_reach(world.agent, target) if at is None else math.dist(world.agent.position, at) <= REACH_M
    if not near:
        told = f"{spec.name}: the {name} is too far away. Go closer."
        return refuse(Reason.TOO_FAR, told, type=target.type)
    in_field = in_view(world.agent, target) if at is None else point_in_view(world.agent, at)
    if not (in_field and (in_sight is None or in_sight(target))):
        told = f"{spec.name}: the {name} is not in view. Turn or look towards it."
        return refuse(Reason.NOT_VISIBLE, told, type=target.type)
    return None
