"""Deliveries to webhooks as the command line shows them: a line for people, JSON for scripts. Never what was in them."""

from collections.abc import Sequence
from typing import Any

from blocks.text import one_line
from bot.cli.show import aligned, moment
from storage.deliveries import DeliveryRecord, DeliveryStatus
from storage.hooks import Hooks


async def delivery_lines(hooks: Hooks, deliveries: Sequence[DeliveryRecord]) -> list[str]:
    """Each delivery in a line, with the name of its webhook."""
    known = {hook_id: await hooks.hook(hook_id) for hook_id in {each.hook_id for each in deliveries}}
    names = {hook_id: hook.name if hook else hook_id for hook_id, hook in known.items()}
    return aligned([_delivery(each, names[each.hook_id]) for each in deliveries]) if deliveries else []


def delivery_facts(delivery: DeliveryRecord) -> dict[str, Any]:
    return {
        "id": delivery.id,
        "webhook": delivery.hook_id,
        "run": delivery.run_id,
        "sequence": delivery.number,
        "event": delivery.event,
        "status": delivery.status,
        "attempts": delivery.attempts,
        "response_status": delivery.response_status,
        "error": delivery.error,
        "created_at": delivery.created_at.isoformat(),
        "ended_at": delivery.ended_at.isoformat() if delivery.ended_at else None,
        "next_at": delivery.next_at.isoformat() if delivery.status is DeliveryStatus.PENDING else None,
    }


def _delivery(delivery: DeliveryRecord, name: str) -> tuple[str, ...]:
    tries = f"{delivery.attempts} {'try' if delivery.attempts == 1 else 'tries'}"
    said = (
        f"answered {delivery.response_status}" if delivery.status is DeliveryStatus.DELIVERED else delivery.error or ""
    )
    when = moment(delivery.ended_at or delivery.created_at)
    return when, delivery.id, one_line(name), delivery.event, delivery.status, tries, said
