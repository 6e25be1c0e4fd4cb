"""Any form: the fields come with the question, as a JSON Schema, and the values that they start with."""

from typing import Any

from pydantic import BaseModel, Field

from actions.kit.cards.kind import CardKind


class Fields(BaseModel):
    """The form. Whatever else is given is shown above it."""

    fields: dict[str, Any] = Field(alias="schema", description="A JSON Schema of type object (draft 2020-12)")
    values: dict[str, Any] = Field(default_factory=dict, description="What the fields start with, by their names")


class Answer(BaseModel, title="Answer", extra="allow", json_schema_extra={"shown": "schema", "edit": "values"}):
    """Fill the form in: the answer is an object that fits the schema."""


KIND = CardKind(
    ui="form",
    name="Form",
    description="A form whose fields come with the question.",
    data=Fields,
    answer=Answer,
    for_models=(
        "Has a person fill in a form: `schema` is the JSON Schema of an object, with a `title` and a `description` for each "
        "property, and `values` what is known already. Call it once, with all that you need to know, and with no other "
        "call beside it: wait for the answer, which is an object that fits the schema."
    ),
)
