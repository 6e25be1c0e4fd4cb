"""What stored values derive from: JSON that never changes, in which an unknown key is an error."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value that is stored as JSON and never changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")
