"""The views that an app sends: held against Block Kit, the scopes that they need, and external ids that are taken."""

from collections.abc import Collection
from typing import Any, Literal

from bot.workbench.bench import Bench
from bot.workbench.block_checks import check_view
from bot.workbench.elements import elements_of
from bot.workbench.slack_errors import SlackError, missing_scope
from bot.workbench.views import View


def given_view(
    bench: Bench, given: Any, kind: Literal["modal", "home"], current: View | None, *, scopes: Collection[str]
) -> dict[str, Any]:
    """The view, to be shown in place of `current` where there is one. Raises `SlackError`.

    A `file_input` needs `files:read` (https://docs.slack.dev/reference/block-kit/block-elements/file-input-element);
    that the error is this one is not documented. An `external_id` belongs to one live view alone
    (https://docs.slack.dev/reference/methods/views.open).
    """
    view = check_view(given, kind, strict=bench.strict)
    if "files:read" not in scopes and any(placed.type == "file_input" for placed in elements_of(view["blocks"])):
        raise missing_scope("files:read", scopes)
    external_id = str(view.get("external_id") or "")
    holder = bench.screens.view_with_external_id(external_id) if external_id else None
    if holder is not None and holder is not current:
        raise SlackError("duplicate_external_id")
    return view
