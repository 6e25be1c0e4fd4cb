"""Why Slack would not take a card, and what to do about it, in words: one table for cards and for the requester's notice."""

from blocks.text import clip, escape, one_line

QUOTED = 300
NOBODY_DECIDES = "nobody_decides"
NOT_LOOKED_UP = "not_looked_up"

REASONS = {
    "account_inactive": "the bot's account was deactivated",
    "bot_error": "the bot failed over it",
    "cannot_dm_bot": "a bot cannot be asked by direct message",
    "channel_not_found": "the channel does not exist, or it is private and the bot is not in it",
    "invalid_auth": "the bot's token is not valid",
    "is_archived": "the channel is archived",
    "is_inactive": "the channel is archived",
    "message_deleted": "somebody deleted the message",
    "messages_tab_disabled": "direct messages to the bot are switched off",
    "missing_scope": "the bot was installed without a permission that it needs",
    "msg_blocks_too_long": "the card is too long",
    NOBODY_DECIDES: "too few people are found who may decide this stage",
    NOT_LOOKED_UP: "those who decide this stage could not be looked up",
    "not_in_channel": "the bot is not in the channel",
    "restricted_action": "posting there is restricted",
    "token_expired": "the bot's token has expired",
    "token_revoked": "the bot's token was revoked",
    "user_disabled": "the person's account was deactivated",
    "user_not_found": "there is no such person",
    "users_not_found": "no person has that e-mail address",
}
REMEDIES = {
    NOBODY_DECIDES: "Add people to the group or rota that decides, then have it delivered again.",
    NOT_LOOKED_UP: "Have it delivered again once Slack and the people file can be asked.",
    "channel_not_found": "Invite the bot to the channel (`/invite`), or correct its name.",
    "is_archived": "Unarchive the channel, or show it elsewhere.",
    "is_inactive": "Unarchive the channel, or show it elsewhere.",
    "message_deleted": "Ask whoever deleted it to leave it standing.",
    "messages_tab_disabled": "Ask an operator to switch on the *Messages* tab of the Slack app.",
    "not_in_channel": "Invite the bot to the channel (`/invite`).",
    "restricted_action": "Let the bot post there.",
}
OPERATOR = "Ask an operator of the bot to look into it."


def why_undelivered(reason: str) -> str:
    """Mrkdwn for an error of Slack's; one that is not in the table is quoted."""
    return escape(undelivered_words(reason))


def undelivered_words(reason: str) -> str:
    """The same without marks."""
    known = REASONS.get(reason)
    return f"{known} ({reason})" if known else f"Slack said “{clip(one_line(reason), QUOTED)}”"


def remedy_for(reason: str) -> str:
    """Mrkdwn: what to do about it."""
    return REMEDIES.get(reason, OPERATOR)


def remedy_words(reason: str) -> str:
    """The same without marks."""
    return remedy_for(reason).replace("`", "").replace("*", "")
