"""What a look-up finds: people, and from where they come, for those who ask why."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """Slack ids, the source in words, and what the source names that is nobody in Slack."""

    people: frozenset[str]
    source: str
    strangers: tuple[str, ...] = ()
