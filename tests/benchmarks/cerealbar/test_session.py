"""The seats of a game: what each role is told, may do and perceives, and what it never learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from housemates.agents.basic import FirstAgent, RandomAgent
from housemates.benchmarks.cerealbar.benchmark import GameOptions, Games, Recorded
from housemates.benchmarks.cerealbar.formats.episodes import Recording
from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.metrics import summary_of_games
from housemates.benchmarks.cerealbar.session import MOVES, GameSession
from housemates.benchmarks.cerealbar.tasks.recorded import Entry, RecordedSession, take_apart
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER, Options
from housemates.benchmarks.cerealbar.world.words import way
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance, Result
from housemates.core.episode import play
from housemates.core.loading import seat_all
from housemates.core.percepts import Percept
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate

Pair = Callable[..., dict[str, Agent]]


def begin(seed: int = 4, options: Options | None = None, **settings: Any) -> GameSession:
    game = new_game(seed, options)
    return GameSession(Instance(f"game-{seed}", "game", None, seed), Games.limits, game, **settings)


def names(session: Session, role: str) -> list[str]:
    return [offer.name for offer in session.observe(role).offers]


def blocked(session: GameSession) -> str:
    """A step that is not offered."""
    return next(name for name in ("Forward", "Backward") if name not in names(session, "leader"))


def test_a_turn_goes_from_the_leader_to_the_follower_and_back() -> None:
    session = begin()
    assert session.role == "leader"
    assert session.act("say turn left").success
    assert session.act("EndTurn").success
    assert session.role == "follower"
    assert "Instruction (current): turn left" in session.observe().text
    assert session.act({"name": "TurnLeft"}).success
    assert session.act("done").success
    assert session.role == "leader"
    assert session.game.heading == [0, 5]


def test_only_what_is_possible_is_offered() -> None:
    session = begin()
    for _ in range(5):
        session.act("TurnLeft")
    assert names(session, "leader") == ["EndTurn", "Say"]
    refused = session.act("TurnLeft")
    assert not refused.success
    assert "no steps left" in refused.message
    assert names(session, "follower") == []
    session = next(s for s in map(begin, range(50)) if len(names(s, "leader")) < 6)
    before = session.game.digest()
    assert not session.act(blocked(session)).success
    assert session.game.digest() == before


def test_what_makes_no_sense_is_a_failed_act() -> None:
    session = begin()
    for nonsense in (None, 7, "FLY", ("MF",), {"name": "Say"}, {"name": "Say", "text": 5}, "Done", "Ask x"):
        assert not session.act(nonsense).success
    assert session.act("TurnLeft").success
    assert not session.act({"name": "Say", "text": "  "}).success
    assert "at most 1000" in session.act({"name": "Say", "text": "x" * 1001}).message


def test_refused_moves_come_to_the_limit() -> None:
    class Stubborn(Agent):
        def act(self, percept: Percept) -> str:
            return "Forward" if "Forward" not in {offer.name for offer in percept.offers} else "TurnLeft"

    trace = play(begin(), {"leader": Stubborn(), "follower": Stubborn()})
    assert trace.ended == "failures"
    assert trace.failures == Games.limits.failures


def test_a_leader_who_only_talks_comes_to_the_limit_of_steps() -> None:
    class Talker(Agent):
        def act(self, percept: Percept) -> str:
            return "say go on"

    trace = play(begin(), {"leader": Talker(), "follower": Talker()})
    assert (trace.ended, len(trace.steps)) == ("steps", Games.limits.steps)


@pytest.mark.parametrize("kind", [RandomAgent, FirstAgent])
@pytest.mark.parametrize("options", [Options(), Options(interrupt=True, feedback=True, questions=True)])
def test_agents_that_know_no_game_can_sit_in_both_seats(kind: type[Agent], options: Options) -> None:
    session = begin(options=options, clock=True)
    trace = play(session, {"leader": kind(), "follower": kind()})
    assert trace.ended in ("done", "steps", "failures")
    assert len(trace.steps) > 20


def test_the_text_of_the_leader_tells_where_everything_is() -> None:
    session = begin()
    text = session.observe("leader").text
    for card in session.game.cards.values():
        assert f"Card {card}: " in text
    assert text.count("; for the follower ") == 21
    assert "A set would be " in text
    assert "12 turns left, 5 steps left" in text
    assert "The follower is at " in text


def test_the_follower_who_sees_as_people_do_is_told_of_nothing_it_has_not_seen() -> None:
    session = begin(1, partial=True)
    session.act("say look around")
    session.act("EndTurn")
    view = session.observe().data
    assert 0 < len(view.cards) < 21
    assert session.observe().text.count("Card ") == len(view.cards)
    for _ in range(5):
        session.act("TurnRight")
    assert len(session.observe().data.cards) > len(view.cards)


def test_a_way_is_told_as_steps_that_lead_there() -> None:
    session = begin()
    hexmap = session.game.map
    sides = ("ahead", "ahead right", "behind right", "behind", "behind left", "ahead left")
    for target in (0, 30, 333, 624):
        for heading in range(6):
            at, told = 12 * 25 + 12, way((12 * 25 + 12) * 6 + heading, target, 25)
            for part in told.split(": ")[1].split(", "):
                count, _, side = part.partition(" ")
                for _ in range(int(count)):
                    from housemates.benchmarks.cerealbar.world.hexes import neighbours

                    at = neighbours(hexmap.size)[at][(heading + sides.index(side)) % 6]
            assert at == target, told
    assert way(60, 10, 25) == "here"


def test_the_follower_hears_an_instruction_when_its_turn_comes() -> None:
    session = begin()
    for text in ("one", "two"):
        session.act(f"say {text}")
    session.act("EndTurn")
    assert [each.text for each in session.observe("follower").said] == ["one"]
    assert [each.text for each in session.observe("leader").said] == ["one", "two"]
    session.act("Done")
    assert [each.text for each in session.observe("follower").said] == ["one", "two"]


def test_a_point_is_the_reward_of_both() -> None:
    session = begin()
    game = session.game
    at = next(at for at in game.map.playable if game.map.exits[at, 0] in game.map.playable)
    game.position[LEADER], game.heading[LEADER] = at, 0
    cards = list(game.cards.values())
    a, b, c = next(
        (i, j, k)
        for i in cards
        for j in cards
        for k in cards
        if len({i.colour, j.colour, k.colour}) == len({i.shape, j.shape, k.shape}) == 3
        and {i.number, j.number, k.number} == {1, 2, 3}
    )
    others = [place for place in game.map.playable if place not in (at, game.map.exits[at, 0])][:2]
    game.cards = {game.map.exits[at, 0]: a, others[0]: b, others[1]: c}
    game.selected = list(others)
    session.act("Forward")
    assert session.reward("leader") == session.reward("follower") == 1.0
    session.act("TurnLeft")
    assert session.reward("leader") == 0.0


def test_pictures_are_drawn_when_asked_for_and_belong_to_the_one_who_asked() -> None:
    session = begin()
    pictures = session.observe("leader").pictures
    assert list(pictures) == ["map", "overhead"]
    first = pictures["map"]()
    assert first.shape == (700, 900, 3)
    first[:] = 0
    assert session.observe("leader").pictures["map"]().max() > 0
    session.act("say go")
    session.act("EndTurn")
    assert session.observe().pictures["view"]().shape == (600, 960, 3)
    with pytest.raises(HousematesError, match="over"):
        pictures["map"]()
    with pytest.raises(HousematesError, match="no picture"):
        session.drawn("follower", "map")


def test_a_leader_who_may_interrupt_gets_a_moment_after_each_step() -> None:
    session = begin(options=Options(interrupt=True))
    assert "Interrupt" not in names(session, "leader")
    session.act("say turn around")
    session.act("EndTurn")
    session.act("TurnLeft")
    assert session.role == "leader"
    assert names(session, "leader") == ["Watch", "Interrupt"]
    assert not session.act("TurnLeft").success
    assert session.act("Watch").success
    assert session.role == "follower"
    session.act("TurnLeft")
    assert session.act("Interrupt").success
    assert (session.role, session.game.role, session.game.steps) == ("leader", LEADER, 5)
    assert [item.state for item in session.game.instructions] == ["cancelled"]
    assert not session.act("Watch").success


def test_questions_are_answered_and_feedback_is_given() -> None:
    session = begin(options=Options(questions=True, feedback=True))
    session.act("say get it")
    session.act("EndTurn")
    assert session.act("Ask which one?").success
    assert names(session, "leader") == ["Watch", "Feedback", "Answer"]
    assert session.act({"name": "Answer", "text": "the red one"}).success
    assert session.role == "follower"
    assert [each.text for each in session.observe().said] == ["get it", "which one?", "the red one"]
    assert "leader (answer): the red one" in session.observe().text
    session.act("TurnLeft")
    assert session.act("good").success
    assert not begin(options=Options(feedback=True)).act({"name": "Feedback", "feedback": "so so"}).success
    assert session.game.messages[-1] == (LEADER, "feedback", "good")


def test_scripted_players_play_on_where_the_leader_could_interrupt(pair: Pair) -> None:
    plain, watched = begin(), begin(options=Options(interrupt=True))
    for session in (plain, watched):
        assert play(session, pair("talking")).ended == "done"
    assert watched.game.score == plain.game.score > 0


def test_waiting_is_offered_where_there_is_a_clock() -> None:
    assert "Wait" not in names(begin(), "leader")
    session = begin(clock=True)
    session.act("say go")
    assert session.act("Wait 44").success
    assert session.role == "leader"
    assert session.act({"name": "Wait", "seconds": 1}).success
    assert session.role == "follower"
    assert not session.act({"name": "Wait", "seconds": -1}).success


def told(session: Session, role: str) -> str:
    """All that a role is told, in one text."""
    brief, percept = session.brief(role), session.observe(role)
    return f"{brief} {percept.text} {percept.offers} {percept.said} {percept.data}"


def test_the_follower_knows_neither_the_next_instruction_nor_the_map_it_has_not_seen_nor_the_seed() -> None:
    session = begin(1, partial=True)
    for text in ("the first", "the second"):
        session.act(f"say {text}")
    session.act("EndTurn")
    assert "the second" in told(session, "leader")
    assert "the first" in told(session, "follower")
    assert "the second" not in told(session, "follower")
    assert session.observe("follower").data.map != session.game.map
    assert session.game.seed not in session.brief("follower").data.values()


def test_the_follower_of_a_recorded_game_does_not_know_what_comes(corpus: list[Recording]) -> None:
    script = take_apart(max(corpus, key=lambda game: game.score))
    data = Entry(script.recording, script.completed[0])
    session = RecordedSession(Instance("x", "instruction", data), Recorded.limits)
    later = script.recording.instructions[script.completed[0] + 1].text
    assert later not in told(session, "follower")


def test_a_game_is_named_by_its_seed_and_always_the_same() -> None:
    benchmark = Games()
    references = benchmark.references("generated", 2)
    first, second = next(references), next(references)
    assert (first.id, first.data, second.data) == ("game-2-0", 200_000, 200_001)
    (one,), (other,) = benchmark.open(first), benchmark.open(first)
    assert benchmark.session(one).digest() == benchmark.session(other).digest() == new_game(200_000).digest()
    with pytest.raises(HousematesError, match="expected 'generated', found 'test'"):
        benchmark.references("test", 0)
    with pytest.raises(HousematesError, match="--seed: expected 0 or more"):
        benchmark.references("generated", -1)


def test_an_instance_can_be_written_and_read() -> None:
    benchmark = Games(GameOptions(width=12, height=14, cards=9, covers=True))
    (instance,) = benchmark.open(next(benchmark.references("generated", 1)))
    read = msgspec.msgpack.decode(msgspec.msgpack.encode(instance), type=Instance)
    assert benchmark.session(read).digest() == benchmark.session(instance).digest()
    assert benchmark.session(read).game.options == benchmark.options.game


def test_the_runner_evaluates_whole_games() -> None:
    run = Run("cerealbar", seat_all(Games, ["planner"], {}), "generated", 2)
    report = evaluate(run, workers=1, progress=False)
    assert (report["episodes"], report["errors"], report["privileged"]) == (2, 0, [])
    assert report["success"] == 100.0
    assert report["metrics"]["points"] >= 12
    assert report["paper"]["people, the evaluation"]["points"] == 12.7


def test_a_game_with_an_error_is_a_game_without_points() -> None:
    good = Result("a", "game", {"success": 1.0, "points": 8.0, "turns": 64.0, "instructions": 20.0})
    found = summary_of_games([good, Result("b", "game", {}, ended="error", error="no idea")])
    assert (found["success"], found["points"], found["least"], found["turns"]) == (50.0, 4.0, 0.0, 32.0)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("cerealbar", {"view": "psychic"}, "full, partial"),
        ("cerealbar", {"width": "3"}, "expected 6 to 100"),
        ("cerealbar", {"cards": "2"}, "cards: expected 3 or more, found 2"),
        ("cerealbar", {"vieww": "full"}, "did you mean 'view'"),
        ("cerealbar-recorded", {"turns": "endless"}, "ten, recorded"),
    ],
)
def test_an_unknown_option_names_those_there_are(name: str, options: dict[str, str], words: str) -> None:
    from housemates.core import registry

    with pytest.raises(HousematesError, match=words):
        registry.benchmark(name, **options)


def test_the_names_of_moves_are_those_of_the_game() -> None:
    session = begin()
    session.act("say go")
    session.act("EndTurn")
    legal = session.observe().data.legal
    assert [MOVES.get(name, "DONE") for name in names(session, "follower")] == list(legal)
    assert session.game.role == FOLLOWER
