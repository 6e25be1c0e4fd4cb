"""When a stage of a policy applies: conditions over the fields of an input, frozen and stored with their policy.

`field("amount") > 5_000` makes one; `&`, `|` and `~` join them. What cannot be told (a field that is not there, text
where a number is compared) is neither true nor false: `holds` says `None`, and whoever asks takes the safe side.
"""

import operator
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal, NoReturn

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from actions.kit.frozen import Frozen

Plain = StrictBool | StrictInt | Annotated[StrictFloat, Field(allow_inf_nan=False)] | StrictStr | None
Comparison = Literal["==", "!=", ">", ">=", "<", "<="]

COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
ORDERS = frozenset({">", ">=", "<", "<="})


class _Joined(Frozen):
    """What conditions have in common: they are joined by `&`, `|` and `~`, and are never mere truth values."""

    def __and__(self, other: "Condition") -> "AllOf":
        return AllOf(conditions=(self, other))

    def __or__(self, other: "Condition") -> "AnyOf":
        return AnyOf(conditions=(self, other))

    def __invert__(self) -> "Not":
        return Not(condition=self)

    def __bool__(self) -> NoReturn:
        raise TypeError("a condition is evaluated later: join conditions with & | ~, not with and, or, not")


class Compare(_Joined):
    """A field (`a.b` for one within another) compared with a value."""

    kind: Literal["compare"] = "compare"
    field: str = Field(min_length=1)
    is_: Comparison
    value: Plain


class OneOf(_Joined):
    """A field that is one of these values."""

    kind: Literal["one_of"] = "one_of"
    field: str = Field(min_length=1)
    values: Annotated[tuple[Plain, ...], Field(min_length=1)]


class AllOf(_Joined):
    """Each of them."""

    kind: Literal["all_of"] = "all_of"
    conditions: tuple["Condition", ...]


class AnyOf(_Joined):
    """At least one of them."""

    kind: Literal["any_of"] = "any_of"
    conditions: tuple["Condition", ...]


class Not(_Joined):
    """The opposite."""

    kind: Literal["not"] = "not"
    condition: "Condition"


Condition = Annotated[Compare | OneOf | AllOf | AnyOf | Not, Field(discriminator="kind")]


class field:  # noqa: N801 - it is written like a function: field("amount") > 5_000
    """A field of the input, to be compared: `field("amount") > 5_000`, `field("team.name") == "ops"`."""

    __slots__ = ("_name",)
    __hash__ = None  # type: ignore[assignment]  # as it has no equality of its own

    def __init__(self, name: str) -> None:
        self._name = name

    def one_of(self, *values: Plain | Decimal) -> OneOf:
        """`field("currency").one_of("EUR", "USD")`."""
        return OneOf(field=self._name, values=tuple(map(_plain, values)))

    def __eq__(self, other: object) -> Compare:  # type: ignore[override]  # it makes a condition
        return self._compare("==", other)

    def __ne__(self, other: object) -> Compare:  # type: ignore[override]  # as above
        return self._compare("!=", other)

    def __gt__(self, other: object) -> Compare:
        return self._compare(">", other)

    def __ge__(self, other: object) -> Compare:
        return self._compare(">=", other)

    def __lt__(self, other: object) -> Compare:
        return self._compare("<", other)

    def __le__(self, other: object) -> Compare:
        return self._compare("<=", other)

    def __bool__(self) -> NoReturn:
        raise TypeError(f'compare the field: field("{self._name}") == True')

    def _compare(self, how: Comparison, other: object) -> Compare:
        return Compare(field=self._name, is_=how, value=_plain(other))


def holds(condition: Condition, value: Any) -> bool | None:
    """Whether a condition is true of an input (parsed JSON); `None` where that cannot be told."""
    match condition:
        case Compare():
            return _compared(condition.is_, _at(value, condition.field), condition.value)
        case OneOf():
            return _any([_compared("==", _at(value, condition.field), each) for each in condition.values])
        case AllOf():
            return _opposite(_any([_opposite(holds(each, value)) for each in condition.conditions]))
        case AnyOf():
            return _any([holds(each, value) for each in condition.conditions])
        case Not():
            return _opposite(holds(condition.condition, value))


_ABSENT = object()


def _at(value: Any, name: str) -> Any:
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return _ABSENT
        value = value[part]
    return value


def _compared(how: str, found: Any, given: Plain) -> bool | None:
    """Numbers are compared as numbers, also where the input keeps one as text, as money is kept."""
    if found is _ABSENT:
        return None
    if _is_number(given) and (number := _number(found)) is not None:
        return COMPARED[how](number, Decimal(str(given)))
    if how not in ORDERS:
        same = type(found) is type(given) and found == given
        return same if how == "==" else not same
    if isinstance(found, str) and isinstance(given, str):
        return COMPARED[how](found, given)
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(found: Any) -> Decimal | None:
    if not (_is_number(found) or isinstance(found, str)):
        return None
    try:
        number = Decimal(str(found))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _any(found: list[bool | None]) -> bool | None:
    return True if True in found else None if None in found else False


def _opposite(found: bool | None) -> bool | None:
    return None if found is None else not found


def _plain(value: Any) -> Any:
    if not isinstance(value, Decimal):
        return getattr(value, "value", value)
    return int(value) if value == value.to_integral_value() else float(value)
