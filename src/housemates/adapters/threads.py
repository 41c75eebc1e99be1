"""Work off an event loop that others wait for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from anyio import CancelScope, to_thread

Found = TypeVar("Found")


async def aside(function: Callable[..., Found], *arguments: Any) -> Found:
    """Call a function in a thread; whoever is cut off meanwhile does not wait for it."""
    return await to_thread.run_sync(partial(function, *arguments), abandon_on_cancel=True)


async def at_last(function: Callable[[], None]) -> None:
    """Call a function that makes room for others in a thread, also for whoever has been cut off."""
    with CancelScope(shield=True):
        await to_thread.run_sync(function)
