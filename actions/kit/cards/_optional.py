"""A field of an answer that is there only where somebody gave it: it is left out, and never null."""

from typing import Annotated

from pydantic import Field, StringConstraints

_Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Message = Annotated[
    _Said | None,
    Field(exclude_if=lambda given: given is None, title="Message", description="Why, for whoever asked"),
]
"""Words that may be left out. Give it the default `None`."""
