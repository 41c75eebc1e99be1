"""EDH and TfD instances: cut as the official ones are, and read and written in their form."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from housemates.benchmarks.teach.formats import instances
from housemates.benchmarks.teach.formats.episodes import Game, Interaction, read_games
from housemates.benchmarks.teach.formats.states import recall
from housemates.benchmarks.teach.tasks.catalogue import check, game_task
from housemates.benchmarks.teach.world.actions import action_indices
from housemates.errors import HousematesError
from housemates.files import read_text_lines

GAMES = 30
RELEASED = 89
"""EDH instances of these games; all 181 have 657, where 654 were published."""


@pytest.fixture(scope="module")
def games(real_data: Path) -> list[Game]:
    return list(islice(read_games([real_data / "teach" / "valid_seen.jsonl.zst"], []), GAMES))


@pytest.fixture(scope="module")
def official(real_data: Path) -> dict[str, instances.Edh]:
    found = instances.read_edh(real_data / "teach" / "edh_samples.jsonl.zst", [])
    return {each.instance_id: each for each in found}


def test_official_instances_come_out_as_they_went_in(real_data: Path, tmp_path: Path) -> None:
    path = real_data / "teach" / "edh_samples.jsonl.zst"
    texts = [json.loads(text) for _, text in read_text_lines(path)]
    found = list(instances.read_edh(path, []))
    assert [json.loads(msgspec.json.encode(each)) for each in found] == texts
    assert instances.write(tmp_path, found) == 18
    assert sorted(each.instance_id for each in instances.read_edh(tmp_path, [])) == sorted(
        each.instance_id for each in found
    )


def test_we_cut_what_was_officially_cut(real_data: Path, official: dict[str, instances.Edh]) -> None:
    wanted = {each.game_id for each in official.values()}
    ours: dict[str, instances.Edh] = {}
    for game in read_games([real_data / "teach" / "train.jsonl.zst"], [], wanted):
        ours |= {each.instance_id: each for each in instances.cut_edh(game)}
    changes = 0
    for name, theirs in official.items():
        mine = ours[name]
        for field in mine.__struct_fields__:
            if "state_" not in field and "goal_conditions" not in field:
                assert getattr(mine, field) == getattr(theirs, field), f"{name}: {field}"
        changes += mine.state_changes == theirs.state_changes
    assert changes >= 16


def test_the_released_variant_keeps_as_many_stretches_as_in_the_whole_split(games: list[Game]) -> None:
    count = sum(sum(1 for _ in instances.cut_edh(game)) for game in games)
    assert abs(count - RELEASED) <= 0.03 * RELEASED


def test_the_papers_variant_holds_every_stretch_with_a_touch(games: list[Game]) -> None:
    for game in games[:10]:
        for each in instances.cut_edh(game, "paper"):
            assert each.dialog_history
            assert any(action.obj_interaction_action for action in each.driver_actions_future)
            assert all(action.action_name != "Text" for action in each.driver_actions_future)


def test_an_unknown_variant_is_refused(games: list[Game]) -> None:
    with pytest.raises(HousematesError, match="paper, released"):
        next(instances.cut_edh(games[0], "mine"))


def test_recorded_actions_lead_to_the_recorded_end(games: list[Game]) -> None:
    done = 0
    for game in games:
        end = len(game.episode.interactions)
        objects = recall(game, [end]).objects(end)
        done += check(game_task(game.task.definition(), game.id), objects).success
    assert done >= 29


def test_a_whole_session_is_one_tfd_instance(games: list[Game]) -> None:
    tfd = instances.cut_tfd(games[0])
    said = [each for each in games[0].episode.interactions if each.text is not None]
    assert len(tfd.dialog_history) == len(said)
    assert "Text" not in {action.action_name for action in tfd.driver_actions_future}


def test_lists_of_divided_splits_name_games_and_instances(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("a_1.edh0.json\nb_2.game.json\n\nb_3.json\n")
    assert instances.read_split(tmp_path / "list.txt") == {"a_1.edh0", "b_2", "b_3"}


def test_action_indices_are_places_in_the_games_own_list(games: list[Game]) -> None:
    listed = [each["action_id"] for each in games[0].definitions["actions"]]
    assert [action_indices()[each] for each in listed] == list(range(36))


def test_a_correction_replaces_what_was_said() -> None:
    said = Interaction(agent_id=0, action_id=100, time_start=0, duration=1, success=1, utterance="pik it up")
    assert instances.cleaned_text(said) == "pik it up"
    said.corrected_utterance = "pick it up"
    assert instances.cleaned_text(said) == "pick it up"
