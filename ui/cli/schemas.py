"""The published schemas of the --json output of commands, as JSON Schema (draft 2020-12)."""

import typing
from collections.abc import Callable
from importlib import import_module
from typing import Any

from campaigns.amending.comparing_courses import Differing, DifferingValue
from campaigns.amending.dry_run import Impact
from campaigns.library.name_tree import Resolved
from campaigns.odds.odds_model import Odds, Open
from campaigns.play.giving_again import LeftOut
from campaigns.report import json_schema as report_schema
from campaigns.report.log_schema import entry_schema, event_schema
from campaigns.report.report_schema import object_schema, type_schema
from campaigns.tabletop.pack import PackUnit
from campaigns.views.luck_ledger import LuckThrows
from interpreter.messages.inputs import Awaited
from interpreter.messages.view import ThingView
from interpreter.runtime.refusals import About, Why
from ui.cli.command_table import COMMANDS, parser_of
from ui.cli.keys import read_keys
from ui.cli.one_object import REFUSED

__all__ = ["command_schema", "refused_schema"]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
TEXTS = {"type": "array", "items": TEXT}


def refused_schema() -> dict[str, Any]:
    """The schema of what is printed when a command is refused or fails."""
    return {"$schema": DRAFT, "$id": REFUSED, "title": "What ophex prints when a command is refused", **_refused()}


def _refused() -> dict[str, Any]:
    refused = refusal()
    of_several = {
        "command": {**TEXT, "description": "the refused command, if it is one of several or from an order file"},
        "line": {**NUMBER, "description": "its line in the file; 0 if it is not from a file"},
        "column": NUMBER,
        "taken": {
            **NUMBER,
            "description": "how many commands before it were recorded because dice had been rolled for them",
        },
    }
    refused["properties"].update(of_several)
    return object_of({"schema": {"const": REFUSED}, "done": {"const": False}, "refused": refused})


def refusal() -> dict[str, Any]:
    """The schema of a refusal."""
    hints = typing.get_type_hints(About, include_extras=True)
    about = {
        key: {**type_schema(hint.__origin__, {}), "description": hint.__metadata__[0]} for key, hint in hints.items()
    }
    numbers = {key: about.pop(key) for key, hint in hints.items() if hint.__origin__ is int}
    return object_of(
        {
            "kind": {"oneOf": [{"const": str(one), "description": one.means} for one in Why]},
            "message": {**TEXT, "description": "what is refused and why, in words for people"},
            "references": {**object_of(about), "required": [], "description": "what the message mentions"},
            "numbers": {**object_of(numbers), "required": [], "description": "the numbers that the message mentions"},
            "cites": {**TEXTS, "description": "the rules that forbid it"},
            "place": {
                **TEXT,
                "description": "file and line in the rules, or the place in a form or roster; or empty",
            },
            "hint": {**TEXT, "description": "what would help, or empty"},
        }
    )


def object_of(properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with these keys."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def command_schema(name: str) -> dict[str, Any]:
    """The schema of what a command prints with --json, also when it is refused."""
    if name in WHOLE:
        return WHOLE[name]()
    used: dict[str, Any] = {}
    forms = _forms(name, used)
    schema = parser_of(name).get_default("schema_name")
    for form in forms:
        form["properties"] = {"schema": {"const": schema}, **form["properties"]}
        form["required"] = ["schema", *form["required"]]
    about = {"$schema": DRAFT, "$id": schema, "title": f"What `ophex {name} --json` prints"}
    return {**about, "anyOf": [*forms, {"$ref": "#/$defs/refused"}], "$defs": {**used, "refused": _refused()}}


def _forms(name: str, used: dict[str, Any]) -> list[dict[str, Any]]:
    """The forms of a command's object. used: collects the shapes that they name."""

    def shape(word: str) -> dict[str, Any]:
        if word not in SHAPES:
            raise ValueError(f"{word} is not a shape")
        if word not in used:
            used[word] = {}
            used[word] = SHAPES[word](used)
        return {"$ref": f"#/$defs/{word}"}

    def elsewhere(command: str, key: str) -> dict[str, Any]:
        found = [form["properties"] for form in _forms(command, used) if key in form["properties"]]
        one: dict[str, Any] = found[0][key]
        return one

    return read_keys(import_module(COMMANDS[name][0]).KEYS, shape, elsewhere)


def _of_class(kind: type[object], **more: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The schema of a shape that is one of our classes. more: additional keys that it has as data."""

    def schema(used: dict[str, Any]) -> dict[str, Any]:
        found = object_schema(kind, used)
        found["properties"].update(more)
        found["required"] += more
        return found

    return schema


def _explained(_: dict[str, Any]) -> dict[str, Any]:
    step = object_of({**dict.fromkeys(("text", "value", "because", "module", "place"), TEXT), "applied": {"type": "boolean"}, "cites": TEXTS})  # fmt: skip
    parts = {"type": "array", "items": {"$ref": "#/$defs/explained"}}
    return object_of({"name": TEXT, "of": TEXTS, "value": TEXT, "cites": TEXTS, "steps": {"type": "array", "items": step}, "parts": parts, "rulings": TEXTS})  # fmt: skip


def _fault() -> dict[str, Any]:
    found = refusal()
    found["properties"].update({"line": NUMBER, "column": NUMBER, "legal": TEXTS})
    found["required"] += ["line", "column", "legal"]
    return found


def _situation(used: dict[str, Any]) -> dict[str, Any]:
    """The situation as `status` prints it, without the states of the sides or a single place."""
    properties: dict[str, Any] = _forms("status", used)[0]["properties"]
    return object_of({key: one for key, one in properties.items() if key not in {"states", "place"}})


SHAPES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "event": event_schema,
    "entry": lambda _: entry_schema(),
    "awaited": _of_class(Awaited),
    "thing": _of_class(ThingView, strength=TEXT),
    "state": lambda _: object_of(dict.fromkeys(("side", "state", "since", "due", "late", "played_by", "letter"), TEXT)),
    "count": _of_class(LuckThrows),
    "differing": _of_class(Differing),
    "differing-value": _of_class(DifferingValue),
    "impact": _of_class(Impact),
    "explained": _explained,
    "refusal": lambda _: refusal(),
    "fault": lambda _: _fault(),
    "situation": _situation,
    "kind-count": _of_class(LuckThrows, name=TEXT, dice=TEXT),
    "left-out": _of_class(LeftOut),
    "force": _of_class(PackUnit),
    "odds": _of_class(Odds),
    "open": _of_class(Open),
    "meaning": _of_class(Resolved),
}
"""The values of keys that more than one command prints."""
WHOLE: dict[str, Callable[[], dict[str, Any]]] = {"report": report_schema}
"""Commands whose schema is not made from their keys."""
