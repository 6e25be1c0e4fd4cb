"""What an action itself makes is stored as strictly as what people fill in."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, SecretStr, computed_field

from actions.kit.errors import AnswerError, ShapeError
from actions.kit.shapes.typed import typed


class Receipt(BaseModel):
    model_config = ConfigDict(extra="forbid")
    amount: Decimal
    on: date

    @computed_field
    def cents(self) -> int:
        return int(self.amount * 100)


RECEIPT = Receipt(amount=Decimal("12.50"), on=date(2026, 11, 30))


@pytest.mark.parametrize(
    ("declared", "value", "text"),
    [
        (Receipt, RECEIPT, '{"amount":"12.50","on":"2026-11-30"}'),
        (Receipt, {"amount": "12.50", "on": date(2026, 11, 30)}, '{"amount":"12.50","on":"2026-11-30"}'),
        (list[Receipt], [RECEIPT], '[{"amount":"12.50","on":"2026-11-30"}]'),
        (None, None, "null"),
        (set[int], {1}, "[1]"),
        (Any, {"a": [1.0, None]}, '{"a":[1.0,null]}'),
    ],
)
def test_an_output_is_stored_and_comes_back(declared, value, text):
    prepared = typed(declared)
    assert prepared.store(value) == text
    assert prepared.store(prepared.restore(text)) == text


@pytest.mark.parametrize(
    ("declared", "value", "message"),
    [
        (Receipt, {"amount": "x", "on": "2026-11-30"}, "amount must be a number such as 12.50"),
        (Receipt, None, "must be an object with named fields"),
        (None, 1, "must be left empty"),
        (Any, {"token": SecretStr("hush")}, "token is a secret"),
        (Any, [float("nan")], r"\[0\] is nan, which is not a number in JSON"),
        (Any, object(), "cannot be stored"),
        (str, "\0", "contains a NUL character"),
    ],
)
def test_an_output_that_does_not_fit_is_refused_in_words(declared, value, message):
    with pytest.raises(AnswerError, match=message):
        typed(declared).store(value)


def test_an_output_type_that_cannot_be_stored_is_a_mistake():
    with pytest.raises(ShapeError):
        typed(bytes)
