"""EDH, TfD and TATC in the runner: where instances come from, what is refused, what a run comes to."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from housemates.benchmarks.teach import benchmark as benchmarks
from housemates.benchmarks.teach.benchmark import TeachBenchmark
from housemates.benchmarks.teach.formats import starts
from housemates.benchmarks.teach.formats.episodes import parse_game, read_games, write_games
from housemates.benchmarks.teach.formats.ingestion import import_games
from housemates.benchmarks.teach.formats.instances import cut_edh, read_edh, write
from housemates.benchmarks.teach.session import FollowerSession
from housemates.core import registry
from housemates.core.benchmark import Instance, Reference, Result
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate
from housemates.files import read_text_lines, write_text_lines
from housemates.home.scenes.catalogue import split_of

NAMES = ("teach-edh", "teach-tfd", "teach-tatc")
ALONE = NAMES[:2]
TASKS = ["Coffee", "Water Plant", "Plate Of Toast"]


def teach(name: str, **options: Any) -> TeachBenchmark:
    found = registry.benchmark(name, **options)
    assert isinstance(found, TeachBenchmark)
    return found


def all_of(benchmark: TeachBenchmark, split: str = "recorded") -> list[Instance]:
    return [each for reference in benchmark.references(split, 0) for each in benchmark.open(reference)]


def run(name: str, agents: Sequence[str], split: str = "recorded", **options: Any) -> dict[str, Any]:
    episodes = options.pop("episodes", None)
    seats = seat_all(registry.benchmark_class(name), agents, {})
    given = {key: str(value) for key, value in options.items()}
    return evaluate(Run(name, seats, split, episodes, 0, given), workers=1, progress=False)


@pytest.fixture(scope="module")
def pack(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generated games in one packed file."""
    path = tmp_path_factory.mktemp("pack") / "games.jsonl.zst"
    write_games(path, read_games([made], []))
    return path


