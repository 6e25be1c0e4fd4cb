"""A request that reaches nobody: its requester is told what to do, does it, and delivers it again."""

import pytest

from actions.kit.records.runs import RunRecord, RunStatus
from blocks.clicks import Order
from bot.engine.results import OpenInput, Refusal
from bot.slack import deliverer
from storage.results import Redelivering
from tests.acceptance.office import BOTH_DATABASES, Office
from tests.waiting import until

pytestmark = [pytest.mark.parametrize("transport", ["socket"]), BOTH_DATABASES]


async def undelivered(office: Office, action: str = "ask_ops") -> RunRecord:
    """A run that asks in a channel which the bot is not in."""
    office.workbench.workspace.leave("#ops", "signoff")
    return await office.start(action, {})


async def order_by(office: Office, run: RunRecord, person: str) -> Redelivering | Refusal:
    """The same order as the button gives, from somebody who got hold of its payload."""
    card = await office.store.latest_card(run.id)
    assert card
    given = Order("deliver_again", run.id, run.epoch, card.interrupt.id, person, "", None, None, f"click of {person}")
    result = await office.bot.runner.order(given)
    assert isinstance(result, Redelivering | Refusal)
    return result


async def test_the_requester_invites_the_bot_and_delivers_again(open_office: Office):
    run = await undelivered(open_office)
    rita, ann = open_office.person("rita"), open_office.person("ann")
    notice = await rita.sees("Undeliverable", in_="dm")
    assert notice.says("Invite the bot to the channel")
    open_office.workbench.workspace.join("#ops", "signoff")
    await rita.click(notice, "Deliver again")
    card = await ann.sees("Reboot the rack?", in_="#ops")
    assert (await rita.sees_on(notice, "was sent again")).buttons == []
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)


async def test_delivering_again_before_anything_was_mended_says_so_once_more_in_the_same_message(open_office: Office):
    run = await undelivered(open_office)
    rita = open_office.person("rita")
    notice = await rita.sees("Undeliverable", in_="dm")
    await rita.click(notice, "Deliver again")
    seen = notice.version

    async def in_step() -> bool:
        return all(copy.shown_version == copy.wanted_version for copy in await open_office.store.copies(run.id))

    await rita.until(
        lambda: notice.version > seen and notice.buttons == ["Deliver again", "Withdraw"], "the notice once more"
    )
    await until(in_step, "everything to be shown")
    assert len([message for message in rita.messages("dm") if message.says("Reboot")]) == 1


async def test_a_second_press_of_deliver_again_is_told_that_the_card_is_on_its_way(open_office: Office):
    await undelivered(open_office)
    rita = open_office.person("rita")
    notice = await rita.sees("Undeliverable", in_="dm")
    open_office.workbench.workspace.join("#ops", "signoff")
    await rita.double_click(notice, "Deliver again")
    await rita.is_told("there is nothing to deliver again")
    await open_office.person("ann").sees("Reboot the rack?", in_="#ops")
    assert len([card for card in open_office.person("ann").messages("#ops") if card.says("Reboot")]) == 1


async def test_others_may_not_deliver_again_and_operators_may(open_office: Office):
    run = await undelivered(open_office)
    await open_office.person("rita").sees("Undeliverable", in_="dm")
    refused = await order_by(open_office, run, "U0BEN")
    assert isinstance(refused, Refusal)
    assert refused.text == "Only the requester and the operators may do this."
    open_office.workbench.workspace.join("#ops", "signoff")
    assert isinstance(await order_by(open_office, run, "U0ANN"), Redelivering)
    await open_office.person("omar").sees("Reboot the rack?", in_="#ops")


async def test_a_named_decider_is_asked_directly_and_the_run_goes_on(open_office: Office):
    run = await undelivered(open_office, "ask_omar_in_ops")
    omar = open_office.person("omar")
    card = await omar.sees("Reboot the rack?", in_="dm")
    await omar.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    await open_office.person("rita").sees("Done", in_="dm")


async def test_a_request_that_reached_nobody_expires_and_its_requester_hears_of_it(open_office: Office):
    run = await undelivered(open_office)
    rita = open_office.person("rita")
    notice = await rita.sees("Undeliverable", in_="dm")
    card = await open_office.store.latest_card(run.id)
    assert card
    assert card.interrupt.expires_at
    await open_office.workbench.move_clock(card.interrupt.expires_at - card.interrupt.created_at)
    await open_office.ends(run.id, RunStatus.EXPIRED)
    await rita.sees("Expired", in_="dm", after=notice)
    assert (await rita.sees_on(notice, "Expired")).buttons == []


async def test_what_a_revoked_token_kept_back_is_delivered_after_the_restart_without_an_order(
    open_office: Office, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(deliverer, "BACKOFF", (0.2,))
    workspace, token = open_office.workbench.workspace, open_office.workbench.bot_token
    known = await open_office.bot.runner.open_input("send_message", "U0RITA", None)
    assert isinstance(known, OpenInput), "and now she is known"
    workspace.revoke(token)
    run = await open_office.start("send_message", {"recipient": "press@example.com", "body": "Hello."})

    async def flagged() -> str | None:
        card = await open_office.store.latest_card(run.id)
        return card.interrupt.undeliverable if card else None

    assert await until(flagged, "the card to be undeliverable") == "token_revoked"
    await open_office.close()
    workspace.restore(token)
    await open_office.open()
    card = await open_office.person("ann").sees("Approve sending this message?", in_="#approvals")
    await open_office.person("ann").click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert (await open_office.person("ann").sees_on(card, "Done")).buttons == []


async def test_limits_of_slacks_hold_no_decision_up(open_office: Office):
    run = await open_office.start("send_message", {"recipient": "press@example.com", "body": "Hello."})
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending this message?", in_="#approvals")
    open_office.workbench.faults.rate_limit("chat.update", retry_after=600, times=100)
    open_office.workbench.faults.rate_limit("chat.postMessage", retry_after=600, times=100)
    assert (await ann.click(card, "Approve")).ms < 1500
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len(open_office.effects("message")) == 1
