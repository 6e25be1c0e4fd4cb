"""The questions about webhooks and their deliveries, and their rows as records."""

import json
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, select

from storage.deliveries import DeliveryRecord, DeliveryStatus, HookEvent, HookRecord, Parcel
from storage.tables import deliveries, hooks

HOOK = select(hooks).where(hooks.c.id == bindparam("id"))
# Those of one run are listed with their run.
REGISTERED = select(hooks).where(hooks.c.run_id.is_(None), hooks.c.removed_at.is_(None)).order_by(hooks.c.created_at)
DELIVERY = select(deliveries).where(deliveries.c.id == bindparam("id"))
HOOK_PLAIN = ("id", "name", "url", "run_id", "created_at", "disabled_at", "disabled_reason", "removed_at")


def hook(connection: Connection, hook_id: str) -> HookRecord | None:
    row = connection.execute(HOOK, {"id": hook_id}).one_or_none()
    return None if row is None else hook_record(row)


def registered(connection: Connection) -> tuple[HookRecord, ...]:
    return tuple(map(hook_record, connection.execute(REGISTERED)))


def delivery(connection: Connection, delivery_id: str) -> DeliveryRecord | None:
    row = connection.execute(DELIVERY, {"id": delivery_id}).one_or_none()
    return None if row is None else delivery_record(row)


def list_deliveries(
    connection: Connection, status: DeliveryStatus | None, run_id: str | None, hook_id: str | None, limit: int | None
) -> tuple[DeliveryRecord, ...]:
    """The newest `limit`, in the order in which they were wanted."""
    query: Select[Any] = select(deliveries).order_by(deliveries.c.seq.desc()).limit(limit)
    if status is not None:
        query = query.where(deliveries.c.status == status)
    if run_id is not None:
        query = query.where(deliveries.c.run_id == run_id)
    if hook_id is not None:
        query = query.where(deliveries.c.hook_id == hook_id)
    return tuple(map(delivery_record, connection.execute(query)))[::-1]


def hook_record(row: Row[Any]) -> HookRecord:
    return HookRecord(
        **{name: getattr(row, name) for name in HOOK_PLAIN},
        actions=tuple(json.loads(row.actions)),
        events=tuple(map(HookEvent, json.loads(row.events))),
    )


def delivery_record(row: Row[Any]) -> DeliveryRecord:
    return DeliveryRecord(**{name: getattr(row, name) for name in DeliveryRecord.__dataclass_fields__})


def parcel(row: Row[Any], url: str, secret: str) -> Parcel:
    return Parcel(delivery_record(row), url, secret, row.body)
