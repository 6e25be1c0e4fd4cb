"""Several at once: two people, one impatient one, deliveries that come twice, runs side by side, a quorum."""

import asyncio
import statistics
from pathlib import Path

import pytest

from actions.kit.records.runs import RunStatus
from tests.acceptance.office import BOTH_DATABASES, Office, office

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}


async def resumes(office: Office, run_id: str) -> int:
    return [entry.event for entry in await office.store.trail(run_id)].count("claimed")


async def test_two_people_click_at_once_and_the_slower_one_is_told_who_decided_and_when(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    people = [open_office.person(name) for name in ("ann", "ben", "dana")]
    cards = [await person.sees("Approve sending", in_="#approvals") for person in people]
    await asyncio.gather(
        *(person.click(card, "Approve", behind=True) for person, card in zip(people, cards, strict=True))
    )
    await open_office.ends(run.id, RunStatus.SUCCEEDED)

    [decision] = await open_office.decisions(run.id)
    losers = [person for person in people if person.person.id != decision.person]
    winner = next(person for person in people if person.person.id == decision.person)
    for loser in losers:
        told = await loser.is_told(f"Already approved by @{winner.person.real_name}")
        assert "<!date^" in told.markup
    assert winner.refusals == []
    assert await resumes(open_office, run.id) == 1
    assert len(open_office.effects()) == 1


async def test_one_impatient_person_decides_once(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    await ann.double_click(await ann.sees("Approve sending", in_="#approvals"), "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len(await open_office.decisions(run.id)) == 1
    assert await resumes(open_office, run.id) == 1
    assert len(open_office.effects()) == 1


async def test_opposite_answers_at_once_have_one_winner(open_office: Office):
    run = await open_office.start("restart_service", {"service": "search", "reason": "It is slow"})
    omar = open_office.person("omar")
    card = await omar.sees("Restart search?", in_="dm")
    await asyncio.gather(omar.click(card, "Restart", behind=True), omar.click(card, "Leave it", behind=True))
    ended = await open_office.ends(run.id, RunStatus.SUCCEEDED, RunStatus.DECLINED)
    [decision] = await open_office.decisions(run.id)
    assert len(open_office.effects()) == (1 if decision.choice == "restart" else 0)
    assert (ended.status is RunStatus.SUCCEEDED) == (decision.choice == "restart")


async def test_a_click_and_the_deadline_at_once_have_one_winner_and_the_loser_is_told(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    await open_office.card(run.id)
    await asyncio.gather(open_office.move_to_deadline(run.id), ann.click(card, "Approve", behind=True))
    ended = await open_office.ends(run.id, RunStatus.SUCCEEDED, RunStatus.EXPIRED)
    answered = ended.status is RunStatus.SUCCEEDED
    assert len(open_office.effects()) == len(await open_office.decisions(run.id)) == int(answered)
    if not answered:
        await ann.is_told("Too late")


async def test_a_click_counts_while_the_card_is_still_being_posted(open_office: Office):
    hold = open_office.workbench.faults.hold("chat.postMessage", after_commit=True)
    run = await open_office.start("send_message", MESSAGE)
    ann, rita = open_office.person("ann"), open_office.person("rita")
    await hold.arrived.wait()
    card = await ann.sees("Approve sending", in_="#approvals")
    assert (await open_office.store.copies(run.id))[0].ts is None
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    hold.release()
    settled = await ann.sees_on(card, "Done")
    assert settled.buttons == []
    await rita.sees("Done", in_="dm")
    assert [message.ts for message in ann.messages("#approvals") if message.says("Approve sending")] == [card.ts]
    assert len(open_office.effects()) == 1


async def test_a_click_that_is_delivered_twice_counts_once_and_refuses_nobody(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    open_office.workbench.faults.duplicate("block_actions")
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    await ann.sees_on(card, "Done")
    again = await open_office.workbench.redeliver(open_office.workbench.deliveries[-1])
    assert again.ok
    assert ann.refusals == []
    assert len(await open_office.decisions(run.id)) == 1
    assert await resumes(open_office, run.id) == 1
    assert len(open_office.effects()) == 1


async def test_a_form_that_is_delivered_twice_starts_one_run(open_office: Office):
    rita = open_office.person("rita")
    await rita.command("/signoff send_message")
    open_office.workbench.faults.duplicate("view_submission")
    sent = await rita.submit(await rita.modal(), {"Recipient": "press@example.com", "Message": "We are live."})
    assert sent.closed
    await open_office.workbench.redeliver(open_office.workbench.deliveries[-1])
    assert len(await open_office.store.runs()) == 1


async def test_a_delivery_that_nobody_handled_is_handled_when_it_comes_again(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    await open_office.card(run.id)
    await open_office.close()
    assert not (await ann.click(card, "Approve")).ok
    lost = open_office.workbench.deliveries[-1]
    await open_office.open()
    assert await open_office.decisions(run.id) == []
    assert (await open_office.workbench.redeliver(lost)).ok
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len(open_office.effects()) == 1


async def test_an_ack_that_got_lost_is_made_good_by_the_redelivery(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    open_office.workbench.faults.withhold_acks(kind="block_actions")
    await ann.click(card, "Approve")
    await ann.toast("trouble connecting")
    [lost] = [each for each in open_office.workbench.deliveries if each.type == "block_actions"]
    assert (await open_office.workbench.redeliver(lost)).ok
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert ann.refusals == []
    assert len(await open_office.decisions(run.id)) == 1


async def test_parallel_runs_of_one_action_never_cross_their_answers(open_office: Office):
    bodies = [f"Message number {number}" for number in range(6)]
    runs = [await open_office.start("send_message", {"recipient": "press", "body": body}) for body in bodies]
    ann, ben = open_office.person("ann"), open_office.person("ben")
    cards = [await ann.sees(body, in_="#approvals", timeout=20) for body in bodies]
    approved = runs[::2]
    await asyncio.gather(*(ann.click(card, "Approve") for card in cards[::2]))
    for card in cards[1::2]:
        await ben.click(card, "Reject")
        await ben.submit(await ben.modal("Reject"), {"Reason": f"No: {bodies[cards.index(card)]}"})
    for run, body, card in zip(runs, bodies, cards, strict=True):
        ended = await open_office.ends(run.id, RunStatus.SUCCEEDED, RunStatus.DECLINED)
        assert (ended.status is RunStatus.SUCCEEDED) == (run in approved)
        [decision] = await open_office.decisions(run.id)
        assert decision.note == (None if run in approved else f"No: {body}")
        await ann.sees_on(card, "Done" if run in approved else f"No: {body}")
    assert sorted(entry.facts["text"] for entry in open_office.effects()) == bodies[::2]


async def test_a_quorum_counts_each_person_once_and_settles_with_the_second(open_office: Office):
    run = await open_office.start("two_of_three", {})
    ann, ben, dana = (open_office.person(name) for name in ("ann", "ben", "dana"))
    card = await ann.sees("Release it?", in_="#approvals")
    await ann.click(card, "Approve")
    await ann.sees_on(card, "Answers so far: @Ann Archer: Approve")
    assert card.buttons == ["Approve", "Reject"]
    assert (await open_office.ends(run.id, RunStatus.WAITING)).answered is False

    await ann.click(card, "Approve")
    await ann.is_told("You have already answered with “Approve”")
    await ann.click(card, "Reject")
    await ann.until(lambda: len(ann.refusals) == 2, "a second refusal")
    assert ann.open_modal is None
    assert len(await open_office.decisions(run.id)) == 1

    await ben.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    settled = await dana.sees_on(card, "by @Ann Archer, @Ben Brook")
    assert settled.buttons == []
    assert [entry.facts for entry in open_office.effects()] == [{"decided": ["U0ANN", "U0BEN"]}]


async def test_one_decline_settles_a_quorum(open_office: Office):
    run = await open_office.start("two_of_three", {})
    ann, ben = open_office.person("ann"), open_office.person("ben")
    card = await ann.sees("Release it?", in_="#approvals")
    await ann.click(card, "Approve")
    await ben.click(card, "Reject")
    await ben.submit(await ben.modal("Reject"), {"Reason": "Not on a Friday"})
    await open_office.ends(run.id, RunStatus.DECLINED)
    await ann.sees_on(card, "*Rejected* by @Ben Brook")
    assert open_office.effects() == []


async def test_the_last_two_votes_of_a_quorum_at_once_settle_it_once(open_office: Office):
    run = await open_office.start("two_of_three", {})
    people = [open_office.person(name) for name in ("ann", "ben", "dana")]
    card = await people[0].sees("Release it?", in_="#approvals")
    await asyncio.gather(*(person.click(card, "Approve", behind=True) for person in people))
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len(await open_office.decisions(run.id)) == 2
    assert await resumes(open_office, run.id) == 1
    [effect] = open_office.effects()
    assert len(effect.facts["decided"]) == 2


async def test_many_clicks_are_acknowledged_quickly_and_in_place_of_one_another(open_office: Office):
    """Six cards, three people who all press at once: each card has one decision, and no ack comes late."""
    runs = [await open_office.start("send_message", {"recipient": "press", "body": f"{n}"}) for n in range(6)]
    people = [open_office.person(name) for name in ("ann", "ben", "dana")]
    ann = people[0]
    await ann.until(
        lambda: len([card for card in ann.messages("#approvals") if card.buttons]) == 6, "six cards", timeout=20
    )
    cards = [card for card in ann.messages("#approvals") if card.buttons]
    await asyncio.gather(*(person.click(card, "Approve", behind=True) for person in people for card in cards))
    for run in runs:
        await open_office.ends(run.id, RunStatus.SUCCEEDED)
        assert len(await open_office.decisions(run.id)) == 1
    acks = open_office.workbench.acks_of("block_actions")
    assert len(acks) == 18
    assert max(ack.ms for ack in acks) < 3000
    assert statistics.median(ack.ms for ack in acks) < 500
    assert len(open_office.effects()) == 6


@BOTH_DATABASES
async def test_two_bots_on_one_database_decide_once_whichever_of_them_a_click_reaches(
    database: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SIGNOFF_LEDGER", str(tmp_path / "ledger.jsonl"))
    async with office("socket", tmp_path) as opened:
        opened.database_url = database
        await opened.open()
        await opened.open()
        assert await opened.workbench.connected(connections=2)
        run = await opened.start("send_message", MESSAGE)
        people = [opened.person(name) for name in ("ann", "ben", "dana")]
        card = await people[0].sees("Approve sending", in_="#approvals")
        clicks = [person.click(card, "Approve", behind=True) for person in people for _ in range(2)]
        assert all(ack.ok for ack in await asyncio.gather(*clicks))
        await opened.ends(run.id, RunStatus.SUCCEEDED)
        [decision] = await opened.decisions(run.id)
        for person in people:
            if person.person.id != decision.person:
                await person.is_told("Already approved by")
        assert await resumes(opened, run.id) == 1
        assert len(opened.effects()) == 1
        await opened.settled(run.id)
        assert len(opened.person("rita").messages("dm")) == 1
