"""The writers that `test_kill_of_play.py` kills: sealed dice, imports of each kind, deadlines. See `nursery.py` for the lines they print.

A writer continues from the state in which it finds the campaign, as a person would who starts again after a crash.
"""

import json
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from campaigns.desk.calendar import DueDate, due_of, set_due
from campaigns.desk.letter_intake import Arrived, take_in
from campaigns.desk.turning import turn_on
from campaigns.play.campaign import Campaign
from campaigns.play.recorded_seals import asked_for, last_given, new_secret, read_secret
from campaigns.play.starting import start
from campaigns.repair.exchange import import_campaign
from campaigns.tabletop import pack_of, post, read_form
from interpreter.messages.inputs import Input
from tests.campaigns import nursery
from ui.cli.whole import put
from ui.main import main

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
WEEK = 7 * 24 * 60
PARTIES = ("blue", "red", "umpire")
FORM = """\
form = "ophex-result/1"
battle = "field-fight"
mark = "{}"
[outcome]
a = "unhurt"
x = "destroyed"
y = "damaged"
[ground-held]
answer = true
[wheels-lost]
a = ["a-rim-1"]
x = "none"
"""


def seals(path, luck, say):
    """Commit, order, reveal: each party in turn, whatever is awaited. The seals of sides come in letters."""
    secrets = {party: read_secret(path.with_name(f"{party}.secret")) for party in PARTIES}
    with Campaign.open(path, start, snapshot_every=4) as campaign:
        say(f"open {campaign.head}")
        while True:
            given = _awaited_seal(campaign, secrets) or _order(campaign, luck)
            say(f"about {given.kind}")
            if given.kind == "seal" and given.side != "umpire":
                take_in(campaign, [Arrived(f"{given.side}.txt", f"seal {given.text}".encode(), given.side)])
            else:
                campaign.offer(given)
            say(f"done {campaign.head}")


def _awaited_seal(campaign, secrets):
    """The next anchor or link, if one is awaited."""
    seals = campaign.game.seals
    if seals.lacking:
        return Input("seal", seals.lacking[0], secrets[seals.lacking[0]].commitment())
    if not any(one.kind == "seal" for one in campaign.game.awaiting):
        return None
    party = seals.awaited[0]
    chain = seals.chains[party]
    known = max(chain.used, last_given(campaign.store, party, chain.name))
    return Input(
        "seal", party, secrets[party].link(known + 1, asked_for(campaign.store, campaign.entry(campaign.head)))
    )


def _order(campaign, luck):
    """An order to shoot, or the answer to what it asks."""
    asked = next((one for one in campaign.game.awaiting if one.kind == "question"), None)
    if asked is not None:
        return Input("answer", asked.side, luck.choice(asked.choices), asked.name)
    one = luck.choice([one for one in campaign.game.awaiting if one.kind == "orders"])
    return Input("do", one.side, luck.choice([order for order in campaign.game.legal(one.side, 40) if order != "done"]))


def secret(path, luck, say):
    """Draw secrets, each into a file of its own."""
    say("open 0")
    for number in range(10**6):
        say(f"about {number}")
        new_secret(path.with_name(f"{path.stem}-{luck.randrange(10**9)}.secret"), 40)
        say(f"done {number}")


def exported(path, luck, say):
    """Make campaigns of an export."""
    say("open 0")
    for number in range(10**6):
        say(f"about {number}")
        import_campaign(path.with_name("c.json"), path.with_name(f"{path.stem}-{luck.randrange(10**9)}.ophex"), start)
        say(f"done {number}")


def form(path, _luck, say):
    """Give the form of a battle that is at the table; take it back where it was given."""
    with Campaign.open(path, start, snapshot_every=4) as campaign:
        say(f"open {campaign.head}")
        while True:
            if campaign.head > 2:
                say("about undo")
                campaign.go_back(2)
            else:
                filled = read_form(FORM.format(pack_of(campaign).mark).encode())
                say("about form")
                post(campaign, filled, "result.toml")
            say(f"done {campaign.head}")


def roster(path, luck, say):
    """Read rosters in by the command line: the strengths of two units, always the same for both."""
    with Campaign.open(path, start) as campaign:
        say(f"open {campaign.head}")
    table = path.with_suffix(".csv")
    while True:
        number = luck.randrange(1, 90)
        put(table, f"name,strength\na,{number}\nx,{number}\n")
        say("about roster")
        assert main(["import", str(path), str(table), "--json"]) in {0, 1}
        say("done")


def files(path, luck, say):
    """Write files of all sizes over each other, as exports, maps and reports are written."""
    say("open 0")
    while True:
        word = f"{luck.randrange(10**9)} "
        text = word * luck.choice((1, 1000, 200_000))
        say("about file")
        put(path, f"{json.dumps({'text': text})}\n")
        say("done 0")


def deadline(path, _luck, say):
    """Week by week: nobody orders in time, and what is late is closed, with the standing orders of one side."""
    with Campaign.open(path, start, snapshot_every=4) as campaign:
        say(f"open {campaign.head}")
        while True:
            due = due_of(campaign)
            if due.at is None:
                set_due(campaign, DueDate(NOON, every=WEEK))
                continue
            say("about advance")
            # The clock of the night: one minute after a time; where somebody was stopped, the same night.
            night = NOON + timedelta(minutes=1 + WEEK * int(Path(f"{path}.week").read_text(encoding="ascii")))
            turn_on(campaign, night, overdue=True)
            say(f"done {campaign.head}")
            put(Path(f"{path}.week"), f"{int(Path(f'{path}.week').read_text(encoding='ascii')) + 1}")


MODES = {"seals": seals, "secret": secret, "exported": exported, "form": form, "roster": roster, "files": files, "deadline": deadline}  # fmt: skip


if __name__ == "__main__":
    nursery.main({name: partial(mode, say=nursery.say) for name, mode in MODES.items()})
