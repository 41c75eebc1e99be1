"""Learners' libraries train in environments as they are, from the one that `make test-doors` prepares."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = Path(os.environ.get("HOUSEMATES_DOORS_ENVIRONMENTS", ROOT / ".venv-doors"))
SEATS = {
    "housemates/home-v3": {"size": "48", "steps": 30},
    "housemates/handmethat-v1": {},
    "housemates/cerealbar-v2": {},
}
MADE = """
import warnings; warnings.simplefilter("ignore")
env_id, options = {env_id!r}, {options!r}
options = dict(options, actions="flat", supply=2)
"""
STABLE_BASELINES = """
import gymnasium, housemates
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks

check_env(gymnasium.make(env_id, **options).unwrapped, warn=False)
for kind in (PPO, MaskablePPO):
    envs = make_vec_env(env_id, n_envs=2, env_kwargs=options)
    small = dict(n_steps=16, batch_size=16, n_epochs=1, policy_kwargs=dict(net_arch=[16]))
    model = kind("MultiInputPolicy", envs, **small).learn(48)
env = gymnasium.make(env_id, **options)
observation, _ = env.reset(seed=0)
action, _ = model.predict(observation, action_masks=get_action_masks(env))
assert observation["action_mask"][action]
env.step(action)
print("learnt", model.num_timesteps)
"""
TORCHRL = """
import housemates, torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import GymEnv
from torchrl.envs.utils import check_env_specs

env = GymEnv(env_id, categorical_action_encoding=True, **options)
check_env_specs(env)
count = env.action_spec.n
logits = torch.nn.Parameter(torch.zeros(count))

def act(mask):
    return torch.distributions.Categorical(logits=logits.masked_fill(mask == 0, -1e9)).sample()

policy = TensorDictModule(act, in_keys=["action_mask"], out_keys=["action"])
for data in Collector(env, policy, frames_per_batch=20, total_frames=40):
    chosen = data["action_mask"].gather(-1, data["action"].unsqueeze(-1))
    assert chosen.all()
print("collected", data.numel())
"""
RLLIB = """
import gymnasium, housemates, ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.connectors.env_to_module import FlattenObservations
from ray.tune.registry import register_env

register_env("seat", lambda config: gymnasium.make(env_id, **options))
ray.init(num_cpus=1, include_dashboard=False)
config = PPOConfig().environment("seat").learners(num_learners=0).env_runners(
    num_env_runners=0, env_to_module_connector=lambda *_, **__: FlattenObservations()
).training(train_batch_size=64, minibatch_size=32, num_epochs=1)
print("sampled", config.build_algo().train()["env_runners"]["num_env_steps_sampled"])
ray.shutdown()
"""


def said_by(place: str, env_id: str, program: str) -> str:
    """What a program prints in one of the environments that `make test-doors` prepares."""
    python = ENVIRONMENTS / place / "bin" / "python"
    if not python.exists():
        pytest.skip(f"learners' libraries are not installed in {python.parents[1]}: run make test-doors")
    code = MADE.format(env_id=env_id, options=SEATS[env_id]) + program
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
    environ["RAY_USAGE_STATS_ENABLED"] = "0"
    run = subprocess.run([python, "-c", code], capture_output=True, text=True, env=environ, timeout=600)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


@pytest.mark.parametrize("env_id", SEATS)
@pytest.mark.parametrize(
    ("program", "said"), [(STABLE_BASELINES, "learnt 64"), (TORCHRL, "collected 20")], ids=["sb3", "torchrl"]
)
def test_a_library_trains_without_a_wrapper(env_id: str, program: str, said: str) -> None:
    assert said in said_by("learners", env_id, program)


def test_rllib_trains_with_its_own_connector() -> None:
    assert "sampled 64" in said_by("rllib", "housemates/home-v3", RLLIB)
