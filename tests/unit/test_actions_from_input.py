"""What an action leaves to its input: the shape of the answer and who decides, found again from what is stored."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from actions import ActionInterrupt, Answer, Channel, Context, DirectMessage, FromInput, Person, Policy, Requester
from actions.ask import ask
from actions.kit.action import ActionError
from actions.kit.errors import AnswerError
from actions.kit.shapes.patterns import refuse_slow_patterns
from actions.testing import run
from bot.engine.questions import still_fits
from tests.authors import declare
from tests.cards import send_message_card


class Asked(BaseModel):
    answer: dict[str, Any] | None = None
    decider: str = "U0ANN"


async def _asking(input: Asked, ctx: Context) -> Any:
    if ctx.resumption is None:
        raise ActionInterrupt("Well?")
    return ctx.resumption.data


RESUME = FromInput(lambda asked: asked.answer, "answer")
POLICY = FromInput(lambda asked: Policy(deciders=Person(asked.decider)), "decider")
asking = declare(_asking, resume=RESUME, policy=POLICY)
COLOURS = {"answer": {"enum": ["red", "blue"]}}
QUESTION = {"message": "Ship it?", "deciders": ["#approvals"]}


def problems(action: Any, raw: Any) -> dict[tuple[str | int, ...], str]:
    with pytest.raises(AnswerError) as caught:
        action.validate_input(raw)
    return {problem.path: problem.message for problem in caught.value.problems}


def _card_of(request: Any, input_text: str) -> tuple[Any, Any]:
    card = send_message_card()
    interrupt = replace(card.interrupt, resume=request.resume, shape=request.shape, fingerprint=request.fingerprint)
    return replace(card.run, input=input_text), interrupt


async def test_each_run_brings_its_own_answers_and_deciders():
    paused = await run(asking, {**COLOURS, "decider": "U0BEN"})
    assert paused.choices == ("red", "blue")
    assert paused.request.policy.deciders == (Person("U0BEN"),)
    assert (await paused.answer("blue")).output == "blue"


async def test_without_a_shape_in_the_input_it_is_approved_or_rejected():
    assert (await run(asking, {})).choices == ("approve", "reject")


def test_a_shape_that_cannot_be_asked_for_is_told_before_the_run_starts():
    assert "is not JSON Schema" in problems(asking, {"answer": {"type": "strin"}})["answer",]
    assert (
        "secrets are never asked for"
        in problems(asking, {"answer": {"properties": {"pin": {"writeOnly": True}}}})["answer",]
    )


def test_a_policy_that_nobody_could_meet_is_told_before_the_run_starts():
    policy = FromInput(lambda _: Policy(deciders=Requester()), "decider")
    assert "nobody approves their own request" in problems(declare(_asking, policy=policy), {})["decider",]


@pytest.mark.parametrize("option", ["resume", "policy"])
def test_a_fault_of_the_function_that_reads_the_input_is_told_at_its_field(option):
    def breaks(_: Asked) -> Any:
        raise KeyError("secret words")

    action = declare(_asking, **{"resume": RESUME, "policy": POLICY, option: FromInput(breaks, "answer")})
    assert problems(action, {}) == {("answer",): "could not be read: KeyError in the action's own code"}


def test_what_is_no_policy_is_told_before_the_run_starts():
    action = declare(_asking, policy=FromInput(lambda _: None, "decider"))
    assert "is no Policy but NoneType" in problems(action, {})["decider",]


def test_a_default_answer_is_checked_against_what_the_input_brings():
    action = declare(_asking, resume=RESUME, policy=POLICY, on_expiry=Answer(choice="red"))
    assert action.validate_input(COLOURS)
    assert "does not fit what can be answered" in problems(action, {})["decider",]


def test_what_it_leaves_to_its_input_can_be_seen_and_is_no_resume_type_by_itself():
    assert (asking.answers_from, asking.policy_from, asking.resume_names) == ("answer", "decider", ())
    assert (asking.knows(""), asking.knows("more")) == (True, False)
    bound = asking.bound(asking.validate_input(COLOURS))
    assert (bound.answers_from, bound.policy_from, bound.resume_names) == (None, None, ("",))
    with pytest.raises(KeyError):
        asking.resume()


async def test_a_question_still_fits_while_the_same_input_says_the_same():
    text = asking.validate_input(COLOURS)
    bound = asking.bound(text)
    request = (await run(asking, COLOURS)).request
    card = _card_of(request, text)
    assert still_fits(bound, *card)
    other = declare(_asking, resume=FromInput(lambda _: {"enum": ["green"]}, "answer"), policy=POLICY)
    assert not still_fits(other.bound(text), *card)


def test_declines_cannot_name_what_is_not_known_yet():
    with pytest.raises(ActionError, match="there is no choice 'no'"):
        declare(_asking, resume=RESUME, declines={"no"})


async def test_ask_shows_its_data_and_hands_the_answer_and_who_gave_it_back():
    paused = await run(ask, {**QUESTION, "data": {"build": 417}, "answer": {"type": "integer"}, "expires_in": "PT4H"})
    assert (paused.message, paused.data) == ("Ship it?", {"build": 417})
    assert paused.request.expires_in == timedelta(hours=4)
    done = await paused.answer("answer", 0, by="U0ANN")
    assert done.output.model_dump() == {"choice": "answer", "value": 0, "decided_by": ["U0ANN"]}


@pytest.mark.parametrize("data", [0, False, "", []])
async def test_ask_shows_falsy_data_as_it_is(data):
    assert (await run(ask, {**QUESTION, "data": data})).shown == data


async def test_ask_without_data_shows_nothing_of_its_own_input():
    assert (await run(ask, QUESTION)).shown == {}


async def test_ask_is_decided_by_whom_it_names_and_never_by_the_asker_unless_it_says_so():
    deciders = ["U0ANN", "ann@example.com", "#approvals", "C0APP", "requester"]
    policy = (await run(ask, {**QUESTION, "deciders": deciders, "show": ["#ops", "U0BEN"]})).request.policy
    assert [each.kind for each in policy.deciders] == [
        "person",
        "person",
        "channel_members",
        "channel_members",
        "requester",
    ]
    assert policy.show[0] == Channel("#ops")
    assert not policy.requester_excluded
    assert (await run(ask, QUESTION)).request.policy.requester_excluded


@pytest.mark.parametrize("email", ["Carol@example.com", "Gus.Green@example.com"])
async def test_ask_knows_an_email_by_its_at_sign_whatever_letter_it_begins_with(email):
    asked = {**QUESTION, "deciders": [email], "show": [email]}
    policy = (await run(ask, asked)).request.policy
    assert policy.deciders == (Person(email),)
    assert policy.show == (DirectMessage(Person(email)),)


@pytest.mark.parametrize(
    ("more", "path", "told"),
    [
        ({"message": "  "}, ("message",), "must not be empty"),
        ({"deciders": []}, ("deciders",), "must not be empty"),
        ({"deciders": ["ann"]}, ("deciders", 0), "must be a person"),
        ({"deciders": ["requester"]}, ("deciders",), "nobody approves their own request"),
        ({"show": ["requester"]}, ("show", 0), "must be a person"),
        ({"deciders": ["U0ANN"], "quorum": 2}, ("deciders",), "quorum is 2, but only 1 can decide"),
        ({"expires_in": 0}, ("expires_in",), "must be more than 0 seconds"),
        ({"expires_in": "P400D"}, ("expires_in",), "must be at most 365 days"),
        ({"expires_in": "soon"}, ("expires_in",), "must be a duration such as PT1H30M"),
        ({"answer": {"pattern": "(?=a)a"}}, ("answer",), "without look-around"),
        ({"answers": {}}, ("answers",), "is not known here"),
    ],
)
def test_ask_says_what_is_wrong_at_its_field(more, path, told):
    found = problems(ask, {**QUESTION, **more})
    assert list(found) == [path]
    assert told in found[path]


@pytest.mark.parametrize("pattern", ["(?=x)x", "(?<!x)y", r"(a)\1"])
def test_patterns_from_outside_that_may_take_for_ever_are_refused_wherever_they_stand(pattern):
    for schema in ({"pattern": pattern}, {"items": [{"anyOf": [{"pattern": pattern}]}]}):
        with pytest.raises(ValueError, match="without look-around"):
            refuse_slow_patterns(schema)
    refuse_slow_patterns({"pattern": "^(a+)+$", "properties": {"pattern": {"type": "string"}}})


def test_patterns_of_keys_from_outside_are_refused():
    with pytest.raises(ValueError, match="must not have patternProperties"):
        refuse_slow_patterns({"items": {"patternProperties": {"^a": {}}}})


def test_a_schema_from_outside_is_no_larger_than_what_is_checked_at_once():
    fields = {f"field_{number}": {"type": "string", "description": "d" * 60} for number in range(1_000)}
    found = problems(ask, {**QUESTION, "answer": {"type": "object", "properties": fields}})
    assert found == {("answer",): "must be at most 64 KiB of JSON; nobody fills in a form of more"}
