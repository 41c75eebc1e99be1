"""`housemates scenes`: what a user types and reads."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from fixtures.houses import generate
from housemates.cli.main import main
from housemates.home.scenes import load
from housemates.home.scenes.files import save_scene


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main(["scenes", *words])
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        main(["scenes", *words])
    assert stopped.value.code == 2
    told = capsys.readouterr().err.strip()
    assert "\n" not in told
    return told


def test_list_knows_rooms_and_splits(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(run(capsys, "list", "--room", "living-room", "--split", "unseen", "--json"))["rooms"]
    assert [row["id"] for row in rows] == [f"living-room-{number}" for number in range(26, 31)]
    assert {row["layout"] for row in rows} == {"opposite"}


def test_show_tells_what_is_where(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "show", "bathroom-03")
    assert "bathroom-03: a bathroom with" in told
    assert "Toilet|" in told and "Plunger" in told


def test_validate_counts_rooms_and_faults(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(run(capsys, "validate", "bathroom-03", "bathroom-04", "--json"))
    assert told == {"rooms": 2, "faults": 0, "found": []}


def test_validate_names_the_fault_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    scene = load("bathroom-03")
    kept = tuple(thing for thing in scene.things if thing.type != "Plunger")
    save_scene(msgspec.structs.replace(scene, things=kept), tmp_path / "mine.json")
    with pytest.raises(SystemExit) as stopped:
        main(["scenes", "validate", str(tmp_path / "mine.json")])
    assert stopped.value.code == 1
    assert "missing: There is no Plunger in this bathroom." in capsys.readouterr().out


def test_render_writes_views_masks_and_a_map(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = json.loads(run(capsys, "render", "bathroom-03", "--out", str(tmp_path), "--size", "64", "--json"))
    names = sorted(Path(name).name for name in files["files"])
    assert len(names) == 9
    assert "bathroom-03-map.png" in names and "bathroom-03-close-instances.png" in names
    for name in names:
        with Image.open(tmp_path / name) as picture:
            assert picture.size == (64, 64)
            assert len(picture.getcolors(64 * 64) or []) > 3


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["show", "kitchen-99"], "kitchen-99"),
        (["show", "missing.json"], "missing.json: no such file"),
        (["render", "kitchen-01", "--size", "0"], "--size: expected 1 to 900, found 0"),
        (["validate"], "--all"),
        (["list", "--room", "garage"], "garage"),
        (["paint"], "paint"),
    ],
)
def test_a_mistake_is_one_sentence(capsys: pytest.CaptureFixture[str], words: list[str], named: str) -> None:
    assert named in refused(capsys, *words)


def test_a_broken_file_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "half.json"
    path.write_text('{"id": "x", "things": [', encoding="utf-8")
    assert "half.json" in refused(capsys, "validate", str(path))


def test_import_makes_scenes_of_houses_of_packed_lines_and_names_what_it_cannot_use(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = [json.dumps(house) for house in (generate(5, 2), {"rooms": []}, generate(15, 2))]
    houses = tmp_path / "test.jsonl.gz"
    houses.write_bytes(gzip.compress("\n".join(lines).encode()))
    with pytest.raises(SystemExit) as stopped:
        main(["scenes", "import", str(houses), "--out", str(tmp_path), "--json"])
    assert stopped.value.code == 1
    told = capsys.readouterr()
    assert told.err.strip() == f"{houses}: line 2: rooms: expected 1 to 64, found 0."
    made = json.loads(told.out)
    assert [row["rooms"] for row in made["houses"]] == [2, 2]
    assert made["failed"] == 1
    assert run(capsys, "validate", str(tmp_path / "test-1.json")) == "1 rooms, 0 faults\n"


def test_a_house_that_is_wrong_is_refused_by_file_and_field(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    house = tmp_path / "house.json"
    house.write_text(json.dumps({"rooms": [{"id": 3}]}))
    assert refused(capsys, "import", str(house)).endswith(f"{house}: rooms[0].id: expected a text, found 3.")
    assert refused(capsys, "show", str(house)).endswith("found 3.")
