"""What goes wrong while a model is asked, told without what a provider quotes: that may be a part of a key."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic_ai.exceptions import AgentRunError, ModelHTTPError, UserError

from actions.kit.agents.shapes import AgentError


@contextmanager
def plainly() -> Iterator[None]:
    """Around whatever asks a model. Raises `AgentError`."""
    try:
        yield
    except ModelHTTPError as error:
        said = f"the model {error.model_name} answered with the HTTP status {error.status_code}"
        raise AgentError(f"{said} ({_kind(error)})") from None
    except AgentRunError as error:
        raise AgentError(f"the model could not be asked ({_kind(error)})") from None
    except (UserError, ImportError) as error:
        raise AgentError(f"the model cannot be used as it is set: {error}") from None


def _kind(error: Exception) -> str:
    return type(error).__name__.lstrip("_")
