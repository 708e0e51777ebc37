"""Players who use only letters: they read templates and receipts, and write as people write. They know nothing else of the campaign."""

import base64
import quopri
import re
from collections import Counter
from datetime import UTC, datetime

from attrs import define, field

from campaigns.desk.letter_intake import take_in
from campaigns.desk.letter_senders import Arrived
from campaigns.desk.packets import note_packets, packet_of
from campaigns.desk.turning import turn_on
from ui.wording.letters import receipt as receipt_of
from ui.wording.letters import template as template_of

__all__ = ["Week", "Writer", "as_mailed", "wished"]

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SHUT = re.compile(r"Before `done`: .*?It concerns (?P<who>[^.]*)\.", re.DOTALL)
FAULT = re.compile(r"^  line (?P<line>\d+), column \d+: (?P<text>.*)$")
ANSWER = re.compile(r"^      (?P<text>answer \S.*)$")


def remarks(template, heading):
    """The lines of a paragraph of a template, folded ones whole again."""
    lines = [line.removeprefix("#").removeprefix(" ") for line in template.splitlines() if line.startswith("#")]
    found = []
    for line in lines[lines.index(heading) + 1 :] if heading in lines else []:
        if not line.strip():
            break
        if line.startswith("      ") and found:
            found[-1] += f" {line.strip()}"
        else:
            found.append(line.strip())
    return found


def wished(template, *, eager):
    """What somebody orders who goes by the examples. eager: whether he gives orders that he need not give."""
    examples = remarks(template, "For example:")
    if answers := [one for one in examples if one.startswith("answer ")]:
        return answers[:1]
    orders = [one for one in examples if one != "done"]
    shut = SHUT.search(" ".join(remarks(template, "Awaited from you:")))
    if shut and orders:
        who, _, more = shut["who"].partition(" and ")
        about = who.split(", ")
        verb, _, rest = next((one for one in orders if one.split()[1] in about), orders[0]).partition(" ")
        lines = [f"{verb} {name} {rest.partition(' ')[2]}".rstrip() for name in about]
        return lines if more else [*lines, "done"]
    given = {one.lower() for one in remarks(template, "You have given this turn:")}
    return [*(one for one in orders if eager and one.lower() not in given), "done"]


def corrected(lines, receipt):
    """The same orders once the receipt has been read: what lacks an answer has it, what else was wrong is left out."""
    wrong, answers, at = set(), {}, None
    told = receipt.splitlines()
    for number, line in enumerate(told):
        if found := FAULT.match(line):
            at = next(
                (n for n, one in enumerate(lines) if one.lower() == found["text"].lower() and n not in wrong), None
            )
            needs = "`answer" in "".join(told[number + 1 : number + 3])
            if at is not None and not needs:
                wrong.add(at)
        elif (found := ANSWER.match(line)) and at is not None and at not in answers and at not in wrong:
            answers[at] = found["text"]
    kept = []
    for number, line in enumerate(lines):
        if number not in wrong:
            kept += [line, *([answers[number]] if number in answers else [])]
    return kept if kept and kept != list(lines) else ["done"]


def as_mailed(template, lines, style):
    """Orders as a letter: the bytes of a file, in one of six ways in which people write."""
    head = template.partition("end of orders")[0].rstrip().splitlines()
    match style % 6:
        case 0:  # the template quoted by a mail program of a system that ends lines otherwise, with a mark at the front
            body = [
                "Hi,",
                "",
                "here they come.",
                *(f"> {line}" for line in (*head, *lines)),
                "> end of orders",
                "-- ",
                "Tom",
                "done",
            ]
            return ("\ufeff" + "\r\n".join(body)).encode()
        case 1:  # the heading alone, capitals, full stops, a list
            listed = [f"{number}. {line.capitalize()}." for number, line in enumerate(lines, 1)]
            return "\n".join([head[0], "", *listed, "", "Cheers", "Ann"]).encode()
        case 2:  # a whole mail, encoded
            text = quopri.encodestring("\n".join([*head, *lines, "end of orders"]).encode())
            return (
                b"From: tom@example.org\r\nSubject: Re: orders\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
                + text
            )
        case 3:  # typed on a telephone: hard blanks, curly quotes, a broken-off template
            return "\n".join(
                [
                    head[0],
                    *(f"\u201c{line.replace(' ', chr(0xA0))}\u201d" for line in lines),
                    "\u2014",
                    "sent while walking",
                ]
            ).encode()
        case 4:  # on top of the letter that is answered, which is quoted below
            return "\n".join(
                [
                    head[0],
                    *lines,
                    "",
                    "On Monday the umpire wrote:",
                    *(f"> {line}" for line in template.splitlines()),
                    "> done",
                ]
            ).encode()
        case _:  # a mail in base64 with both line ends
            text = base64.encodebytes("\r\n".join([*head, *lines, "end of orders", "", "Tom"]).encode())
            return (
                b"From: ann@example.org\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
                + text
            )


