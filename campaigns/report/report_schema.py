"""The report as JSON, and its published schema, made from the classes of the model."""

import types
import typing
from collections.abc import Mapping
from typing import Any, Literal

import attrs

from campaigns.report.report_model import SCHEMA, Report

__all__ = ["as_json", "json_schema", "object_schema", "type_schema"]

SIMPLE = {str: "string", int: "integer", bool: "boolean", float: "number"}


def as_json(report: Report) -> dict[str, Any]:
    """A report as an object that can be written as JSON and matches the schema."""
    found = _plain(report)
    assert isinstance(found, dict)
    return found


def _plain(value: Any) -> Any:
    if attrs.has(type(value)):
        return {x.name: _plain(getattr(value, x.name)) for x in attrs.fields(type(value)) if _ispublished(x)}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value


def _ispublished(one: "attrs.Attribute[Any]") -> bool:
    return not one.metadata.get("unpublished")


def json_schema() -> dict[str, Any]:
    """The schema of reports, as JSON Schema (draft 2020-12)."""
    found: dict[str, Any] = {}
    whole = object_schema(Report, found)
    whole["properties"]["schema"] = {"const": SCHEMA}
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA, "title": "A report of ophex"}
    return {**about, **whole, "$defs": dict(sorted(found.items()))}


def object_schema(model: type, found: dict[str, Any]) -> dict[str, Any]:
    """The schema of an attrs class. found: receives the classes that it refers to, by name."""
    hints = typing.get_type_hints(model)
    published = [x.name for x in attrs.fields(model) if _ispublished(x)]
    return {
        "type": "object",
        "description": " ".join((model.__doc__ or "").split()),
        "properties": {name: type_schema(hints[name], found) for name in published},
        "required": published,
        "additionalProperties": False,
    }


def type_schema(hint: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; attrs classes are handled by `object_schema`."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint in SIMPLE:
        return {"type": SIMPLE[hint]}
    if hint is Any:
        return {}
    if origin is Literal:
        return {"const": args[0]}
    if isinstance(hint, type) and issubclass(hint, tuple):  # a named tuple
        origin, args = tuple, tuple(typing.get_type_hints(hint).values())
    if origin is list or (origin is tuple and args[-1] is Ellipsis):
        return {"type": "array", "items": type_schema(args[0], found)}
    if origin is tuple:
        return {"type": "array", "prefixItems": [type_schema(one, found) for one in args], "items": False}
    if origin in {Mapping, dict}:
        return {"type": "object", "additionalProperties": type_schema(args[1], found)}
    if origin in {types.UnionType, typing.Union}:
        return {"anyOf": [{"type": "null"} if one is type(None) else type_schema(one, found) for one in args]}
    assert attrs.has(hint), hint
    if hint.__name__ not in found:
        found[hint.__name__] = {}
        found[hint.__name__] = object_schema(hint, found)
    return {"$ref": f"#/$defs/{hint.__name__}"}
