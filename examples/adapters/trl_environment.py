"""Train a language model on HandMeThat with TRL: the environment is a plain class, one method a tool.

python examples/adapters/trl_environment.py             # shows the tools and plays three acts
python examples/adapters/trl_environment.py MODEL       # trains; needs trl, transformers and a GPU
"""

import sys

from housemates.adapters.trl import environment

Environment = environment("handmethat", options={"version": "2"})


def train(model: str) -> None:
    """A GRPO run in which each row of the dataset is an episode by its seed."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    rows = [{"prompt": [{"role": "user", "content": "Help the human."}], "seed": seed} for seed in range(256)]
    trainer = GRPOTrainer(
        model=model,
        args=GRPOConfig(output_dir="out/grpo", max_completion_length=4096),
        train_dataset=Dataset.from_list(rows),
        environment_factory=Environment,
        reward_funcs=lambda environments, **_: [each.get_reward() for each in environments],
    )
    trainer.train()


if __name__ == "__main__":
    if sys.argv[1:]:
        train(sys.argv[1])
    else:
        env = Environment()
        print(env.reset(seed=1))
        for command in ("examine", "move to human", "inventory"):
            print(">", command, "\n", env.Command(command=command))
        print("reward:", env.get_reward())
