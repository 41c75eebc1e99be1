"""The store: what is no store is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from housemates.data.store import Store, open_store
from housemates.errors import HousematesError
from housemates.files import write_json
from housemates.home.scenes.plans.knowledge import PlanKnowledge


def test_a_folder_without_a_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HousematesError, match="no store there"):
        open_store(tmp_path)
    write_json(tmp_path / "store.json", {"format": 99})
    with pytest.raises(HousematesError, match="format: expected 3, found 99"):
        open_store(tmp_path)
    (tmp_path / "store.json").write_text("{")
    with pytest.raises(HousematesError, match=r"store\.json: expected JSON"):
        open_store(tmp_path)


def test_of_a_plan_that_is_left_out_the_layout_alone_is_known(tmp_path: Path) -> None:
    layouts = tmp_path / "layouts.json"
    write_json(layouts, {"6": {"grid": [[0, 1]], "static_ids": ["Sink|+01.00|+00.90|-02.00"]}})
    store = Store(tmp_path / "store")
    with pytest.raises(HousematesError, match="without ALFRED's layouts"):
        store.leave_out(["FloorPlan6"])
    store.learn_layouts(layouts)
    known = store.teachable("FloorPlan6", "part")
    assert known is not None
    known.learn_steps([(0.5, 0.5)])
    store.leave_out(["FloorPlan6"])
    left = PlanKnowledge("FloorPlan6", layout={(0, 1)}, named={"Sink|+01.00|+00.90|-02.00": (1.0, 0.9, -2.0)})
    assert store.knowledge("FloorPlan6") == left
    with pytest.raises(HousematesError, match="no layout of 'FloorPlan7'"):
        store.leave_out(["FloorPlan7"])
