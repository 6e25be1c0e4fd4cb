"""What a resume type offers on a card, and that an answer is held to the one choice that it names."""

import json
import sys
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    EmailStr,
    Field,
    JsonValue,
    NaiveDatetime,
    RootModel,
    SecretStr,
    Tag,
    field_validator,
    model_validator,
)
from typing_extensions import TypeAliasType, TypedDict

from actions.kit.errors import AnswerError, ShapeError
from actions.kit.shapes.answers import MAX_ANSWER, MISSING, Approve, Inputs, Reject, Resume


class Size(Enum):
    """How big."""

    SMALL = "small"
    VERY_LARGE = "very_large"


class Level(Enum):
    LOW = 1
    HIGH = 2.5


class ShipIt(BaseModel):
    """Ship it today."""


class Adjust(BaseModel):
    amount: Annotated[Decimal, Field(gt=0, le=Decimal("500.00"), decimal_places=2)]
    on: date | None = None


class Address(BaseModel):
    street: str
    tags: list[str] = []


class Move(BaseModel):
    to: Address
    more: list[Address] = []


class ByCard(BaseModel):
    kind: Literal["card"]


class ByBank(BaseModel):
    kind: Literal["bank"]
    iban: str = Field(min_length=3)


class Budget(BaseModel):
    amount: int
    limit: int = 10

    @field_validator("amount")
    @classmethod
    def _even(cls, amount: int) -> int:
        if amount % 2:
            raise ValueError("Only even amounts.")
        return amount

    @model_validator(mode="after")
    def _within(self) -> "Budget":
        if self.amount > self.limit:
            raise ValueError("The budget has 10 left.")
        return self


class Bounded(BaseModel):
    budget: Budget


def offered(declared: Any, **options: Any) -> list[tuple[str, str, bool, Any]]:
    return [(each.key, each.title, each.has_form, each.value) for each in Resume.of(declared, **options).shape.choices]


def problems(resume: Resume, *answer: Any) -> dict[tuple[Any, ...], str]:
    with pytest.raises(AnswerError) as caught:
        resume.validate(*answer)
    return {problem.path: problem.message for problem in caught.value.problems}


@pytest.mark.parametrize(
    ("declared", "choices"),
    [
        (
            Literal["approved", "needs_work"],
            [("approved", "Approved", False, "approved"), ("needs_work", "Needs work", False, "needs_work")],
        ),
        (Size, [("small", "Small", False, "small"), ("very_large", "Very large", False, "very_large")]),
        (Level, [("1", "Low", False, 1), ("2.5", "High", False, 2.5)]),
        (Literal[Size.SMALL, 3], [("small", "Small", False, "small"), ("3", "3", False, 3)]),
        (bool, [("yes", "Yes", False, True), ("no", "No", False, False)]),
        (bool | None, [("yes", "Yes", False, True), ("no", "No", False, False), ("none", "None", False, None)]),
        (ShipIt | Adjust, [("ship_it", "Ship it", False, {}), ("adjust", "Adjust", True, None)]),
        (Adjust, [("answer", "Answer", True, None)]),
        (ShipIt, [("ship_it", "Ship it", False, {})]),
        (int, [("answer", "Answer", True, None)]),
        (int | None, [("answer", "Answer", True, None)]),
        (list[str], [("answer", "Answer", True, None)]),
        (date, [("answer", "Answer", True, None)]),
        (dict[str, int], [("answer", "Answer", True, None)]),
        (ByCard | ByBank, [("by_card", "By card", False, {"kind": "card"}), ("by_bank", "By bank", True, None)]),
        (
            ShipIt | Literal["skip"] | int | None,
            [
                ("ship_it", "Ship it", False, {}),
                ("skip", "Skip", False, "skip"),
                ("none", "None", False, None),
                ("answer", "Answer", True, None),
            ],
        ),
        (None, [("approve", "Approve", False, {}), ("reject", "Reject", True, None)]),
    ],
)
def test_what_a_type_is_decides_what_people_see(declared, choices):
    assert offered(declared) == choices


