"""Who is in a workspace: people, groups of them, and the fields that a company adds to their profiles."""

from dataclasses import dataclass, field
from typing import Literal


@dataclass(slots=True, eq=False)
class Person:
    """A member of the workspace, or the app's bot user."""

    id: str
    name: str
    real_name: str
    email: str | None = None
    title: str = ""
    color: str = "#4a154b"
    is_bot: bool = False
    is_guest: bool = False
    deactivated: bool = False
    tz: str = "Etc/UTC"
    status_emoji: str = ""
    status_text: str = ""
    status_expiration: int = 0
    """When the status ends, in Unix seconds; 0 where it does not end by itself."""
    fields: dict[str, str] = field(default_factory=dict)
    """Custom profile fields, by the field's id."""


@dataclass(slots=True, eq=False)
class Group:
    """A user group, which is mentioned by its handle."""

    id: str
    handle: str
    name: str
    description: str = ""
    members: list[str] = field(default_factory=list)
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class ProfileField:
    """A custom field of everybody's profile, such as who their manager is."""

    id: str
    label: str
    kind: Literal["text", "user", "date", "link", "options_list"] = "text"
    hint: str = ""
