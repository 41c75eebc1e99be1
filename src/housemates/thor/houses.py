"""Houses as AI2-THOR's clients send them: `CreateHouse` in the scene `Procedural`."""

from __future__ import annotations

import sys

from housemates.errors import HousematesError
from housemates.home.scenes.houses import house_from_data
from housemates.thor.arguments import Arguments, plain
from housemates.thor.replies import Refused
from housemates.thor.scenes import PROCEDURAL, house_place
from housemates.thor.simulation import Simulation, answers

_told: set[str] = set()


@answers("CreateHouse", required=("house",))
def create_house(simulation: Simulation, arguments: Arguments) -> None:
    """Make a house of its description; the agent begins where the description says, cameras stay."""
    try:
        house = house_from_data(plain(arguments["house"]), "house", PROCEDURAL)
    except HousematesError as error:
        raise Refused(str(error)) from None
    for note in house.notes:
        if note not in _told:
            _told.add(note)
            print(f"CreateHouse: {note}.", file=sys.stderr)
    cameras = simulation.cameras
    simulation.place = house_place(house.scene)
    simulation.furnish(house.scene)
    simulation.cameras = cameras
    simulation.seat_agents()
