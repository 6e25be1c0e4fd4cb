"""`/openapi.json`, made from the operations that are served and the models that they use, so that it is true."""

from collections.abc import Iterable
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from bot.api import limits
from bot.api.calls import JSON, Operation
from bot.api.problems import MEDIA_TYPE, ProblemDetails

PREFIX = "/v1"
REF = "#/components/schemas/{model}"
ALWAYS = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
)
WITH_BODY = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
)
ABOUT = f"""Runs of actions that wait for people. A token is bound to a person of Slack's, in whose name everything is done.

Limits of each token, in each process: {limits.PER_MINUTE} requests a minute and {limits.WAITS} that wait at a time (429 with
`Retry-After`), bodies of {limits.MOST_BYTES:,} bytes (413) that arrive within {limits.BODY_SECONDS:g} seconds (408), `wait` of at
most {limits.LONGEST_WAIT} seconds. 503 says that something could not be told or stored at the moment: try again."""


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    """The OpenAPI 3.1 document of the operations, as JSON."""
    served = list(operations)
    paths: dict[str, Any] = {}
    for operation in served:
        paths.setdefault(PREFIX + operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Signoff", "version": version("signoff"), "description": ABOUT},
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _schemas(served),
        },
    }


def _schemas(operations: Iterable[Operation]) -> dict[str, Any]:
    models: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {(ProblemDetails, "serialization"): None}
    for operation in operations:
        if operation.body:
            models[operation.body, "validation"] = None
        models |= {(model, "serialization"): None for model in operation.replies.values() if model}
    _, found = models_json_schema(list(models), ref_template=REF)
    schemas: dict[str, Any] = found["$defs"]
    return schemas


def _operation(operation: Operation) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "description": f"Needs the scope `{operation.scope}`.",
        "parameters": [*_in_path(operation), *_in_query(operation.query), *_in_headers(operation)],
        "responses": _responses(operation),
    }
    if operation.body:
        told["requestBody"] = {"required": True, "content": {JSON: {"schema": _ref(operation.body)}}}
    return told


def _responses(operation: Operation) -> dict[str, Any]:
    headers = {
        name: {"description": what, "schema": {"type": "string"}} for name, what in operation.reply_headers.items()
    }
    found: dict[str, Any] = {}
    for status, model in operation.replies.items():
        content = {"content": {JSON: {"schema": _ref(model)}}} if model else {}
        found[str(int(status))] = {"description": status.phrase, "headers": headers, **content}
    refusals = {*ALWAYS, *operation.refusals, *(WITH_BODY if operation.body else ()), HTTPStatus.SERVICE_UNAVAILABLE}
    for status in sorted(refusals):
        found[str(int(status))] = _refusal(status)
    return found


def _refusal(status: HTTPStatus) -> dict[str, Any]:
    told: dict[str, Any] = {
        "description": status.phrase,
        "content": {MEDIA_TYPE: {"schema": _ref(ProblemDetails)}},
    }
    if status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}:
        told["headers"] = {"Retry-After": {"description": "Seconds", "schema": {"type": "integer", "minimum": 1}}}
    return told


def _in_path(operation: Operation) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in operation.path.split("/") if part.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _in_query(model: type[BaseModel] | None) -> list[dict[str, Any]]:
    """Query parameters with whole schemas; one that may be left out is never sent as null."""
    if model is None:
        return []
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    return [
        {"name": name, "in": "query", "required": False, "schema": _plain(member, definitions)}
        for name, member in schema.get("properties", {}).items()
    ]


def _plain(member: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    options = [each for each in member.get("anyOf", []) if each != {"type": "null"}]
    plain = {key: value for key, value in member.items() if key not in {"anyOf", "default"}}
    plain |= options[0] if options else {}
    if "items" in plain and "$ref" in plain["items"]:
        plain["items"] = definitions[plain["items"]["$ref"].rpartition("/")[2]]
    return plain


def _in_headers(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "header", "required": False, "description": what, "schema": {"type": "string"}}
        for name, what in operation.request_headers.items()
    ]


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": REF.format(model=model.__name__)}


def as_json(document: dict[str, Any]) -> str:
    return TypeAdapter(dict[str, Any]).dump_json(document).decode()
