"""The terms of a pause: checked the same way where an action declares them and where a raise overrides them."""

from datetime import timedelta
from typing import Any

from actions.kit.policies.pace import LONGEST
from actions.kit.policies.policy import Policy
from actions.kit.records.interrupts import Answer, Decline, Expire


class Never:
    """Written `expires_in=Never`: the interrupt waits until somebody settles it."""


def term_mistakes(*, policy: Any, expires_in: Any, on_expiry: Any, ui: Any) -> list[str]:
    """What is wrong with the terms given, each in a sentence; `None` is always right, it inherits."""
    found = (_policy_mistake(policy), expires_in_mistake(expires_in), _on_expiry_mistake(on_expiry), _ui_mistake(ui))
    return [mistake for mistake in found if mistake]


def _policy_mistake(policy: Any) -> str | None:
    if policy is None or isinstance(policy, Policy):
        return None
    return f"policy must be a Policy(deciders=...), not {type(policy).__name__}"


def expires_in_mistake(expires_in: Any) -> str | None:
    """What is wrong with how long something may wait, in a sentence."""
    if expires_in is None or expires_in is Never:
        return None
    if not isinstance(expires_in, timedelta):
        return f"expires_in must be a timedelta, or Never for no end; it is {expires_in!r}"
    if not timedelta() < expires_in <= LONGEST:
        return f"expires_in must be more than nothing and at most {LONGEST.days} days (or Never); it is {expires_in}"
    return None


def _on_expiry_mistake(on_expiry: Any) -> str | None:
    if on_expiry is None or isinstance(on_expiry, Expire | Decline | Answer):
        return None
    return f"on_expiry must be Expire(), Decline() or Answer(choice=..., value=...); it is {on_expiry!r}"


def _ui_mistake(ui: Any) -> str | None:
    if ui is None or (isinstance(ui, str) and ui.strip()):
        return None
    return f"ui must name a kind of card, such as 'write_code'; it is {ui!r}"
