"""Actions: what can be started here, with the schemas of inputs and answers."""

from http import HTTPStatus

from actions.kit.registry import Registry
from bot.api.calls import Call, Operation, Reply
from bot.api.shapes import ActionsShown
from bot.api.tokens import Scope
from bot.api.views import action_shown


class Catalogue:
    """`GET /v1/actions`."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def operations(self) -> list[Operation]:
        return [
            Operation(
                "GET", "/actions", "listActions", "List the actions with their schemas", Scope.READ, self.listed,
                {HTTPStatus.OK: ActionsShown},
            )
        ]  # fmt: skip

    async def listed(self, call: Call) -> Reply:
        found = [action for action in self._registry.actions if call.caller.may_touch(action.id)]
        return Reply(ActionsShown(actions=[action_shown(action) for action in found]))
