"""Asks people before a model's call is carried out: as it stands, with other arguments, or not at all."""

from pydantic import JsonValue

from actions.kit.agents.shapes import Prompt
from actions.kit.agents.tools import Tool
from actions.kit.cards.tool_call import ARGUMENTS, KIND, answers_to
from actions.kit.context import Context
from actions.kit.errors import AnswerError
from actions.kit.terms import Never

ASKED = 500
"""Characters of the prompt that are shown to whoever decides."""


async def approved(
    tool: Tool, arguments: JsonValue, ctx: Context, *, agent: str, asked: Prompt, name: str
) -> JsonValue:
    """The arguments that people approved, which fit the tool. Who decides is what the tool's action says.

    Raises:
        Declined: They rejected it.
        Expired: Nobody answered in time.
    """
    question = f"{agent} wants to use {tool.action.name}. Shall it?"
    wrong = ""
    while True:
        answer = await ctx.ask(
            f"{question}{wrong}",
            {"tool": tool.action.name, ARGUMENTS: tool.typed(arguments), "asked": asked.prompt[:ASKED]},
            name=name,
            ui=KIND.ui,
            resume=answers_to(tool.action.input_schema),
            policy=tool.action.policy,
            expires_in=tool.action.expires_in or Never,
        )
        arguments = answer[ARGUMENTS]
        try:
            return tool.checked(arguments)
        except AnswerError as error:
            wrong = f" Its arguments do not fit yet: {error}"
