"""Writing the pack of a battle, or printing one file of it; and reading a filled form, showing it and giving it."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dsl.text.phrases import counted
from ui.cli import seats, talking
from ui.cli.exits import ExitCode
from ui.cli.whole import put

if TYPE_CHECKING:
    from campaigns.tabletop import Posting
    from interpreter.messages.inputs import Event

MOST_WRONG = 60
"""How many mistakes are listed."""


def export_battle(args: argparse.Namespace) -> int:
    """Write the pack of a battle into a folder, or print one file of it."""
    from campaigns.tabletop import pack_of
    from ui.tabletop.files import FILES, as_json

    with talking.open_campaign(args.campaign) as campaign:
        side = seats.side_of(campaign, args.side)
        pack = pack_of(campaign, args.battle or "", side)
        if args.json and not args.out:
            talking.print_json(as_json(pack))
            return 0
        if not args.out:
            print(FILES[args.part or "result.toml"](pack), end="")
            return 0
        folder, files = Path(args.out), [args.part] if args.part else list(FILES)
        places = {end: folder / f"{pack.table.name}-{end}" for end in files}
        for place in places.values():
            talking.new_file(str(place), force=args.force)
        folder.mkdir(parents=True, exist_ok=True)
        for end, place in places.items():
            put(place, FILES[end](pack))
    if args.json:
        talking.print_json({"battle": pack.table.name, "files": [str(place) for place in places.values()]})
    else:
        talking.note(f"{pack.table.title}: {', '.join(place.name for place in places.values())} are in {folder}.")
    return 0


def import_form(args: argparse.Namespace, campaign_file: str, form_file: str) -> int:
    """Read a filled form, show its result, and enter it."""
    from campaigns.tabletop import post, read_form, rehearse
    from campaigns.tabletop.result_form import MOST_BYTES

    with Path(form_file).open("rb") as source:
        form = read_form(source.read(MOST_BYTES + 1))
    with talking.open_campaign(campaign_file, to_write=not args.dry_run) as campaign:
        found = rehearse(campaign, form) if args.dry_run else post(campaign, form, source=Path(form_file).name)
        done = not (found.wrong or args.dry_run)
        if args.json:
            talking.print_json(_as_json(found, done=done))
        else:
            for line in _told(found, form_file):
                talking.note(line)
            if done:
                talking.note(f"Entry {campaign.head}; `ophex undo --file` takes all of it back.")
            elif not found.wrong:
                talking.note("Nothing was recorded.")
    return ExitCode.WRONG if found.wrong else ExitCode.DONE


def _told(found: "Posting", name: str) -> Iterator[str]:
    from ui.cli.plain import clipped, one_line

    for one in (fault.refusal for fault in found.wrong[:MOST_WRONG]):
        yield clipped(f"{name}: {one_line(one.place)}: {one_line(one.message)}")
        if one.hint:
            yield clipped(f"  hint: {one_line(one.hint)}")
    if len(found.wrong) > MOST_WRONG:
        yield f"And {len(found.wrong) - MOST_WRONG} more; --json prints them all."
    if found.wrong:
        yield f"The form has {counted(len(found.wrong), 'mistake')}; nothing was changed."
        return
    yield f"{one_line(found.title)}:"
    yield from (f"  {one_line(line)}" for line in _events(found.events))
    for row in found.waiting:
        what = "not asked; the battle is over" if found.over else "not asked yet; import the form again when it is"
        yield clipped(f"{one_line(row.place)}: {what}.")
    for awaited in found.awaited[:6]:
        yield f"next: {one_line(awaited.prompt)}"


def _events(events: "tuple[Event, ...]") -> Iterator[str]:
    from ui.cli.playing import UMPIRE, may_read

    yield from (event.text for event in may_read(events, UMPIRE))


def _as_json(found: "Posting", *, done: bool) -> dict[str, Any]:
    return {
        "done": done,
        "battle": found.title,
        "given": [talking.fields_of(one, ("kind", "side", "subject", "text")) for one in found.inputs],
        "told": list(_events(found.events)),
        "wrong": [one.refusal.as_data() for one in found.wrong],
        "waiting": [row.place for row in found.waiting],
    }
