"""Play a seat that `housemates serve` offers, with OpenEnv's own generic client.

housemates serve handmethat --port 8000
python examples/adapters/openenv_client.py http://127.0.0.1:8000   # needs openenv
"""

import sys

from openenv.core import GenericEnvClient


def main(address: str) -> None:
    """Take the first offer that needs nothing, or the first choice of one, until the episode is over."""
    with GenericEnvClient(base_url=address).sync() as client:
        result = client.reset(seed=1)
        while not result.done:
            result = client.step(act(result.observation["offers"]))
        print(result.metadata["scores"], client.state()["step_count"])


def act(offers: list[dict]) -> dict:
    """The first thing that can be done."""
    for offer in offers:
        needed = offer["schema"]["required"]
        choices = [offer["schema"]["properties"][name].get("enum") for name in needed]
        if all(choices):
            return {
                "name": offer["name"],
                "arguments": dict(zip(needed, (c[0] for c in choices), strict=True)),
            }
    return {"name": offers[-1]["name"]}


if __name__ == "__main__":
    main(sys.argv[1])