def test_a_union_is_read_through_every_way_of_writing_it():
    plain = offered(ByCard | ByBank)
    alias = TypeAliasType("alias", ByCard | ByBank)
    tagged = Annotated[
        Annotated[ByCard, Tag("card")] | Annotated[ByBank, Tag("bank")], Discriminator(lambda value: value["kind"])
    ]
    for declared in (
        Annotated[ByCard | ByBank, Field(discriminator="kind")],
        alias,
        tagged,
        ByCard | (ByBank | ByCard),
    ):
        assert offered(declared) == plain


def test_the_order_of_declaration_is_kept_for_types_that_python_calls_equal():
    assert [key for key, *_ in offered(ShipIt | Adjust)] == ["ship_it", "adjust"]
    assert [key for key, *_ in offered(Adjust | ShipIt)] == ["adjust", "ship_it"]
    assert [key for key, *_ in offered(Literal["b", "a"])] == ["b", "a"]
    assert [key for key, *_ in offered(Literal["a", "b"])] == ["a", "b"]


def test_values_that_would_share_a_key_or_a_title_are_told_apart():
    assert offered(Literal[1, "1", "", "empty", "a b", "A_B"]) == [
        ("1", "1 (1)", False, 1),
        ("1-2", "1 (1-2)", False, "1"),
        ("empty", "(empty)", False, ""),
        ("empty-2", "Empty", False, "empty"),
        ("a b", "a b", False, "a b"),
        ("A_B", "A_B", False, "A_B"),
    ]
    long = Resume.of(Literal["x" * 500, "x" * 501]).shape.choices
    assert {len(choice.key) for choice in long} == {60, 62}


def test_what_an_author_writes_on_a_model_shapes_its_button():
    class No(BaseModel):
        """Not now."""

        model_config = ConfigDict(
            title="Not now!",
            json_schema_extra={"key": "later", "style": "danger", "confirm": "Really wait?", "declines": True},
        )

    choice = Resume.of(ShipIt | No).shape.choices[1]
    assert (choice.key, choice.title, choice.description) == ("later", "Not now!", "Not now.")
    assert choice.style == "danger"
    assert choice.declines
    assert choice.confirm is not None
    assert choice.confirm.text == "Really wait?"
    assert not {"key", "style", "confirm", "declines"} & choice.json_schema.keys()


def test_a_lone_model_keeps_the_title_that_its_author_gave():
    class Pick(BaseModel, title="Pick a room"):
        room: str

    assert offered(Pick) == [("answer", "Pick a room", True, None)]


def test_choices_decline_by_a_mark_on_the_model_or_by_the_keys_that_the_action_names():
    assert [choice.declines for choice in Resume.of().shape.choices] == [False, True]
    resume = Resume.of(Literal["approved", "rejected"], declines={"rejected"})
    assert [choice.declines for choice in resume.shape.choices] == [False, True]
    assert resume.shape.is_approval
    assert not Resume.of(Literal["approved", "rejected"]).shape.is_approval


def test_dataclasses_and_typed_dicts_are_models_and_a_root_model_is_one_field():
    @dataclass
    class Point:
        x: int

    class Box(TypedDict):
        width: int

    class Names(RootModel[list[str]]):
        pass

    assert offered(Point | Box) == [("point", "Point", True, None), ("box", "Box", True, None)]
    assert offered(Names) == [("answer", "Answer", True, None)]
    resume = Resume.of(Point | Box)
    assert resume.restore("point", resume.validate("point", {"x": 1})) == Point(1)
    assert problems(resume, "point", {"x": 1, "y": 2}) == {("y",): "is not known here"}
    assert problems(resume, "box", {"width": 1, "y": 2}) == {("y",): "is not known here"}


