"""A language model in a seat: what it is told, what it may answer, what it may cost, and doing it again."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted import completion

from housemates.agents.llm import endpoint
from housemates.agents.llm.budget import Budget
from housemates.agents.llm.conversation import line_of, tool_of
from housemates.core.actions import Argument, Offer
from housemates.core.agent import Halt
from housemates.core.benchmark import Instance
from housemates.core.episode import Episode, play
from housemates.core.loading import Seating, make_agent
from housemates.errors import HousematesError

TAKE = completion(calls=(("Take", {"number": 1}),))


def run(counting: Any, url: str, *numbers: int, **options: Any) -> list[Any]:
    """The traces of some numbers."""
    benchmark = counting.Counting()
    given = {"base_url": f"{url}v1", "retries": "0", **{key: str(value) for key, value in options.items()}}
    agent = make_agent(counting.Counting, "counter", Seating("llm:scripted", given))
    found = []
    try:
        for number in numbers:
            instance = benchmark.open(counting.Reference(f"count-{number}", number))[0]
            found.append(play(benchmark.session(instance), {"counter": agent}, instance))
    finally:
        agent.close()
    return found


def in_turn(*answers: Any) -> Callable[[dict[str, Any]], Any]:
    """A model that gives these answers, and then counts well."""
    left = list(answers)
    return lambda message: left.pop(0) if left else TAKE


def test_a_model_is_told_rules_percepts_and_outcomes_and_given_the_offers_as_tools(counting, served) -> None:
    server = served(in_turn(completion(calls=(("Take", {"number": 2}),))))
    (trace,) = run(counting, server.url, 2, temperature=0)
    assert (trace.ended, trace.failures, len(trace.steps)) == ("done", 1, 3)
    path, _, body = server.heard[1]
    assert (path, body["model"], body["temperature"]) == ("/v1/chat/completions", "scripted", 0.0)
    assert [each["role"] for each in body["messages"]] == ["system", "user", "assistant", "tool", "user"]
    assert "Take 1 away until nothing is left." in body["messages"][0]["content"]
    assert body["messages"][3] == {"role": "tool", "content": "2 is not 1.", "tool_call_id": "call_0"}
    assert body["messages"][4]["content"] == "The number is 2."
    take, stop = (each["function"] for each in body["tools"])
    assert (take["name"], take["parameters"]["required"], stop["name"]) == ("Take", ["number"], "Stop")
    assert trace.usage["counter"] == {
        "calls": 3,
        "retries": 0,
        "tokens": 45,
        "input_tokens": 30,
        "output_tokens": 15,
        "nudges": 0,
    }


def test_an_answer_without_a_call_is_asked_for_again_and_counted(counting, served) -> None:
    server = served(in_turn(completion("Let me think."), completion(None)))
    (trace,) = run(counting, server.url, 1)
    assert (len(trace.steps), trace.failures, trace.usage["counter"]["nudges"]) == (1, 0, 2)
    assert "one of these tools: Take, Stop" in server.heard[1][2]["messages"][-1]["content"]


def test_words_count_as_the_act_when_patience_is_over(counting, served) -> None:
    server = served(in_turn(completion("take 1"), completion("I will not.")))
    (trace,) = run(counting, server.url, 2, nudges=0)
    assert [step.outcome.success for step in trace.steps] == [True, False, True]


@pytest.mark.parametrize("arguments", ['{"number": ', '"one"', "[1]", '{"number": "many"}', '{"x": 1}'])
def test_arguments_that_make_no_sense_are_a_failed_act(counting, served, arguments) -> None:
    server = served(in_turn(completion(calls=(("Take", arguments),))))
    (trace,) = run(counting, server.url, 1)
    assert (trace.ended, trace.failures, len(trace.steps)) == ("done", 1, 2)
    assert server.heard[1][2]["messages"][3]["content"].startswith("Take: ")


def test_of_several_calls_the_first_is_done_and_each_is_answered(counting, served) -> None:
    calls = (("Take", {"number": 1}), ("Stop", {}))
    server = served(in_turn(completion(calls=calls)))
    (trace,) = run(counting, server.url, 2)
    assert [step.act.name for step in trace.steps] == ["Take", "Take"]
    told = server.heard[1][2]["messages"]
    assert [each["content"] for each in told if each["role"] == "tool"] == [
        "Done.",
        "Not done: one act at a time.",
    ]


def test_a_model_is_reminded_of_some_turns_only_and_shown_pictures_if_asked(counting, served) -> None:
    server = served(in_turn())
    run(counting, server.url, 5, memory=2, pictures="yes")
    last = server.heard[-1][2]["messages"]
    assert [each["role"] for each in last] == ["system", "user", "assistant", "tool", "user"]
    text, picture = last[-1]["content"]
    assert text == {"type": "text", "text": "The number is 1."}
    assert picture["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


def test_a_busy_endpoint_is_asked_again_and_may_say_when(counting, served, monkeypatch) -> None:
    monkeypatch.setattr(endpoint, "FIRST_WAIT_S", 0.01)

    def busy(handler: Any) -> None:
        handler.wfile.write(b"HTTP/1.1 429 Slow down\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")

    server = served(in_turn(busy, (500, b"oops"), (200, b"{"), {"choices": []}))
    began = time.monotonic()
    (trace,) = run(counting, server.url, 1, retries=4)
    assert time.monotonic() - began > 1.0
    assert (trace.error, trace.usage["counter"]["retries"], len(server.heard)) == ("", 4, 5)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((400, b'{"error": "too long"}'), 'found 400 ({"error": "too long"})'),
        ((500, b""), "found 500 ()"),
        (b"<html>", "expected JSON"),
        (b'{"choices": [', "found an end in the middle; it is cut off."),
        ({"choices": [{"message": 3}]}, "choices[0].message: expected an object, found 3"),
        ({"choices": []}, "expected an answer, found none"),
        (lambda handler: time.sleep(1), "no answer within 0.3 s"),
    ],
)
def test_what_cannot_be_used_costs_its_episode_in_one_sentence(counting, served, answer, said) -> None:
    bad, good = run(counting, served(in_turn(answer)).url, 1, 2, timeout=0.3)
    assert said in bad.error
    assert good.ended == "done"


def test_an_episode_that_ends_in_an_error_keeps_what_it_took(counting, served, monkeypatch) -> None:
    """Walk 13: its retries were lost."""
    monkeypatch.setattr(endpoint, "FIRST_WAIT_S", 0.01)
    server = served(in_turn(TAKE, *[(500, b"no")] * 3))
    (trace,) = run(counting, server.url, 2, retries=2)
    assert "found 500" in trace.error
    used = trace.usage["counter"]
    assert (used["calls"], used["retries"], used["tokens"], len(server.heard)) == (2, 2, 15, 4)


def test_what_it_costs_is_told_where_prices_are(counting, served) -> None:
    (trace,) = run(counting, served(in_turn()).url, 2, input_price=2, output_price=10)
    assert trace.usage["counter"]["dollars"] == pytest.approx(2 * (10 * 2 + 5 * 10) / 1e6)


def test_an_answer_of_megabytes_is_neither_remembered_nor_recorded_whole(counting, served, tmp_path) -> None:
    """Attack, low: 15 MB were remembered, sent and recorded again."""
    record = tmp_path / "calls.jsonl"
    long = completion("x" * 600_000, calls=(("Take", {"number": 1, "why": "y" * 60_000}),) * 3)
    server = served(in_turn(long, completion("z" * 15_000_000)))
    (trace,) = run(counting, server.url, 2, calls=record, retries=0)
    assert "at most 1000000 bytes" in trace.error
    assert record.stat().st_size < 200_000
    assert len(json.dumps(server.heard[1][2])) < 200_000


def test_nobody_is_asked_where_no_endpoint_and_no_key_is_named(counting, monkeypatch) -> None:
    """Walk 25: the public endpoint was asked without a warning."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(
        HousematesError, match=r"llm:x: name an endpoint with --base-url .* or set OPENAI_API_KEY"
    ):
        make_agent(counting.Counting, "counter", Seating("llm:x"))


