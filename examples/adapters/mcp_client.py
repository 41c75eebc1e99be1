"""Play a seat through MCP, as an assistant would: `python examples/adapters/mcp_client.py home`."""

import asyncio
import sys

from mcp import Client, StdioServerParameters


async def main(benchmark: str) -> None:
    """Begin an episode, look, turn around and see how it stands."""
    there = StdioServerParameters(command="housemates", args=["mcp", benchmark])
    async with Client(there) as client:
        begun = (await client.call_tool("begin", {"seed": 1})).structured_content
        handle = {"handle": begun["handle"]}
        print(begun["rules"])
        print((await client.call_tool("observe", {**handle, "pictures": False})).content[0].text)
        for _ in range(4):
            act = {**handle, "name": "RotateRight"}
            print((await client.call_tool("act", act)).structured_content)
        print((await client.call_tool("score", {**handle, "end": True})).structured_content)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
