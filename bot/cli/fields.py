"""Reads an action's input from the command line: fields one by one, or the whole as JSON."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from actions.kit.shapes.schemas import COMPOSED, Schema, resolve
from bot.cli.show import fail

MOST_BYTES = 16 * 1024 * 1024
"""What is read at all; what an action takes is far less, and is told when the input is checked."""


def read_input(fields: Sequence[str], given: str | None, schema: Schema) -> Any:
    """The input as it was given, not checked yet."""
    if given is not None and fields:
        fail("Give the input either as FIELD=VALUE or with --input, not both.")
    return _fields(fields, schema) if given is None else _json(given)


def _fields(fields: Sequence[str], schema: Schema) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields:
        name, equals, text = field.partition("=")
        if not equals or not name:
            fail(f"{field!r} is not FIELD=VALUE. Put the whole in quotes where the value has spaces.")
        if name in found:
            fail(f'The field {name!r} is given twice. A list is one JSON value: {name}=\'["a", "b"]\'.')
        found[name] = _value(text, schema.get("properties", {}).get(name, {}), schema)
    return found


def _value(text: str, schema: Any, root: Schema) -> Any:
    """The text itself where a text fits, else what it is as JSON."""
    if _takes_text(schema, root):
        return text
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return text


def _takes_text(schema: Any, root: Schema) -> bool:
    if not isinstance(schema, dict):
        return False
    if "$ref" in schema:
        return _takes_text(resolve(root, schema["$ref"]), root)
    values = schema.get("enum", [schema["const"]] if "const" in schema else ())
    types = schema.get("type", ())
    return (
        types == "string"
        or (not isinstance(types, str) and "string" in types)
        or any(isinstance(value, str) for value in values)
        or any(_takes_text(member, root) for key in COMPOSED for member in schema.get(key, ()))
    )


def _json(given: str) -> Any:
    text, where = read_text(given)
    try:
        return json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        fail(f"{where} is no JSON: {error.msg}, in line {error.lineno}, column {error.colno}.")
    except RecursionError:
        fail(f"{where} is nested too deeply.")
    except ValueError as error:
        fail(f"{where} is no JSON: {error}.")


def read_text(given: str) -> tuple[str, str]:
    """The text itself, of a file (`@file`) or of standard input (`-`), and how to call it in an error."""
    if given == "-":
        return _decoded(sys.stdin.buffer, "Standard input"), "Standard input"
    if not given.startswith("@"):
        return given, "--input"
    path = Path(given[1:])
    try:
        with path.open("rb") as file:
            return _decoded(file, f"The file {str(path)!r}"), f"The file {str(path)!r}"
    except OSError as error:
        fail(f"The file {str(path)!r} cannot be read: {error.strerror}.")


def _decoded(file: BinaryIO, where: str) -> str:
    read = file.read(MOST_BYTES + 1)
    if len(read) > MOST_BYTES:
        fail(f"{where} is larger than {MOST_BYTES // 1024 // 1024} MiB, which no action takes.")
    try:
        return read.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fail(f"{where} is not UTF-8 at byte {error.start:,}.")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number that JSON knows")
