"""Every mistake in a declaration surfaces when it is made, names the action and says what to change."""

from datetime import date, timedelta
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from actions import Action, ActionError, Answer, ChannelMembers, Context, Never, Person, Policy, Requester, action
from blocks.lives import STUCK, WORDS
from tests.authors import IN_THE_CHANNEL, Nothing, declare

OF_THE_REQUESTER = Policy(deciders=Requester())


async def fine(input: Nothing, ctx: Context) -> str:
    return "fine"


def mistakes_of(function: Any = fine, **options: Any) -> str:
    with pytest.raises(ActionError) as caught:
        declare(function, **options)
    assert caught.value.action_id == options.get("id", "tried")
    assert "action" in str(caught.value)
    return "\n".join(caught.value.mistakes)


def synchronous(input: Nothing, ctx: Context) -> str:
    return "fine"


async def yielding(input: Nothing, ctx: Context):
    yield "fine"


async def without_input_type(input, ctx: Context) -> str:
    return "fine"


async def without_context_type(input: Nothing, ctx) -> str:
    return "fine"


async def with_another_context(input: Nothing, ctx: dict[str, Any]) -> str:
    return "fine"


async def the_wrong_way_round(ctx: Context, input: Nothing) -> str:
    return "fine"


async def without_output_type(input: Nothing, ctx: Context):
    return "fine"


async def without_context(input: Nothing) -> str:
    return "fine"


async def with_keywords(input: Nothing, *, ctx: Context) -> str:
    return "fine"


