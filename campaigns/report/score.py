"""The state of the game: the score that the rules show, and each line of the scenario that ends the game, part by part."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from campaigns.file.history import Document
from campaigns.report import report_model
from dsl.syntax import syntax_tree
from dsl.text.shown import SCORE_SHOWS
from dsl.text.source import Span, plain_text
from interpreter.messages.sides import UMPIRE
from interpreter.messages.view import View
from interpreter.queries.worked_out import value_now, worked_out

if TYPE_CHECKING:
    from interpreter.machine import Game

__all__ = ["score_of"]


def score_of(game: "Game", view: View, documents: Sequence[Document]) -> report_model.Score:
    """The score and the lines that end the game, as a side may know them."""
    side = view.side or UMPIRE
    shown = worked_out(game, SCORE_SHOWS, side)
    standings = tuple(report_model.Standing(one.id, shown[one.id]) for one in view.sides if one.id in shown)
    texts = {document.name: plain_text(document.text).split("\n") for document in documents}
    endings = []
    for ending in game.scenario.endings:
        winner = ending.winner.word if isinstance(ending.winner, syntax_tree.Name) else ""
        tests = tuple(_test(game, part, texts, side) for part in _parts(ending.when))
        endings.append(report_model.Ending(winner, ending.because or "", tests))
    return report_model.Score(standings, tuple(endings))


def _parts(condition: syntax_tree.Node | None) -> Iterator[syntax_tree.Node]:
    if isinstance(condition, syntax_tree.AllOf):
        for one in condition.items:
            yield from _parts(one)
    elif condition is not None:
        yield condition


def _test(game: "Game", node: syntax_tree.Node, texts: Mapping[str, Sequence[str]], side: str) -> report_model.Test:
    left = right = ""
    if isinstance(node, syntax_tree.Compare) and node.quantifier is None:
        left, right = (
            value_now(game, _text(one.span, texts), one, side, condition=False) for one in (node.left, node.right)
        )
    text = _text(node.span, texts)
    return report_model.Test(text, value_now(game, text, node, side, condition=True), left, right)


def _text(span: Span, texts: Mapping[str, Sequence[str]]) -> str:
    """A text from the rules, on one line."""
    lines = list(texts.get(span.file, ())[span.line - 1 : span.end_line])
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(line.partition(" -- ")[0] for line in lines).split())
