"""The results of undoing inputs and giving them again, in words and as an object."""

import shlex
from typing import TYPE_CHECKING, Any

from ui.cli import talking
from ui.cli.exits import ExitCode
from ui.cli.plain import clipped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from campaigns.play.giving_again import Again, LeftOut
    from ui.cli.playing import OpenCampaign

__all__ = ["tell_again", "tell_gone"]


def tell_gone(campaign: "OpenCampaign", before: int, now: int, *, json: bool) -> None:
    """Report that the campaign has moved from one entry to another: what was taken back, and what was redone."""
    import attrs

    from ui.cli.playing import UMPIRE, said_by, sides_of
    from ui.wording import situation

    view = campaign.game.view(UMPIRE)
    if json:
        talking.print_json({"head": now, "awaiting": [attrs.asdict(one) for one in view.awaiting]})
        return
    print(f"The campaign is at entry {now}." if now else "The campaign is at its beginning.")
    parts = campaign.parting(before, now)
    for number in reversed(campaign.between(parts, before)):
        talking.note(f"taken back: {number} {': '.join(said_by(campaign.entry(number).input))}")
    for number in campaign.between(parts, now):
        talking.note(f"redone: {number} {': '.join(said_by(campaign.entry(number).input))}")
    for line in situation.standing(view):
        talking.note(line)
    for one in view.awaiting:
        talking.note(f"next: {situation.awaited_line(one, sides_of(view))}")


def tell_again(campaign: "OpenCampaign", again: "Again", path: str, *, json: bool) -> int:
    """Report what was replayed, and what is no longer valid. The exit code is 1 if something is left."""
    import attrs

    from ui.cli.playing import UMPIRE, said_by, sides_of
    from ui.wording import situation

    view = campaign.game.view(UMPIRE)
    if json:
        talking.print_json(
            {
                "head": campaign.head,
                "awaiting": [attrs.asdict(one) for one in view.awaiting],
                "after": again.after,
                "taken": _listed(again.taken),
                "given": [{"was": was, "now": now} for was, now in again.given],
                "otherwise": list(again.otherwise),
                "instead": list(again.instead),
                "left": _listed(again.left),
                "reason": clipped(again.reason),
                "hint": again.hint,
            }
        )
        return ExitCode.WRONG if again.left else ExitCode.DONE
    for one in again.taken:
        talking.note(f"taken back: {one.number} {': '.join(said_by(one.input))}")
    for number in again.instead:
        talking.note(f"instead: {number} {': '.join(said_by(campaign.entry(number).input))}")
    for was, now in again.given:
        mark = " (now with a different result)" if now in again.otherwise else ""
        talking.note(f"replayed: {was} as {now} {': '.join(said_by(campaign.entry(now).input))}{mark}")
    print(f"The campaign is at entry {campaign.head}.")
    if again.left:
        first = again.left[0]
        print(f"Entry {first.number} is no longer valid: {clipped(again.reason)} {again.hint}".rstrip())
        for one in again.left:
            print(f"  not replayed: {one.number} {': '.join(said_by(one.input))}")
        talking.note("It remains in the record, unchanged, on the old line.")
        name = shlex.quote(path)
        if len(again.left) > 1:
            talking.note(f"`ophex redo {name} --replay {again.left[1].number}` replays what follows it.")
        talking.note(f"`ophex redo {name} --to {again.left[-1].number}` goes back to the old line.")
    for awaited in view.awaiting:
        talking.note(f"next: {situation.awaited_line(awaited, sides_of(view))}")
    return ExitCode.WRONG if again.left else ExitCode.DONE


def _listed(left: "Iterable[LeftOut]") -> list[dict[str, Any]]:
    return [
        {
            "number": one.number,
            "side": one.input.side,
            "kind": one.input.kind,
            "text": one.input.text,
            "subject": one.input.subject,
        }
        for one in left
    ]
