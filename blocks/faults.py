"""What people take for broken in a run: three symptoms, each with what it comes from, and what to do."""

from dataclasses import dataclass
from enum import StrEnum

from blocks.said import Words


class Symptom(StrEnum):
    """What somebody sees of it."""

    NEVER_APPEARS = "a card that never appears"
    STACKS_UP = "cards that stack up"
    DOES_NOTHING = "an answer that does nothing"


class Trouble(StrEnum):
    """What it comes from."""

    UNDELIVERED = "undelivered"
    UNPOSTED = "unposted"
    UNKNOWN_KIND = "unknown_kind"
    NOBODY = "nobody"
    SPLIT = "split"
    SAME_CALL = "same_call"
    SAME_QUESTION = "same_question"
    SAME_REQUEST = "same_request"
    CODE_GONE = "code_gone"
    REFUSED = "refused"


SYMPTOMS = {
    Trouble.UNDELIVERED: Symptom.NEVER_APPEARS,
    Trouble.UNPOSTED: Symptom.NEVER_APPEARS,
    Trouble.UNKNOWN_KIND: Symptom.NEVER_APPEARS,
    Trouble.NOBODY: Symptom.NEVER_APPEARS,
    Trouble.SPLIT: Symptom.DOES_NOTHING,
    Trouble.SAME_CALL: Symptom.STACKS_UP,
    Trouble.SAME_QUESTION: Symptom.STACKS_UP,
    Trouble.SAME_REQUEST: Symptom.STACKS_UP,
    Trouble.CODE_GONE: Symptom.DOES_NOTHING,
    Trouble.REFUSED: Symptom.DOES_NOTHING,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is seen, and what to do about it; `question` is the id of the interrupt that it is about, if of one."""

    trouble: Trouble
    seen: Words
    fix: Words
    question: str | None = None

    @property
    def symptom(self) -> Symptom:
        return SYMPTOMS[self.trouble]

    @property
    def title(self) -> str:
        """The symptom as a line begins with it."""
        return self.symptom[:1].upper() + self.symptom[1:]
