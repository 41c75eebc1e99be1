"""What colour alone tells."""

from __future__ import annotations

from housemates.models.segmentation.colour_only import share_told


def test_colour_alone_tells_most_types_of_plain_looks_and_few_of_varied_ones() -> None:
    plain, varied = (share_told(looks, "seen", 6) for looks in ("plain", "varied"))
    assert plain["told"] > 65
    assert varied["told"] < plain["told"] - 15
    assert plain["pixels"] == varied["pixels"]
