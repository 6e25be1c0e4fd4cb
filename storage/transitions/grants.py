"""How a standing grant is given, used at a pause, and revoked. Each is guarded by the grant's own row.

That it ended by itself is told by `grant_ends`.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, case, insert, update

from actions.kit.policies.deciders import DirectMessage, Person
from actions.kit.policies.granted import Granted, GrantRecord, GrantTerms
from actions.kit.policies.grants import what_words
from actions.kit.policies.standing_grant import STANDING_GRANT
from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.interrupts import Card, Cause, InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunStatus
from storage import grant_queries, queries, rows
from storage.errors import BrokenRuleError
from storage.results import Allowing
from storage.tables import grant_uses, grants, interrupts
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.decisions import decide
from storage.transitions.grant_ends import tell_holder
from storage.transitions.interrupts import pause
from storage.transitions.runs import executing

NOW = bindparam("b_now", type_=grants.c.until.type)
GIVE = insert(grants)
TAKE = (
    update(grants)
    .where(
        grants.c.run_id == bindparam("b_id"),
        grants.c.holder == bindparam("b_holder"),
        grants.c.ended_at.is_(None),
        grants.c.until > NOW,
        grants.c.used < bindparam("b_at_most"),
    )
    .values(used=grants.c.used + 1, ended_at=case((grants.c.used + 1 >= grants.c.times, NOW)))
    .returning(grants)
)
USE = insert(grant_uses)
SAY_SO = update(interrupts).where(interrupts.c.id == bindparam("b_id"))
REVOKE = update(grants).where(grants.c.run_id == bindparam("b_id"), grants.c.ended_at.is_(None))


def give(transaction: Transaction, run_id: str, epoch: int, terms: GrantTerms, now: datetime) -> GrantRecord | None:
    """The grant of a run that people approved; a second try finds the first. `None`: none is due to this execution."""
    known = grant_queries.grant(transaction.connection, run_id)
    if known is not None:
        return known
    run = queries.run(transaction.connection, run_id)
    if run is None or run.action_id != STANDING_GRANT or (run.epoch, run.status) != (epoch, RunStatus.RUNNING):
        return None
    card = grant_queries.approval(transaction.connection, run_id)
    if card is None or card.interrupt.status is not InterruptStatus.ANSWERED or card.interrupt.cause is not Cause.HUMAN:
        return None
    approved_by = tuple(dict.fromkeys(each.person for each in card.decisions if each.choice == card.interrupt.choice))
    grant = GrantRecord(run_id, run.requester, terms, approved_by, now, now + terms.lasts)
    transaction.connection.execute(GIVE, rows.grant_values(grant))
    details: dict[str, Any] = {"action": terms.action_id, "times": terms.times, "until": grant.until.isoformat()}
    note(transaction, run_id, "grant given", at=now, via="runner", person=run.requester, **details)
    return grant


def asked(
    transaction: Transaction,
    run_id: str,
    epoch: int,
    *,
    owner: str,
    copies: Sequence[NewCopy],
    allowing: Sequence[Allowing],
    now: datetime,
    **values: Any,
) -> InterruptRecord | None:
    """Stores a pause, and settles it at once where one of these grants allows it: then its cards stand, settled."""
    if not allowing or not _may_be_allowed(transaction, run_id, epoch, owner):
        return pause(transaction, run_id, epoch, owner=owner, copies=copies, now=now, **values)
    interrupt = pause(transaction, run_id, epoch, owner=owner, copies=(), now=now, **values)
    card = None if interrupt is None else queries.card(transaction.connection, interrupt.id)
    if card is None:
        return interrupt
    granted = next(filter(None, (_taken(transaction, card, each, now) for each in allowing)), None)
    interrupt = card.interrupt if granted is None else _allowed(transaction, card, *granted, now)
    views.want(transaction, run_id, interrupt.id, copies, now)
    return interrupt


def revoke(transaction: Transaction, grant_id: str, *, person: str, via: str, now: datetime) -> GrantRecord | None:
    """The grant as it stands after it; whoever holds it and approved it is told, unless they did it. `None`: there is none.

    One that ended before stays as it was.
    """
    values = {"b_id": grant_id, "revoked_at": now, "revoked_by": person, "ended_at": now}
    is_ours = transaction.connection.execute(REVOKE, values).rowcount == 1
    grant = grant_queries.grant(transaction.connection, grant_id)
    if grant is None or not is_ours:
        return grant
    what = what_words(grant.terms.action_name, grant.terms.where)
    text = f"revoked the standing grant “{what}”, used {grant.used:,} of {grant.terms.times:,} times."
    for told in dict.fromkeys((grant.holder, *grant.approved_by)):
        if told != person:
            said: dict[str, Any] = {"place": DirectMessage(Person(told)), "text": text, "person": person}
            views.want_one(transaction, grant.id, CopyKind.LINE, now, **said)
    note(transaction, grant.id, "grant revoked", at=now, via=via, person=person, used=grant.used)
    return grant


def _may_be_allowed(transaction: Transaction, run_id: str, epoch: int, owner: str) -> bool:
    """Only a fresh pause of a run that its requester alone asked for, and that nobody wants cancelled."""
    run = executing(transaction, run_id, epoch, owner)
    return run is not None and run.status is RunStatus.RUNNING and not run.joined and run.cancel_requested_by is None


def _taken(transaction: Transaction, card: Card, allowing: Allowing, now: datetime) -> tuple[Allowing, Granted] | None:
    """One use of a grant, if one is left: however many ask at once, no more are taken than it has.

    Since the policy of today was looked at, the time that it leaves may have passed.
    """
    if allowing.until <= now:
        return None
    guard = {"b_id": allowing.grant_id, "b_holder": card.run.requester, "b_now": now, "b_at_most": allowing.at_most}
    row = transaction.connection.execute(TAKE, guard).one_or_none()
    if row is None:
        return None
    grant = rows.grant_record(row)
    use = {"grant_id": grant.id, "run_id": card.run.id, "number": grant.used, "at": now}
    transaction.connection.execute(USE, use)
    if grant.used >= grant.terms.times:
        tell_holder(transaction, grant, card.run.id, now)
    bounds = {"times": min(grant.terms.times, allowing.at_most), "until": min(grant.until, allowing.until)}
    return allowing, Granted(grant_id=grant.id, approved_by=grant.approved_by, used=grant.used, **bounds)


def _allowed(
    transaction: Transaction, card: Card, allowing: Allowing, granted: Granted, now: datetime
) -> InterruptRecord:
    transaction.connection.execute(SAY_SO, {"b_id": card.interrupt.id, "granted": granted.model_dump_json()})
    about: dict[str, Any] = {"interrupt_id": card.interrupt.id, "grant": granted.grant_id, "used": granted.used}
    note(transaction, card.run.id, "grant used", at=now, via="runner", **about)
    settling = replace(card, interrupt=replace(card.interrupt, granted=granted))
    settled = decide(transaction, settling, allowing.choice, allowing.value, now=now, cause=Cause.POLICY, via="runner")
    if settled is None:
        raise BrokenRuleError("what was asked in this transaction is settled by nobody else", card.run.id)
    return settled.interrupt
