"""Houses of several rooms: ProcTHOR's JSON, as AI2-THOR's `CreateHouse` takes it, becomes one scene."""

from housemates.home.scenes.houses.conversion import House, house_from_data, is_house

__all__ = ["House", "house_from_data", "is_house"]
