"""Play three acts of HandMeThat through SkyRL's registry of environments: needs `pip install skyrl-gym`.

python examples/adapters/skyrl_environment.py
"""

import json

import skyrl_gym

from housemates.adapters.skyrl import environment

Environment = environment("handmethat", turns=3)


def main() -> None:
    """Begin an episode, answer in lines, and print what came of each."""
    skyrl_gym.register(id="handmethat", entry_point=Environment)
    env = skyrl_gym.make("handmethat", env_config=None, extras={"seed": 7})
    messages, _ = env.init([{"role": "system", "content": "Help the human."}])
    print(messages[-1]["content"])
    for line in ("examine", "fly to the moon", "move to human"):
        answer = env.step(line)
        told = {"line": line, "reward": answer["reward"], "done": answer["done"], **answer["metadata"]}
        print(json.dumps(told))


if __name__ == "__main__":
    main()
