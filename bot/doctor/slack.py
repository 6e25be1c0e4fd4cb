"""Whether Slack takes the tokens, grants what is used, and has the same time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

from slack_sdk.web.async_client import AsyncWebClient

from bot import clock
from bot.doctor.findings import Finding, fail, ok, warn
from bot.settings import Settings
from bot.slack.client import SlackError, TokenRefusedError, answer_to_auth_test, identity_of, socket_url
from bot.slack.scopes import NEEDS

SOME, MUCH = timedelta(seconds=10), timedelta(seconds=60)
"""Slack's requests are refused when their signature is older than five minutes, or from the future; a minute is much."""

TOKEN = "Copy it anew from your Slack app's page, see that the app is installed, and that both tokens are of one app."  # noqa: S105 - advice
REACH = "Look at the network, its proxy, and SLACK_API_URL."


@dataclass(frozen=True, slots=True)
class Met:
    """What Slack said of the bot's token: who it is, what it may do (`None`: not told), and Slack's time."""

    team: str
    bot_user: str
    scopes: frozenset[str] | None
    slack_time: datetime | None
    our_time: datetime


async def meet(client: AsyncWebClient) -> Met | Finding:
    """Ask Slack who the bot is; a finding where it does not say."""
    try:
        answer = await answer_to_auth_test(client)
    except TokenRefusedError as error:
        return fail("bot token", f"Slack refused it: {error.error}", TOKEN)
    except SlackError as error:
        return fail("bot token", str(error), REACH)
    identity = identity_of(answer)
    headers = {str(name).lower(): str(value) for name, value in dict(answer.headers).items()}
    return Met(identity.team, identity.bot_user, _scopes(headers), _date(headers), clock.now())


def token_finding(met: Met) -> Finding:
    return ok("bot token", f"{met.team}, as {met.bot_user}")


async def way_in_finding(settings: Settings, client: AsyncWebClient) -> Finding:
    """The app token is tried; a signing secret cannot be: only Slack's requests show whether it is right."""
    if settings.way_in == "http" or settings.app_token is None:
        return ok("signing secret", "it is set; whether it is the right one shows with Slack's first request")
    try:
        await socket_url(client, settings.app_token.get_secret_value())
    except TokenRefusedError as error:
        advice = "It needs connections:write, and Socket Mode switched on in the app." if _lacks(error) else TOKEN
        return fail("app token", f"Slack refused it: {error.error}", advice)
    except SlackError as error:
        return fail("app token", str(error), REACH)
    return ok("app token", "Slack opens a connection for Socket Mode")


def scope_findings(met: Met) -> list[Finding]:
    """Each granted scope that is used, in one line; each that is missing with what does not work without it."""
    if met.scopes is None:
        return [warn("scopes", "Slack did not tell which were granted", "Compare them with `signoff manifest`.")]
    missing = [need for need in NEEDS if need.scope not in met.scopes]
    granted = [need.scope for need in NEEDS if need.scope in met.scopes]
    findings = [ok("scopes", f"granted: {', '.join(granted)}")] if granted else []
    for need in missing:
        seen = f"{need.scope} is missing, for {need.feature}: {need.without}"
        fix = "Add it under OAuth & Permissions (or paste `signoff manifest`), and install the app again."
        findings.append((fail if need.vital else warn)("scopes", seen, fix))
    return findings


def clock_finding(met: Met) -> Finding:
    if met.slack_time is None:
        return warn("clock", "Slack's answer had no date", "See that this machine's clock is kept by NTP.")
    off = met.our_time - met.slack_time
    seconds = abs(off) // timedelta(seconds=1)
    if abs(off) <= SOME:
        return ok("clock", "within a few seconds of Slack's")
    seen = f"{seconds:,} seconds {'ahead of' if off > timedelta() else 'behind'} Slack's"
    if abs(off) <= MUCH:
        return warn("clock", seen, "Keep this machine's clock by NTP.")
    return fail(
        "clock", f"{seen}: signed requests are refused, and deadlines are off", "Keep this machine's clock by NTP."
    )


def _lacks(error: TokenRefusedError) -> bool:
    return error.error in {"missing_scope", "not_allowed_token_type", "socket_mode_not_enabled"}


def _scopes(headers: Mapping[str, str]) -> frozenset[str] | None:
    given = headers.get("x-oauth-scopes")
    return None if given is None else frozenset(filter(None, map(str.strip, given.split(","))))


def _date(headers: Mapping[str, str]) -> datetime | None:
    try:
        found = parsedate_to_datetime(headers.get("date", ""))
    except ValueError:
        return None
    return found if found.tzinfo else None
