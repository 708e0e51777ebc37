"""Mail to the sides, in words: report, template for orders, receipt. Narrow plain text that no mail program damages."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from campaigns.desk.commander_states import standings_of
from campaigns.desk.commanders import commanders_of
from campaigns.desk.judged import EMPTY, KNOWN, SAME, UNREADABLE
from campaigns.desk.packets import needed_from
from campaigns.desk.rehearsing import NO_ANSWER
from campaigns.desk.states import standings
from campaigns.desk.trays import ANSWERS, LAPSED, REFUSED, SEALS, STOPPED, TAKEN, WAITING
from campaigns.play.whole_answers import choices_of_each, whole_answers
from campaigns.views.told_since import told_since
from interpreter.messages.inputs import SEAL
from ui.cli.plain import one_line, plain
from ui.cli.playing import opening_told, sides_of
from ui.wording import situation
from ui.wording.events import event_lines, log_lines
from ui.wording.persons import Persons
from ui.wording.standing import due_line, standing_lines

if TYPE_CHECKING:
    from campaigns.desk.judged import Judged
    from campaigns.desk.letter_orders import SaidOrder
    from campaigns.desk.packets import Packet
    from campaigns.desk.rehearsing import Fault
    from interpreter.messages.inputs import Awaited
    from interpreter.messages.view import View
    from ui.cli.playing import OpenCampaign

__all__ = ["FATES", "fate_in_words", "in_advance_lines", "mailed", "receipt", "report", "sealing", "template"]

WIDTH = 72
"""With two quotation marks before it, a line still stays below 76 columns."""
TEMPLATE_WIDTH = 66
"""A template comes back quoted, and some programs break quoted lines at 72 columns."""
MOST_CHOICES, MOST_LISTED = 6, 40
IN_PLACE = "Put the line that this prints in place of `seal`"
ENDS = {
    "others": "The rest is tried when others have acted.",
    "dice": "The rest is tried when dice are rolled.",
    "hidden": "The rest could not be tried in advance: it comes after something hidden from you.",
    "sealed": "The rest depends on what others answer.",
    "table": "The rest is tried when the battle at the table is over.",
    "many": "The rest was not checked.",
}
FATES = {
    TAKEN: "accepted",
    WAITING: "accepted; some of it waits for your turn",
    STOPPED: "accepted up to an order that was refused when its turn came; what comes after it was not given",
    LAPSED: "the turn ended before all of it could be given",
    REFUSED: "refused; none of it was accepted",
    EMPTY: "no orders were found in it",
    KNOWN: "already read",
    SAME: "the same orders as before; they remain in effect",
    UNREADABLE: "not read",
    SEALS: "read; there are no orders in it",
    ANSWERS: "read; there are no orders in it",
}


def report(campaign: "OpenCampaign", packet: "Packet") -> str:
    """The situation as a side may know it, what has happened since its last packet, and what of the earlier ones is void."""
    states = _standing(campaign, packet)
    lines = [
        f"ophex report for {packet.seat or packet.side}, packet {packet.number}",
        "",
        *situation.text(packet.view, ascii_only=True, states=states),
    ]
    for file, order, why in packet.stopped:
        said = f"letter {file} stopped at `{order}`"
        if all(said not in state for state in states):
            lines += ["", f"Your {said}: {why}"]
    persons = Persons(packet.view)
    news = told_since(campaign, packet.side, packet.after)
    happened = [line for told in news.new for line in persons.all_told(log_lines(told.entry, packet.side))]
    if packet.number == 1:
        happened = [*persons.all_told(event_lines(opening_told(campaign, packet.side), packet.side)), *happened]
    if taken_back := persons.all_told(event_lines(news.taken_back, packet.side)):
        lines += ["", "Taken back by the umpire:", "", *(f"  {line}" for line in taken_back)]
    lines += ["", "What happened since your last packet:" if packet.number > 1 else "What has happened:", ""]
    lines += [f"  {line}" for line in happened or ["nothing that you know of"]]
    return mailed(lines)


def _standing(campaign: "OpenCampaign", packet: "Packet") -> list[str]:
    """How far the side, and the commander, have come with their orders, and when they are due; nothing if the game is over."""
    if packet.view.over:
        return []
    found = standings(campaign, datetime.now().astimezone(), [packet.side])
    people = [one for one in commanders_of(campaign) if one.seat == packet.seat]
    found += standings_of(campaign, found, people).values()
    due = found[0].due
    return [*standing_lines(found, sides_of(packet.view)), *([due_line(due)] if due.at else [])]


def template(packet: "Packet") -> str:
    """A text to fill in with orders and send back: what is awaited, examples, and what was given, all as remarks."""
    view = packet.view
    remarks = [
        *situation.standing(view),
        "",
        "Write your orders below, one per line, and send this text back.",
        "Text after # is ignored.",
        "What may be asked while you are away can be answered in advance:",
        "  if asked QUESTION: ANSWER",
        "",
        "Awaited from you:",
        *(f"  {line}" for line in _awaited(packet.awaited, view)),
        *(f"  {line}" for line in _sealing(packet)),
        *(f"  Before `done`: {one.message} {one.hint}".rstrip() for one in packet.shut),
    ]
    given = [f"answer {one.subject} with {one.text}" if one.kind == "answer" else one.text for one in packet.given]
    for title, lines in (
        ("Orders:", _purposes(packet)),
        ("For example:", _examples(packet)),
        ("You have given this turn:", given),
        ("These orders of yours wait; another letter must say them again:", packet.waits),
        ("Your answers in advance:", in_advance_lines(packet.in_advance)),
        ("Hints:", view.hints),
    ):
        remarks += ["", title, *(f"  {line}" for line in lines)] if lines else []
    head = f"orders of {packet.seat or packet.side}, packet {packet.number}{f'-{packet.mark}' if packet.mark else ''}"
    seal = ["", SEAL] if packet.unsealed or any(one.kind == SEAL for one in packet.awaited) else []
    rows = [f"# {line}".rstrip() for line in _folded(remarks, TEMPLATE_WIDTH - 2)]
    return mailed([head, *rows, *seal, "", "", "", "end of orders"])


def _sealing(packet: "Packet") -> Iterator[str]:
    """How the side makes the seal that is awaited from it, or the anchor that it should send before the first roll."""
    if packet.unsealed and all(one.kind != SEAL for one in packet.awaited):
        yield "The dice are sealed: your anchor is needed before the first roll."
        yield f"{IN_PLACE}:"
        yield "  ophex secret FILE --new"
    yield from sealing(packet.awaited, packet.link, f"{IN_PLACE}:")


def sealing(awaited: "Iterable[Awaited]", link: tuple[int, str] | None, how: str) -> Iterator[str]:
    """How a side makes the seal that is awaited from it, and how it gives it.

    link: the number of the link that is needed, and the hash to give it for.
    """
    for one in awaited:
        if one.kind == SEAL:
            options = "--new" if link is None else f"--link {link[0]} --for {link[1]}"
            yield how
            yield f"  ophex secret FILE {options}"


def _purposes(packet: "Packet") -> list[str]:
    """What each order is for that the side may give now, as far as the rules say it."""
    return [f"{name}: {title}" for one in packet.awaited for name, title in one.titles.items() if name in one.choices]


def _examples(packet: "Packet") -> list[str]:
    """Lines that a side could write now."""
    examples = [command for commands in packet.examples.values() for command in commands]
    ends = packet.seat in {"", packet.side} and not packet.shut
    if ends and any(one.kind == "orders" for one in packet.awaited):
        examples.append("done")
    asked = [one for one in packet.awaited if one.kind == "question"]
    return examples + [line for one in asked for line in answers(one, packet.answers.get(one.name, ()))]


def answers(asked: "Awaited", stand: Sequence[str]) -> list[str]:
    """Some complete answers to a question, as lines of a letter, and what there is to choose from if these do not show it."""
    shown = [f"answer {asked.name} with {answer}" for answer in stand[:MOST_CHOICES]]
    shown += ["..."] * (len(stand) > MOST_CHOICES)
    if asked.form.endswith("each"):
        shown += [f"  {thing}: {_listed(choices)}" for thing, choices in choices_of_each(asked).items()]
    elif not stand and asked.choices:
        shown.append(f"  to choose from: {_listed(asked.choices)}")
    return shown


def _listed(choices: Sequence[str]) -> str:
    return ", ".join(choices[:MOST_LISTED]) + (" ..." if len(choices) > MOST_LISTED else "")


def receipt(
    seat: str,
    judged: Sequence["Judged"],
    view: "View",
    awaited: "Sequence[Awaited] | None" = None,
    stand: "Callable[[Awaited], Sequence[str]]" = whole_answers,
    *,
    number: int = 0,
    only_tried: bool = False,
    odd: Sequence[str] = (),
    in_advance: "Sequence[tuple[str, str]]" = (),
    closed: bool = False,
) -> str:
    """What was understood of the letters of a side or a commander, what was refused, what is still awaited from the side.

    Args:
        seat: the side or the commander.
        judged: the letters.
        view: the situation as the side may know it.
        awaited: what is awaited from the side or the commander; None: everything that is awaited from the side.
        stand: some complete answers to a question.
        number: the packet that it goes out with, if it is written for sending.
        only_tried: nothing was recorded or given.
        odd: what they may have overlooked, in words.
        in_advance: the answers in advance that are in force, each with why it was refused.
        closed: whether the orders of the side of a commander have been closed since a letter was written that was not given.
    """
    lines = [f"ophex receipt for {seat}{f', packet {number}' if number else ''}", "", *situation.standing(view)]
    for one in judged:
        lines += ["", *judged_lines(one, only_tried=only_tried)]
    if awaited is None:
        awaited = needed_from(view, seat.partition("/")[0])
    awaits = "Awaited from you before these letters:" if only_tried else "Still awaited from you:"
    told = (
        ["nothing now; the orders of your side have been closed in the meantime"] if closed else _awaited(awaited, view)
    )
    lines += ["", awaits, *(f"  {line}" for line in told)]
    asked = [one for one in awaited if one.kind == "question"]
    lines += [f"    {line}" for one in asked for line in answers(one, stand(one))]
    kept = list(in_advance_lines(in_advance))
    lines += ["", "Your answers in advance:", *(f"  {line}" for line in kept)] if kept else []
    lines += ["", "Worth a second look:", *(f"  {line}" for line in odd)] if odd else []
    return mailed(lines)


def in_advance_lines(answers: "Sequence[tuple[str, str]]") -> list[str]:
    """Answers in advance, each with why it was refused as an answer to what is asked now."""
    return [f"{text} [refused: {why}]" if why else text for text, why in answers]


def judged_lines(one: "Judged", *, only_tried: bool = False) -> Iterator[str]:
    """What became of one letter, line by line."""
    replaces = f" It replaces {one_line(one.replaces)}." if one.replaces and one.fate != SAME else ""
    corrects = f" It was read as a correction of {one_line(one.corrects)}." if one.corrects else ""
    said = fate_in_words(one, only_tried=only_tried)
    yield f"{one_line(one.file)}: {said}.{replaces}{corrects}"
    if one.message:
        yield f"  {one_line(one.message)}"
        yield f"  {one.hint}"
    if one.decoded:
        yield "  The file is encoded: line numbers refer to its decoded text."
    what = "would be given" if only_tried else "given"
    yield from (f"  line {seal.line}: {_short(seal.text)} [{what}]" for seal in one.seals.taken)
    again = (one.seals.lines[at] for at in sorted(one.seals.again))
    yield from (f"  line {seal.line}: {_short(seal.text)} [given before]" for seal in again)
    yield from _answers_lines(one, only_tried=only_tried)
    if one.tray is not None:
        yield from _understood(one, only_tried=only_tried)
    for text in one.dropped:
        yield f"  {_short(text)} [waited since an earlier letter; no longer given. Send it again if you still mean it]"
    yield from _wrong(one, only_tried=only_tried)
    if one.rehearsed.ends in ENDS and (one.faults or one.fate == WAITING):
        yield f"  {ENDS[one.rehearsed.ends]}"
    for line in one.passed_over[:MOST_CHOICES]:
        yield f"  line {line.number} was not read as an order: {_short(line.text)}"
    if len(one.passed_over) > MOST_CHOICES:
        yield f"  and {len(one.passed_over) - MOST_CHOICES} more such lines"
    for line in one.quoted[:MOST_CHOICES]:
        yield f"  line {line.number} is quoted and was not given: {_short(line.text)}"


def _answers_lines(one: "Judged", *, only_tried: bool) -> Iterator[str]:
    for said in one.answers.taken:
        what = "would be kept" if only_tried else "kept"
        yield f"  line {said.line}: {'repeat ' * said.repeat}{_short(said.text)} [{what if one.kept_answers else 'not kept'}]"


def _understood(one: "Judged", *, only_tried: bool) -> Iterator[str]:
    """What became of each order that was accepted; of a letter that says the same as before only what is no longer in effect."""
    tray = one.tray
    assert tray is not None
    if one.fate in {REFUSED, SAME}:
        lost = (tray.commands[at] for at in tray.lost if one.fate == SAME)
        yield from (f"  line {said.line}: {_short(said.text)} [taken back; not in effect]" for said in lost)
        return
    given = {place for _, place in tray.given}
    stopped = {fault.position for fault in one.faults}
    for place, said in enumerate(tray.commands):
        if place in tray.replaced:
            what = "the umpire has taken it back"
        elif place < tray.stands:
            what = "given before; still in effect"
        elif place in given:
            what = "given"
        elif place in one.needless or (only_tried and place in one.rehearsed.needless):
            what = "not needed"
        elif place in stopped:
            what = "refused"
        elif only_tried:
            what = "would be given" if place < tray.stands + one.rehearsed.reached else "would wait"
        else:
            what = "waits" if one.fate == WAITING else "not given"
        yield f"  line {said.line}: {_short(said.text)} [{what}]"


def _wrong(one: "Judged", *, only_tried: bool) -> Iterator[str]:
    """What is wrong with the seals and the orders of a letter; only_tried: also which question they would leave open."""
    wrong = len(one.seals.faults) + len(one.answers.faults) + len(one.faults)
    if wrong:
        yield f"  {'1 thing is' if wrong == 1 else f'{wrong} things are'} wrong:"
    for fault in one.seals.faults:
        yield from _fault_lines(one.seals.lines, fault)
    for fault in one.answers.faults:
        yield from _fault_lines(one.answers.lines, fault)
    for fault in one.faults:
        yield from _fault_lines(one.tray.commands if one.tray is not None else (), fault)
    if only_tried and one.fate == WAITING and one.rehearsed.opens is not None and one.tray is not None:
        yield "  This would leave a question open:"
        yield from _fault_lines(one.tray.commands, one.rehearsed.opens)


def fate_in_words(one: "Judged", *, only_tried: bool = False) -> str:
    """What became of a letter; of its seals only what is not as with its orders."""
    if only_tried and one.fate == WAITING and not one.seals.faults and not one.answers.faults:
        return "nothing wrong found"
    if one.late and one.fate == WAITING and one.tray is not None and not one.tray.given:
        return "accepted, but it came after the deadline: all of it waits for the next window"
    if one.fate == REFUSED and one.seals.taken:
        return "refused; none of its orders were accepted"
    if one.fate == SAME and one.tray is not None and one.tray.lost:
        return "the same orders as before; what was not taken back remains in effect"
    also = "; a seal was refused" if one.seals.faults else ""
    also += "; an answer in advance was refused" if one.answers.faults else ""
    return FATES.get(one.fate, one.fate) + also


def _fault_lines(commands: "Sequence[SaidOrder]", fault: "Fault") -> Iterator[str]:
    said = commands[fault.position]
    line, column = fault.place_in(said)
    yield f"  line {line}, column {column}: {_short(said.text)}"
    more = "After this it needs one more" if said.text.lower().startswith("answer ") else "It needs"
    needs = f"{more} `answer {fault.question} with ...`: " if fault.kind == NO_ANSWER else ""
    yield f"    {needs}{fault.message}"
    if fault.cites:
        yield f"    rule: {', '.join(fault.cites)}"
    if fault.hint:
        yield f"    {fault.hint}"
    if fault.legal:
        yield "    This would be accepted:"
        yield from (f"      {command}" for command in fault.legal)
    for before in fault.after:
        yield f"    Perhaps only because of line {commands[before].line}."


def _awaited(awaited: Iterable["Awaited"], view: "View") -> list[str]:
    titles = sides_of(view)
    fought = [one.name for one in view.awaiting if one.at_table and one.side == view.side]
    said = (
        f"nothing now; your battle is being fought at the table, and the umpire enters its result ({', '.join(fought)})"
    )
    return [situation.awaited_line(one, titles) for one in awaited] or [said if fought else "nothing now"]


def _short(text: str) -> str:
    return text if len(text) <= 2 * WIDTH else f"{text[: 2 * WIDTH]} ..."


def mailed(lines: Iterable[str]) -> str:
    """Lines as the text of an email."""
    return "\n".join([*_folded(map(one_line, lines), WIDTH), ""])


def _folded(lines: Iterable[str], width: int) -> Iterator[str]:
    """Lines of limited width; continuation lines are indented."""
    for line in lines:
        said = plain(line).rstrip()
        if len(said) <= width:
            yield said
            continue
        margin = " " * (len(said) - len(said.lstrip(" #")))
        start = "# " if said.startswith("#") else ""
        yield from textwrap.wrap(
            said,
            width,
            subsequent_indent=f"{start}{margin[len(start) :]}    ",
            break_on_hyphens=False,
            drop_whitespace=True,
        ) or [""]
