"""What the adapters of agents have in common: the action that is one turn of an agent, up to where it asks or ends."""

from datetime import timedelta

from actions.kit.action import Action, Function, action
from actions.kit.context import Context
from actions.kit.policies.policy import Policy


def turn_action(turn: Function, agent: str, policy: Policy, time_limit: timedelta, *, idempotent: bool) -> Action:
    """The action of a turn. It asks nothing itself, so nobody need find it again."""
    return action(
        id="agent_turn",
        name=f"Turn of {agent}",
        description="Runs the model, and the tools that need no approval or have it.",
        policy=policy,
        time_limit=time_limit,
        idempotent=idempotent,
    )(turn)


def nothing(_: Context) -> None:
    """What the tools of an agent get where its author gives them nothing."""