@pytest.mark.parametrize(
    ("declared", "key", "value", "restored"),
    [
        (Literal["a", "b"], "b", "b", "b"),
        (Size, "small", "small", Size.SMALL),
        (Level, "2.5", 2.5, Level.HIGH),
        (Literal[Size.SMALL], "small", MISSING, Size.SMALL),
        (Literal[1, True], "yes", True, True),
        (bool, "no", False, False),
        (bool | None, "none", None, None),
        (type(None), "none", MISSING, None),
        (JsonValue, "answer", {"a": [None]}, {"a": [None]}),
        (NaiveDatetime, "answer", "2026-11-30T09:00", datetime(2026, 11, 30, 9)),  # noqa: DTZ001 - has no zone
        (Adjust, "answer", {"amount": "12.50"}, Adjust(amount=Decimal("12.50"))),
        (Adjust, "answer", {"amount": 12.5, "on": "2026-11-30"}, Adjust(amount=Decimal("12.5"), on=date(2026, 11, 30))),
        (ShipIt | Adjust, "ship_it", {}, ShipIt()),
        (ByCard | ByBank, "by_card", MISSING, ByCard(kind="card")),
        (date, "answer", "2026-11-30", date(2026, 11, 30)),
        (Decimal, "answer", Decimal("1.10"), Decimal("1.10")),
        (int, "answer", Decimal(3), 3),
    ],
)
def test_an_answer_comes_back_typed(declared, key, value, restored):
    resume = Resume.of(declared)
    again = resume.restore(key, resume.validate(key, value))
    assert again == restored
    assert type(again) is type(restored)


@pytest.mark.parametrize(
    ("declared", "value", "text"),
    [
        (int, 0, "0"),
        (str, "", '""'),
        (list[int], [], "[]"),
        (dict[str, int], {}, "{}"),
        (int | None, None, "null"),
        (float, -0.0, "-0.0"),
        (Any, False, "false"),
    ],
)
def test_a_falsy_answer_is_an_answer_and_arrives_unchanged(declared, value, text):
    resume = Resume.of(declared)
    assert resume.validate("answer", value) == text
    assert repr(resume.restore("answer", text)) == repr(value)


def test_no_value_is_not_null():
    assert problems(Resume.of(int | None), "answer") == {(): "is required"}
    assert problems(Resume.of(), "reject") == {("reason",): "is required"}


@pytest.mark.parametrize(
    "answer",
    [
        ("",),
        (None,),
        (False,),
        ({},),
        ([],),
        ("Approve",),
        ("aprove",),
        ("approve ",),
        ("approved",),
        ("approve", None),
        ("approve", False),
        ("approve", ""),
        ("approve", []),
        ("approve", {"reason": "no"}),
        ("approve", {"approve": True}),
        ("approve", {"choice": "reject"}),
        ("reject", {}),
        ("reject", None),
        ("reject", {"reason": "no"}),
        ("reject", {"reasn": "because"}),
        ("reject", {"reason": "because", "choice": "approve"}),
    ],
)
def test_an_empty_misspelt_tagless_or_doubly_tagged_answer_is_refused(answer):
    with pytest.raises(AnswerError):
        Resume.of().validate(*answer)


@given(st.text(max_size=12), st.recursive(st.none() | st.booleans() | st.text(max_size=8), st.lists) | st.just(MISSING))
def test_only_the_word_itself_approves(key, value):
    approval = Resume.of()
    try:
        approval.validate(key, value)
    except AnswerError:
        return
    assert key == "approve"
    assert value is MISSING


def test_the_problem_with_a_choice_names_what_there_is():
    assert problems(Resume.of(), "aprove") == {(): "'aprove' is not a choice here; it must be one of: approve, reject"}
    assert problems(Resume.of(), "") == {(): "a choice is required; it must be one of: approve, reject"}


@pytest.mark.parametrize(("key", "value"), [("yes", 1), ("yes", "true"), ("no", 0), ("no", None), ("yes", False)])
def test_a_choice_without_a_form_takes_its_own_value_and_nothing_like_it(key, value):
    assert problems(Resume.of(bool), key, value)


def test_a_tag_is_needed_and_may_not_be_that_of_another_choice():
    resume = Resume.of(ByCard | ByBank)
    assert problems(resume, "by_bank", {"iban": "DE00"}) == {("kind",): "is required"}
    assert problems(resume, "by_bank", {"kind": "card", "iban": "DE00"}) == {("kind",): "must be one of: bank"}


