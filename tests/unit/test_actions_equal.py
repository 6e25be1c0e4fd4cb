"""Requests are equal by their action and their input alone, and by nothing less."""

import pytest

from actions.kit.equal import equal_by


def test_the_order_of_entries_does_not_matter():
    assert equal_by("a", '{"x": 1, "y": {"b": 2, "c": 3}}') == equal_by("a", '{"y": {"c": 3, "b": 2}, "x": 1}')


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"x": 1}', '{"x": 2}'),
        ('{"x": 1}', '{"x": "1"}'),
        ('{"x": 1}', '{"x": true}'),
        ('{"x": [1, 2]}', '{"x": [2, 1]}'),
        ('{"x": null}', "{}"),
        ('{"x": 0.1}', '{"x": 0.10000000000000001}'),
        ('{"x": 12345678901234567890.1}', '{"x": 12345678901234567890.2}'),
        ('{"x": 1.5}', '{"x": "1.5"}'),
    ],
)
def test_what_differs_at_all_is_not_equal(one: str, other: str):
    assert equal_by("a", one) != equal_by("a", other)
    assert equal_by("a", one) != equal_by("b", one)
