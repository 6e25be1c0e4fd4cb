"""What an author imports: `from actions import action, ActionInterrupt, Context`.

Each name is loaded when it is first asked for, so that the command line can read a record without loading everything.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from actions.kit.action import Action as Action
    from actions.kit.action import ActionError as ActionError
    from actions.kit.action import action as action
    from actions.kit.agents.agent import Limits as Limits
    from actions.kit.agents.declared import agent_action as agent_action
    from actions.kit.context import Context as Context
    from actions.kit.context import Decision as Decision
    from actions.kit.context import ResourceError as ResourceError
    from actions.kit.context import Resumption as Resumption
    from actions.kit.context import StateError as StateError
    from actions.kit.edits import FieldEdit as FieldEdit
    from actions.kit.from_input import FromInput as FromInput
    from actions.kit.interrupt import ActionInterrupt as ActionInterrupt
    from actions.kit.interrupt import InterruptError as InterruptError
    from actions.kit.policies.conditions import field as field
    from actions.kit.policies.deciders import After as After
    from actions.kit.policies.deciders import after as after
    from actions.kit.policies.hours import Hours as Hours
    from actions.kit.policies.pace import Every as Every
    from actions.kit.policies.pace import Warn as Warn
    from actions.kit.policies.pace import every as every
    from actions.kit.policies.policy import BreakGlass as BreakGlass
    from actions.kit.policies.policy import Channel as Channel
    from actions.kit.policies.policy import ChannelMembers as ChannelMembers
    from actions.kit.policies.policy import DirectMessage as DirectMessage
    from actions.kit.policies.policy import Grants as Grants
    from actions.kit.policies.policy import Group as Group
    from actions.kit.policies.policy import ManagerOf as ManagerOf
    from actions.kit.policies.policy import Needs as Needs
    from actions.kit.policies.policy import OnCall as OnCall
    from actions.kit.policies.policy import Person as Person
    from actions.kit.policies.policy import Policy as Policy
    from actions.kit.policies.policy import Requester as Requester
    from actions.kit.policies.policy import Stage as Stage
    from actions.kit.records.interrupts import Answer as Answer
    from actions.kit.records.interrupts import Cause as Cause
    from actions.kit.records.interrupts import Decline as Decline
    from actions.kit.records.interrupts import Expire as Expire
    from actions.kit.resources import resources as resources
    from actions.kit.running.endings import CallFailed as CallFailed
    from actions.kit.running.endings import Declined as Declined
    from actions.kit.running.endings import Expired as Expired
    from actions.kit.shapes.answers import Approve as Approve
    from actions.kit.shapes.answers import Reject as Reject
    from actions.kit.shapes.slack_types import SlackChannel as SlackChannel
    from actions.kit.shapes.slack_types import SlackConversation as SlackConversation
    from actions.kit.shapes.slack_types import SlackGroup as SlackGroup
    from actions.kit.shapes.slack_types import SlackUser as SlackUser
    from actions.kit.terms import Never as Never

_HOMES = {
    "action": ("Action", "ActionError", "action"),
    "agents.agent": ("Limits",),
    "agents.declared": ("agent_action",),
    "shapes.answers": ("Approve", "Reject"),
    "policies.conditions": ("field",),
    "context": ("Context", "Decision", "ResourceError", "Resumption", "StateError"),
    "policies.deciders": ("After", "after"),
    "edits": ("FieldEdit",),
    "running.endings": ("CallFailed", "Declined", "Expired"),
    "from_input": ("FromInput",),
    "policies.hours": ("Hours",),
    "interrupt": ("ActionInterrupt", "InterruptError"),
    "policies.pace": ("Every", "Warn", "every"),
    "policies.policy": (
        "BreakGlass",
        "Channel",
        "ChannelMembers",
        "DirectMessage",
        "Grants",
        "Group",
        "ManagerOf",
        "Needs",
        "OnCall",
        "Person",
        "Policy",
        "Requester",
        "Stage",
    ),
    "records.interrupts": ("Answer", "Cause", "Decline", "Expire"),
    "resources": ("resources",),
    "shapes.slack_types": ("SlackChannel", "SlackConversation", "SlackGroup", "SlackUser"),
    "terms": ("Never",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'actions' has no attribute {name!r}")
    value = getattr(import_module(f"actions.kit.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_HOME_OF]
