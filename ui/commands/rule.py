"""`ophex rule`: a standing ruling for the rest of the campaign, in words or with a text that amends the rules; and their list."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from campaigns.views.errata import Erratum
    from ui.cli.playing import OpenCampaign

KEYS = """\
without TEXT, as far as --as may know them:
rulings, amendments: [object]
  number?, turn?: number    for rulings only
  entry: number       its log entry
  date, kind          when it was made; `rule`, `amend` or `option`
  text, reason        what was announced; the reason
  question?           the question that a ruling settles
  about?: [text]      the words in the rules that it is about
with TEXT:
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do
with --rules, without --from-now and --from-start:
digest, changed, warnings, impact: as amend    as `ophex amend --json`"""
ABOUT = """

A ruling in words does not change the rules. It is shown to the sides and kept in the log and the
report, and `why` shows it wherever a word is used that the ruling is --about. With --rules FILE
the ruling also adds declarations to the rules, such as `rule … excepts …`. That is an amendment:
without --from-now or --from-start it is a dry run, as with `ophex amend`. Without TEXT the
rulings and amendments so far are listed. To change a fact of the game instead of a rule, use
`ophex override`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("text", nargs="?", default="", metavar="TEXT", help="the ruling, in one sentence")
    parser.add_argument("--question", default="", metavar="TEXT", help="the question that it settles")
    parser.add_argument(
        "--about",
        action="append",
        default=[],
        metavar="WORD",
        help="a name in the rules, or a citation, that it is about",
    )
    parser.add_argument(
        "--to", action="append", default=[], metavar="SIDE", help="show it only to this side (default: all)"
    )
    parser.add_argument("--rules", default="", metavar="FILE", help="a rule file to add to the rules")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--from-now", action="store_true", help="with --rules: apply it from now on")
    choice.add_argument(
        "--from-start", action="store_true", help="with --rules: replay the campaign under it, on a branch"
    )
    talking.add_side(parser, "list what this side was shown; only the umpire makes rulings (default: the umpire)")
    parser.add_argument("--dry-run", action="store_true", help="show what would happen, and record nothing")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex rule my.ophex 'A town is no cover.' --question 'Cover in towns?' --about shelter\n"
        "ophex rule my.ophex 'Night halves fire.' --rules night.rules --from-now\n"
        "ophex rule my.ophex --as red",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Make a ruling, or list rulings."""
    given = args.question or args.about or args.to or args.rules or args.dry_run
    if not args.text.strip() and given:
        raise UsageError("The ruling itself is missing.", "Write: ophex rule CAMPAIGN 'TEXT' --about WORD")
    if (args.from_now or args.from_start) and not args.rules:
        raise UsageError(
            "--from-now and --from-start need --rules: a ruling in words always applies from now on.",
            "Add rules with --rules FILE.",
        )
    if args.rules:
        return _amend(args)
    with talking.open_campaign(args.campaign, to_write=bool(args.text) and not args.dry_run) as campaign:
        side = seats.side_of(campaign, args.side)
        if not args.text.strip():
            _list(campaign, side, json=args.json)
            return 0
        from interpreter.messages.inputs import Input
        from ui.commands.do import tell

        ruling = Input("rule", side, _words(args), " ".join(args.question.split()))
        events = campaign.preview(ruling) if args.dry_run else campaign.offer(ruling)
        tell(campaign, events, side, args)
    return 0


def _words(args: argparse.Namespace) -> str:
    """The text of the ruling, as in its input."""
    lines = [
        " ".join(args.text.split()),
        *(f"about {word}" for word in args.about),
        *(f"to {side}" for side in args.to),
    ]
    if any(len(line.split()) != 2 for line in lines[1:]):
        raise UsageError("--about and --to take one word each.", "Repeat --about and --to for several.")
    return "\n".join(lines)


def _amend(args: argparse.Namespace) -> int:
    """Make a ruling that adds declarations to the rules."""
    from campaigns.amending.amended_campaigns import amend, amend_from
    from campaigns.amending.dry_run import dry_run
    from campaigns.amending.proposing import added, ruling_file
    from campaigns.library.rule_files import read_file
    from interpreter.messages.inputs import Input
    from ui.cli.playing import UMPIRE
    from ui.commands.amend import SHOWN
    from ui.commands.do import tell
    from ui.wording.amendments import as_json, given_again, print_impact, print_proposal, told_of_editions

    writes = (args.from_now or args.from_start) and not args.dry_run
    path = Path(args.rules)
    with talking.open_campaign(args.campaign, to_write=writes) as campaign:
        side = seats.side_of(campaign, args.side)
        if side != UMPIRE:
            raise UsageError("Only the umpire can make rulings.", "Leave out --as.")
        with told_of_editions(campaign):
            proposal = added(campaign, ruling_file(campaign), read_file(path, path.parent).text)
        if not writes:
            with talking.progress("Replaying") as progress:
                impact = dry_run(campaign, proposal, progress)
            if args.json:
                talking.print_json({**as_json(proposal), "impact": as_json(impact)})
            else:
                print_proposal(proposal)
                print_impact(impact, SHOWN, ["rule", args.campaign, args.text, "--rules", args.rules])
            return 0
        words, question = _words(args), " ".join(args.question.split())

        def make(wording: Any) -> Input:
            return Input("rule", UMPIRE, f"{words}\n{wording.line}", question)

        if args.from_start:
            return given_again(campaign, amend_from(campaign, proposal, make), proposal, args)
        tell(campaign, amend(campaign, proposal, make), UMPIRE, args)
    return 0


def _list(campaign: "OpenCampaign", side: str, *, json: bool) -> None:
    """Print rulings and amendments, as far as a side may know them."""
    from campaigns.views.errata import errata

    found = errata(campaign, side)
    if json:
        talking.print_json(
            {
                "rulings": [_as_json(one) for one in found if one.kind == "rule"],
                "amendments": [_as_json(one) for one in found if one.kind != "rule"],
            }
        )
        return
    from ui.cli.plain import one_line

    for one in found:
        print(one_line(f"{one.date[:10]}  turn {one.turn}, entry {one.entry}: {one.text}"))
        if one.about:
            print(one_line(f"            about {', '.join(one.about)}"))
    if not found:
        talking.note("There are no rulings or amendments.")


def _as_json(one: "Erratum") -> dict[str, Any]:
    import attrs

    return attrs.asdict(one)
