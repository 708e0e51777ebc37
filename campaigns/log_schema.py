"""The schema of what a log holds: its entries, and what each kind of event tells (`interpreter/event_data.py`)."""

from typing import Any

from interpreter.event_data import EVENT_DATA, VEILED, WORDS

__all__ = ["entry_schema", "event_schema"]

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}
TEXTS: dict[str, Any] = {"type": "array", "items": TEXT}


def entry_schema() -> dict[str, Any]:
    """The schema of an entry. It names that of an event as the shape `event`."""
    return _object(
        {
            "number": {**NUMBER, "description": "its number; a side's log has numbers of its own"},
            "parent": {**NUMBER, "description": "the entry after which it was given"},
            "side": TEXT,
            "kind": {**TEXT, "description": "do, answer, roll, undo, override and the like"},
            "subject": {**TEXT, "description": "of an answer the question"},
            "text": {**TEXT, "description": "what was given"},
            "events": {"type": "array", "items": {"$ref": "#/$defs/event"}},
            "time": {**TEXT, "description": "when it was given, in UTC"},
            "on_path": {"type": "boolean", "description": "false for what was taken back"},
        }
    )


def event_schema() -> dict[str, Any]:
    """The schema of an event: of each kind its own."""
    return {"oneOf": [_event(kind) for kind in EVENT_DATA]}


def _event(kind: str) -> dict[str, Any]:
    meaning, keys = EVENT_DATA[kind]
    data = {key: {"type": WORDS[word], "description": means} for key, (word, means) in keys.items()}
    told = {
        "kind": {"const": kind},
        "text": {**TEXT, "description": "a sentence for people"},
        "side": {**TEXT, "description": "the id of the side that caused it, or empty"},
        "to": {**TEXT, "description": "who may read it: the id of a side, all or umpire"},
        "cites": {**TEXTS, "description": "the rules that brought it about"},
        "data": {
            "type": "object",
            "properties": {
                **data,
                VEILED: {"type": "boolean", "description": "names are labels, or a number is left out"},
            },
            "additionalProperties": False,
        },
    }
    return {"description": meaning, **_object(told)}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