@pytest.mark.parametrize(("status", "said"), [(401, "the key is refused"), (404, "no such"), (429, "429")])
def test_what_no_call_can_change_stops_the_run(counting, served, status, said) -> None:
    with pytest.raises(Halt, match=said):
        run(counting, served(lambda message: (status, b"no")).url, 1)


def test_the_key_comes_from_the_environment_and_is_written_nowhere(
    counting, served, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    server = served(in_turn())
    run(counting, server.url, 1, calls=tmp_path / "calls.jsonl")
    assert server.heard[0][1]["Authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in (tmp_path / "calls.jsonl").read_text()


def test_a_record_repeats_a_run_without_a_call(counting, served, tmp_path) -> None:
    record = tmp_path / "calls.jsonl"
    server = served(in_turn(completion("hm"), (500, b"no"), TAKE))
    before = run(counting, server.url, 1, 2, calls=record)
    asked = len(server.heard)
    again = run(counting, "http://127.0.0.1:1/", 1, 2, calls=record, offline="yes")
    assert before == again
    assert len(server.heard) == asked
    assert len(record.read_text().splitlines()) == asked


def test_a_run_that_goes_on_asks_nothing_twice(counting, served, tmp_path) -> None:
    record = tmp_path / "calls.jsonl"
    server = served(in_turn())
    run(counting, server.url, 3, calls=record)
    record.write_bytes(record.read_bytes() + b'{"episode": "torn')
    run(counting, server.url, 3, 2, calls=record)
    assert len(server.heard) == 5


def test_a_record_of_something_else_is_one_sentence(counting, served, tmp_path) -> None:
    record = tmp_path / "calls.jsonl"
    run(counting, served(in_turn()).url, 1, calls=record)
    (missing,) = run(counting, "http://127.0.0.1:1/", 2, calls=record, offline="yes")
    assert "is not in it" in missing.error
    (other,) = run(counting, "http://127.0.0.1:1/", 1, calls=record, offline="yes", temperature=1)
    assert "was another one" in other.error
    with pytest.raises(HousematesError, match="expected the record"):
        run(counting, "http://127.0.0.1:1/", 1, calls=tmp_path / "none.jsonl", offline="yes")


def test_a_budget_stops_within_one_call(counting, served, tmp_path) -> None:
    server, record = served(in_turn()), tmp_path / "calls.jsonl"
    with pytest.raises(Halt, match="budget of 40 tokens is used up"):
        run(counting, server.url, 9, budget=40, calls=record)
    assert len(server.heard) == 3, "45 tokens are the first sum of 15 that is not below 40"
    with pytest.raises(Halt, match="budget of 61"):
        run(counting, server.url, 9, budget=61, calls=record)
    assert len(server.heard) == 5, "what is in the record is counted and not asked again"


def test_many_at_once_overdraw_a_budget_by_one_call_at_most() -> None:
    budget, halted = Budget(10_000), []

    def caller(number: int) -> None:
        try:
            while True:
                with budget.call(50) as spending:
                    time.sleep(0.0005)
                    spending.tokens = 60 + number
        except Halt:
            halted.append(number)

    threads = [threading.Thread(target=caller, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(halted) == 16
    assert 10_000 <= budget.used < 10_000 + 76


def test_tools_have_no_alternatives_and_no_masks_where_one_can_point_otherwise() -> None:
    from housemates.core.actions import Argument, Offer

    ways = tuple(Argument(kind, kind, required=False) for kind in ("object", "point", "mask"))
    both = tool_of(Offer("Pickup", "Take it.", ways, one_of=("object", "point", "mask")))
    assert (both.help, list(both.parameters["properties"])) == (
        "Take it. Give object or point.",
        ["object", "point"],
    )
    assert "anyOf" not in both.parameters
    one = tool_of(Offer("Pickup", "Take it.", (ways[0], ways[2]), one_of=("object", "mask")))
    assert one.parameters["required"] == ["object"]
    only = tool_of(Offer("Pickup", "Take it.", ways[2:], one_of=("mask",)))
    assert list(only.parameters["properties"]) == only.parameters["required"] == ["mask"]


def test_an_endpoint_that_is_down_is_one_sentence(program) -> None:
    words = ["--base-url", "http://127.0.0.1:1/v1", "--agent-option", "retries=0"]
    done = program("eval", "counting", "--agents", "llm:x", "--option", "start=1", *words)
    assert done.returncode == 2
    assert "cannot be reached" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_run_of_the_command_line_is_recorded_and_repeated(program, served, tmp_path: Path) -> None:
    server = served(in_turn(completion("take one, please"), (500, b"no")))
    words = ["eval", "counting", "--agents", "llm:x", "--episodes", "4", "--agent-option", "retries=0"]
    asked = program(*words, "--base-url", f"{server.url}v1", "--out", "run", "--json")
    assert asked.returncode == 0, asked.stderr
    words += ["calls=run/calls.jsonl", "offline=yes", "--base-url", f"{server.url}v1"]
    calls = len(server.heard)
    again = program(*words, "--out", "again", "--json")
    assert again.returncode == 0, again.stderr
    before, after = json.loads(asked.stdout), json.loads(again.stdout)
    assert before.pop("seconds") + after.pop("seconds") > 0
    assert before == after
    assert len(server.heard) == calls
    one, two = (
        [json.loads(line) for line in (tmp_path / name / "episodes.jsonl").read_text().splitlines()]
        for name in ("run", "again")
    )
    assert [{**each, "seconds": 0} for each in one] == [{**each, "seconds": 0} for each in two]


def test_a_budget_stops_a_run_of_many_at_once_and_a_larger_one_goes_on(program, served) -> None:
    server = served(in_turn())
    words = [
        "eval",
        "counting",
        "--agents",
        "llm:x",
        "--option",
        "start=3",
        "--episodes",
        "12",
        "--out",
        "run",
    ]
    words += ["--workers", "6", "--json", "--base-url", f"{server.url}v1", "--agent-option"]
    stopped = program(*words, "budget=600")
    assert stopped.returncode == 0, stopped.stderr
    assert stopped.stderr.startswith("Stopped after ") and ".;" not in stopped.stderr
    assert "a larger one is needed to go on. They are in run; once this is changed" in stopped.stderr
    assert "budget of 600 tokens is used up" in json.loads(stopped.stdout)["halted"]
    assert 600 <= 15 * len(server.heard) < 615
    whole = program(*words, "budget=6000")
    report = json.loads(whole.stdout)
    assert (report["episodes"], report["halted"], report["success"]) == (12, "", 100.0)
    acts = sum(3 + number for number in range(12))
    assert (report["usage"]["counter"]["calls"], len(server.heard)) == (acts, acts)


def test_a_copy_has_a_conversation_of_its_own_and_asks_the_same_service(counting, served) -> None:
    server = served(lambda message: TAKE)
    seating = Seating("llm:scripted", {"base_url": f"{server.url}v1", "retries": "0"})
    agent = make_agent(counting.Counting, "counter", seating)
    episode = Episode(counting.Counting(), Instance("count", "odd", 3), {"counter": agent})
    episode.step()
    twin = episode.fork()
    assert (episode.run().ended, twin.run().ended) == ("done", "done")
    sent = [body["messages"] for _, _, body in server.heard]
    assert len(sent) == 5
    assert sent[1:3] == sent[3:], "the twin tells what was said before, and nothing of the other"
    assert twin.trace.usage == episode.trace.usage
    for each in (agent, twin.agents["counter"]):
        each.close()
    assert not endpoint._services


def test_what_is_told_only_once_stays_when_older_turns_are_dropped(counting, served, monkeypatch) -> None:
    monkeypatch.setattr(counting.Countdown, "told_once", True)
    server = served(in_turn())
    run(counting, server.url, 5, memory=2)
    last = server.heard[-1][2]["messages"]
    assert [each["content"] for each in last if each["role"] == "user"] == [
        "The number is 5.",
        "The number is 2.",
        "The number is 1.",
    ]
    assert [each["role"] for each in last] == ["system", *["user", "assistant", "tool"] * 2, "user"]


def test_of_past_turns_only_the_outcomes_may_be_kept(counting, served) -> None:
    server = served(in_turn())
    run(counting, server.url, 3, past="outcomes")
    told = server.heard[-1][2]["messages"]
    assert [each["content"] for each in told if each["role"] == "user"] == [
        *["(What you perceived then is left out.)"] * 2,
        "The number is 1.",
    ]
    assert [each["content"] for each in told if each["role"] == "tool"] == ["Done.", "Done."]


def test_a_model_without_tools_is_told_lines_and_answers_one(counting, served) -> None:
    server = served(in_turn(completion("Take 2\nbecause it is more"), completion("\n"), completion("Take 1")))
    (trace,) = run(counting, server.url, 1, tools="no")
    assert [step.outcome.success for step in trace.steps] == [False, True]
    assert trace.usage["counter"]["nudges"] == 1
    body = server.heard[1][2]
    assert "tools" not in body and "tool_choice" not in body
    assert [each["role"] for each in body["messages"]] == ["system", "user", "assistant", "user"]
    assert body["messages"][-1]["content"].startswith(
        "2 is not 1.\n\nThe number is 1.\n\nNow one line of these:"
    )


def test_lines_hold_what_can_be_chosen() -> None:
    things = Argument("object", "object", "What to take.", ("mug 1", "mug 2"))
    command = Argument("command", "choice", "What to do.", ("move to table", "examine"))
    assert line_of(Offer("Take", "Take it.", (things,))) == "- Take mug 1 | mug 2: Take it."
    assert line_of(Offer("Command", "Do it.", (command,))) == "- move to table | examine: Do it."
    assert (
        line_of(Offer("Say", "Speak.", (Argument("text", "text", "What to say."),))) == "- Say (What to say)"
    )
