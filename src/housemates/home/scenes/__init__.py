"""Where homes come from: generated rooms by id, scene files, floor plans rebuilt from official data."""

from housemates.home.scenes.catalogue import load, scene_ids, split_of
from housemates.home.scenes.generate import generate_room

__all__ = ["generate_room", "load", "scene_ids", "split_of"]