def test_a_value_is_held_to_its_own_choice_alone():
    class Left(BaseModel):
        word: str

    class Right(BaseModel):
        word: str
        more: int = 0

    resume = Resume.of(Left | Right)
    assert problems(resume, "left", {"word": "a", "more": 1}) == {("more",): "is not known here"}
    assert isinstance(resume.restore("right", resume.validate("right", {"word": "a"})), Right)


def test_unknown_and_missing_keys_are_refused_by_name_at_every_depth():
    value = {"to": {"street": "A", "zip": 1}, "more": [{"street": "B"}, {"stret": "C"}], "mroe": []}
    assert problems(Resume.of(Move), "answer", value) == {
        ("to", "zip"): "is not known here",
        ("more", 1, "street"): "is required",
        ("more", 1, "stret"): "is not known here",
        ("mroe",): "is not known here",
    }


def test_a_model_that_allows_extra_keys_does_not_allow_them_to_a_person():
    class Loose(BaseModel):
        model_config = ConfigDict(extra="allow")
        a: int = 0

    assert problems(Resume.of(Loose), "answer", {"a": 1, "b": 2}) == {("b",): "is not known here"}


def test_an_authors_validator_speaks_on_its_field_or_at_the_top_in_its_own_words():
    resume = Resume.of(Budget)
    assert problems(resume, "answer", {"amount": 3}) == {("amount",): "Only even amounts."}
    assert problems(resume, "answer", {"amount": 12}) == {(): "The budget has 10 left."}
    assert problems(Resume.of(Bounded), "answer", {"budget": {"amount": 12}}) == {
        ("budget",): "The budget has 10 left."
    }


def test_an_authors_validator_that_breaks_is_told_as_such_and_settles_nothing():
    class Broken(BaseModel):
        amount: int

        @field_validator("amount")
        @classmethod
        def _look_up(cls, amount: int) -> int:
            return dict[int, int]()[amount]

    assert problems(Resume.of(Broken), "answer", {"amount": 1}) == {
        (): "could not be checked: KeyError in the action's own validation"
    }


def test_a_validator_on_the_whole_union_holds_for_every_choice():
    def refuse(value: Any) -> Any:
        if getattr(value, "iban", "") == "bad":
            raise ValueError("Not this one.")
        return value

    resume = Resume.of(Annotated[ByCard | ByBank, AfterValidator(refuse)])
    assert problems(resume, "by_bank", {"kind": "bank", "iban": "bad"}) == {(): "Not this one."}


def test_an_answer_over_the_limit_is_refused_with_the_limit():
    resume = Resume.of(str)
    assert resume.validate("answer", "x" * (MAX_ANSWER - 2))
    assert problems(resume, "answer", "x" * MAX_ANSWER) == {(): "is 64.0 KiB as JSON; at most 64 KiB can be stored"}
    assert problems(resume, "answer", ["x" * MAX_ANSWER])


def test_what_is_not_json_is_a_problem_at_its_path():
    resume = Resume.of(dict[str, list[float]])
    assert problems(resume, "answer", {"a": [0.0, float("nan")]}) == {("a", 1): "is nan, which is not a number in JSON"}
    assert ("a",) in problems(Resume.of(dict[str, str]), "answer", {"a": "\0"})


def test_a_type_that_does_not_read_back_what_it_wrote_is_refused_before_it_is_stored():
    class Drifting(BaseModel):
        amount: int

        @field_validator("amount")
        @classmethod
        def _to_cents(cls, amount: int) -> int:
            return amount * 100

    assert "does not read back as it was written" in problems(Resume.of(Drifting), "answer", {"amount": 1})[()]


def test_aliases_and_defaults_come_back_as_they_were():
    class Named(BaseModel):
        from_: str = Field(alias="from")
        to: str = Field(validation_alias="To", default="all")

    resume = Resume.of(Named)
    text = resume.validate("answer", {"from": "a", "To": "b"})
    assert resume.restore("answer", text) == Named.model_validate({"from": "a", "To": "b"})


