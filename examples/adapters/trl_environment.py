"""Train a language model on HandMeThat with TRL: the environment is a plain class, one method a tool.

python examples/adapters/trl_environment.py             # shows the tools and plays three acts
python examples/adapters/trl_environment.py MODEL       # trains; needs trl, transformers and a GPU
python examples/adapters/trl_environment.py MODEL --steps 1 --tokens 8   # as little as shows that it runs

A model whose chat template knows no tools is told them as lines, and answers in lines.
"""

import argparse

from housemates.adapters.plain_lines import with_lines
from housemates.adapters.trl import environment

Environment = environment("handmethat", options={"version": "2"})


def train(model: str, steps: int, tokens: int) -> None:
    """A GRPO run in which each row of the dataset is an episode by its seed."""
    import torch
    from datasets import Dataset
    from transformers import AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    rows = [{"prompt": [{"role": "user", "content": "Help the human."}], "seed": seed} for seed in range(256)]
    trainer = GRPOTrainer(
        model=model,
        args=GRPOConfig(
            output_dir="out/grpo",
            max_completion_length=tokens,
            max_steps=steps,
            per_device_train_batch_size=2 if steps > 0 else 8,
            num_generations=2 if steps > 0 else 8,
            use_cpu=not torch.cuda.is_available(),
            bf16=torch.cuda.is_available(),
            report_to=[],
        ),
        train_dataset=Dataset.from_list(rows),
        environment_factory=Environment,
        processing_class=with_lines(AutoTokenizer.from_pretrained(model)),
        reward_funcs=lambda environments, **_: [each.get_reward() for each in environments],
    )
    trainer.train()


def main() -> None:
    """Show the environment, or train in it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", nargs="?")
    parser.add_argument("--steps", type=int, default=-1)
    parser.add_argument("--tokens", type=int, default=4096)
    given = parser.parse_args()
    if given.model:
        train(given.model, given.steps, given.tokens)
        return
    env = Environment()
    print(env.reset(seed=1))
    for command in ("examine", "move to human", "inventory"):
        print(">", command, "\n", env.Command(command=command))
    print("reward:", env.get_reward())


if __name__ == "__main__":
    main()
