"""The six types of task, as folders of games are named after them."""

TYPES = (
    "pick_and_place_simple",
    "look_at_obj_in_light",
    "pick_clean_then_place_in_recep",
    "pick_heat_then_place_in_recep",
    "pick_cool_then_place_in_recep",
    "pick_two_obj_and_place",
)
"""In the order of the original, which counts them from 1."""
UNSUPPORTED = ("movable", "Sliced")
"""The folders of ALFRED's other tasks say one of these; the original leaves them out."""


def type_in(name: str) -> str:
    """The type of task that the name of a folder or game says; nothing if it says none."""
    return next((kind for kind in TYPES if kind in name), "")
