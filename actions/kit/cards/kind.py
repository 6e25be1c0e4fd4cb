"""What a kind of card is: the data that it shows, the answers that it takes, and what a model must know to call it."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from actions.kit.errors import AnswerError
from actions.kit.shapes.answers import Resume
from actions.kit.shapes.shown import schema_of_input
from actions.kit.shapes.wording import problems_of


@dataclass(frozen=True)
class CardKind:
    """One kind of card, named by `ui`.

    `data` is the type of what it shows, `None` where that may be anything. Entries that the type does not know are shown
    as well. `answer` is any type that `resume` takes, `None` where the kind has no answers of its own; its fields may take
    their values from what is shown: see `actions.kit.shapes.filling`. `for_models` says to a model when to call what asks so, and
    that it does so once and alone.
    """

    ui: str
    name: str
    description: str
    data: Any
    answer: Any
    for_models: str

    @property
    def resume(self) -> Resume:
        """What can be answered, before anything is shown. Raises `ShapeError`."""
        return Resume.of(self.answer)

    @property
    def data_schema(self) -> str | None:
        """What a card needs to know of its data to show it, as JSON text; `None` where nothing is known."""
        return None if self.data is None else schema_of_input(self.data)

    def check(self, shown: str) -> None:
        """Raise `AnswerError` where it cannot show this JSON text."""
        if self.data is None:
            return
        try:
            _adapter(self.data).validate_json(shown)
        except ValidationError as error:
            raise AnswerError(problems_of(error, json.loads(shown))) from error


@lru_cache(maxsize=256)
def _adapter(data: Any) -> TypeAdapter[Any]:
    return TypeAdapter(data)
