"""One of many, or several: the options come with the question, and are searched where they are more than a select holds."""

from pydantic import BaseModel, Field, JsonValue

from actions.kit.cards.kind import CardKind


class Option(BaseModel):
    """A value to choose, and how people see it."""

    value: JsonValue
    title: str | None = Field(None, max_length=500)
    description: str | None = Field(None, max_length=500)


class Options(BaseModel):
    """What there is to choose from. Whatever else is given is shown as well."""

    options: list[str | int | Option] = Field(min_length=1, max_length=5_000)
    several: bool = Field(False, description="Whether more than one may be chosen")


class Chosen(BaseModel, title="Choose"):
    """Take one, or several where that is asked for."""

    chosen: JsonValue = Field(title="Your choice", json_schema_extra={"shown": "options", "options": "several"})


KIND = CardKind(
    ui="choose",
    name="Choice among many",
    description="One or several of the options that come with the question.",
    data=Options,
    answer=Chosen,
    for_models=(
        "Has a person choose one of your `options`, or several with `several: true`. Call it once, with all options, and "
        "with no other call beside it: wait for the answer. `chosen` is the value of the chosen option, or a list of them."
    ),
)
