"""Whether the channels that policies name are there, and the bot can use them."""

from collections.abc import Sequence

from blocks.text import clip, one_line
from bot.doctor.findings import Finding, fail, ok, warn
from bot.slack.directory import ChannelFacts, CouldNotVerify, Directory

NAMED = 3
PUBLIC_WITHOUT_INVITATION = "chat:write.public"


async def channel_finding(
    directory: Directory, channel: str, whos: Sequence[str], scopes: frozenset[str] | None
) -> Finding:
    """One channel: found, not archived, and the bot in it, or able to post there all the same."""
    check, by = f"channel {channel}", named_words(whos)
    try:
        facts = await directory.channel(channel)
    except CouldNotVerify as error:
        return warn(check, f"could not be looked up: {error}", "Try again, and see the scopes above.")
    if facts is None:
        return fail(
            check,
            f"there is none, or it is private and the bot is not in it; named by {by}",
            "Make it, correct its name in the policy, or invite the bot: /invite",
        )
    return _of(check, by, facts, scopes)


def _of(check: str, by: str, channel: ChannelFacts, scopes: frozenset[str] | None) -> Finding:
    if channel.is_archived:
        return fail(check, f"is archived; named by {by}", "Unarchive it, or name another in the policy.")
    if channel.is_member:
        return ok(check, f"the bot is in it; named by {by}")
    if channel.is_private:
        return fail(check, f"the bot is not in it; named by {by}", "Invite the bot: /invite")
    if scopes is not None and PUBLIC_WITHOUT_INVITATION not in scopes:
        return fail(check, f"the bot is not in it, nor may it post uninvited; named by {by}", "Invite the bot: /invite")
    seen = f"the bot posts there uninvited; it cannot look there before it posts again; named by {by}"
    return warn(check, seen, "Invite the bot: /invite")


def named_words(whos: Sequence[str]) -> str:
    more = f" and {len(whos) - NAMED} more" if len(whos) > NAMED else ""
    return clip(one_line(", ".join(whos[:NAMED])), 200) + more
