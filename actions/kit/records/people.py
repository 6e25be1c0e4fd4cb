"""What is known of a person."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PersonFacts:
    """What the directory knows of a person; `timezone` is that of their own Slack, such as `Europe/Berlin`."""

    id: str
    name: str
    email: str | None = None
    is_bot: bool = False
    is_guest: bool = False
    is_deleted: bool = False
    timezone: str | None = None
