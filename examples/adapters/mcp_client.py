"""Play a seat through MCP, as an assistant would.

python examples/adapters/mcp_client.py            # home; needs mcp
python examples/adapters/mcp_client.py handmethat
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters

ACTS = 4


async def main(benchmark: str = "home") -> None:
    """Begin an episode, look, do what is offered a few times and see how it stands."""
    words = ["-m", "housemates.cli.main", "mcp", benchmark]
    async with Client(StdioServerParameters(command=sys.executable, args=words)) as client:
        begun = (await client.call_tool("begin", {"seed": 1})).structured_content
        handle = {"handle": begun["handle"]}
        print(begun["rules"])
        for number in range(ACTS):
            seen = await client.call_tool("observe", {**handle, "pictures": False})
            print(seen.content[0].text)
            offers = known(seen.content[0].text)
            act = offers[number % len(offers)]
            came = (await client.call_tool("act", {**handle, **act})).structured_content
            print(">", act, came)
            if came["over"]:
                break
        print((await client.call_tool("score", {**handle, "end": True})).structured_content)


def known(seen: str) -> list[dict]:
    """The acts that are offered and need nothing, or one of some choices; to stop comes last."""
    found = []
    for line in seen.partition("You can do:\n")[2].splitlines():
        name, _, told = line.removeprefix("- ").partition(": ")
        needed = json.loads(told[told.index("{") :]) if "{" in told else {}
        if all("enum" in each for each in needed.values()):
            found.append({"name": name, "arguments": {key: each["enum"][0] for key, each in needed.items()}})
    return sorted(found, key=lambda act: act["name"] == "Stop")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
