"""A document, or a change to one, for somebody to look through: taken as it is, edited, answered in words, or ignored."""

from typing import Literal

from pydantic import BaseModel, Field

from actions.kit.cards.kind import CardKind

LONGEST = 50_000
"""Characters of a document, as it is shown or as it was edited."""


class Reviewed(BaseModel):
    """The document as it would be. With `before` the card shows what changes. Whatever else is given is shown as well."""

    document: str = Field(min_length=1, max_length=LONGEST)
    before: str | None = Field(None, max_length=LONGEST, description="The document as it is now")


class Accept(BaseModel, title="Accept", json_schema_extra={"style": "primary"}):
    """Take it as it is."""

    action: Literal["accept"] = "accept"
    document: str = Field(json_schema_extra={"shown": "document"})


class Edit(BaseModel, title="Edit"):
    """Change it, and take that."""

    action: Literal["edit"] = "edit"
    document: str = Field(
        min_length=1,
        max_length=LONGEST,
        json_schema_extra={"shown": "document", "edit": True, "format": "multiline"},
    )


class Respond(BaseModel, title="Respond"):
    """Say what should be different, without taking it."""

    action: Literal["respond"] = "respond"
    message: str = Field(min_length=1, max_length=3_000, description="What should be different")


class Ignore(BaseModel, title="Ignore"):
    """Neither take it nor say anything."""

    action: Literal["ignore"] = "ignore"


KIND = CardKind(
    ui="review",
    name="Review",
    description="A document or a change to one: accept, edit, respond, or ignore.",
    data=Reviewed,
    answer=Accept | Edit | Respond | Ignore,
    for_models=(
        "Has a person look through a `document`; give `before` too where it changes something that exists. Call it once, "
        "with the whole document, and with no other call beside it: wait for the answer. On `accept` and `edit` go on "
        "with the `document` of the answer and not with yours; on `respond` do what `message` says and ask again; on "
        "`ignore` leave it."
    ),
)