async def with_an_unknown_type(input: "Nowhere", ctx: Context) -> str:  # type: ignore[name-defined]  # noqa: F821
    return "fine"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (synchronous, "must be an async function"),
        (yielding, "it yields"),
        (without_input_type, "annotate 'input' with a type"),
        (without_context_type, "annotate 'ctx' with a type"),
        (with_another_context, "annotate 'ctx' as Context"),
        (the_wrong_way_round, "the input comes first, then the context"),
        (without_output_type, "annotate what it returns"),
        (without_context, "it must take two arguments"),
        (with_keywords, "it must take two arguments"),
        (with_an_unknown_type, "NameError: name 'Nowhere' is not defined"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_signature_that_does_not_say_everything_is_refused(function, words):
    assert words in mistakes_of(function)


def test_an_action_without_deciders_is_refused_and_shown_how_to_write_them():
    assert 'ChannelMembers("#approvals")' in mistakes_of(policy=None)
    assert "nobody decides" in mistakes_of(policy=Policy(deciders=()))


def test_a_quorum_that_cannot_be_met_is_refused():
    policy = Policy(deciders=(Person("dana@example.com"), Person("omar@example.com")), quorum=3)
    assert "quorum is 3, but only 2 can decide" in mistakes_of(policy=policy)


def test_a_question_of_the_requester_may_come_with_an_approval_that_names_its_own_policy():
    declare(fine, resume=str, resumes={"sign_off": Literal["yes", "no"]}, declines={"no"}, policy=OF_THE_REQUESTER)


def test_an_approval_that_only_the_requester_could_give_is_refused():
    assert "nobody approves their own request" in mistakes_of(policy=OF_THE_REQUESTER)


@pytest.mark.parametrize("id_", ["", "Send", "1st", "send-message", "send message", "_x", "x" * 65, "é", None])
def test_an_id_that_is_no_id_is_refused(id_):
    with pytest.raises(ActionError, match="the id must be small letters"):
        declare(fine, id=id_)


@pytest.mark.parametrize(
    "word", ["list", *(words[0] for said, _ in (*WORDS, STUCK) if (words := said.split()) and words[0].islower())]
)
def test_an_id_that_is_a_word_of_the_slash_command_is_refused_by_name(word):
    assert f"the id {word!r} is a word of the command" in mistakes_of(id=word)


def test_the_longest_id_is_accepted():
    assert declare(fine, id="x" * 64).id == "x" * 64


@pytest.mark.parametrize("what", ["name", "description", "version"])
def test_a_text_that_people_read_must_not_be_empty(what):
    assert f"{what} must be a text that is not empty" in mistakes_of(**{what: " "})


@pytest.mark.parametrize("expires_in", [timedelta(), timedelta(seconds=-1), timedelta.max, 300, "4h", None])
def test_a_deadline_that_is_none_is_refused(expires_in):
    assert "expires_in must be" in mistakes_of(expires_in=expires_in)


def test_a_pause_that_never_expires_has_to_be_written_out():
    assert declare(fine).expires_in == timedelta(hours=24)
    assert declare(fine, expires_in=Never).expires_in is None


@pytest.mark.parametrize("time_limit", [timedelta(), None, 60])
def test_a_time_limit_that_is_none_is_refused(time_limit):
    assert "time_limit must be a timedelta" in mistakes_of(time_limit=time_limit)


@pytest.mark.parametrize("name", ["idempotent", "destructive"])
def test_a_text_is_no_truth_value_of_an_action(name):
    assert f"{name} must be True or False; it is 'no'" in mistakes_of(**{name: "no"})


class Unshowable(BaseModel):
    raw: bytes


def test_an_answer_that_slack_cannot_ask_for_is_refused_with_its_path():
    words = mistakes_of(resume=Unshowable, resumes={"other": bytes})
    assert "resume: Slack cannot ask for it: " in words
    assert "raw" in words
    assert "resumes['other']: Slack cannot ask for it: " in words


def test_an_input_or_output_that_cannot_be_stored_is_refused():
    async def takes(input: Unshowable, ctx: Context) -> bytes:
        return b""

    words = mistakes_of(takes)
    assert "its input type Unshowable cannot be used: " in words
    assert "its output type bytes cannot be used: " in words


def test_names_of_further_answers_are_ids():
    assert "resumes: 'Pick one' must be" in mistakes_of(resumes={"Pick one": int})


def test_a_declining_choice_that_does_not_exist_is_refused_with_those_that_do():
    words = mistakes_of(resume=Literal["approved", "rejected"], declines={"refused"})
    assert "there is no choice 'refused'; the choices are 'approved', 'rejected'" in words


def test_declines_marks_the_choice_in_whichever_type_has_it():
    tried = declare(
        fine, resume=Literal["yes", "no"], resumes={"more": Literal["again", "stop"]}, declines={"no", "stop"}
    )
    declining = {name: [c.key for c in tried.resume(name).shape.choices if c.declines] for name in ("", "more")}
    assert declining == {"": ["no"], "more": ["stop"]}


@pytest.mark.parametrize(
    ("resume", "answer"),
    [
        (Literal["yes", "no"], Answer(choice="maybe")),
        (int, Answer(choice="answer", value="many")),
        (int, Answer(choice="answer")),
        (None, Answer(choice="reject", value={})),
        (int, Answer(choice="answer", value=float("nan"))),
    ],
)
def test_a_default_answer_that_does_not_fit_is_refused(resume, answer):
    assert f"on_expiry=Answer({answer.choice!r}, ...) does not fit" in mistakes_of(resume=resume, on_expiry=answer)


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


@pytest.mark.parametrize(
    ("resume", "answer", "value"),
    [
        (Literal["yes", "no"], Answer(choice="no"), "no"),
        (date, Answer(choice="answer", value=date(2026, 11, 30)), "2026-11-30"),
        (Size, Answer(choice="small", value=Size.SMALL), "small"),
        (None, Answer(choice="approve"), {}),
        (bool, Answer(choice="no", value=False), False),
    ],
)
def test_a_default_answer_is_kept_as_it_will_be_stored(resume, answer, value):
    settled = declare(fine, resume=resume, on_expiry=answer).on_expiry
    assert isinstance(settled, Answer)
    assert (settled.choice, settled.value) == (answer.choice, value)


def test_every_mistake_of_an_action_is_told_at_once():
    words = mistakes_of(synchronous, id="Bad", policy=None, time_limit=None)
    assert len(words.splitlines()) == 4


def test_an_action_can_still_be_called_and_says_who_it_is():
    tried = declare(fine)
    assert repr(tried) == "Action(id='tried', name='Tried', description='Tried out.')"
    assert tried.input_type is Nothing
    assert tried.output_type is str
    coroutine = tried(Nothing(), None)  # type: ignore[arg-type]
    coroutine.close()


def test_the_decorator_keeps_every_setting():
    policy = Policy(deciders=ChannelMembers("#approvals"))
    made: Action = action(
        id="a", name="A", description="D", policy=policy, idempotent=True, version="7", ui="write_code"
    )(fine)
    assert (made.id, made.idempotent, made.version, made.ui, made.policy) == ("a", True, "7", "write_code", policy)


class Two(BaseModel):
    first: int
    second: int = 0


def test_the_fingerprint_changes_with_input_answers_and_version_and_with_nothing_else():
    async def other_input(input: Two, ctx: Context) -> str:
        return "fine"

    base = declare(fine, resumes={"count": int})
    same = declare(fine, resumes={"count": int}, name="Another", policy=IN_THE_CHANNEL, expires_in=Never)
    others = [
        declare(other_input).fingerprint(),
        declare(fine, version="2").fingerprint(),
        declare(fine, resume=Literal["yes", "no"]).fingerprint(),
        declare(fine, resume=Literal["yes", "no"], declines={"no"}).fingerprint(),
        base.fingerprint("count"),
    ]
    assert base.fingerprint() == same.fingerprint()
    assert len({base.fingerprint(), *others}) == 6