@pytest.fixture(scope="module")
def real(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first four games of valid_seen, beside a store that knows their floor plans."""
    path = tmp_path_factory.mktemp("real") / "valid_seen.jsonl.zst"
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    write_text_lines(path, (text.strip() for _, text in islice(lines, 4)))
    import_games(Store(path.parent / "store"), path)
    return path


def fails(*_: Any, **__: Any) -> Any:
    raise AssertionError("this is heavy")


@pytest.mark.parametrize("name", NAMES)
def test_references_are_had_without_making_or_reading_anything(
    name: str, pack: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, heavy in (
        (benchmarks.sampling, "start"),
        (benchmarks, "make"),
        (benchmarks, "recall"),
        (starts, "read_game"),
        (starts.GameText, "parse"),
    ):
        monkeypatch.setattr(module, heavy, fails)
    drawn = list(islice(teach(name).references("generated", 9), 13))
    assert [each.id for each in drawn[:2]] == ["s9-00000", "s9-00001"] and drawn[12].data["draw"][
        "task"
    ] == "Coffee"
    for games in (pack, made):
        listed = list(teach(name, data=games).references("recorded", 0))
        assert [each.id for each in listed] == ["s4-00000", "s4-00001", "s4-00002"]
    for reference in (*drawn, *listed):
        again = msgspec.json.decode(msgspec.json.encode(reference), type=Reference)
        assert again == reference and len(msgspec.json.encode(reference)) < 400


@pytest.mark.parametrize("name", NAMES)
def test_references_open_to_the_same_in_any_order(name: str, pack: Path) -> None:
    one, other = teach(name, data=pack), teach(name, data=pack)
    references = list(one.references("recorded", 3))
    forwards = [one.open(each) for each in references]
    backwards = [other.open(each) for each in reversed(references)]
    assert forwards == backwards[::-1]
    assert [each[0].task for each in forwards] == TASKS
    assert all(each.seed == 3 for instances in forwards for each in instances)


@pytest.mark.parametrize("name", ["teach-edh", "teach-tatc"])
def test_generated_references_open_to_the_same_again(name: str) -> None:
    benchmark = teach(name)
    first, second = islice(benchmark.references("generated", 0), 2)
    later, earlier = benchmark.open(second), benchmark.open(first)
    assert (benchmark.open(first), benchmark.open(second)) == (earlier, later)
    assert (earlier[0].task, later[0].task) == ("Coffee", "Water Plant")
    assert all(each.id.startswith(first.id) for each in earlier)


@pytest.mark.parametrize("name", NAMES)
def test_an_instance_survives_being_written(name: str, pack: Path) -> None:
    benchmark = teach(name, data=pack)
    for instance in all_of(benchmark):
        data = msgspec.msgpack.decode(msgspec.msgpack.encode(instance.data), type=benchmark.Data)
        assert data == instance.data
        again = Instance(instance.id, instance.task, data, instance.seed)
        sessions = benchmark.session(instance), benchmark.session(again)
        assert sessions[0].digest() == sessions[1].digest()
        assert sessions[0].text("follower") == sessions[1].text("follower")
        assert sessions[0].progress().as_dict() == sessions[1].progress().as_dict()


@pytest.mark.parametrize("name", NAMES)
def test_a_split_that_is_not_there_is_refused_and_what_is_there_is_named(
    name: str, made: Path, pack: Path, tmp_path: Path
) -> None:
    shutil.copytree(made, tmp_path / "games" / "train")
    shutil.copy(pack, tmp_path / "valid_seen.jsonl.zst")
    known = "generated, recorded, train, valid_seen, valid_unseen, test_seen, test_unseen"
    for options, split, said in (
        (
            {},
            "valid_seen",
            "needs recorded games: give --option data=FILE_OR_FOLDER; without them there is 'gen",
        ),
        ({"data": pack}, "tomorrow", f"Unknown split 'tomorrow': expected one of {known}."),
        ({"data": tmp_path / "games"}, "valid_seen", "has no split 'valid_seen': there is train."),
        ({"data": tmp_path / "valid_seen.jsonl.zst"}, "train", "is the split 'valid_seen', not 'train'."),
        ({"data": tmp_path / "nowhere"}, "train", "nowhere: no such file or folder."),
    ):
        with pytest.raises(HousematesError) as refused:
            next(teach(name, **options).references(split, 0))
        assert said in str(refused.value) and "\n" not in str(refused.value)
    assert len(list(teach(name, data=tmp_path / "games").references("train", 0))) == 3


def test_a_folder_of_packed_splits_is_read_by_split(pack: Path, tmp_path: Path) -> None:
    shutil.copy(pack, tmp_path / "valid_seen.jsonl.zst")
    found, all_ = (
        [each.id for each in teach("teach-tfd", data=games).references(split, 0)]
        for games, split in ((tmp_path, "valid_seen"), (pack, "recorded"))
    )
    assert found == all_ != []


@pytest.mark.parametrize("name", NAMES)
def test_a_broken_game_is_an_error_of_that_reference_alone(name: str, made: Path, tmp_path: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(made.glob("*.game.json"))]
    strange = json.loads(texts[0])
    strange["definitions"]["housemates_scene"]["things"] = 3
    write_text_lines(tmp_path / "some.jsonl", [texts[0], texts[1][:2000], json.dumps(strange), texts[2]])
    found = run(name, ["stop"], data=tmp_path / "some.jsonl", size=32)
    assert (found["errors"], found["success"]) == (2, 0.0)
    assert found["episodes"] >= 4
    assert any("some.jsonl: line 2: column 2001: expected JSON" in each for each in found["messages"])
    assert any("definitions.housemates_scene" in each for each in found["messages"])
    unknown = found["tables"]["by task"]["unknown"]
    assert (unknown["episodes"], unknown["success"], unknown["goal_conditions"]) == (2, 0.0, 0.0)
    assert {"Coffee", "Plate Of Toast"} <= found["tables"]["by task"].keys()


def test_a_pack_that_ends_too_soon_is_an_error_after_the_games_before(pack: Path, tmp_path: Path) -> None:
    whole = pack.read_bytes()
    (tmp_path / "half.jsonl.zst").write_bytes(whole[: len(whole) - 400])
    benchmark = teach("teach-tatc", data=tmp_path / "half.jsonl.zst")
    *good, bad = benchmark.references("recorded", 0)
    assert all(benchmark.open(each) for each in good)
    with pytest.raises(HousematesError, match=r"half\.jsonl\.zst"):
        benchmark.open(bad)


@pytest.mark.parametrize("name", ALONE)
def test_the_oracle_does_all_of_it_and_chance_nothing(name: str, made: Path) -> None:
    oracle = run(name, ["oracle"], data=made, size=64)
    chance = run(name, ["random"], data=made, size=64)
    assert oracle["episodes"] == chance["episodes"] >= 3
    assert oracle["metrics"]["success"] == oracle["metrics"]["success_weighted"] == 100.0
    assert (oracle["privileged"], chance["privileged"]) == (["follower"], [])
    assert (chance["success"], chance["errors"]) == (0.0, 0)
    assert oracle["paper"] == {} and set(oracle["tables"]["by task"]) <= set(TASKS)


@pytest.mark.parametrize("name", ALONE)
def test_the_oracle_does_what_people_did_where_the_floor_plans_are_known(name: str, real: Path) -> None:
    found = run(name, ["oracle"], "valid_seen", data=real, store=real.parent / "store", size=64)
    assert found["episodes"] >= 4 and found["errors"] == 0
    assert found["success"] == 100.0
    assert any(each.startswith("Random") for each in found["paper"])
    assert found["pointing"] == ["object", "point"]


def test_a_store_is_taken_wherever_files_are(real: Path) -> None:
    store = real.parent / "store"
    files, stored = teach("teach-tfd", data=real, store=store), teach("teach-tfd", data=store)
    there = list(stored.references("recorded", 0))
    assert [each.id for each in there] == [each.id for each in files.references("recorded", 0)]
    assert stored.open(there[0]) == files.open(next(files.references("recorded", 0)))
    with pytest.raises(HousematesError, match="has no split 'train': there is"):
        list(stored.references("train", 0))


def test_a_game_that_is_handed_on_is_not_looked_for(pack: Path, tmp_path: Path) -> None:
    copied = tmp_path / pack.name
    copied.write_bytes(pack.read_bytes())
    benchmark = teach("teach-tfd", data=copied)
    reference = next(benchmark.references("recorded", 0))
    handed = msgspec.structs.replace(reference, text=benchmark.text(reference))
    before = benchmark.open(reference)
    copied.unlink()
    assert benchmark.open(handed) == before


@pytest.mark.parametrize("name", ["teach-edh", "teach-tfd", "teach-tatc"])
def test_the_old_name_of_the_option_is_refused_with_the_new_one(name: str) -> None:
    with pytest.raises(HousematesError, match="the option 'games' is called 'data' now"):
        teach(name, games="games.jsonl")


@pytest.mark.parametrize("track", ["object", "point"])
def test_the_oracle_points_as_it_may(track: str, made: Path) -> None:
    found = run("teach-tfd", ["oracle"], data=made, pointing=track)
    assert (found["success"], found["pointing"]) == (100.0, [track])


def test_the_generated_split_needs_no_data() -> None:
    found = run("teach-edh", ["oracle"], "generated", episodes=2)
    assert (found["episodes"], found["success"]) == (2, 100.0)


def test_pairs_are_scored_without_lengths_where_nobody_has_done_it(made: Path) -> None:
    found = run("teach-tatc", ["stop"], "generated", episodes=2, size=32)
    assert found["episodes"] == 2 and set(found["tables"]["by task"]) == {"Coffee", "Water Plant"}
    names = {"success", "goal_conditions", "goal_conditions_pooled", "steps", "utterances", "leaks"}
    assert set(found["metrics"]) == names
    recorded = run("teach-tatc", ["rule"], data=made)
    assert recorded["metrics"]["success"] == recorded["metrics"]["success_weighted"] == 100.0
    assert recorded["metrics"]["leaks"] > 0
    assert recorded["paper"]["Rule-based pair"]["success"] == 24.4


def test_a_perfect_replay_weighs_nothing_off(made: Path) -> None:
    benchmark = teach("teach-tfd", data=made)
    instance = all_of(benchmark)[2]
    session = benchmark.session(instance)
    trace = play(session, make_agents(type(benchmark), seat_all(type(benchmark), ["oracle"], {})), instance)
    scores = benchmark.score(instance, session, trace)
    assert scores["success_weighted"] == scores["success"] == 1.0
    assert scores["reference"] == scores["steps"] == len(instance.data.future) + 1


def test_the_goal_of_tfd_is_what_changed_or_the_task(made: Path) -> None:
    by_changes, by_task = (
        all_of(teach("teach-tfd", data=made, goal=goal))[0].data for goal in ("changes", "task")
    )
    assert by_changes.goal().name == "EDH"
    assert by_task.goal().name == by_task.definition["task_name"] == "Coffee"
    session = FollowerSession(Instance("x", "Coffee", by_task), teach("teach-tfd").limits)
    assert session.beginning.total > 0


def test_a_list_of_names_picks_games_and_instances(made: Path, tmp_path: Path) -> None:
    everything = [each.id for each in all_of(teach("teach-edh", data=made))]
    assert len(everything) > 3
    listed = tmp_path / "divided.txt"
    listed.write_text("\n".join(f"{name}.json" for name in everything[1:3]), encoding="utf-8")
    assert [each.id for each in all_of(teach("teach-edh", data=made, only=listed))] == everything[1:3]
    listed.write_text("s4-00001.game.json", encoding="utf-8")
    for name, ending in (("teach-tfd", "tfd"), ("teach-tatc", "tatc")):
        assert [each.id for each in all_of(teach(name, data=made, only=listed))] == [f"s4-00001.{ending}"]


def test_every_stretch_counts_in_the_papers_variant(made: Path) -> None:
    released, paper = (len(all_of(teach("teach-edh", data=made, variant=v))) for v in ("released", "paper"))
    assert paper >= released > 0


def test_official_files_are_played_in_their_games_and_those_without_one_are_errors(
    made: Path, tmp_path: Path
) -> None:
    first, second = (parse_game((made / f"s4-0000{n}.game.json").read_bytes(), str(n)) for n in (0, 2))
    instances = [*cut_edh(first), *cut_edh(second)]
    write(tmp_path / "edh.jsonl.zst", instances)
    write_games(tmp_path / "one.jsonl", [second])
    found = run("teach-edh", ["oracle"], data=tmp_path / "one.jsonl", edh=tmp_path / "edh.jsonl.zst")
    missing = len(list(cut_edh(first)))
    assert (found["episodes"], found["errors"]) == (len(instances), missing)
    assert found["success"] == pytest.approx(100 * (1 - missing / len(instances)), abs=0.01)
    assert all("the game s4-00000 is not there" in each for each in found["messages"])


def test_official_files_begin_where_people_were(real_data: Path, tmp_path: Path) -> None:
    edh = tmp_path / "one.jsonl.zst"
    (wanted,) = islice(read_edh(real_data / "teach" / "edh_samples.jsonl.zst", []), 1)
    write(edh, [wanted])
    (game,) = read_games([real_data / "teach" / "train.jsonl.zst"], [], {wanted.game_id})
    write_games(tmp_path / "train.jsonl.zst", [game])
    benchmark = teach("teach-edh", data=tmp_path / "train.jsonl.zst", edh=edh)
    (instance,) = all_of(benchmark, "train")
    session = benchmark.session(instance)
    play(session, make_agents(type(benchmark), seat_all(type(benchmark), ["oracle"], {})), instance)
    assert session.complete and instance.id == wanted.instance_id
    assert [each.text for each in instance.data.dialogue] == [text for _, text in wanted.dialog_history]


def test_files_are_what_decides_what_is_asked(made: Path, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("s4-00001", encoding="utf-8")
    benchmark = teach("teach-edh", data=f"{made}, {made}", only=tmp_path / "list.txt", edh=tmp_path / "edh")
    assert {made, tmp_path / "list.txt", tmp_path / "edh"} <= set(benchmark.files())


def test_rooms_of_a_split_stay_in_it() -> None:
    benchmark = teach("teach-tatc", rooms="unseen")
    for reference in islice(benchmark.references("generated", 0), 2):
        (instance,) = benchmark.open(reference)
        assert split_of(instance.data.scene.id) == "unseen"


@pytest.mark.parametrize("name", NAMES)
def test_summaries_depend_on_the_results_alone(name: str) -> None:
    results = [
        Result("a", "Coffee", {"success": 1.0, "goal_conditions": 1.0}),
        Result("b", "", {}, error="It broke."),
    ]
    used = teach(name)
    next(used.references("generated", 3))
    assert used.summarise(results, "generated") == teach(name).summarise(results, "generated")
    assert used.summarise(results, "generated").metrics["success"] == 50.0


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("teach-tatc", {"size": "big"}, "size: expected pixels from 1 to"),
        ("teach-tatc", {"size": "0"}, "such as 160x120, found '0'"),
        ("teach-tatc", {"rooms": "castle"}, "rooms: expected one of all, train, seen, unseen, plans"),
        ("teach-tatc", {"pointing": "mask"}, "pointing: expected one of any, object, point"),
        ("teach-tfd", {"goal": "joy"}, "goal: expected one of changes, task"),
        ("teach-edh", {"variant": "mine"}, "variant: expected one of released, paper"),
        ("teach-edh", {"pair": "nobody"}, "pair: expected one of rule, talk"),
        ("teach-edh", {"window": "wide"}, "window: expected one of reference, paper"),
        ("teach-edh", {"dat": "x"}, "teach-edh has no option 'dat': did you mean 'data'?"),
        ("teach-edh", {"only": "nowhere.txt"}, "nowhere.txt"),
        ("teach-tatc", {"store": "nowhere"}, "nowhere"),
    ],
)
def test_options_that_make_no_sense_are_refused(name: str, options: dict[str, str], said: str) -> None:
    with pytest.raises(HousematesError) as refused:
        teach(name, **options)
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_agents_that_are_not_there_are_refused() -> None:
    with pytest.raises(HousematesError, match="Unknown agent 'clever' for the commander of teach-tatc"):
        run("teach-tatc", ["clever"], "generated", episodes=1)
    assert all("rule" in registry.agents_of("teach-tatc", role) for role in ("commander", "follower"))
