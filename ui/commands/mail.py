"""`ophex mail`: writes a packet for each side and reads letters with orders. ophex writes and reads files; it sends nothing."""

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.cli import seats, talking
from ui.cli.exits import ExitCode, UsageError
from ui.cli.letter_files import files_of
from ui.cli.outbox import called, drop_template, drop_what_was_sent, run_hook

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from campaigns.desk.judged import Judged, TakenIn
    from campaigns.desk.letter_senders import Arrived
    from campaigns.desk.packets import Packet
    from campaigns.report import Report
    from ui.cli.playing import OpenCampaign

STDOUT = "-"
"""Stands for standard input and standard output."""

KEYS = """\
letters?: [object]    with --in
  file, side
  fate                taken, waiting, stopped, lapsed, refused, empty, known, same, unreadable,
                      seals, answers (it has no orders, only seals or answers in advance)
  message, hint, replaces
  opens               with --dry-run: a question that its orders raise and do not answer
  dropped: [text]     orders of an earlier letter that waited and are no longer given
  decoded, late: truth  late: it answers a packet from before a window of its side was closed
  orders, seals, answers: [object]    answers: in advance; given: kept
    text
    line, column: number
    given: truth
  faults: [fault]     refusals, with line and column of the command or the seal, and legal:
                      commands that would be accepted instead
  passed_over, quoted: [object]
    line: number
    text
events?: [event]      what the letters led to, as `ophex do --json` prints it
packets?: [object]    with --out, without --no-packets
  side
  number: number
  files: [text]
  hook: number or null    its exit code, null without --hook
receipts?: [text]     with --in and --out: the files with receipts
removed?: [text]      with --out: receipts and reminders of earlier packets, which were removed
with --out -:
side, report, template
number: number"""

