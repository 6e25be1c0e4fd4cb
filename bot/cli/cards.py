"""`signoff cards`: the kinds of cards that an action can ask with, what each shows, and which answers it takes."""

from typing import Any

from actions.kit.cards import CardKind, kinds
from actions.kit.records.interrupts import Choice
from actions.kit.shapes.typed import typed
from bot.cli.show import out, print_json, safe

WITHOUT_ANSWERS = "those of the action"


def list_cards(*, as_json: bool) -> None:
    """Print every kind, by its `ui`."""
    found = kinds()
    if as_json:
        print_json([_facts(kind) for kind in found])
        return
    for kind in found:
        out.print(f"[bold]{safe(kind.ui)}[/]  {safe(kind.name)}: {safe(kind.description)}")
        out.print(f"    shows     {safe(_shown(kind))}")
        out.print(f"    answers   {safe('; '.join(map(_answer, _choices(kind))) or WITHOUT_ANSWERS)}")
    out.print("\nAsk with one: ctx.ask(MESSAGE, DATA, ui=…). Their answers as JSON Schema: signoff cards --json")


def _shown(kind: CardKind) -> str:
    schema = _data_schema(kind)
    if schema is None:
        return "anything"
    required = schema.get("required", ())
    return ", ".join(name if name in required else f"[{name}]" for name in schema.get("properties", {}))


def _answer(choice: Choice) -> str:
    """Its key and what is in it: `run {action, code}`; what may be left out in brackets."""
    schema = choice.json_schema
    constants = [name for name, member in schema.get("properties", {}).items() if "const" in member]
    needed = {*schema.get("required", ()), *constants}
    fields = [name if name in needed else f"[{name}]" for name in schema.get("properties", {})]
    words = f"{choice.key} {{{', '.join(fields)}}}" if fields else choice.key
    return f"{words}, declines" if choice.declines else words


def _choices(kind: CardKind) -> tuple[Choice, ...]:
    return () if kind.answer is None else kind.resume.shape.choices


def _data_schema(kind: CardKind) -> dict[str, Any] | None:
    return None if kind.data is None else typed(kind.data).json_schema


def _facts(kind: CardKind) -> dict[str, Any]:
    return {
        "ui": kind.ui,
        "name": kind.name,
        "description": kind.description,
        "for_models": kind.for_models,
        "data_schema": _data_schema(kind),
        "answers": [choice.model_dump(mode="json", exclude_none=True) for choice in _choices(kind)],
    }
