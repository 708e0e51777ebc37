"""The keys of what a command prints with --json: one text for each, from which its help and its schema are made.

A line names keys, what they hold, and after two spaces what that means; keys of objects are below, indented by two spaces:

    done: truth               whether it was taken
    left?: [object]           where dice come first; a sign `?` after a key that may be left out
      file, line: number

They hold `text` where nothing else is stated, `number`, `truth`, `null`, an `object`, a shape of `SHAPES`, a list `[T]`, an object
by names `{T}`, `T or U`; or what they hold elsewhere: `as do`. A line that ends in a colon begins another form of the object.
"""

import re
from typing import Any

__all__ = ["DEEPEST", "read_keys"]

DEEPEST = 8
"""A line with deeper indentation continues the text above it."""
_KEY = re.compile(r"( *)([\w$]+\??(?:, [\w$]+\??)*)(?:: (\S+(?: \S+)*))?(?:  +.*)?$")
SIMPLE: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "truth": {"type": "boolean"},
    "null": {"type": "null"},
}


def read_keys(text: str, shape: Any, elsewhere: Any) -> list[dict[str, Any]]:
    """The schemas of the forms that a text of keys describes.

    shape: returns the schema of a shape by its name; elsewhere: returns the schema of a key in another command.
    """
    forms: list[list[tuple[int, list[str], str]]] = [[]]
    for line in text.splitlines():
        if not line.strip() or len(line) - len(line.lstrip()) >= DEEPEST:
            continue
        found = _KEY.fullmatch(line)
        if found is not None:
            forms[-1].append((len(found[1]), found[2].split(", "), found[3] or "text"))
        elif line.endswith(":"):
            forms.append([])
        else:
            raise ValueError(f"no keys: {line}")

    def schema(said: str, key: str, below: dict[str, Any]) -> dict[str, Any]:
        if said[0] + said[-1] == "[]":
            return {"type": "array", "items": schema(said[1:-1], key, below)}
        if said[0] + said[-1] == "{}":
            return {"type": "object", "additionalProperties": schema(said[1:-1], key, below)}
        if " or " in said:
            return {"anyOf": [schema(one, key, below) for one in said.split(" or ")]}
        if said.startswith("as "):
            found: dict[str, Any] = elsewhere(said[3:], key)
            return found
        return below if said == "object" else SIMPLE[said] if said in SIMPLE else shape(said)

    def objects(lines: list[tuple[int, list[str], str]]) -> dict[str, Any]:
        properties, required = {}, []
        for at, (depth, keys, said) in enumerate(lines):
            if depth != lines[0][0]:
                continue
            end = next((n for n in range(at + 1, len(lines)) if lines[n][0] <= depth), len(lines))
            for key in keys:
                name = key.rstrip("?")
                properties[name] = schema(said, name, objects(lines[at + 1 : end]) if end > at + 1 else {})
                required += [name] if name == key else []
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    return [objects(lines) for lines in forms if lines]
