"""The one JSON object that a command prints for programs: it names its schema. A refusal has the same form for all commands."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ui.cli.known_errors import is_for_people
from ui.cli.plain import clipped, escaped

__all__ = ["REFUSED", "follows", "is_awaited", "of", "print_json", "print_json_line", "print_refused", "refusal_of"]

REFUSED = "ophex-refused/1"
"""The schema of what is printed when a command is refused or fails."""


class _Running:
    """A running command. wants: whether it prints JSON; schema: the schema it follows; is_told: whether it has printed its object."""

    def __init__(self, wants: bool) -> None:
        self.wants, self.schema, self.is_told = wants, "", False


_running: list[_Running] = []


@contextmanager
def of(arguments: Sequence[str]) -> Iterator[None]:
    """For a while, the printed object is that of this command line, even if the line is not understood."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    _running.append(_Running("--json" in own))
    try:
        yield
    finally:
        _running.pop()


def follows(schema: str) -> None:
    """The running command is understood: its object follows this schema."""
    if _running:
        _running[-1].schema = schema


def is_awaited() -> bool:
    """Whether the running command must still print its object."""
    return bool(_running) and _running[-1].wants and not _running[-1].is_told


def print_json(found: Mapping[str, Any]) -> None:
    """Print the object of a command."""
    print(escaped(json.dumps(_named(found), indent=2, ensure_ascii=False, default=str)))


def print_json_line(found: Mapping[str, Any]) -> None:
    """Print an object on one line, as one of several."""
    print(escaped(json.dumps(_named(found), ensure_ascii=False, default=str)))


def _named(found: Mapping[str, Any]) -> Mapping[str, Any]:
    if not _running:
        return found
    _running[-1].is_told = True
    return found if {"schema", "$schema"} & found.keys() else {"schema": _running[-1].schema, **found}


def print_refused(error: BaseException, **where: Any) -> None:
    """Print what was refused and why. where: which of several commands it was."""
    print_json({"schema": REFUSED, "done": False, "refused": {**_clipped(refusal_of(error)), **where}})


def _clipped(value: Any) -> Any:
    if isinstance(value, str):
        return clipped(value)
    if isinstance(value, Mapping):
        return {key: _clipped(one) for key, one in value.items()}
    return [_clipped(one) for one in value] if isinstance(value, list) else value


def refusal_of(error: BaseException) -> dict[str, Any]:
    """An error as data, in the same form for every kind of error."""
    from interpreter.runtime.refusals import About, Refusal, Why

    known = getattr(error, "refusal", None)
    if isinstance(known, Refusal):
        return known.as_data()
    for diagnostic in getattr(error, "diagnostics", ())[:1]:
        about = About(code=diagnostic.code)
        return Refusal(diagnostic.message, (), str(diagnostic.span), diagnostic.hint, Why.RULES, about).as_data()
    if isinstance(error, KeyboardInterrupt):
        return Refusal("Stopped.", kind=Why.STOPPED).as_data()
    if isinstance(error, OSError) and error.filename is not None:
        file = os.fsdecode(error.filename)
        return Refusal(f"{file}: {error.strerror}.", kind=Why.FILE, about=About(file=file)).as_data()
    if is_for_people(error):
        word = getattr(error, "kind", Why.NOT_UNDERSTOOD)
        kind = next(one for one in Why if one == word)
        message, about = str(getattr(error, "message", error)), getattr(error, "about", About())
        return Refusal(message, hint=str(getattr(error, "hint", "")), kind=kind, about=about).as_data()
    return Refusal(f"{type(error).__name__}: {error}".rstrip(": "), kind=Why.FAULT).as_data()
