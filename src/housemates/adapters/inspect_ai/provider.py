"""Agents of ours as models: `--model housemates/oracle`, `/first`, `/random`; no key and no network."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from housemates.adapters.threads import aside
from housemates.agents.llm.chat import LETTERS
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Percept
from housemates.errors import HousematesError

ORACLE = "oracle"
"""Stands for the agent that the benchmark says knows best."""


@dataclass(frozen=True)
class Turn:
    """Whose turn it is in the episode that calls a model."""

    agent: Agent
    percept: Percept


TURN: ContextVar[Turn | None] = ContextVar("TURN", default=None)


class Housemate(ModelAPI):
    """Answers with the act of an agent as a tool call."""

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """What the agent of this name does at this turn."""
        turn = TURN.get()
        if turn is None or tool_choice == "none":
            raise HousematesError(f"housemates/{self.model_name} can play the tasks of housemates alone.")
        answer = await aside(turn.agent.act, turn.percept)
        output = self._output(answer)
        into, out = sum(len(each.text) for each in input) // LETTERS, len(str(answer)) // LETTERS
        output.usage = ModelUsage(input_tokens=into, output_tokens=out, total_tokens=into + out)
        return output

    def _output(self, answer: Any) -> ModelOutput:
        if isinstance(answer, Act):
            answer = answer.plain()
        if not isinstance(answer, dict):
            return ModelOutput.from_content(self.model_name, str(answer))
        arguments = dict(answer.get("arguments", {}))
        return ModelOutput.for_tool_call(self.model_name, answer["name"], arguments, content="")


@modelapi(name="housemates")
def housemates() -> type[ModelAPI]:
    """The class that Inspect calls for models named `housemates/...`."""
    return Housemate
