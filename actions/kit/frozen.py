"""What stored values derive from: JSON that never changes, in which an unknown key is an error, and a truth value is one."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Frozen(BaseModel):
    """A value that is stored as JSON and never changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _truth(value: Any) -> Any:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither True nor False")  # noqa: TRY004 - pydantic tells a `ValueError` at its field
    return value


Truth = Annotated[bool, BeforeValidator(_truth)]
"""`True` or `False`. A text such as "no" is not taken for what it might mean."""
