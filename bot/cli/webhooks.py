"""`signoff webhook`: who is told over HTTP what happens to runs, what each was told, and once more."""

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from yarl import URL

from blocks.text import one_line
from bot import clock
from bot.cli.catalogue import known_actions
from bot.cli.deliveries import delivery_facts, delivery_lines
from bot.cli.records import find_run, opened
from bot.cli.show import err, fail, moment, out, print_json, print_table
from bot.hooks.reach import Reach, ReachError
from bot.hooks.signing import new_secret
from bot.settings import Settings
from storage.deliveries import (
    DeliveryStatus,
    HookDisabled,
    HookEvent,
    HookRecord,
    InFlight,
    NewHook,
    SentAgain,
)

COLUMNS = ("id", "name", "url", "actions", "events", "added")


async def add_webhook(url: str, name: str, actions: Sequence[str], events: Sequence[str], *, as_json: bool) -> None:
    """Print the secret on standard output, alone, so that a script can take it; what is said about it goes elsewhere."""
    settings = Settings.load()
    _check(url, settings)
    wanted = tuple(dict.fromkeys(_event(each) for each in events))
    secret = new_secret()
    new = NewHook(name or URL(url).host or url, url, secret, _actions(actions, settings), wanted)
    async with opened(settings) as store:
        hook_id = await store.hooks.add(new, now=clock.now())
    if as_json:
        print_json({"id": hook_id, "name": new.name, "url": url, "secret": secret})
        return
    out.print(escape(secret))
    err.print("This secret is shown once. It signs what the webhook is told: docs/webhooks.md says how to check that.")
    err.print(f"To remove it: signoff webhook remove {hook_id}")


async def list_webhooks(*, as_json: bool) -> None:
    async with opened(Settings.load()) as store:
        found = await store.hooks.registered()
    if as_json:
        print_json([_hook_facts(hook) for hook in found])
    elif found:
        print_table(COLUMNS, [(_row(hook), _disabled(hook)) for hook in found])
    else:
        out.print("No webhooks. Add one: signoff webhook add https://…")


async def remove_webhook(hook_id: str) -> None:
    async with opened(Settings.load()) as store:
        removed = await store.hooks.remove(hook_id.strip(), now=clock.now())
    if removed is None:
        fail(f"There is no webhook {hook_id!r}. `signoff webhook list` shows them.")
    out.print(f"{removed.id} is told nothing more, and its secret is forgotten.")


async def list_deliveries(*, failed: bool, run: str | None, hook_id: str | None, limit: int, as_json: bool) -> None:
    async with opened(Settings.load()) as store:
        run_id = None if run is None else (await find_run(store, run)).id
        status = DeliveryStatus.FAILED if failed else None
        found = await store.hooks.deliveries(status=status, run_id=run_id, hook_id=hook_id, limit=limit)
        lines = await delivery_lines(store.hooks, found)
    if as_json:
        print_json([delivery_facts(delivery) for delivery in found])
    elif lines:
        for line in lines:
            out.print(escape(line))
    else:
        out.print("No deliveries." if not failed else "No deliveries have failed.")


async def send_again(delivery_id: str) -> None:
    async with opened(Settings.load()) as store:
        result = await store.hooks.send_again(delivery_id.strip(), via="command line", now=clock.now())
    match result:
        case SentAgain(delivery):
            out.print(f"{delivery.id} is sent again by the running bot, under the same id.")
        case InFlight(delivery):
            fail(f"{delivery.id} is being sent at this moment.")
        case HookDisabled(hook):
            fail(f"Its webhook {hook.id} is told nothing any more: {hook.disabled_reason}.")
        case None:
            fail(f"There is no delivery {delivery_id!r}. `signoff webhook deliveries` shows them.")


def _check(url: str, settings: Settings) -> None:
    try:
        Reach(hosts=settings.webhook_hosts, insecure=settings.webhook_insecure).check(url)
    except ReachError as error:
        fail(f"The URL {error}.")


def _event(given: str) -> HookEvent:
    if given.lower() not in set(HookEvent):
        fail(f"--event takes one of {', '.join(HookEvent)}; {given!r} is none.")
    return HookEvent(given.lower())


def _actions(given: Sequence[str], settings: Settings) -> tuple[str, ...]:
    return tuple(dict.fromkeys(known_actions(given, settings))) if given else ()


def _row(hook: HookRecord) -> tuple[str, ...]:
    return (
        hook.id,
        one_line(hook.name),
        hook.url,
        ", ".join(hook.actions) or "all",
        ", ".join(hook.events) or "all",
        moment(hook.created_at),
    )


def _disabled(hook: HookRecord) -> str | None:
    return f"disabled {moment(hook.disabled_at)}: {hook.disabled_reason}" if hook.disabled_at else None


def _hook_facts(hook: HookRecord) -> dict[str, Any]:
    return {
        "id": hook.id,
        "name": hook.name,
        "url": hook.url,
        "actions": list(hook.actions),
        "events": list(hook.events),
        "created_at": hook.created_at.isoformat(),
        "disabled_at": hook.disabled_at.isoformat() if hook.disabled_at else None,
        "disabled_reason": hook.disabled_reason,
    }
