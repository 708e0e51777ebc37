"""`ophex amend`: amended rules for a running campaign: what would have happened under them, and from when they apply."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import ExitCode, UsageError
from ui.cli.whole import put

if TYPE_CHECKING:
    from campaigns.amending.proposing import Proposal
    from ui.cli.playing import OpenCampaign

KEYS = """\
without a choice, or with --keep:
digest                of the amended rules
changed: [object]     the declarations that differ
  how, word, name, file
  line: number
warnings: [text]      warnings about the amended rules
impact: impact        what the dry run found
        inputs, same: how many inputs were replayed, and how many had the same result;
        differing: entry, turn, input, verdict (refused, otherwise, left out), reason, hint,
        gone, come (events), asked_no_more, asked_anew (what the game then waits for);
        resumed: entries after which the record continues unchanged;
        holds_to: from the start, the last entry that can be replayed; null: all can;
        from_start, from_now: why the rules cannot apply from then; empty if they can;
        takes_hold: the turn from which they would apply;
        first_values: new fields that get their first value;
        situation: as `ophex compare --json`: first the current one, second the amended one
with --from-now:
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do
with --from-start or --from-turn, the result of the replay:
digest
changed: [object]
  how, word, name, file
  line: number
warnings: [text]
branch, reason, hint
after, amendment, old_end: number
given: [[number]]     for each entry its old number and its new one
otherwise, dropped: [number]
left: [left-out]      what was not replayed: number, input; the first is no longer possible
with --out:
written: [text]       the files that were written"""
ABOUT = """

PATH is the folder of a system, which replaces all rules, or a single rule file, which replaces the
file of that name or is added. The result is checked as a whole. Without a choice nothing is
written: the campaign is replayed under the amended rules, and every input and event that would
differ is listed, with the situation at the end. Then choose:

--from-now    Apply the new rules at once if a turn is just beginning, which then restarts;
              otherwise from the next turn on. The situation is carried over. If it cannot be,
              everything that prevents it is listed.
--from-start  Restart the game under the new rules, and replay the inputs as far as possible on a
              separate branch; `ophex branch --adopt` makes it the main one. --from-turn N does the
              same from the beginning of turn N.
--keep        Change nothing.

The map and the scenario of a running game cannot change, except for how the game ends; from the
start they can."""
SHOWN = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("--rules", metavar="PATH", default="", help="the amended rules: a folder, or a file")
    parser.add_argument(
        "--reason", metavar="TEXT", default="", help="the reason; it is recorded, and all sides can read it"
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--from-now", action="store_true", help="apply the new rules from now on")
    choice.add_argument("--from-start", action="store_true", help="replay the whole campaign under them, on a branch")
    choice.add_argument(
        "--from-turn",
        type=talking.at_least_one,
        metavar="N",
        help="replay the campaign under them from turn N, on a branch",
    )
    choice.add_argument("--keep", action="store_true", help="keep the rules as they are; nothing is written")
    choice.add_argument(
        "-o", "--out", metavar="DIR", default="", help="write the current rules into a folder, to amend them there"
    )
    parser.add_argument("--branch", metavar="NAME", default="", help="the name of the branch (default: amended)")
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
    """Amend the rules, or show what would change."""
    if args.out:
        return _write_out(args)
    if not args.rules:
        raise UsageError(
            "No rules were given.", "Name a folder or a file with --rules PATH; --out DIR writes the current rules."
        )
    writes = args.from_now or args.from_start or args.from_turn is not None
    if args.branch and not (args.from_start or args.from_turn):
        raise UsageError(
            "--branch needs --from-start or --from-turn.", "Add --from-start or --from-turn, or leave out --branch."
        )
    from campaigns.amending.amended_campaigns import amend, amend_from, input_of
    from campaigns.amending.dry_run import dry_run
    from campaigns.amending.proposing import proposed
    from ui.wording.amendments import as_json, given_again, print_impact, print_proposal, told_of_editions

    with talking.open_campaign(args.campaign, to_write=writes) as campaign:
        with told_of_editions(campaign):
            proposal = proposed(campaign, Path(args.rules))
        if not writes:
            with talking.progress("Replaying") as tell:
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
            raise UsageError(
                "An amendment needs a reason.", "Add --reason TEXT; it is recorded, and all sides can read it."
            )
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
    """Write the current rules into a folder."""
    from campaigns.amending.proposing import files_in_force

    if args.rules:
        raise UsageError("--out writes the current rules and cannot be combined with --rules.", "Leave out --rules.")
    folder = Path(args.out)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not an empty folder.", "Name a folder that is empty or does not exist yet.")
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
        print(f"{counted(len(files), 'file')} in {folder}.")
        talking.note(f"Edit them, then run: ophex amend {args.campaign} --rules {folder / own}")
    return ExitCode.DONE
