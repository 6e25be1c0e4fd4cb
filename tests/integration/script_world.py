"""The world of random scripts once more, each written in Python and run in the sandbox."""

from pydantic import BaseModel

from actions import Action, Context
from actions.kit.sandbox.pool import Sandbox
from actions.script import Ran, run_script
from storage.database import Database
from tests.authors import declare
from tests.integration.nested_world import Script, Step, World
from tests.integration.scenes import MEMBERS

ASK = "try:\n    await asked()\nexcept Declined:\n    pass"


class SandboxWorld(World):
    """What the script calls is what the world has: effects, questions, and scripts that are no Python."""

    def __init__(self, database: Database, sandbox: Sandbox) -> None:
        super().__init__(database)
        self.resources = (sandbox,)
        self.root = _scripted()
        self.actions |= {"scripted": self.root, "asked": _asked()}


def code_of(steps: list[Step]) -> str:
    """The steps as a script."""
    return "import asyncio\n" + _code(steps, "side")


def _code(steps: list[Step], name: str) -> str:
    return "\n".join(_statement(step, f"{name}_{number}") for number, step in enumerate(steps))


def _statement(step: Step, name: str) -> str:
    match step.kind:
        case "effect":
            return "await effect()"
        case "ask":
            return ASK
        case "part":
            called = "script" if step.is_idempotent else "part"
            return f"await {called}(steps=[{', '.join(map(_given, step.steps))}])"
        case "beside":
            return _beside(step.steps, name)


def _beside(steps: list[Step], name: str) -> str:
    """All of them in the same two lines, each with other calls: who comes first with the second could differ."""
    given = [
        f"{name}({_given(first)}, {_given(then)})" for first, then in zip(steps, steps[1:] + steps[:1], strict=True)
    ]
    lines = [f"async def {name}(first, then):", *(f"    await script(steps=[{each}])" for each in ("first", "then"))]
    return "\n".join([*lines, f"await asyncio.gather({', '.join(given)})"])


def _given(step: Step) -> str:
    return repr(step.model_dump())


def _scripted() -> Action:
    async def scripted(input: Script, ctx: Context) -> Ran:
        return await run_script(code_of(input.steps), {}, ctx)

    return declare(scripted, id="scripted", name="Scripted", idempotent=True, policy=MEMBERS)


def _asked() -> Action:
    class Nothing(BaseModel):
        pass

    async def asked(input: Nothing, ctx: Context) -> None:
        await ctx.ask("Go on?")

    return declare(asked, id="asked", name="Asked", idempotent=True, policy=MEMBERS)
