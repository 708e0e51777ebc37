"""The tables of the parser: computed from the grammar once, and kept as data for the next run.

Lark keeps its tables as a pickle, which can execute anything when it is read. Here they are JSON, like all kept data
(`dsl/text/keeping.py`).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from typing import Any, cast

import lark
from lark import Lark
from lark.exceptions import LarkError
from lark.grammar import Rule
from lark.lexer import TerminalDef

from dsl.text.keeping import keep, kept, name_of

__all__ = ["parser_for"]

MOST = 4
"""The maximum number of grammars whose tables are stored."""

HANDED_IN = frozenset({"postlex", "propagate_positions", "lexer_callbacks", "tree_class", "_plugins"})
"""Options that are not data and are given again whenever tables are read."""


def parser_for(grammar: str, postlex: Any) -> Lark:
    """The parser of a grammar. postlex: the first step over its tokens."""
    handed: dict[str, Any] = {"postlex": postlex, "propagate_positions": True}
    name = name_of("grammar", (grammar, lark.__version__))
    found = kept(name)
    if found is not None:
        # Whatever is wrong with the stored tables, they are computed again.
        with contextlib.suppress(ValueError, TypeError, LookupError, AttributeError, AssertionError, LarkError):
            tables = json.loads(found, object_hook=_numbered)
            read: Any = Lark._load_from_dict  # noqa: SLF001 (so do Lark's stand-alone parsers)
            return cast("Lark", read(tables["data"], tables["memo"], **handed))
    made = Lark(grammar, parser="lalr", lexer="contextual", maybe_placeholders=False, **handed)
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"] = {key: value for key, value in data["options"].items() if key not in HANDED_IN}
    keep(name, json.dumps({"data": data, "memo": memo}, separators=(",", ":")), MOST)
    return made


def _numbered(read: Mapping[str, Any]) -> Mapping[Any, Any]:
    """JSON has no numbers as keys; the tables have no names of digits alone."""
    return {int(key): value for key, value in read.items()} if next(iter(read), "").isdecimal() else read
