"""Types for what people pick in Slack: a form shows a picker for them, and the value is Slack's id."""

from typing import Annotated

from pydantic import Field, StringConstraints

from actions.kit import slack_ids

SlackUser = Annotated[str, StringConstraints(pattern=slack_ids.USER), Field(json_schema_extra={"format": "slack-user"})]
"""A person: `list[SlackUser]` for several."""
SlackChannel = Annotated[
    str, StringConstraints(pattern=slack_ids.CHANNEL), Field(json_schema_extra={"format": "slack-channel"})
]
"""A channel, public or private."""
SlackConversation = Annotated[
    str, StringConstraints(pattern=slack_ids.CONVERSATION), Field(json_schema_extra={"format": "slack-conversation"})
]
"""A channel, a group message or a direct message."""
SlackGroup = Annotated[
    str,
    StringConstraints(pattern=slack_ids.GROUP, strip_whitespace=True),
    Field(json_schema_extra={"format": "slack-group"}, examples=["S0123ABCD"]),
]
"""A user group, by its id: Slack has no picker for them."""
