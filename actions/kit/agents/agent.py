"""What an agent is: its instructions, its model, its tools and limits, and what it lacks before it can work.

Nothing here loads the model's library: an installation without it has the agent all the same, which then says what to set.
"""

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from actions.kit.action import Action
from actions.kit.extras import install_advice
from actions.kit.policies.policy import Policy

LIBRARY = "pydantic_ai"
MODEL_SETTING = "SIGNOFF_AGENT_MODEL"
NO_LIBRARY = f"No agent works here yet: {LIBRARY} is not installed; {install_advice('agent')}."
NO_MODEL = (
    f"No agent works here yet: no model is set. An operator sets {MODEL_SETTING}, such as openai:gpt-5 or "
    "anthropic:claude-sonnet-4-6, and the provider's key in its own variable, such as OPENAI_API_KEY."
)

Model = Any
"""`provider:name`, a model of pydantic-ai, or a function without arguments that gives either when it is needed."""
Tools = Sequence[str | Action] | Callable[[Action], bool]
NeedsApproval = Collection[str] | Callable[[Action], bool]


@dataclass(frozen=True, slots=True)
class Limits:
    """Where an agent stops: turns of its model, tokens in all, turns in a row of which nothing made sense."""

    turns: int = 20
    tokens: int = 200_000
    faults: int = 3


@dataclass(frozen=True, eq=False)
class Agent:
    """What `agent_action` was given."""

    id: str
    name: str
    instructions: str
    tools: Tools
    needs_approval: NeedsApproval
    policy: Policy
    limits: Limits
    model: Model = field(repr=False)

    @property
    def chosen_model(self) -> Any:
        """The model, or its name; empty where none is set."""
        model = self.model
        if callable(model) and not hasattr(model, "request"):
            model = model()
        return os.environ.get(MODEL_SETTING, "").strip() if model is None else model

    def asks_first(self, tool: Action) -> bool:
        """Whether a person approves each call of a tool before it is executed."""
        needed = self.needs_approval
        return bool(needed(tool)) if callable(needed) else tool.id in needed

    def lacks(self) -> str | None:
        """What must be set before it works, in words; `None` where nothing is missing."""
        if find_spec(LIBRARY) is None:
            return NO_LIBRARY
        return None if self.chosen_model else NO_MODEL


def agent_of(action: Action) -> Agent | None:
    """What an action was made of by `agent_action`; `None` for any other."""
    found = getattr(action.function, "agent", None)
    return found if isinstance(found, Agent) else None