ABOUT = """

--out DIR writes a packet for each side: its report since the last packet (as narrow text, as
Markdown, and as one HTML page with maps and charts), its map, and an order template to fill in.
Receipts and reminders that went out with earlier packets are removed from DIR.
ophex writes and reads files; sending and receiving them is up to you.

--in reads the letters that have arrived: single files, or all files in a folder. The first line of
the template says which side a letter is from; otherwise the name of the file (`red-2.txt`) or of
its folder does. Several letters of one side are read in the order of their names. A later letter
replaces the parts of an earlier one that nobody has acted on yet. The orders of a letter are
accepted in full or rejected; seals of sealed dice and answers in advance are accepted or refused
one by one. Such an answer is a line `if asked QUESTION: ANSWER`, or with `of THING` before the
colon; `repeat` before it keeps it in force in later turns, and `if asked nothing` ends all.
Orders that must wait for other sides are kept; the next `mail --in` gives them when it is their
turn, and with them the answers in advance to what is asked then. Receipts are printed, or written
with the packets if --out is given too.

Both work only on the branch `main`. On another, `--out -` shows how a packet would read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "-o", "--out", metavar="DIR", default="", help="write the packets into this folder; `-` prints one side's"
    )
    parser.add_argument(
        "--in",
        dest="in_",
        metavar="PATH",
        action="append",
        default=[],
        help="read this letter, or all letters in this folder; `-` reads standard input",
    )
    talking.add_side(parser, "only this side's packet and letters (default: those of all sides)")
    parser.add_argument(
        "--dry-run", action="store_true", help="report what is wrong with the letters, and record nothing"
    )
    parser.add_argument(
        "--no-packets",
        action="store_true",
        help="with --in and --out: write only the receipts; the next packets tell everything",
    )
    parser.add_argument(
        "--hook",
        metavar="COMMAND",
        default="",
        help="run COMMAND for each side that gets files, with the side and the files as arguments; no shell is used",
    )
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex mail my.ophex --out outbox\n"
        "ophex mail my.ophex --in inbox --dry-run\n"
        "ophex mail my.ophex --in inbox --out outbox --hook 'python3 send.py'",
        KEYS,
        version=2,
    )


def run(args: argparse.Namespace) -> int:
    """Read letters, write packets."""
    from campaigns.play.named_branches import refuse_aside

    _refuse_together(args)
    args.hook = _hook(args.hook)
    with talking.open_campaign(args.campaign, to_write=not args.dry_run and args.out != STDOUT) as campaign:
        side = seats.person_of(campaign, args.side).seat if "/" in args.side else ""
        side = side or (seats.side_of(campaign, args.side) if args.side else "")
        sides = [seat for seat in seats.seats_of(campaign) if side in {"", seat, seat.partition("/")[0]}]
        if not sides:
            raise UsageError("There is no packet for the umpire, who has the file.", "Name a side.")
        if args.out == STDOUT:
            return _print_packet(campaign, side, json=args.json)
        refuse_aside(campaign)
        intake = _take_in(campaign, args, side)
        with nullcontext() if args.hook else talking.progress("Writing packets") as tell:  # a hook may print there
            written = _write(campaign, sides, intake, args, tell) if args.out else {}
        failed = written.pop("failed", False) or any(one["hook"] for one in written.get("packets", ()))
        _tell(campaign, intake, written, args)
        wrong = intake is not None and any(
            one.fate in WRONG or one.seals.faults or one.answers.faults for one in intake.judged
        )
    return ExitCode.WRONG if wrong or failed else ExitCode.DONE


def _refuse_together(args: argparse.Namespace) -> None:
    """Raises UsageError for options that cannot be combined."""
    if not args.out and not args.in_:
        raise UsageError("There is nothing to do.", "--out DIR writes packets, --in DIR reads letters.")
    if args.hook and args.out in {"", STDOUT}:
        raise UsageError("--hook needs --out: it runs when packets are written.", "Add --out DIR.")
    if args.dry_run and args.out:
        hint = "Leave out --out: the receipts are printed." if args.in_ else "Only letters can be tried: --in PATH."
        raise UsageError("--dry-run writes no files, so it cannot be combined with --out.", hint)
    if args.no_packets and (not args.in_ or args.out in {"", STDOUT}):
        raise UsageError("--no-packets needs --in and --out: it writes only receipts.", "Add --in DIR --out DIR.")
    if not args.side and STDOUT in {args.out, *args.in_}:
        raise UsageError("`-` needs a side.", "Name the side with --as SIDE.")


WRONG = {"refused", "stopped", "lapsed", "unreadable"}


# ---- letters in
def _take_in(campaign: "OpenCampaign", args: argparse.Namespace, side: str) -> "TakenIn | None":
    if not args.in_:
        return None
    from campaigns.desk.copies import back_up
    from campaigns.desk.letter import MOST_BYTES
    from campaigns.desk.letter_intake import take_in
    from campaigns.desk.letter_senders import Arrived

    if not args.dry_run:
        back_up(campaign)
    arrived = _arrived(campaign, [path for path in args.in_ if path != STDOUT])
    if STDOUT in args.in_:
        arrived.append(Arrived("standard input", sys.stdin.buffer.read(MOST_BYTES + 1), side))
    with talking.progress("Reading letters") as tell:
        return take_in(campaign, arrived, only=side, dry_run=args.dry_run, progress=tell)


def _arrived(campaign: "OpenCampaign", paths: "Sequence[str]") -> "list[Arrived]":
    """The letters of files and folders, in their order."""
    from campaigns.desk.letter import MOST_BYTES, OURS
    from campaigns.desk.letter_senders import Arrived, side_named

    sides = {name.lower(): one.id for one in campaign.game.sides for name in (one.id, one.title)}
    sides |= {called(seat): seat for seat in seats.seats_of(campaign) if "/" in seat}
    found = []
    for path, folder in files_of(paths):
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if OURS.match(data[:200].decode("utf-8", "replace").lstrip("\ufeff")):
            continue  # a packet or receipt in the same folder
        side = side_named(path.name, sides) or (side_named(path.parent.name, sides) if folder else "")
        found.append(Arrived(path.name, data, side))
    return found


def _receipt(
    campaign: "OpenCampaign", seat: str, judged: "Sequence[Judged]", number: int = 0, *, only_tried: bool = False
) -> str:
    from functools import partial

    from campaigns.desk.answers_in_advance import with_refusals
    from campaigns.desk.commander_states import is_closed_since
    from campaigns.desk.commanders import commanders_of
    from campaigns.desk.odd import odd_for
    from campaigns.desk.packets import asked_of, some_answers
    from campaigns.desk.trays import REFUSED, WAITING
    from ui.cli.playing import sides_of
    from ui.wording.letters import receipt
    from ui.wording.oddities import odd_lines

    view = campaign.game.view(seat.partition("/")[0])
    who = next((one for one in commanders_of(campaign) if one.seat == seat), None)
    awaited, stand = asked_of(campaign.game, view, seat, who), partial(some_answers, campaign.game, who)
    odd = [] if only_tried else odd_lines(odd_for(campaign, seat), sides_of(view), rest="")
    kept = () if only_tried else with_refusals(campaign, seat)
    open_ones = [one.tray for one in judged if one.tray is not None and one.fate in {REFUSED, WAITING}]
    closed = who is not None and not awaited and any(is_closed_since(campaign, tray) for tray in open_ones)
    return receipt(
        seat,
        judged,
        view,
        awaited,
        stand=stand,
        number=number,
        only_tried=only_tried,
        odd=odd,
        in_advance=kept,
        closed=closed,
    )


# ---- packets out
def _write(
    campaign: "OpenCampaign",
    sides: "Sequence[str]",
    intake: "TakenIn | None",
    args: argparse.Namespace,
    tell: "Callable[[int, int], None] | None",
) -> dict[str, Any]:
    """Write the receipts of letters, and a packet for each side."""
    from functools import cache, partial

    from campaigns.desk.packets import next_number, note_packets, packets_of
    from campaigns.report import BEGINNING, Wanted, report_of
    from ui.maps import svg_map

    folder = Path(args.out)
    folder.mkdir(parents=True, exist_ok=True)
    receipts: dict[str, Path] = {}
    for side, judged in _by_side(intake).items():
        text = _receipt(campaign, side, judged, next_number(campaign, side))
        receipts[side] = _put(folder, f"{called(side)}-receipt.txt", text)
    gone = [
        file
        for side in sides
        for file in drop_what_was_sent(
            folder, side, next_number(campaign, side), is_written_to=side in receipts or not args.no_packets
        )
    ]
    if args.no_packets:
        hooks = {seat: run_hook(args.hook, seat, [file]) for seat, file in receipts.items() if args.hook}
        return {"receipts": [str(file) for file in receipts.values()], "removed": gone, "failed": any(hooks.values())}
    packets: list[dict[str, Any]] = []
    noted = note_packets(campaign, packets_of(campaign, sides))
    views, reports = {packet.side: packet.view for packet in noted}, cache(partial(report_of, campaign))
    maps = {side: svg_map.draw(view) for side, view in views.items()}  # commanders share those of their side
    for packet in noted:
        if tell is not None:
            tell(len(packets), len(noted))
        if packet.only_reads:
            gone += drop_template(folder, packet.seat)
        whole = reports(packet.side, Wanted(after=packet.after if packet.number > 1 else BEGINNING))
        files = _packet(campaign, packet, folder, whole, maps[packet.side])
        files += [receipts[packet.seat]] if packet.seat in receipts else []
        hook = run_hook(args.hook, packet.seat, files) if args.hook else None
        packets.append({"side": packet.seat, "number": packet.number, "files": [str(f) for f in files], "hook": hook})
    return {"packets": packets, "receipts": [str(file) for file in receipts.values()], "removed": gone}


def _print_packet(campaign: "OpenCampaign", side: str, *, json: bool) -> int:
    """Print the current packet of a side; only a packet written to a folder counts as sent."""
    from campaigns.desk.packets import packet_of
    from ui.wording.letters import report, template

    packet = packet_of(campaign, side)
    texts = report(campaign, packet), "" if packet.only_reads else template(packet)
    if json:
        talking.print_json({"side": side, "number": packet.number, "report": texts[0], "template": texts[1]})
    else:
        print("\n".join(filter(None, texts)), end="")
    return 0


def _packet(campaign: "OpenCampaign", packet: "Packet", folder: Path, whole: "Report", drawn: str) -> list[Path]:
    from campaigns.desk.commanders import choices_for, commander_of
    from ui.report.markdown import markdown
    from ui.report.page import page
    from ui.wording.letters import report, template

    if packet.seat != packet.side:
        who = commander_of(campaign, packet.seat)
        theirs = {(one.kind, one.name): choices_for(campaign.game, who, one) for one in packet.awaited}
        whole = whole.for_person(packet.seat, theirs)
    return [
        _put(folder, f"{called(packet.seat)}-report.txt", report(campaign, packet)),
        _put(folder, f"{called(packet.seat)}-report.md", markdown(whole)),
        _put(folder, f"{called(packet.seat)}-report.html", page(whole)),
        *([] if packet.only_reads else [_put(folder, f"{called(packet.seat)}-orders.txt", template(packet))]),
        _put(folder, f"{called(packet.seat)}-map.svg", drawn),
    ]


def _put(folder: Path, name: str, text: str) -> Path:
    """Write a file of a packet atomically."""
    from ui.cli.plain import plain
    from ui.cli.whole import put

    return put(folder / name, plain(text))


def _hook(command: str) -> list[str]:
    """The words of the hook command; no shell is used.

    Raises:
        UsageError: it is not a command.
    """
    import shlex

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--hook is not a command: {error}.") from None
    if command and not words:
        raise UsageError("--hook is empty.", "Name a program, as in --hook 'python3 send.py'.")
    return words


# ---- telling
def _by_side(intake: "TakenIn | None") -> "dict[str, list[Judged]]":
    found: dict[str, list[Judged]] = {}
    for one in intake.judged if intake is not None else ():
        if one.side and one.fate != "known":
            found.setdefault(one.side, []).append(one)
    return found


def _tell(
    campaign: "OpenCampaign", intake: "TakenIn | None", written: dict[str, Any], args: argparse.Namespace
) -> None:
    if args.json:
        from ui.wording.letters_as_data import as_json

        letters = (
            {"letters": [as_json(one) for one in intake.judged], "events": talking.told(intake.events)}
            if intake
            else {}
        )
        talking.print_json({**letters, **written})
        return
    if intake is not None:
        _tell_letters(campaign, intake, args)
    for packet in written.get("packets", ()):
        talking.note(f"packet {packet['number']} of {packet['side']}: {', '.join(packet['files'])}")
    for file in written.get("receipts", ()):
        talking.note(f"receipt: {file}")
    for file in written.get("removed", ()):
        talking.note(f"removed, it was sent before: {file}")
    if args.dry_run:
        talking.note("This was a dry run: nothing was recorded.")


def _tell_letters(campaign: "OpenCampaign", intake: "TakenIn", args: argparse.Namespace) -> None:
    from campaigns.desk.judged import KNOWN
    from ui.wording.letters import FATES, fate_in_words, judged_lines

    known = [one.file for one in intake.judged if one.fate == KNOWN]
    if known:
        talking.note(f"{known[0] if len(known) == 1 else f'{len(known)} letters'}: {FATES[KNOWN]}.")
    for one in intake.judged:
        if not one.side:
            for line in judged_lines(one, only_tried=args.dry_run):
                talking.note(line)
        elif args.out and one.fate != KNOWN:
            talking.note(f"{one.file}: {fate_in_words(one)}.")
    for answer, why in intake.refused:
        talking.note(f"answer in advance of {answer.seat} refused: {answer.text}: {why.message}")
    if not args.out:
        for side, judged in _by_side(intake).items():
            print(_receipt(campaign, side, judged, only_tried=args.dry_run))