def test_a_stored_answer_that_no_longer_fits_is_told_so():
    with pytest.raises(AnswerError):
        Resume.of(Adjust).restore("answer", '{"amount":"501"}')
    with pytest.raises(AnswerError):
        Resume.of(bool).restore("yes", "false")


class WithSecret(BaseModel):
    name: str
    inner: list[dict[str, SecretStr]] = []


@pytest.mark.parametrize(
    ("declared", "path", "word"),
    [
        (WithSecret, "WithSecret.inner[]", "secret"),
        (ShipIt | WithSecret, "WithSecret.inner[]", "secret"),
        (SecretStr, "", "secret"),
        (bytes, "", "bytes"),
        (Literal[b"x"], "", "bytes"),
    ],
)
def test_what_nobody_can_fill_in_is_a_mistake_at_its_path(declared, path, word):
    with pytest.raises(ShapeError) as caught:
        Resume.of(declared)
    assert word in caught.value.reason
    if path:
        assert caught.value.path == path


def test_shapes_that_slack_cannot_show_are_mistakes_with_their_fix():
    class Empty(Enum):
        pass

    class Style(BaseModel, json_schema_extra={"style": "green"}):
        pass

    class Ask(BaseModel, json_schema_extra={"confirm": {"titel": "x"}}):
        pass

    for declared in (Empty, Style, Ask | ShipIt, Literal[tuple(range(101))] | ShipIt):
        with pytest.raises(ShapeError):
            Resume.of(declared)
    with pytest.raises(ShapeError, match="names 'no', which is not a choice; these are: approved"):
        Resume.of(Literal["approved"], declines={"no"})
    with pytest.raises(ShapeError, match="could never go on"):
        Resume.of(Reject)
    with pytest.raises(ShapeError, match="make it a field of a model"):
        Resume.of(Literal[tuple(range(101))] | ShipIt)
    with pytest.raises(ShapeError, match="no type that pydantic validates"):
        Resume.of(type("Odd", (), {}))


@pytest.mark.parametrize("count", [101, 1000])
def test_more_values_than_a_select_shows_are_searched_for_in_a_form(count: int):
    values = [f"city {number}" for number in range(count)]
    for declared in (Literal[tuple(values)], Enum("City", values), {"enum": values}):
        resume = Resume.of(declared)
        (choice,) = resume.shape.choices
        assert (choice.key, choice.has_form, len(choice.json_schema["enum"])) == ("answer", True, count)
    assert json.loads(Resume.of({"enum": values}).validate("answer", "city 100")) == "city 100"


def test_a_type_that_lacks_its_package_is_a_mistake_that_says_which(monkeypatch):
    monkeypatch.setitem(sys.modules, "email_validator", None)
    with pytest.raises(ShapeError, match="email-validator is not installed"):
        Resume.of(list[EmailStr])


def test_a_resume_type_is_prepared_once():
    assert Resume.of() is Resume.of(Approve | Reject)
    assert Resume.of({"enum": ["a"]}) is Resume.of({"enum": ["a"]})
    assert Resume.of(ShipIt | Adjust) is not Resume.of(Adjust | ShipIt)


def test_the_default_rejection_needs_a_reason_that_is_more_than_blanks():
    resume = Resume.of()
    assert problems(resume, "reject", {"reason": "      "}) == {("reason",): "must have at least 3 characters"}
    assert json.loads(resume.validate("reject", {"reason": " too dear "})) == {"reason": "too dear"}


def test_an_input_is_held_to_its_type_and_comes_back_typed():
    inputs = Inputs.of(Move)
    assert inputs.restore(inputs.validate({"to": {"street": "A"}})) == Move(to=Address(street="A"))
    with pytest.raises(AnswerError, match=r"to\.street is required"):
        inputs.validate({"to": {}})
    assert inputs.schema["properties"].keys() == {"to", "more"}
