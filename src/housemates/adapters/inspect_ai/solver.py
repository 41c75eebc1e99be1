"""The loop of an episode in Inspect: models and agents of ours, each at its turn."""

from __future__ import annotations

from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    Model,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams
from inspect_ai.util import store

from housemates.adapters.inspect_ai.plan import House, TaskSettings, house
from housemates.adapters.inspect_ai.provider import ORACLE, TURN, Housemate, Turn
from housemates.adapters.threads import aside
from housemates.agents.llm.conversation import MEMORY, Call, Conversation, Message, Tool
from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.benchmark import Instance
from housemates.core.episode import Episode
from housemates.core.loading import Seating, make_agents
from housemates.core.percepts import Percept
from housemates.core.trace import Step

ACTS, NUDGES, ERROR = "acts", "nudges", "error"
"""What the store of a sample holds: all that was answered, role by role; how often models were nudged; and
which agent failed, and how."""


@solver
def seats(
    benchmark: str,
    split: str,
    episodes: int,
    seed: int,
    options: str,
    agents: str,
    pictures: bool = False,
    memory: int = MEMORY,
    act_timeout: float | None = None,
) -> Solver:
    """Play an episode with models in all seats that no agent of ours has."""
    plan = TaskSettings(benchmark, split, episodes, seed, options, agents)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        made = house(plan)
        store().set(ACTS, [])
        store().set(NUDGES, {})
        store().set(ERROR, "")
        table = await aside(_Table, made, made.instances[str(state.sample_id)], pictures, memory, act_timeout)
        state.messages = []
        while not table.over:
            await table.turn(state)
        store().set(ERROR, table.error)
        state.completed = True
        return state

    return solve


class _Table:
    """One episode: who sits where, and what has been said to the models."""

    def __init__(
        self, made: House, instance: Instance, pictures: bool, memory: int, act_timeout: float | None
    ) -> None:
        kind = type(made.benchmark)
        self._models = {role: get_model(role=role) for role in kind.roles if role not in made.ours}
        seated = dict(made.ours)
        for role, model in self._models.items():
            if isinstance(model.api, Housemate):
                name = model.api.model_name
                seated[role] = Seating(registry.expert(made.benchmark, role) if name == ORACLE else name)
        agents = make_agents(kind, seated)
        self._episode = Episode(
            made.benchmark, instance, agents, act_timeout=act_timeout, key=str(made.plan.seed)
        )
        self._talks = {
            role: Conversation(self._episode.brief(role), pictures, memory) for role in self._models
        }
        self._sent: dict[int, tuple[Message, ChatMessage]] = {}

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self._episode.over

    @property
    def error(self) -> str:
        """Which agent failed, and how."""
        return self._episode.trace.error

    async def turn(self, state: TaskState) -> None:
        """Let the role whose turn it is act."""
        role = self._episode.turn
        assert role is not None
        if role in self._models:
            answer = await self._asked(role, self._episode.percept(), state)
            step: Step | None = await aside(self._episode.take, answer)
        else:
            step = await aside(self._episode.step)
            answer = None if step is None else step.act or step.answer
        if step is not None:
            store().get(ACTS).append([role, answer.plain() if isinstance(answer, Act) else answer])

    async def _asked(self, role: str, percept: Percept, state: TaskState) -> Any:
        """What a model does; one that calls for nothing is nudged."""
        talk, model = self._talks[role], self._models[role]
        await aside(talk.perceive, percept)
        agent = self._episode.agents.get(role)
        TURN.set(Turn(agent, percept) if agent is not None else None)
        while True:
            state.output = await self._generated(model, talk, state)
            said = state.output.message
            act = talk.hear(said.text, tuple(map(_call, said.tool_calls or ())), said)
            state.messages.append(said)
            store().get(NUDGES)[role] = talk.nudged
            if act is not None:
                return act

    async def _generated(self, model: Model, talk: Conversation, state: TaskState) -> Any:
        messages = talk.messages()
        fresh = [each for each in messages if id(each) not in self._sent and each.original is None]
        for each in fresh:
            self._sent[id(each)] = each, _message(each)
        state.messages += [self._sent[id(each)][1] for each in fresh]
        sent = [each.original or self._sent[id(each)][1] for each in messages]
        return await model.generate(sent, tools=list(map(_tool, talk.tools)), tool_choice="any")


def _message(message: Message) -> ChatMessage:
    if message.role == "system":
        return ChatMessageSystem(content=message.text)
    if message.role == "tool":
        return ChatMessageTool(
            content=message.text, tool_call_id=message.answers, metadata={"reason": message.reason}
        )
    if message.role == "assistant":
        return ChatMessageAssistant(content=message.text)
    content: list[Content] = [ContentText(text=message.text)]
    content += [ContentImage(image=f"data:image/png;base64,{each}") for each in message.pictures]
    return ChatMessageUser(content=content if message.pictures else message.text)


def _tool(tool: Tool) -> ToolInfo:
    return ToolInfo(
        name=tool.name, description=tool.help, parameters=ToolParams.model_validate(tool.parameters)
    )


def _call(call: ToolCall) -> Call:
    """A call; arguments that could not be read stay what they were, and are refused as an act."""
    return Call(call.id, call.function, call.parse_error or call.arguments)
