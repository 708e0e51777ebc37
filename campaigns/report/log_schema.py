"""The schema of a log: its entries, and the data of each kind of event (`interpreter/messages/happenings.py`)."""

from typing import Any

from campaigns.report.report_schema import type_schema
from interpreter.messages.happening import Happening, keys_of
from interpreter.messages.recorded_events import HAPPENINGS
from interpreter.messages.story_parts import StoryRow

__all__ = ["entry_schema", "event_schema"]

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}
TEXTS: dict[str, Any] = {"type": "array", "items": TEXT}


def entry_schema() -> dict[str, Any]:
    """The schema of an entry. It refers to that of an event as the definition `event`."""
    return _object(
        {
            "number": {**NUMBER, "description": "its number; a side's log has numbers of its own"},
            "parent": {**NUMBER, "description": "the entry after which it was given"},
            "side": TEXT,
            "kind": {**TEXT, "description": "do, answer, roll, undo, override and the like"},
            "subject": {**TEXT, "description": "for an answer: the question"},
            "text": {**TEXT, "description": "what was given"},
            "events": {"type": "array", "items": {"$ref": "#/$defs/event"}},
            "time": {**TEXT, "description": "when it was given, in UTC"},
            "on_path": {"type": "boolean", "description": "false for what was taken back"},
        }
    )


def event_schema(found: dict[str, Any]) -> dict[str, Any]:
    """The schema of an event: one for each kind. found: receives the definitions that it refers to."""
    found[StoryRow.__name__] = _keys(StoryRow, found)
    return {"anyOf": [_event(made, found) for made in HAPPENINGS]}


def _event(made: type[Happening], found: dict[str, Any]) -> dict[str, Any]:
    data = _keys(made, found)
    data["properties"]["veiled"] = {
        "type": "boolean",
        "description": "names are replaced by labels, or a number is left out",
    }
    told = {
        "kind": {"const": made.KIND},
        "text": {**TEXT, "description": "a sentence for people"},
        "side": {**TEXT, "description": "the id of the side that caused it, or empty"},
        "to": {**TEXT, "description": "who may read it: the id of a side, all or umpire"},
        "cites": {**TEXTS, "description": "the rules that caused it"},
        "data": data,
    }
    return {"description": made.MEANS, **_object(told)}


def _keys(made: type, found: dict[str, Any]) -> dict[str, Any]:
    """The schema of the recorded fields of a class; None is left out."""
    keys = keys_of(made)
    return {
        **_object({key.name: {**type_schema(key.hint, found), "description": key.means} for key in keys}),
        "required": [key.name for key in keys if not key.is_optional],
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
