"""What an action is told: the answer with its types, the key of the step, resources, and a line for the card."""

import asyncio
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, computed_field

from actions import Cause, Context, Decision, ResourceError, StateError
from actions.kit.context import REPORT_LIMIT
from actions.kit.records.interrupts import DecisionRecord, Expire, InterruptRecord, InterruptStatus, Shape
from actions.kit.records.outcomes import Returned
from actions.kit.shapes.json_text import to_json_text
from tests.authors import IN_THE_CHANNEL, execute_once, executing

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def interrupt(choice: str, answer: str, **changes: Any) -> InterruptRecord:
    facts: dict[str, Any] = {
        "id": "I1",
        "run_id": "R1",
        "number": 1,
        "call_path": "",
        "occurrence": 1,
        "message": "Go on?",
        "data": None,
        "shown": "{}",
        "state": None,
        "ui": None,
        "resume": "",
        "shape": Shape(choices=()),
        "fingerprint": "",
        "policy": IN_THE_CHANNEL,
        "expires_in": None,
        "on_expiry": Expire(),
        "status": InterruptStatus.ANSWERED,
        "content_version": 1,
        "created_at": NOON,
        "cause": Cause.HUMAN,
        "choice": choice,
        "answer": answer,
    }
    return InterruptRecord(**facts | changes)


async def nothing(ctx: Context) -> None:
    return None


def built(
    resume: Any, record: InterruptRecord | None, decisions: tuple[DecisionRecord, ...] = (), **more: Any
) -> Context:
    action = executing(nothing, resume=resume, resumes={"when": date})
    answered = () if record is None else ((record, decisions),)
    return Context.build(run_id="R1", requester="U0RITA", resume=action.resume, answered=answered, **more)


@pytest.mark.parametrize(
    ("resume", "choice", "text", "value"),
    [
        (bool, "no", "false", False),
        (int, "answer", "0", 0),
        (str, "answer", '""', ""),
        (list[str], "answer", "[]", []),
        (dict[str, str], "answer", "{}", {}),
        (Literal["none"] | None, "none-2", "null", None),
    ],
)
def test_a_falsy_answer_is_an_answer_and_arrives_unchanged(resume, choice, text, value):
    resumption = built(resume, interrupt(choice, text)).resumption
    assert resumption is not None
    assert (resumption.choice, resumption.data) == (choice, value)
    assert type(resumption.data) is type(value)


def test_the_answer_of_a_further_type_is_restored_by_its_name():
    resumption = built(bool, interrupt("answer", '"2026-11-30"', resume="when")).resumption
    assert resumption is not None
    assert resumption.data == date(2026, 11, 30)


def test_an_answer_belongs_to_its_call_path_alone():
    other = interrupt("yes", "true", call_path="/notify[1]")
    assert built(bool, other).resumption is None
    assert built(bool, other, call_path="/notify[1]").resumption is not None


def test_the_decisions_tell_who_when_what_and_why():
    votes = (
        DecisionRecord("U0ANN", "yes", "true", "fine by me", NOON, "click-1"),
        DecisionRecord("U0BEN", "no", "false", None, NOON, "click-2"),
    )
    resumption = built(bool, interrupt("yes", "true"), votes).resumption
    assert resumption is not None
    assert resumption.decisions == (
        Decision("U0ANN", NOON, "yes", True, "fine by me"),
        Decision("U0BEN", NOON, "no", False, None),
    )
    assert resumption.cause is Cause.HUMAN


def test_the_key_of_a_step_stays_the_same_on_every_re_run_and_changes_with_each_answer():
    first, again = built(bool, None), built(bool, None)
    second = built(bool, interrupt("yes", "true"))
    third = built(bool, interrupt("yes", "true", occurrence=2))
    nested = built(bool, None, call_path="/notify[1]")
    assert first.idempotency_key == again.idempotency_key
    keys = {each.idempotency_key for each in (first, second, third, nested)}
    assert len(keys) == 4
    assert (first.occurrence, second.occurrence, third.occurrence) == (1, 2, 3)


