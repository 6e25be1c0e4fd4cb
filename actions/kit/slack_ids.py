"""How Slack's ids look, by what they name."""

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
