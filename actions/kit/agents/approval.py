"""Asks people before a model's call is carried out: as it stands, with other arguments, or not at all."""

from pydantic import JsonValue

from actions.kit.agents.shapes import Prompt
from actions.kit.agents.tools import Tool
from actions.kit.cards.tool_call import ARGUMENTS, KIND, REASON, answers_to, call_shown, question_about
from actions.kit.context import Context
from actions.kit.errors import AnswerError
from actions.kit.policies.policy import Requester
from actions.kit.terms import Never


class RejectedError(Exception):
    """The requester does not want it, and says why."""


async def approved(
    tool: Tool, arguments: JsonValue, ctx: Context, *, agent: str, asked: Prompt, name: str
) -> JsonValue:
    """The arguments that people approved, which fit the tool. Who decides is what the tool's action says.

    Where nobody but the requester decides about the tool, they are asked, as about anything that is theirs to say.

    Raises:
        Declined: They rejected it.
        RejectedError: The requester did.
        Expired: Nobody answered in time.
    """
    is_own = all(isinstance(each, Requester) for each in tool.action.policy.deciders)
    question = question_about(agent, tool.action.name)
    wrong = ""
    while True:
        answer = await ctx.ask(
            f"{question}{wrong}",
            call_shown(tool.action.name, tool.typed(arguments), asked.prompt),
            name=name,
            ui=KIND.ui,
            resume=answers_to(tool.action.input_schema, declines=not is_own),
            policy=tool.action.policy,
            expires_in=tool.action.expires_in or Never,
        )
        if REASON in answer:
            raise RejectedError(answer[REASON])
        arguments = answer[ARGUMENTS]
        try:
            return tool.checked(arguments)
        except AnswerError as error:
            wrong = f" Its arguments do not fit yet: {error}"