@define
class Writer:
    """One who plays a side by letters.

    Attributes:
        side: the side.
        wrong_every: every so many packets there is an order for somebody who does not exist in the first letter.
        twice_every: every so many packets the letter comes twice.
        late_every: every so many packets the letter comes a round later.
        eager_every: every so many packets he orders what he need not order.
        ahead: so many windows he ends at once where he orders nothing.
        most_tries: so often he corrects a letter before he says `done`.
    """

    side: str
    wrong_every: int = 7
    twice_every: int = 3
    late_every: int = 5
    eager_every: int = 1
    ahead: int = 1
    most_tries: int = 4
    packets: int = 0
    letters: int = 0

    def reply(self, template, deliver):
        """Writes letters until one is taken. deliver: takes in a file, and gives its fate and the receipt."""
        self.packets += 1
        number = self.packets
        lines = wished(template, eager=self.eager_every and number % self.eager_every == 0)
        lines = lines * self.ahead if lines == ["done"] else lines
        sent = ["march nobody to nowhere", *lines] if number % self.wrong_every == 0 else lines
        for tried in range(self.most_tries):
            data = as_mailed(template, sent, self.letters)
            fate, receipt = deliver(self._file(), data)
            if fate != "refused":
                break
            lines = sent = corrected(sent, receipt) if tried < self.most_tries - 2 else ["done"]
        if fate != "refused" and number % self.twice_every == 0:
            deliver(self._file(), data)
        return fate

    def _file(self):
        self.letters += 1
        return f"{self.side}-{self.letters}.txt"


@define
class Week:
    """An umpire's week: packets out, letters in, going on, until the game is over.

    Attributes:
        campaign: the campaign.
        writers: who plays the sides.
        fates: what became of letters, and how often.
        orders: how many orders came, beside `done`.
    """

    campaign: object
    writers: dict
    fates: Counter = field(factory=Counter)
    late: dict = field(factory=dict)

    @classmethod
    def of(cls, campaign, **habits):
        return cls(campaign, {side.id: Writer(side.id, **habits) for side in campaign.game.sides})

    def runs(self, most):
        """So many rounds at most."""
        for number in range(most):
            turn_on(self.campaign, NOW)
            if self.campaign.game.over:
                return number
            packets = note_packets(self.campaign, [packet_of(self.campaign, side) for side in self.writers])
            templates = {packet.side: template_of(packet) for packet in packets if packet.awaited}
            assert templates, "somebody is waited for who has nothing to do"
            head = self.campaign.head
            for place, (side, text) in enumerate(templates.items()):
                writer = self.writers[side]
                if len(templates) > 1 and place and number % writer.late_every == writer.late_every - 1:
                    continue  # it comes a round later
                writer.reply(text, lambda file, data, side=side: self._deliver(side, file, data))
            assert self.campaign.head != head or len(templates) > 1, "nothing came of a whole round"
        return most

    def _deliver(self, side, file, data):
        judged = take_in(self.campaign, [Arrived(file, data)]).judged
        mine = next(one for one in judged if one.file == file)
        self.fates[mine.fate] += 1
        assert mine.side == side, mine
        return mine.fate, receipt_of(side, [mine], self.campaign.game.view(side))
