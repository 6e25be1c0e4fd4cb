"""Code that somebody, most often a model, proposes: run as it stands, edited first, or not at all."""

from typing import Literal

from pydantic import BaseModel, Field

from actions.kit.cards.kind import CardKind
from actions.kit.sandbox.limits import LONGEST_SCRIPT
from actions.kit.shapes.schemas import Schema

PYTHON: Schema = {"contentMediaType": "text/x-python"}


class ProposedCode(BaseModel):
    """The code as it will run."""

    code: str = Field(min_length=1, max_length=LONGEST_SCRIPT, json_schema_extra=PYTHON)


class Run(BaseModel, title="Run", json_schema_extra={"style": "primary"}):
    """Run it as it stands."""

    action: Literal["run"] = "run"
    code: str = Field(json_schema_extra={"shown": "code"})


class EditAndRun(BaseModel, title="Edit and run"):
    """Change it, and run that."""

    action: Literal["run"] = "run"
    code: str = Field(
        min_length=1,
        max_length=LONGEST_SCRIPT,
        json_schema_extra={**PYTHON, "shown": "code", "edit": True, "format": "multiline"},
    )


class Cancel(BaseModel, title="Cancel"):
    """Do not run it."""

    action: Literal["cancel"] = "cancel"


KIND = CardKind(
    ui="write_code",
    name="Code to run",
    description="Proposed code: run, edit and run, or cancel.",
    data=ProposedCode,
    answer=Run | EditAndRun | Cancel,
    for_models=(
        "Proposes code to a person, who runs it, runs an edited version of it, or cancels. Call it once, with the whole "
        "code, and with no other call beside it: wait for the answer. On `run` use the `code` of the answer, which may "
        "differ from yours; on `cancel` do not run it and do not propose it again unasked."
    ),
)
