"""A card that never appears, cards that stack up, an answer that does nothing: each explains itself, and says what to do."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from actions.kit.agents.shapes import Turn, Wanted
from actions.kit.policies.policy import ChannelMembers, Person, Policy, Requester
from actions.kit.records.audit import ANSWER_REFUSED, AuditRecord
from actions.kit.records.copies import CopyKind, CopyRecord
from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import Failure, RunStatus
from actions.kit.running.calls import CallRecord, CallStatus
from blocks.diagnosis import faults_of
from blocks.faults import Symptom, Trouble
from blocks.life import Life, Missing
from blocks.said import in_plain
from blocks.standing import standing
from blocks.tree import Branch, tree_of
from tests.cards import ANN, AT_NINE, BEA, CAI, DAN, decision, send_message_card, with_run

LATER = AT_NINE + timedelta(minutes=5)
TWO = Policy(deciders=(Person(BEA), Person(CAI), Person(DAN)), quorum=2)


def waiting(**changes: Any) -> Card:
    card = send_message_card()
    return replace(card, interrupt=replace(card.interrupt, **changes))


def told(life: Life) -> dict[Trouble, tuple[Symptom, str, str]]:
    faults = faults_of(life, LATER)
    return {each.trouble: (each.symptom, in_plain(each.seen), in_plain(each.fix)) for each in faults}


def life(card: Card, **more: Any) -> Life:
    return Life(card.run, (card,), **more)


def call(path: str, status: CallStatus = CallStatus.PAUSED, **changes: Any) -> CallRecord:
    made = CallRecord(
        "run_send_message", path, "refund_order", "Refund order", '{"order":"A-1"}', status, 1, 1, AT_NINE
    )
    return replace(made, **changes)


def refused(**details: Any) -> AuditRecord:
    card = waiting()
    return AuditRecord(LATER, card.run.id, card.interrupt.id, ANSWER_REFUSED, BEA, "http", details)


def lines(branch: Branch | None, deep: int = 0) -> list[str]:
    below = [] if branch is None else branch.below
    return [text for each in below for text in (*_own(each, deep), *lines(each, deep + 1))]


def _own(branch: Branch, deep: int) -> list[str]:
    return [f"{'  ' * deep}{in_plain(branch.words)}", *(f"{'  ' * deep}  {in_plain(each)}" for each in branch.told)]


def test_a_question_that_waits_as_it_should_has_no_fault():
    assert faults_of(life(waiting()), LATER) == ()


def test_an_ended_run_has_none_whatever_it_went_through():
    card = with_run(waiting(undeliverable="is_archived"), RunStatus.CANCELLED)
    assert faults_of(life(card, trail=(refused(why="invalid"),)), LATER) == ()


# A card that never appears


def test_a_card_that_slack_refuses_says_why_and_what_to_do():
    symptom, seen, fix = told(life(waiting(undeliverable="not_in_channel")))[Trouble.UNDELIVERED]
    assert (symptom, seen) == (
        "a card that never appears",
        "The card could not be posted: the bot is not in the channel (not_in_channel).",
    )
    assert (
        fix
        == "Invite the bot to the channel (/invite). Then have it delivered again: an operator, with /signoff stuck."
    )


def test_a_card_that_is_not_posted_is_told_after_a_minute_with_slacks_word():
    card = waiting(posted_at=None)
    copy = CopyRecord("c", card.run.id, card.interrupt.id, CopyKind.CARD, None, "wanted", 0, 1, 4, error="ratelimited")
    assert not faults_of(life(card), AT_NINE + timedelta(seconds=50))
    _, seen, fix = told(life(card, copies=(copy,)))[Trouble.UNPOSTED]
    assert (
        seen == "The card does not stand in Slack since 2026-11-30 09:00 UTC; Slack says ratelimited, after 4 attempts."
    )
    assert "signoff serve" in fix


def test_a_kind_of_card_that_nobody_registered_is_told_with_what_may_have_been_meant():
    missing = Missing(ui="ask_locaton", similar="ask_location")
    _, seen, fix = told(life(waiting(ui="ask_locaton"), missing=missing))[Trouble.UNKNOWN_KIND]
    assert "No kind of card is called “ask_locaton”, so it is the generic card" in seen
    assert seen.endswith("Did you mean “ask_location”?")
    assert "signoff cards" in fix


@pytest.mark.parametrize("policy", [Policy(deciders=Person(ANN)), Policy(deciders=Requester()), TWO])
def test_a_question_that_nobody_can_answer_says_so(policy: Policy):
    card = waiting(policy=policy.model_copy(update={"quorum": 4}) if policy is TWO else policy)
    _, seen, _ = told(life(card))[Trouble.NOBODY]
    assert seen.startswith(
        f"It takes {card.interrupt.policy.quorum} to answer, and {'3' if policy is TWO else 'nobody'}"
    )


# Cards that stack up


def test_the_same_call_made_again_before_the_first_ended_is_told_with_both_places():
    symptom, seen, fix = told(life(waiting(), calls=(call("first"), call("second"))))[Trouble.SAME_CALL]
    assert (symptom, "first and second" in seen, fix[:9]) == ("cards that stack up", True, "Call it o")


def test_calls_one_after_another_or_about_something_else_or_that_ask_nothing_do_not_stack_up():
    ended = call("first", CallStatus.FINISHED, ended_at=AT_NINE)
    asked = replace(waiting(), interrupt=replace(waiting().interrupt, call_path="first"))
    after = Life(asked.run, (asked,), calls=(ended, call("second", began_at=LATER)))
    other = life(waiting(), calls=(call("first"), call("second", input='{"order":"A-2"}')))
    quiet = life(waiting(), calls=(call("first", CallStatus.EXECUTING), call("second", CallStatus.EXECUTING)))
    assert [told(each) for each in (after, other, quiet)] == [{}] * 3


def test_a_question_that_is_asked_twice_side_by_side_is_told():
    first, second = waiting(call_path="ask", total=2), waiting(call_path="ask#2", position=2, total=2)
    run = first.run
    assert Trouble.SAME_QUESTION in told(Life(run, (first, second)))
    assert told(Life(run, (first, waiting(call_path="ask#2", position=2, total=2, shown='{"order": 2}')))) == {}


def test_equal_questions_below_equal_calls_are_told_with_those_alone():
    below, beside = ("order/ask", "order#2/ask"), ("orders/ask", "orders/ask#2")
    first, second, third, fourth = (
        waiting(call_path=path, position=number, total=4) for number, path in enumerate((*below, *beside), start=1)
    )
    calls = (call("order"), call("order#2"))
    assert set(told(Life(first.run, (first, second), calls=calls))) == {Trouble.SAME_CALL}
    both = {Trouble.SAME_CALL, Trouble.SAME_QUESTION}
    assert set(told(Life(first.run, (first, second, third, fourth), calls=calls))) == both


def test_equal_requests_that_wait_are_told_by_their_ids():
    card = waiting()
    _, seen, fix = told(life(card, same=(replace(card.run, id="run_other"),)))[Trouble.SAME_REQUEST]
    assert seen == f"1 more request of {ANN} with the same input waits beside it: run_other."
    assert "Idempotency-Key" in fix


# An answer that does nothing


def test_an_answer_of_another_shape_is_shown_beside_the_expected_one():
    entry = refused(why="invalid", choice="Reject", shape={"reson": "text"}, places=["/reason", "/reson"])
    symptom, seen, fix = told(life(waiting(), trail=(entry,)))[Trouble.REFUSED]
    assert symptom == "an answer that does nothing"
    assert seen == (
        f"An answer by {BEA} was refused, 2026-11-30 09:05 UTC: “Reject” with {{reson: text}}; "
        "it does not fit at /reason, /reson."
    )
    assert fix == "Expected is “Approve” · “Reject” with {reason: text}."


def test_who_may_not_answer_is_told_who_may():
    _, seen, fix = told(life(waiting(), trail=(refused(why="not_allowed"),)))[Trouble.REFUSED]
    assert "they may not answer it" in seen
    assert fix == "These may: members of C0APPROVALS."


def test_an_action_that_is_gone_while_its_question_waits_is_told():
    for missing in (Missing(action="send_message"), Missing(answer=True)):
        _, seen, fix = told(life(waiting(), missing=missing))[Trouble.CODE_GONE]
        assert "send_message" in seen
        assert "refused as on hold" in seen
        assert "ACTIONS" in fix


def test_answers_that_no_choice_can_win_with_any_more_are_told():
    shape = replace(waiting(policy=TWO)).interrupt.shape
    choices = tuple(
        each.model_copy(update={"declines": False, "key": key}) for key in "abc" for each in shape.choices[:1]
    )
    card = waiting(policy=TWO, shape=shape.model_copy(update={"choices": choices}))
    voted = replace(card, decisions=(decision(BEA, "a"), decision(CAI, "b")))
    assert Trouble.SPLIT not in told(life(voted))
    assert Trouble.SPLIT in told(life(replace(voted, decisions=(*voted.decisions, decision(DAN, "c")))))


# Where it stands, and the tree


def test_where_a_run_stands_is_one_sentence_with_what_to_do():
    def stands(card: Card, **more: Any) -> tuple[str, str]:
        found = standing(life(card, **more), LATER)
        return in_plain(found.why), in_plain(found.fix)

    started = AuditRecord(AT_NINE, "run_send_message", None, "started", ANN, "slack")
    card = waiting()
    assert stands(card)[0].endswith("asked by Send message, from members of C0APPROVALS.")
    assert stands(with_run(card, RunStatus.QUEUED), trail=(started,))[1].startswith("See that signoff serve runs")
    failed = with_run(
        card, RunStatus.FAILED, failure=Failure(kind="ValueError", message="No.", advice="Try.", call="pay")
    )
    assert stands(failed) == (
        "It failed by the call pay, which alone is tried anew when it is run again: ValueError: No.",
        "Try.",
    )
    assert stands(with_run(card, RunStatus.HELD, failure=Failure(kind="held", message="Gone.")))[1].startswith(
        "It goes on"
    )


def test_a_tree_tells_of_each_pause_for_whom_it_waits_where_its_card_stands_and_how_it_was_answered():
    first = waiting(call_path="order 1", total=2, shown='{"order": 1}')
    answered = replace(
        waiting(
            call_path="order 1",
            shown=first.interrupt.shown,
            status=InterruptStatus.ANSWERED,
            choice="Reject",
            answer='{"reason": "No"}',
            settled_at=LATER,
        ),
        decisions=(decision(BEA, "Reject", note="No"),),
    )
    asks = replace(first, interrupt=replace(first.interrupt, call_path="order 2", position=2))
    copy = CopyRecord(
        "c", first.run.id, first.interrupt.id, CopyKind.CARD, None, "failed", 0, 1, 1, error="is_archived"
    )
    calls = (
        call("order 1", CallStatus.FAILED, ended_at=LATER, failure=Failure(kind="E", message="m", advice="do")),
        call("order 2"),
    )
    assert lines(tree_of(Life(first.run, (answered, asks), calls=calls, copies=(copy,)), values=True)) == [
        "order 1 (refund_order)  ⚠️ failed, 2026-11-30 09:00 UTC to 2026-11-30 09:05 UTC",
        "  E: m",
        "  → do",
        f"  “Approve sending this message?”  ✅ Rejected by {BEA}, 2026-11-30 09:05 UTC",
        '    about {"order": 1}',
        "    asked of members of C0APPROVALS, 2026-11-30 09:00 UTC",
        '    answered “Reject” with {"reason": "No"}',
        f"    Reject, by {BEA}, who says: No, 2026-11-30 09:03 UTC",
        "order 2 (refund_order)  🕐 waits for an answer",
        "  “Approve sending this message?” (2 of 2)  🕐 Waiting for an answer, 2026-11-30 09:00 UTC",
        '    about {"order": 1}',
        "    waits for members of C0APPROVALS, until 2026-11-30 13:00 UTC, then it expires",
        "    expects “Approve” · “Reject” with {reason: text}",
        "    card could not be posted with the deciders: the channel is archived (is_archived)",
    ]


def test_a_turn_of_a_model_says_which_of_its_calls_are_one():
    wanted = [Wanted(call=each, tool="refund_order", arguments={"order": "A-1"}) for each in ("a", "b")]
    turn = Turn(messages=[], wanted=wanted, text="I refund it.", tokens=1)
    made = call("turn 1", CallStatus.FINISHED, action_id="model_turn", output=turn.model_dump_json(), ended_at=LATER)
    assert lines(tree_of(Life(waiting().run, calls=(made,)), values=True))[1:] == [
        "  says: I refund it.",
        '  wants refund_order {"order": "A-1"}',
        '  wants refund_order {"order": "A-1"}, which it wants already: the two are carried out once',
    ]
    unread = replace(made, output=json.dumps({"answer": 1}))
    assert lines(tree_of(Life(waiting().run, calls=(unread,)), values=True))[1:] == ['  returned {"answer": 1}']


def test_a_call_of_a_script_has_the_line_that_made_it():
    code = json.dumps({"code": "for each in orders:\n    await refund_order(order=each)\n"})
    script = call("execute_code", action_id="execute_code", input=code)
    made = Life(waiting(call_path="execute_code/line 2#2").run, calls=(script, call("execute_code/line 2#2")))
    assert "    in: await refund_order(order=each)" in lines(tree_of(made, values=True))
    alone = Life(replace(waiting().run, input=code), calls=(call("line 1"), call("line 9")))
    assert [text for text in lines(tree_of(alone, values=True)) if "in: " in text] == ["  in: for each in orders:"]
    asked = waiting(call_path="execute_code/line 2#2")
    assert "in line 2 of the script" in in_plain(standing(life(asked), LATER).why)


def test_only_the_lines_of_python_count_in_a_script():
    code = json.dumps({"code": "harmless = 1  # \u2028\x0c\x85\nawait refund_order(order=1)\n"})
    made = Life(replace(waiting().run, input=code), calls=(call("line 2"),))
    assert "  in: await refund_order(order=1)" in lines(tree_of(made, values=True))


def test_questions_and_calls_stand_in_the_order_in_which_they_came():
    asks = [waiting(call_path=path, created_at=AT_NINE + timedelta(minutes=at)) for path, at in (("a", 1), ("b", 3))]
    calls = [call(path, began_at=AT_NINE + timedelta(minutes=at)) for path, at in (("first", 0), ("second", 2))]
    drawn = tree_of(Life(waiting().run, tuple(asks), calls=tuple(calls)), values=True)
    assert drawn is not None
    assert list(drawn.places) == ["first", "a", "second", "b"]


def test_the_members_of_a_channel_are_never_counted_here():
    assert faults_of(life(waiting(policy=Policy(deciders=ChannelMembers("#a"), quorum=9))), LATER) == ()


def test_a_call_that_was_asked_about_tells_its_passes_and_never_that_it_was_done_so_often():
    over = call("order A-1", CallStatus.FINISHED, executions=3, ended_at=LATER)
    told = "\n".join(lines(tree_of(life(waiting(), calls=(over,)), values=False)))
    assert ", in 3 passes" in told
    assert "times" not in told


def test_a_question_before_a_call_that_asked_and_was_executed_again_stands_before_it():
    asked = waiting(call_path="choose")
    later = LATER + timedelta(minutes=1)
    own = replace(asked.interrupt, id="second", call_path="pay", created_at=LATER)
    over = call("pay", CallStatus.FINISHED, executions=2, began_at=later, ended_at=later)
    drawn = lines(tree_of(Life(asked.run, (asked, replace(asked, interrupt=own)), calls=(over,)), values=False))
    assert [line.split()[0] for line in drawn if line.startswith(("choose", "pay"))] == ["choose", "pay"]
