"""`ophex amend`: amended rules for a running campaign: what would have happened under them, and from when they apply."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ui.cli import talking
from ui.cli.exits import ExitCode, UsageError
from ui.cli.whole import put

if TYPE_CHECKING:
    from campaigns.amending.proposing import Proposal
    from ui.cli.playing import OpenCampaign

KEYS = """\
without a choice, or with --keep:
digest                of the text
changed: [object]     what it says otherwise
  how, word, name, file
  line: number
warnings: [text]      what is warned of in it
impact: impact        what the dry run found
        inputs, same: how many inputs were given again, and how many bring about the same;
        differing: entry, turn, input, verdict (refused, otherwise, left out), reason, hint,
        gone, come (events), asked_no_more, asked_anew (what is awaited then);
        resumed: entries after which the record was taken up again as it is;
        holds_to: from the start all is given again up to this entry; null: to the end;
        from_start, from_now: why it cannot hold from then; empty where it can;
        takes_hold: the turn from which it would hold;
        first_values: new fields that get their first value;
        situation: as `ophex compare --json`: first as it is, second amended
with --from-now:
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do
with --from-start or --from-turn, what became of the line:
digest
changed: [object]
  how, word, name, file
  line: number
warnings: [text]
branch, reason, hint
after, amendment, old_end: number
given: [[number]]     of each entry its number before, and its new one
otherwise, dropped: [number]
left: [left-out]      what was not given again: number, input; the first no longer holds
with --out:
written: [text]       the files"""
ABOUT = """

PATH is the folder of a system, which is the whole new text, or one rule file, which takes the
place of the file of its name or is added. It is checked whole. Without a choice nothing is
written: the whole line is given again under the new text, and every input and event that would
differ is listed, with the situation at the end. Then choose:

--from-now    it holds at once while a turn begins, which then begins anew; else from the next turn
              on. The situation is carried over. Where it cannot be, all that stands in the way is
              listed.
--from-start  the game is begun anew under it and the line is given again, as far as it holds, on a
              branch of its own; `ophex branch --adopt` makes it the campaign. --from-turn N does so
              from where turn N began.
--keep        nothing changes.

Map and scenario of a game that runs cannot change, but for how it ends; from the start they can."""
SHOWN = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("--rules", metavar="PATH", default="", help="the amended text: a folder, or a file")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why; it is recorded, and told to all sides")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--from-now", action="store_true", help="let it hold from now on")
    choice.add_argument("--from-start", action="store_true", help="give the whole line again under it, on a branch")
    choice.add_argument(
        "--from-turn",
        type=talking.at_least_one,
        metavar="N",
        help="give the line again under it from turn N, on a branch",
    )
    choice.add_argument("--keep", action="store_true", help="keep the rules as they are; nothing is written")
    choice.add_argument(
        "--out", metavar="DIR", default="", help="write the rules in force into a folder, to amend them there"
    )
    parser.add_argument("--branch", metavar="NAME", default="", help="what the branch is called (default: amended)")
    parser.add_argument("--all", action="store_true", help=f"print everything, not only the first {SHOWN} of each list")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex amend my.ophex --out rules\n"
        "ophex amend my.ophex --rules rules/results.rules\n"
        "ophex amend my.ophex --rules rules/results.rules --from-now --reason 'the errata of June'",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Amend the rules, or tell what it would bring about."""
    if args.out:
        return _write_out(args)
    if not args.rules:
        raise UsageError("Say which rules.", "--rules PATH, a folder or a file; --out DIR writes those in force.")
    writes = args.from_now or args.from_start or args.from_turn is not None
    if args.branch and not (args.from_start or args.from_turn):
        raise UsageError(
            "--branch names the branch on which the line is given again.", "Add --from-start or --from-turn."
        )
    from campaigns.amending.amended_campaigns import amend, amend_from, input_of
    from campaigns.amending.dry_run import dry_run
    from campaigns.amending.proposing import proposed
    from ui.wording.amendments import as_json, given_again, print_impact, print_proposal, told_of_editions

    with talking.open_campaign(args.campaign, to_write=writes) as campaign:
        with told_of_editions(campaign):
            proposal = proposed(campaign, Path(args.rules))
        if not writes:
            with talking.progress("Giving it again") as tell:
                impact = dry_run(campaign, proposal, tell)
            if args.json:
                talking.print_json({**as_json(proposal), "impact": as_json(impact)})
            else:
                print_proposal(proposal)
                command = ["amend", args.campaign, "--rules", args.rules, "--reason", args.reason or "…"]
                print_impact(impact, None if args.all else SHOWN, command)
                if args.keep:
                    print("The rules stay as they are; nothing was written.")
            return ExitCode.DONE
        if not args.reason.strip():
            raise UsageError("Say why the rules are amended.", "--reason TEXT; it is recorded, and told to all sides.")
        make = input_of(args.reason)
        if args.from_now:
            return _from_now(campaign, proposal, amend(campaign, proposal, make), args)
        turn = 1 if args.from_start else args.from_turn
        found = amend_from(campaign, proposal, make, turn, args.branch)
        return given_again(campaign, found, proposal, args)


def _from_now(campaign: "OpenCampaign", proposal: "Proposal", events: list, args: argparse.Namespace) -> int:  # type: ignore[type-arg]
    from ui.cli.playing import UMPIRE
    from ui.commands.do import tell
    from ui.wording.amendments import print_proposal

    if not args.json:
        print_proposal(proposal)
    tell(campaign, events, UMPIRE, args)
    return ExitCode.DONE


def _write_out(args: argparse.Namespace) -> int:
    """Write the rules in force into a folder."""
    from campaigns.amending.proposing import files_in_force

    if args.rules:
        raise UsageError("--out writes the rules in force; it takes no others.", "Leave --rules out.")
    folder = Path(args.out)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"There is something in {folder} already.", "Name a folder that is empty or not there.")
    with talking.open_campaign(args.campaign) as campaign:
        files = files_in_force(campaign)
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        put(file, text)
    if args.json:
        talking.print_json({"written": [str(folder / name) for name in files]})
    else:
        own = next(iter(files), "").partition("/")[0]
        print(f"{talking.counted(len(files), 'file')} in {folder}.")
        talking.note(f"Change them, then: ophex amend {args.campaign} --rules {folder / own}")
    return ExitCode.DONE
