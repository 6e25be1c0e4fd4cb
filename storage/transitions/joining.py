"""Equal requests share a run while it is open: who joins it, and who takes back that they asked.

Whoever changes a run holds its row, so a run that is joined has not ended meanwhile, and nobody has decided in it.
"""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, insert, update

from actions.kit.records.runs import RunRecord
from storage import queries, rows
from storage.ids import new_hook_id
from storage.results import NewRun, Started
from storage.tables import joins, runs
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.hooks import add_for_run
from storage.transitions.runs import same_request

INSERT = insert(joins)
SHARE = update(runs).where(runs.c.id == bindparam("b_id"))


def join(transaction: Transaction, run_id: str, new: NewRun, now: datetime) -> Started | None:
    """Shares an open run with an equal request. `None`: it cannot be joined any more, or not by this person."""
    if new.idempotency_key is not None:
        known = same_request(transaction, new.requester, new.action_id, new.idempotency_key)
        if known is not None:
            return known
    run = queries.joinable(transaction.connection, new.join_key or "", new.requester)
    if run is None or run.id != run_id:
        return None
    asks_anew = new.requester not in run.asking
    if asks_anew:
        run = _share(transaction, run, new, now)
    if asks_anew or new.idempotency_key is not None or new.webhook is not None:
        _keep(transaction, run, new, now)
    return Started(run, created=False, joined=True, asked=new.request, is_new=True)


def withdraw(transaction: Transaction, run: RunRecord, person: str, via: str, now: datetime) -> RunRecord:
    """Somebody takes back that they asked, while others still do. They stay one of those who asked: they never approve it."""
    if person in run.withdrawn:
        return run
    left = replace(run, withdrawn=(*run.withdrawn, person))
    transaction.connection.execute(SHARE, {"b_id": run.id, "withdrawn": rows.words_text(left.withdrawn)})
    views.touch(transaction, run.id, now)
    views.want_line(transaction, run.id, "withdrew; others still ask for this", now, person=person)
    note(transaction, run.id, "withdrawn", at=now, via=via, person=person)
    return left


def _share(transaction: Transaction, run: RunRecord, new: NewRun, now: datetime) -> RunRecord:
    person = new.requester
    joined = run.joined if person in run.requesters else (*run.joined, person)
    shared = replace(run, joined=joined, withdrawn=tuple(each for each in run.withdrawn if each != person))
    values = {"joined": rows.words_text(shared.joined), "withdrawn": rows.words_text(shared.withdrawn)}
    transaction.connection.execute(SHARE, {"b_id": run.id, **values})
    views.touch(transaction, run.id, now)
    views.want_line(transaction, run.id, "asked for the same, and joined this request", now, person=person)
    note(transaction, run.id, "joined", at=now, via=new.origin.via, person=person, channel=new.origin.channel)
    return shared


def _keep(transaction: Transaction, run: RunRecord, new: NewRun, now: datetime) -> None:
    values = {"run_id": run.id, "action_id": run.action_id, "person": new.requester, "via": new.origin.via, "at": now}
    values |= {"idempotency_key": new.idempotency_key, "request": new.request}
    transaction.connection.execute(INSERT, values)
    if new.webhook is not None:
        add_for_run(transaction, new_hook_id(), run.id, new.webhook, now)
