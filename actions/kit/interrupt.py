"""What an action raises to pause."""

from datetime import timedelta
from typing import Any

from actions.kit.policies.policy import Policy
from actions.kit.records.interrupts import OnExpiry
from actions.kit.running.pauses import note
from actions.kit.shapes.json_text import NotJson, to_json_text
from actions.kit.shapes.shown import schema_of_data
from actions.kit.terms import Never, term_mistakes


class InterruptError(BaseException):
    """An `ActionInterrupt` that cannot be stored, raised where it was to be raised; `mistakes` are sentences.

    It counts as a pause: like one, it passes through `except Exception`, and catching it fails the run.
    """

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes
        note(self)


class ActionInterrupt(BaseException):
    """Raise it to pause the run until a person has answered; the action then runs again from the top.

    Args:
        message: The question, as the card's header.
        data: What the decider needs to see, as JSON (models and the like are stored as pydantic serialises them; titles
            and units of their fields stand on the card). Without it the card shows the action's input.
        state: The action's private checkpoint: stored, never shown, handed back as `ctx.resumption.state`.
        ui: The kind of card.
        resume: One of the types that the action declares (`resume`, `resumes`), or the name of one of `resumes`.
        policy: Who decides this one, and where it is shown.
        expires_in: How long it may wait, from when it is posted; `Never` for ever.
        on_expiry: What happens then: `Expire()`, `Decline()` or `Answer(choice, value)`.

    The last five override the action's own settings for this pause; `None` inherits. It derives from `BaseException`,
    as `asyncio.CancelledError` does, so that a tidy `except Exception` cannot swallow it.

    Raises:
        InterruptError: At once, where an argument cannot be stored; it names the path of the value.
    """

    def __init__(
        self,
        message: str,
        data: Any = None,
        state: Any = None,
        *,
        ui: str | None = None,
        resume: Any = None,
        policy: Policy | None = None,
        expires_in: timedelta | type[Never] | None = None,
        on_expiry: OnExpiry | None = None,
    ) -> None:
        super().__init__(message)
        self.data_json, self.state_json = _checked(message, data, state)
        mistakes = term_mistakes(policy=policy, expires_in=expires_in, on_expiry=on_expiry, ui=ui)
        if mistakes:
            raise InterruptError(mistakes)
        self.message = message
        self.data_schema = schema_of_data(data)
        self.ui = ui
        self.resume = resume
        self.policy = policy
        self.expires_in = expires_in
        self.on_expiry = on_expiry
        self.taken_over = False
        self.is_asked = False
        note(self)

    def take_over(self) -> None:
        """For an adapter that carries this pause on in another form: then it does not count as swallowed."""
        self.taken_over = True


def _checked(message: Any, data: Any, state: Any) -> tuple[str | None, str | None]:
    if not isinstance(message, str) or not message.strip():
        raise InterruptError([f"the message must be a text that is not empty, not {_named(message)}"])
    try:
        to_json_text(message, what="message")
        return _text(data, "data"), _text(state, "state")
    except NotJson as error:
        mistake = str(error)
    except Exception as error:  # noqa: BLE001 - an author's serializer may raise anything, and this must stay a pause
        mistake = f"data or state cannot be stored: {type(error).__name__}: {error}"
    raise InterruptError([mistake])


def _named(message: Any) -> str:
    return "an empty one" if isinstance(message, str) else f"{type(message).__name__}"


def _text(value: Any, what: str) -> str | None:
    return None if value is None else to_json_text(value, what=what)
