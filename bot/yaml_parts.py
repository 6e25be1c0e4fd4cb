"""What the models of our YAML files are made of: parts in which every key has to be known, and time zones."""

from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict


class Part(BaseModel):
    """A part in which every key has to be known."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _is_a_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("must be a time zone such as Europe/Rome") from None
    return name


Zone = Annotated[str, AfterValidator(_is_a_zone)]
