"""Errors of the parser, explained in the words of wargames rather than of the grammar."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import attrs
from lark import Token, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from dsl.syntax.chunks import Chunk
from dsl.syntax.habits import of_habit
from dsl.syntax.language_words import DECLARATION_WORDS, KEYWORDS, spoken
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.source import Span


def token_span(token: Token, chunk: Chunk, file: str, *, next_line: bool = False) -> Span:
    """The place of a token in the whole file; next_line: of the line after it, up to its first word."""
    if next_line:
        line = (token.end_line or 1) + chunk.line - 1
        return Span(file, line, 1, line, max(2, token.end_column or 2))
    line, column = (token.line or 1) + chunk.line - 1, token.column or 1
    return Span(file, line, column, line, column + max(1, len(token.split("\n")[0])))


_NARROWING = frozenset({"in", "next", "within", "held", "that", "whose", "except", "together"})
"""The words that begin a restriction of a set."""
_ITEM = r"[a-z][a-z0-9-]*"
_ITEMS = rf"{_ITEM}(?:(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+){_ITEM})*"
_END = r"\s*(?:because\s.*|\[[A-Z].*)?$"
_WHOLE = re.compile(
    r"\s*then\s+(?!there\b|every\b|any\b|no\b|most\b)((?:[a-z][\w-]*\s+)*?[a-z][\w-]*)\s*(?:=|\b(?:is|are)\b(\s+not\b)?\s*:?)\s*"
    rf"(?:(?:exactly|only|just)\b)?\s*[\[({{]?\s*(?!none\b|yes\b|no\b|in\b|next\b|on\b|within\b|at\b)({_ITEMS})\s*[\])}}]?{_END}"
)
_ALL = re.compile(rf"\s*then\s+({_ITEM}(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+){_ITEMS})\s+(?:is|are)\s+(.*?){_END}")
_HOLDS = re.compile(rf"\s*then\s+(.*?)\s+(?:contains?|includes?)\s+({_ITEMS}){_END}")
_COUNTED = re.compile(rf"\s*then\s+there\s+(?:is|are)\s+(\d+)\s+(.*?){_END}")
"""Ways of writing about several things for which the language has other words."""
_TOLD = re.compile(rf"\s*then\s+({_ITEM})\s+(?:is|are)\s+(?:not\s+)?told\s")


def _of_several(line: str) -> str:
    """The correct form of an expectation about several things that cannot be read; empty for any other line."""
    if len(line) > 300 or not line.lstrip().startswith("then "):
        return ""
    if found := _WHOLE.match(line):
        items = ", ".join(re.split(r"\s*,\s*and\s+|\s*,\s*|\s+and\s+", found[3]))
        told = "Separate several values with commas" if "," in items else "Write it plainly"
        return f"{told}: `then {found[1].strip()} are{found[2] or ''} {items}`."
    if found := _ALL.match(line):
        items = ", ".join(re.split(r"\s*,\s*and\s+|\s*,\s*|\s+and\s+", found[1]))
        return f"To say this of several things, write: `then every ({items}) is {found[2]}`."
    if found := _HOLDS.match(line):
        first, *others = re.split(r"\s*,\s*and\s+|\s*,\s*|\s+and\s+", found[2])
        return f"Write `then {first} is in {found[1]}`" + (
            ", and a line like it for each of the others." if others else "."
        )
    if found := _COUNTED.match(line):
        return f"To say how many there are, write: `then count of ({found[2]}) = {found[1]}`."
    return ""


def _of_messages(line: str) -> str:
    """The correct form of an expectation about messages to a side that cannot be read; empty for any other line."""
    if not (found := _TOLD.match(line[:300])):
        return ""
    side = "red" if found[1] == "sides" else found[1]
    return f'Name one side and quote all that it is told: `then {side} is told "…", "…"`, or `then {side} is told nothing`.'


FEW = 6
"""If at most this many words are possible, each of them is likely."""


def unexpected(error: UnexpectedInput, chunk: Chunk, file: str) -> Diagnostic:
    """The diagnostic for a declaration that does not match the grammar."""
    found = _unexpected(error, chunk, file)
    line = chunk.text.split("\n")[max(0, min(found.span.line - chunk.line, chunk.text.count("\n")))]
    if habit := of_habit(line):
        return attrs.evolve(found, hint=habit)
    several = _of_several(line) or _of_messages(line)
    if several:
        return attrs.evolve(found, hint=f"{several} {found.hint}".strip())
    printed = _unquoted(line, found.span.column)
    if not printed:
        return found
    return attrs.evolve(found, hint=f"Put a printed value in quotes: `{printed}`. {found.hint}".strip())


def _unquoted(line: str, column: int) -> str:
    """The correct form of a line that gives a printed value without quotes; empty for any other line."""
    begun = re.match(r"\s*(put|given|then)\b", line)
    if begun is None:
        return ""
    starts = r",\s*([a-z][a-z0-9-]*)\s+" if begun[1] == "put" else r"\b([a-z][a-z0-9-]* of [\w-]+ (?:is|=)(?: not)?)\s+"
    field = [m for m in re.finditer(starts, line) if m.end() <= column + 1]
    if not field or '"' in line[field[-1].end() : column]:
        return ""
    rest = line[field[-1].end() :]
    ends = re.search(r",\s*[a-z][a-z0-9-]*\s|\)(?=\s*(?:in\b.*)?$)", rest) if begun[1] == "put" else None
    value = re.sub(_END, "", rest[: ends.start()] if ends else rest).strip()
    if begun[1] == "then" and not re.search(r"\w\(|--|\w/|\+\w|\[", value):
        return ""
    return f'{field[-1][1]} "{value}"' if value else ""


def _unexpected(error: UnexpectedInput, chunk: Chunk, file: str) -> Diagnostic:
    first = chunk.text.split(maxsplit=1)[0]
    if isinstance(error, UnexpectedCharacters):
        line = error.line + chunk.line - 1
        text = chunk.text.split("\n")[error.line - 1]
        word = (text[error.column - 1 :].split(maxsplit=1) or [""])[0][:60]
        if error.line == 1 and (error.column == 1 or first not in DECLARATION_WORDS):
            return _not_a_declaration(first, Span(file, line, 1, line, 2))
        return _character(word, text, error, Span(file, line, error.column, line, error.column + max(1, len(word))))
    if not isinstance(error, UnexpectedToken):
        return at("E002", "This declaration is not complete.", Span(file, chunk.line, 1, chunk.line, 2))
    token = error.token
    expected = set(error.accepts or error.expected)
    if len(expected) > FEW and "DICE_WORD" not in expected:
        expected.discard("DICE")  # `(…) d6` may follow any number: of all possibilities the least likely
    if token.type == "$END":
        last = chunk.text.rstrip().split("\n")
        number = chunk.line + len(last) - 1
        return _too_early(
            "This declaration", expected, Span(file, number, max(1, len(last[-1])), number, len(last[-1]) + 1)
        )
    span = token_span(token, chunk, file)
    if span.line == chunk.line and span.column == 1:
        return _not_a_declaration(first, span)
    if token.type in {"_INDENT", "_DEDENT", "_NL"}:
        line_text = chunk.text.split("\n")[max(0, (token.line or 1) - 1)]
        end = max(1, min(len(line_text.rstrip()), span.column - 1))
        place = Span(file, span.line, end, span.line, end + 1)
        return _too_early("The line", expected, place, _bare(line_text, expected))
    if "COLON" in expected and _after_line_start(chunk, token):
        return _no_colon(expected, chunk, token, span)
    return _word(token, expected, chunk, span)


def _no_colon(expected: set[str], chunk: Chunk, token: Token, span: Span) -> Diagnostic:
    """An indented line follows a line that does not end in a colon."""
    lines = chunk.text.split("\n")
    number = next(n for n in range((token.line or 1) - 2, -1, -1) if lines[n].strip())
    text = lines[number].rstrip()
    line = number + chunk.line
    place = Span(span.file, line, max(1, len(text)), line, len(text) + 1)
    hint = "A line with an indented block under it ends in a colon."
    if "_NL" in expected:
        message = "Either this line needs a colon at its end, or the next line is indented too deeply."
        return at("E002", message, place, hint=f"{hint} A separate line starts exactly under the previous one.")
    return at("E002", "A colon is missing at the end of this line.", place, hint=hint)


@attrs.frozen(slots=True, eq=False)
class _Stumble:
    """A word that does not fit: itself, the text before it in its line, and what was expected in its place.

    leads: whether it is the first of its line.
    """

    word: str
    type: str
    before: str
    expected: set[str]
    leads: bool


def _word(token: Token, expected: set[str], chunk: Chunk, span: Span) -> Diagnostic:
    """The diagnostic for a word that does not fit, with everything it may mean, and what was expected."""
    word = token.split("\n")[0].strip()[:60]
    before = chunk.text.split("\n")[(token.line or 1) - 1][: (token.column or 1) - 1]
    met = _Stumble(word, token.type, before, expected, _after_line_start(chunk, token))
    hints = [guess(met) for guess in _GUESSES]
    hint = " ".join([*filter(None, hints), _expected(expected)]).strip()
    return at("E002", f"Unexpected `{word}`.", span, hint=hint)


def _misspelt(met: _Stumble) -> str:
    """A keyword with a similar spelling; a single letter is a name."""
    if met.type != "NAME" or len(met.word) == 1:
        return ""
    known = [s.strip("`") for s in map(spoken, met.expected) if s.startswith("`") and s[1:2].isalpha()]
    return did_you_mean(met.word, known)


def _no_preposition(met: _Stumble) -> str:
    """The first argument of a heading right after its name."""
    heading = re.fullmatch(r"(?:value|status|order|procedure|path|setup) +([\w-]+) +", met.before)
    if met.type != "NAME" or heading is None or _misspelt(met):
        return ""
    return f"An argument follows `of` or another such word: `{heading[1]} of {met.word}`."


def _taken(met: _Stumble) -> str:
    """A keyword where a name is needed."""
    if "NAME" not in met.expected or met.word not in KEYWORDS:
        return ""
    return f"`{met.word}` is a keyword and cannot be a name here: choose another, such as `the-{met.word}`."


def _no_condition(met: _Stumble) -> str:
    """Conditions that are joined like words, and text that is not a condition where one is needed."""
    joined = met.type in {"_IS", "HAS", "CMP"} and re.search(r"[^,\s]\s+or\s+[^,]*$", met.before)
    if met.word == "or" or joined:
        return "`or` joins words. Join two conditions with `, or` (with a comma)."
    if met.type != "NAME" and (bare := _bare(met.before, met.expected)):
        return bare
    if {"_IS", "CMP"} <= met.expected and "_NL" not in met.expected:
        return "Write a complete condition, such as `u is marched`, `it is yes`, `strength of u > 2` or `there is …`."
    return ""


def _narrowed(met: _Stumble) -> str:
    """A restriction of a set without brackets."""
    if met.word == "where":
        return "Put `where …` in brackets after the set: `tanks (where …)`."
    return ""


def _set_to_do(met: _Stumble) -> str:
    """A set of several words that a procedure is done with, without brackets."""
    if met.word in _NARROWING and re.search(r"\bdo\s+[\w-]+\s+\w+\s.*[\w)]\s*$", met.before):
        return f"Put brackets around the whole set: `do P of (… {met.word} …)`."
    return ""


def _set_after_is(met: _Stumble) -> str:
    """A set of several words after `is`, without brackets."""
    several = r"\b(?:is|are)(?:\s+not)?\s+(?:(?:own|enemy|all)\s+)?[\w-]+\s*$"
    if met.word in _NARROWING and re.search(several, met.before):
        return "Put a set of more than one word after `is` in brackets: `is (tanks in h)`."
    return ""


def _citation(met: _Stumble) -> str:
    """A citation before the end of a line."""
    if met.type == "CITE" and "_NL" not in met.expected and not _bare(met.before, met.expected):
        return "Put the citation at the end of the line."
    return ""


def _colon(met: _Stumble) -> str:
    """A colon after a line that has no block."""
    if met.type == "COLON" and "_NL" in met.expected and "COLON" not in met.expected:
        return "Remove the colon: this kind of line has no indented block."
    return ""


def _too_deep(met: _Stumble) -> str:
    """A line that is indented too deeply."""
    if met.leads and "_NL" in met.expected:
        return "A line that is indented further continues the one above it. Start a separate line exactly under it."
    return ""


def _elsewhere(met: _Stumble) -> str:
    """A sign or word that other languages use for what is written otherwise here."""
    if met.word == "if" and "WHEN" in met.expected:
        return "A condition begins with `when`."
    if met.word != "=":
        return ""
    if met.before.rstrip().endswith("="):
        return "Write one `=`."
    return (
        "To change a field, write `F of u becomes …`; to add to it, `F of u gains …`."
        if "BECOMES" in met.expected
        else ""
    )


_GUESSES = (
    _elsewhere, _misspelt, _no_preposition, _taken, _no_condition, _narrowed, _set_to_do, _set_after_is,
    _citation, _colon, _too_deep,
)  # fmt: skip
"""The possible explanations for a word that does not fit, in the order of the hint; empty if one does not apply."""


def _after_line_start(chunk: Chunk, token: Token) -> bool:
    """Whether a token is the first of its line."""
    line = chunk.text.split("\n")[(token.line or 1) - 1]
    return (token.line or 1) > 1 and not line[: (token.column or 1) - 1].strip()


def _bare(text: str, expected: set[str]) -> str:
    """A hint for a status or value in place of a condition, without `is`: `then drawn-out`."""
    found = _BARE.search(re.sub(r"\s*(?:--\s.*|\[[A-Z][^\]]*\]\s*)$", "", text)) if {"_IS", "CMP"} <= expected else None
    if found is None or found[3] in KEYWORDS:
        return ""
    before, quantifier, said = found.groups()
    if quantifier:
        return f"Complete the condition: `{quantifier.strip()} {said} is …`."
    if before == "where":
        return f"Complete the condition: `it is {said}` or `its {said} is …`."
    word, _, of = said.partition(" of ")
    truth = "no" if before == "not" else "yes"
    other = f" or `{of} is {'not ' if before == 'not' else ''}{word}`" if of else ""
    return f"Complete the condition: `{said} is {truth}`{other}."


_BARE = re.compile(
    r"\b(then|when|and|or|not|whether|while|given|until|that|where)\s+((?:any|every|no|most)\s+)?"
    r"([a-z][a-z0-9-]*(?: of [a-z][\w-]*)?)\s*$"
)
"""A name at the end of a line, or before the end of a condition, with the word that comes before a condition."""


def _too_early(what: str, expected: set[str], span: Span, bare: str = "") -> Diagnostic:
    if "RPAR" in expected and not bare:
        return at("E002", "A bracket is not closed.", span, hint="Add the missing `)`.")
    return at("E002", f"{what} ends too early.", span, hint=bare or _expected(expected))


_CURLY = frozenset("“”„‟«»‘’‚")
"""The quotes that word processors write."""


def _character(word: str, text: str, error: UnexpectedCharacters, span: Span) -> Diagnostic:
    """A character that cannot begin anything here."""
    char = word[:1]
    before = text[: error.column - 1]
    if not char.isprintable():
        hint = f"Delete it: it is the unprintable character U+{ord(char):04X}." if char else ""
        return at("E002", "There is an invisible character here.", span, hint=hint)
    if char == '"':
        return at(
            "E002", "The closing quote of this text is missing.", span, hint='Add a `"` at its end, in the same line.'
        )
    if char in _CURLY:
        return at("E002", f"`{char}` is not a quote of the language.", span, hint='Put text in straight quotes: "…".')
    if char == "_" or (not char.isascii() and char.isalpha()):
        sort = (
            "Join the words of a name by hyphens"
            if char == "_"
            else f"`{char}` ({unicodedata.name(char, 'no letter').lower()}) is not one of the letters a to z"
        )
        return at(
            "E002",
            f"`{char}` is not allowed in a name.",
            span,
            hint=f"{sort}: a name consists of letters a to z, digits and hyphens.",
        )
    if char == "-" and before[-1:].isalnum():
        return at("E002", "A name cannot end in a hyphen.", span, hint="Put spaces around a minus sign.")
    return at("E002", f"Unexpected `{word}`.", span, hint=_expected(error.allowed or ()))


def _not_a_declaration(word: str, span: Span) -> Diagnostic:
    hint = (
        did_you_mean(word, DECLARATION_WORDS)
        or "A line at the left edge must start a declaration (enum, unit, table, value, order …)."
    )
    hint += " Indent a line that belongs to the one above it."
    place = Span(span.file, span.line, span.column, span.line, span.column + max(1, len(word[:40])))
    return at("E006", f"`{word[:40]}` does not start a declaration.", place, hint=hint)


_SIGNS = frozenset(
    [
        "PLUS",
        "MINUS",
        "STAR",
        "SLASH",
        "MOVED",
        "CMP",
        "RANGE",
        "COMMA_OR",
        "COMMA",
        "SEMICOLON",
        "LPAR",
        "RPAR",
        "CITE",
        "LESSTHAN",
        "SIGNED",
    ]
)


def _expected(names: Iterable[str]) -> str:
    """The words that are possible here; signs are named only if there is little else."""
    names = set(names)
    if {"NAME", "NUMBER", "LPAR"} <= names:
        return "Expected a value: a name, a number, text in quotes, or something in brackets."
    words = sorted({spoken(n) for n in names - _SIGNS} - {""}) or sorted({spoken(n) for n in names} - {""})
    if not words:
        return ""
    words.sort(key=lambda w: w.startswith("`"))
    shown = words if len(words) <= 11 else [*words[:10], f"{len(words) - 10} other words"]
    return "Expected " + (" or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]) + "."