class Draft(BaseModel):
    amount: Decimal
    due: date


def test_the_state_comes_back_as_stored_and_as_a_type():
    state = '{"due":"2026-11-30","amount":"12.10"}'
    resumption = built(bool, interrupt("yes", "true", state=state, shown='{"b":1,"a":2}')).resumption
    assert resumption is not None
    assert resumption.state == {"due": "2026-11-30", "amount": "12.10"}
    assert list(resumption.shown) == ["b", "a"]
    assert resumption.state_as(Draft) == Draft(amount=Decimal("12.10"), due=date(2026, 11, 30))


def test_a_state_comes_back_as_its_type_whatever_that_computes_renames_or_forbids():
    class Cart(BaseModel):
        model_config = ConfigDict(extra="forbid")
        cost: Decimal = Field(alias="Cost")

        @computed_field
        def doubled(self) -> Decimal:
            return self.cost * 2

    cart = Cart(Cost=Decimal("1.10"))
    resumption = built(bool, interrupt("yes", "true", state=to_json_text(cart, what="state"))).resumption
    assert resumption is not None
    assert resumption.state_as(Cart) == cart


def test_a_state_that_does_not_fit_is_told_without_its_values():
    resumption = built(bool, interrupt("yes", "true", state='{"amount":"hunter2"}')).resumption
    assert resumption is not None
    with pytest.raises(StateError) as caught:
        resumption.state_as(Draft)
    assert "amount" in str(caught.value)
    assert "due" in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_state_that_was_never_given_is_told_as_such():
    resumption = built(bool, interrupt("yes", "true", state=None)).resumption
    assert resumption is not None
    with pytest.raises(StateError, match="raised without `state=`"):
        resumption.state_as(Draft)


def test_a_resumption_does_not_show_its_state():
    resumption = built(bool, interrupt("yes", "true", state='"hunter2"')).resumption
    assert "hunter2" not in repr(resumption)


class Client:
    pass


class SpecialClient(Client):
    pass


def test_a_resource_is_found_by_its_type():
    client, special = Client(), SpecialClient()
    assert built(bool, None, resources=(special,)).resource(Client) is special
    assert built(bool, None, resources=(special, client)).resource(Client) is client


def test_a_resource_that_is_not_there_or_not_the_only_one_is_told_by_its_type():
    with pytest.raises(ResourceError, match="no resource is of type Client"):
        built(bool, None, resources=("text",)).resource(Client)
    with pytest.raises(ResourceError, match="2 resources are of type Client"):
        built(bool, None, resources=(Client(), Client())).resource(Client)


def test_a_report_is_handed_over_clean_and_cut_with_a_count():
    lines: list[str] = []
    ctx = built(bool, None, report=lines.append)
    ctx.report("  half \ud800 and \0 done  ")
    ctx.report("   ")
    ctx.report("x" * 5_000)
    assert lines[0] == "half ? and \N{REPLACEMENT CHARACTER} done"
    assert len(lines) == 2
    assert len(lines[1]) <= REPORT_LIMIT
    assert lines[1].endswith("(3,040 more characters)")


async def test_two_runs_at_once_never_cross_their_answers():
    async def body(ctx: Context) -> list[Any]:
        await asyncio.sleep(0.01)
        assert ctx.resumption is not None
        return [ctx.run_id, ctx.resumption.data, ctx.idempotency_key]

    action = executing(body, resume=int)
    outcomes = await asyncio.gather(
        *(
            execute_once(action, run_id=f"R{n}", answered=[(interrupt("answer", str(n), run_id=f"R{n}"), ())])
            for n in range(5)
        )
    )
    assert outcomes == [Returned(f'["R{n}",{n},"R{n}:1"]') for n in range(5)]
