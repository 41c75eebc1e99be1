"""How much time language models lose to us: many episodes of HandMeThat at once against a scripted endpoint.

`python perf/llm.py --episodes 1000 --calls 10 --delay 0.2 --at-once 32` starts an endpoint on this machine
that takes its time for each call, evaluates an agent against it in threads, and compares with the ideal: all
calls, so many at a time, and nothing else. Then it repeats the run from its record, without the endpoint.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from housemates.core import registry
from housemates.core.loading import seat_all
from housemates.evaluation import runner
from housemates.parallel import Crew

BENCHMARK = "handmethat"


def answer(name: str, arguments: dict[str, Any]) -> bytes:
    """What the endpoint says: one call of a tool."""
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": 900, "completion_tokens": 20}
    body = json.dumps({"choices": [{"index": 0, "message": message}], "usage": usage}).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def endpoint(delay: float, calls: int, ready: Any) -> None:
    """Answer each call after a while: the last of an episode with `Stop`, the others with a walk."""
    walk, stop = answer("Command", {"command": "move to human"}), answer("Stop", {})

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                return
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            body = await reader.readexactly(length)
            began = time.perf_counter()
            turns = body.count(b'"role": "tool"') + 1
            await asyncio.sleep(max(0.0, delay - (time.perf_counter() - began)))
            writer.write(stop if turns >= calls else walk)
            await writer.drain()

    async def main() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 22)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


def evaluated(url: str, given: argparse.Namespace, out: Path, **options: str) -> tuple[float, dict[str, Any]]:
    """The seconds and the report of a run."""
    more = {"base_url": url, "memory": str(given.calls + 1), **options}
    seats = seat_all(registry.benchmark_class(BENCHMARK), ["llm:scripted"], more)
    began = time.perf_counter()
    run = runner.Run(BENCHMARK, seats, episodes=given.episodes)
    report = runner.evaluate(run, Crew(given.at_once, "threads"), out)
    return time.perf_counter() - began, report


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--calls", type=int, default=10, help="of each episode")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds of a call")
    parser.add_argument("--at-once", type=int, default=32)
    given = parser.parse_args()
    here, there = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    server = context.Process(target=endpoint, args=(given.delay, given.calls, there), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{here.recv()}/v1"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        seconds, report = evaluated(url, given, out / "run")
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        server.terminate()
        calls = str(out / "run" / "calls.jsonl")
        again, repeated = evaluated(url, given, out / "again", calls=calls, offline="yes")
    made = report["usage"]["robot"]["calls"]
    ideal = made * given.delay / given.at_once
    for each in (report, repeated):
        each.pop("seconds")
    told = {
        "episodes": report["episodes"],
        "calls": made,
        "seconds": round(seconds, 1),
        "ideal": round(ideal, 1),
        "ratio": round(seconds / ideal, 2),
        "cpu": round(used.ru_utime + used.ru_stime, 1),
        "repeated": report == repeated,
        "seconds offline": round(again, 1),
    }
    print(json.dumps(told))
    sys.exit(report != repeated)


if __name__ == "__main__":
    main()
