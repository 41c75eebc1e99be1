"""A drop-in for AI2-THOR's Python client: the same calls, answered by the home."""

from housemates.thor.controller import Controller
from housemates.thor.events import Event, MultiAgentEvent

__all__ = ["Controller", "Event", "MultiAgentEvent"]
