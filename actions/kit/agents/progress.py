"""What an agent says on its way, once for each turn: in the thread where it was asked, or in its card's.

Who asks in a conversation has chosen who reads along. Below a card those read along who decide about one call of many, so
there it only says which tools it uses: with which arguments is for those who decide about that call.
"""

import json
from typing import Any

from actions.kit.agents.calls import twin_of
from actions.kit.agents.shapes import Turn, Wanted
from actions.kit.agents.tools import Toolbox
from actions.kit.context import Context

ARGUMENTS = 300
"""Characters of a call's arguments that are told."""
SAID = 500
"""Characters of what a model says beside its calls."""


def report(ctx: Context, turn: Turn, tools: Toolbox) -> None:
    """What the model said beside its calls, and which tools it uses next. Its last words are the reply, and not told here."""
    wanted, openly = turn.wanted, ctx.in_conversation
    twins = [twin_of(wanted, place) is not None for place in range(len(wanted))]
    lines = [_line(each, tools, is_twin=twin, openly=openly) for each, twin in zip(wanted, twins, strict=True)]
    if lines:
        said = [f"It says: {_one_line(turn.text)[:SAID]}"] if turn.text and openly else []
        ctx.report("\n".join([*said, *lines]))


def _line(wanted: Wanted, tools: Toolbox, *, is_twin: bool, openly: bool) -> str:
    tool = tools.get(wanted.tool)
    if tool is None or wanted.fault is not None:
        why = f" {wanted.fault}" if openly else ""
        return f"A call that made no sense goes back to the model: {wanted.tool[:80]}.{why}"
    called = f"{tool.action.name}{_arguments(wanted.arguments) if openly else ''}"
    if is_twin:
        return f"Wanted twice in one turn, so it is done once: {called}"
    return f"Asks first: {called}" if tool.asks_first else f"Uses {called}"


def _arguments(arguments: Any) -> str:
    """`: order A-1041, amount 71.25`."""
    given = arguments if isinstance(arguments, dict) else {"": arguments}
    told = ", ".join(f"{name} {_spelt(value)}".strip() for name, value in given.items() if value is not None)
    return f": {told[: ARGUMENTS - 1]}…" if len(told) > ARGUMENTS else f": {told}" if told else ""


def _spelt(value: Any) -> str:
    return _one_line(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _one_line(text: str) -> str:
    """What a model wrote never looks like a line of ours."""
    return " ".join(text.split())
