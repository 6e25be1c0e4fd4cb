"""Types for what people pick in Slack: a form shows a picker for them, and the value is Slack's id."""

from typing import Annotated

from pydantic import Field, StringConstraints

USER = r"^[UW][A-Z0-9]{2,}$"
CHANNEL = r"^[CG][A-Z0-9]{2,}$"
CONVERSATION = r"^[CGD][A-Z0-9]{2,}$"
GROUP = r"^S[A-Z0-9]{2,}$"

PATTERNS = {
    "slack-user": USER,
    "slack-channel": CHANNEL,
    "slack-conversation": CONVERSATION,
    "slack-group": GROUP,
}
"""By the `format` that stands for it in a JSON Schema."""
WORDS = {
    "slack-user": "must be a person in Slack",
    "slack-channel": "must be a channel in Slack",
    "slack-conversation": "must be a channel or conversation in Slack",
    "slack-group": "must be the id of a user group in Slack, such as S0123ABCD",
}

SlackUser = Annotated[str, StringConstraints(pattern=USER), Field(json_schema_extra={"format": "slack-user"})]
"""A person: `list[SlackUser]` for several."""
SlackChannel = Annotated[str, StringConstraints(pattern=CHANNEL), Field(json_schema_extra={"format": "slack-channel"})]
"""A channel, public or private."""
SlackConversation = Annotated[
    str, StringConstraints(pattern=CONVERSATION), Field(json_schema_extra={"format": "slack-conversation"})
]
"""A channel, a group message or a direct message."""
SlackGroup = Annotated[
    str,
    StringConstraints(pattern=GROUP, strip_whitespace=True),
    Field(json_schema_extra={"format": "slack-group"}, examples=["S0123ABCD"]),
]
"""A user group, by its id: Slack has no picker for them."""
