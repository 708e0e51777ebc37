"""The luck ledger in words: what dice have shown, compared with the average of such dice."""

from collections.abc import Iterable, Iterator

from campaigns.views.luck_ledger import LuckThrows, SideLuck
from dsl.text.phrases import counted
from ui.cli.plain import one_line

__all__ = ["VERDICTS", "luck_lines", "said_throws"]

VERDICTS = {
    "few": "too few rolls to say anything",
    "usual": "ordinary luck",
    "rare": "unusual; by chance one count in 22 is like this",
    "very rare": "very unusual; by chance one count in 370 is like this",
}


def luck_lines(sides: Iterable[SideLuck]) -> Iterator[str]:
    """The ledger in words."""
    for side in sides:
        if not side.all.throws:
            yield one_line(f"{side.title}: no rolls.")
            continue
        yield one_line(f"{side.title}: {said_throws(side.all)}: {VERDICTS[side.all.verdict]}.")
        for name, dice, count in side.kinds:
            verdict = "" if count.verdict in {"few", "usual"} else f": {VERDICTS[count.verdict]}"
            yield one_line(f"  {name} ({dice}): {said_throws(count)}{verdict}")


def said_throws(count: LuckThrows) -> str:
    """`12 rolls, 3.5 above the mean, ± 5.9 (0.6 standard errors)`."""
    off = f"{abs(count.off):.1f} {'above' if count.off > 0 else 'below'}" if count.off else "just at"
    return (
        f"{counted(count.throws, 'roll')}, {off} the mean, ± {count.error:.1f} ({abs(count.units):.1f} standard errors)"
    )
