"""Play a seat that `housemates serve` offers, with OpenEnv's own generic client: pip install openenv==0.10.0

python examples/adapters/openenv_client.py                        # serves HandMeThat itself
python examples/adapters/openenv_client.py http://127.0.0.1:8000  # or: of `housemates serve handmethat`
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def served(benchmark: str) -> Iterator[str]:
    """The address of a server of our own; it says where it listens."""
    words = ["housemates", "serve", benchmark, "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield next(word for word in server.stdout.readline().split() if word.startswith("http"))
        finally:
            server.terminate()


if __name__ == "__main__":
    if sys.argv[1:]:
        main(sys.argv[1])
    else:
        with served("handmethat") as there:
            main(there)
