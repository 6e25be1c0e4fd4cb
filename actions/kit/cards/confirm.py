"""Something that cannot be undone: whoever confirms it types its name, so that nobody does so by a slip."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from actions.kit.cards.kind import CardKind
from actions.kit.shapes.answers import Reject

NOT_TYPED = (
    "cannot be typed as it is shown: it has characters that nobody sees, several spaces in a row, or accents that stand "
    "apart from their letters (it is not in Unicode's form NFC)"
)


def _can_be_typed(name: str) -> str:
    if name.isprintable() and "  " not in name and unicodedata.is_normalized("NFC", name):
        return name
    raise ValueError(NOT_TYPED)


class Irrevocable(BaseModel):
    """What it is about. Whatever else is given is shown as well: its size, its age, who uses it."""

    name: Annotated[str, AfterValidator(_can_be_typed)] = Field(min_length=1, max_length=150, pattern=r"^\S(.*\S)?$")


class Confirm(BaseModel, title="Confirm", json_schema_extra={"style": "danger"}):
    """Do it. It cannot be undone."""

    name: str = Field(
        description="Type the name exactly as it is shown", json_schema_extra={"shown": "name", "retype": True}
    )


KIND = CardKind(
    ui="confirm",
    name="Confirmation by name",
    description="Something that cannot be undone: confirm it by typing its name, or reject it with a reason.",
    data=Irrevocable,
    answer=Confirm | Reject,
    for_models=(
        "Has a person confirm something that cannot be undone, such as a deletion, by typing its `name`. Call it once for "
        "each such thing, with no other call beside it, and before doing it: wait for the answer. A rejection comes with "
        "a reason; then do not do it, and do not ask again unless something has changed."
    ),
)
