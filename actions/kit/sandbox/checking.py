"""Finds out whether a script can be read before anybody runs it."""

from pydantic_monty import MontyError

from actions.kit.sandbox.driver import Printed
from actions.kit.sandbox.failures import failure_of
from actions.kit.sandbox.limits import Limits, ScriptSyntaxError
from actions.kit.sandbox.pool import Sandbox

LIMITS = Limits(seconds=1.0)


async def syntax_error(code: str) -> ScriptSyntaxError | None:
    """What is wrong with a script; `None` where it can be read. It is executed up to where it first needs anything."""
    sandbox = Sandbox()
    try:
        async with sandbox.opened(LIMITS, "") as opened:
            session = opened.session
            await opened.step(lambda: session.feed_start(code, print_callback=Printed(LIMITS.output)))
    except MontyError as error:
        failure = failure_of(error, {}, LIMITS, is_full=False)
        return failure if isinstance(failure, ScriptSyntaxError) else None
    finally:
        sandbox.close()
    return None
