"""What cannot be delivered: it is said to whom it concerns, other ways are tried, and nothing waits unseen."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from actions.kit.policies.deciders import Channel, DirectMessage, Person, Policy, Requester
from actions.kit.records.copies import CopyKind, NewCopy
from bot import clock
from bot.slack import deliverer
from bot.workbench.cards import Card
from tests.integration.press import APPROVALS, NAMED, OPS, QUESTION, TO_ANN, TO_BEN, Press, opened_press
from tests.integration.scenes import NO, two_of


@pytest.fixture
async def press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Press]:
    """One that tries again soon."""
    monkeypatch.setattr(deliverer, "BACKOFF", (0.05, 0.1, 0.2))
    async with opened_press(tmp_path) as opened:
        yield opened


def leave_ops(press: Press) -> str:
    press.workbench.workspace.leave("#ops", "signoff")
    return "channel_not_found"


def archive(press: Press) -> str:
    press.workbench.workspace.archive("#approvals")
    return "is_archived"


@pytest.mark.parametrize(
    ("place", "error"),
    [
        (OPS, "channel_not_found"),
        (Channel(channel="#ops"), "channel_not_found"),
        (APPROVALS, "is_archived"),
        (Channel(channel="#nowhere"), "channel_not_found"),
        (DirectMessage(person=Person(email="nobody@example.com")), "users_not_found"),
    ],
)
async def test_the_interrupt_is_flagged_with_slacks_reason_and_the_requester_is_told(
    press: Press, place: Channel | DirectMessage, error: str
):
    leave_ops(press)
    archive(press)
    asked = await press.asked(place)
    async with press.publishing():
        assert await press.flagged(asked) == error
        notice = await press.person("rita").sees("Undeliverable", in_="dm")
        assert (await press.person("ann").sees(QUESTION, in_="dm")).buttons, "members are asked where nobody is named"
    assert notice.says(error)
    assert notice.says("were asked by direct message")
    assert notice.buttons == ["Deliver again", "Withdraw"]
    assert "Undeliverable" in notice.fallback
    flagged = await press.interrupt(asked)
    assert flagged.expires_at, "its clock runs"
    assert flagged.expires_at - clock.now() < timedelta(hours=1)


async def test_a_person_whose_messages_tab_is_off_makes_it_undeliverable(press: Press):
    press.workbench.workspace.app.messages_tab = False
    asked = await press.asked(TO_ANN)
    async with press.publishing():
        assert await press.flagged(asked) == "messages_tab_disabled"
        assert (await press.copy(asked, "failed", CopyKind.UNDELIVERABLE)).error == "messages_tab_disabled"


async def test_named_deciders_are_reached_directly_where_the_channel_cannot_be(press: Press):
    archive(press)
    asked = await press.asked(APPROVALS, policy=NAMED)
    async with press.publishing():
        ann = await press.person("ann").sees(QUESTION, in_="dm")
        ben = await press.person("ben").sees(QUESTION, in_="dm")
        await press.in_step(asked)
        assert ann.buttons == ben.buttons == ["Approve", "Reject", "Later"]
        await press.vote(asked)
        await press.in_step(asked)
        notice = await press.person("rita").sees("could not be posted", in_="dm")
        await press.person("rita").sees_on(notice, "Approved")
    assert ann.buttons == ben.buttons == notice.buttons == []


async def test_a_requester_who_decides_is_reached_directly_too(press: Press):
    archive(press)
    await press.asked(APPROVALS, policy=Policy(deciders=(Requester(),)))
    async with press.publishing():
        card = await press.person("rita").sees(QUESTION, in_="dm")
    assert card.buttons == ["Approve", "Reject", "Later"]


async def test_a_channel_that_is_archived_while_people_are_asked_is_left_for_direct_messages(press: Press):
    asked = await press.asked(APPROVALS, policy=two_of("U0ANN", "U0BEN"))
    async with press.publishing():
        await press.in_step(asked)
        archive(press)
        await press.vote(asked)
        assert (await press.person("ben").sees(QUESTION, in_="dm")).buttons
    assert (await press.copies(asked))[0].error == "is_inactive"


async def test_a_token_that_was_revoked_flags_the_card_and_delivers_it_once_it_works(press: Press):
    token = press.workbench.bot_token
    asked = await press.asked()
    press.workbench.workspace.revoke(token)
    with capture_logs() as logs:
        async with press.publishing():
            assert await press.flagged(asked) == "token_revoked"
    assert {entry["error"] for entry in logs if entry["log_level"] == "error"} == {"token_revoked"}
    assert (await press.interrupt(asked)).expires_at
    press.workbench.workspace.restore(token)
    async with press.publishing("after the restart"):
        await press.in_step(asked)
    [card] = press.in_channel()
    assert card.buttons
    assert (await press.interrupt(asked)).undeliverable is None
    assert not [card for card in press.person("rita").messages("dm") if card.buttons], "nothing is left to order"


@pytest.mark.parametrize("error", ["account_inactive", "invalid_auth", "token_expired", "missing_scope"])
async def test_a_settled_card_is_edited_once_the_bot_may_again(press: Press, error: str):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
        press.workbench.faults.fail("chat.update", error, times=2)
        await press.vote(asked, choice=NO)
        await press.in_step(asked)
    [card] = press.in_channel()
    assert card.buttons == []
    assert (await press.interrupt(asked)).undeliverable is None


async def test_a_look_up_that_the_bot_may_not_make_is_its_own_fault_and_told(press: Press):
    press.workbench.faults.fail("users.lookupByEmail", "missing_scope", times=3)
    asked = await press.asked(DirectMessage(person=Person(email="ann@example.com")))
    async with press.publishing():
        assert await press.flagged(asked) == "missing_scope"
        await press.person("ann").sees(QUESTION, in_="dm")


async def delete(press: Press, card: Card) -> None:
    """Somebody deletes it, and something changes, so that the publisher comes to see it."""
    press.person("ann" if card.channel == "C0APPROVALS" else "ben").delete(card)
    await press.store.bring_deadlines_forward(timedelta(minutes=1), now=clock.now())


async def test_a_card_that_somebody_deletes_is_posted_again_once_and_then_sent_to_the_deciders(press: Press):
    asked = await press.asked(APPROVALS, policy=NAMED)
    async with press.publishing():
        await press.in_step(asked)
        await delete(press, press.in_channel()[0])
        again = await press.person("ann").sees(QUESTION, in_="#approvals")
        await press.in_step(asked)
        await delete(press, again)
        direct = await press.person("ben").sees(QUESTION, in_="dm")
        await press.person("ann").sees(QUESTION, in_="dm")
        await press.in_step(asked)
        assert press.in_channel() == []
        await delete(press, direct)
        await press.in_step(asked)
    assert press.person("ben").messages("dm") == []
    assert [copy.reposted for copy in await press.copies(asked)] == [False, True, True, True]
    assert (await press.interrupt(asked)).undeliverable == "message_deleted", "it does not stand where it belongs"


async def test_a_card_that_is_deleted_twice_and_has_no_named_deciders_is_undeliverable(press: Press):
    asked = await press.asked()
    async with press.publishing():
        for _ in range(2):
            await press.in_step(asked)
            await delete(press, press.in_channel()[0])
        assert await press.flagged(asked) == "message_deleted"
        await press.person("rita").sees("somebody deleted the message", in_="dm")


async def test_a_settled_card_that_somebody_deletes_is_gone(press: Press):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
        press.person("ann").delete(press.in_channel()[0])
        await press.vote(asked)
        await press.copy(asked, "gone")
    assert press.in_channel() == []
    assert len(await press.copies(asked)) == 1


async def test_a_line_for_a_thread_that_was_deleted_is_gone(press: Press):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
        press.person("ann").delete(press.in_channel()[0])
        await press.store.report(asked.run_id, "half way", now=clock.now())
        await press.copy(asked, "gone", CopyKind.LINE)
    assert press.in_channel() == []


async def test_the_notice_says_so_once_the_card_was_sent_again_and_once_it_is_settled(press: Press):
    archive(press)
    asked = await press.asked()
    async with press.publishing():
        notice = await press.person("rita").sees("Undeliverable", in_="dm")
        press.workbench.workspace.archive("#approvals", archived=False)
        again = [NewCopy(CopyKind.CARD, APPROVALS)]
        await press.store.deliver_again(asked.id, copies=again, person="U0RITA", via="slack", now=clock.now())
        sent = await press.person("rita").sees_on(notice, "was sent again")
        assert sent.buttons == []
        await press.in_step(asked)
        await press.vote(asked, choice=NO)
        await press.person("rita").sees_on(notice, "Rejected")
        await press.in_step(asked)
    [card] = press.in_channel()
    assert card.buttons == []


async def test_a_direct_message_that_cannot_be_sent_leaves_the_others(press: Press):
    press.workbench.workspace.deactivate("ben")
    asked = await press.asked(TO_ANN, TO_BEN, policy=NAMED)
    async with press.publishing():
        await press.person("ann").sees(QUESTION, in_="dm")
        assert (await press.copy(asked, "failed")).error == "channel_not_found"
    assert (await press.interrupt(asked)).undeliverable is None


async def test_a_requester_who_cannot_be_told_directly_is_called_into_the_thread(press: Press):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
        press.workbench.workspace.app.messages_tab = False
        await press.vote(asked, choice=NO)
        await press.in_step(asked)
        ann, card = press.person("ann"), press.in_channel()[0]
        await ann.until(lambda: len(ann.thread(card)) == 2, "two lines")
    assert (await press.copy(asked, "failed", CopyKind.OUTCOME)).error == "messages_tab_disabled"
    [_, line] = ann.thread(card)
    assert line.pings == ["U0RITA"]
    assert line.says("could not be told directly")
