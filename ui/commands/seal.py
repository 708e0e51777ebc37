"""`ophex seal`: gives anchors and links of sealed dice, and shows whose are awaited."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.cli import seats, talking
from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from ui.cli.playing import OpenCampaign

KEYS = """\
without SEAL and --secret:
sealed: truth         whether the dice of the campaign are sealed
awaited: [object]     the seals that are needed; what: commit or link
  party, what, chain
  index: number
asked                 the first digits of the hash of the entry that needs links: for --for
chains: [object]
  party, chain, anchor
  links, used: number
with SEAL or --secret:
done, as, events, awaiting: as do     as `ophex do --json` prints them
tries?: as do"""
ABOUT = """

Sealed dice are computed from the secrets of all sides and of the umpire. Each makes a secret with
`ophex secret`, sends its anchor before anything is rolled, and later one link for each entry that
needs dice. docs/trust.md explains how this keeps the dice honest."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument(
        "seal",
        nargs="?",
        default="",
        metavar="SEAL",
        help="what a side has sent: `commit …`, or a chain, a number and a link",
    )
    parser.add_argument("--secret", default="", metavar="FILE", help="make the seal that is needed from this secret")
    talking.add_side(parser, "whose seal it is (default: the umpire's)")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex seal my.ophex                             which seals are needed, and for which entry\n"
        "ophex seal my.ophex --secret umpire.secret\n"
        "ophex seal my.ophex --as red '3f8a02c4b1d9 17 9c04…'",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Enter a seal, or show which seals are needed."""
    from interpreter.messages.inputs import Input
    from ui.commands.do import tell

    if args.seal and args.secret:
        raise UsageError("A seal and --secret cannot be combined.", "Leave out one of them.")
    with talking.open_campaign(args.campaign, to_write=bool(args.seal or args.secret)) as campaign:
        side = seats.side_of(campaign, args.side)
        if not args.seal and not args.secret:
            return _tell(campaign, json=args.json)
        said = " ".join(args.seal.split()) if args.seal else _awaited_of(campaign, side, args.secret)
        said = said.removeprefix("seal ")
        tell(campaign, campaign.offer(Input("seal", side, said)), side, args)
    return 0


def _awaited_of(campaign: "OpenCampaign", side: str, file: str) -> str:
    """The seal that is needed of a party now, made from its secret."""
    from campaigns.play.recorded_seals import asked_for, read_secret

    secret = read_secret(Path(file))
    seals = campaign.game.seals
    if seals is None:
        raise UsageError("The dice of this campaign are not sealed.", "`ophex new --dice sealed` seals them.")
    if side in seals.lacking:
        return secret.commitment()
    if not any(one.kind == "seal" and one.side == side for one in campaign.game.awaiting):
        raise UsageError(f"No link of {side} is needed now.", "`ophex seal` shows which seals are needed.", "not-now")
    after = max(seals.chains[side].used, _known(campaign, side, secret.anchor[:12]))
    return secret.link(after + 1, asked_for(campaign.store, campaign.entry(campaign.head)))


def _known(campaign: "OpenCampaign", side: str, chain: str) -> int:
    from campaigns.play.recorded_seals import last_given

    return last_given(campaign.store, side, chain)


def _tell(campaign: "OpenCampaign", *, json: bool) -> int:
    from campaigns.play.recorded_seals import asked_for

    seals: Any = getattr(campaign.game, "seals", None)
    found = []
    for one in campaign.game.awaiting:
        if one.kind == "seal":
            chain = seals.chains.get(one.side)
            index = max(chain.used, _known(campaign, one.side, chain.name)) + 1 if one.name == "link" else 0
            found.append((one.side, one.name, chain.name if one.name == "link" else "", index))
    asked = asked_for(campaign.store, campaign.entry(campaign.head)) if found else ""
    chains = [(party, c.name, c.anchor, c.links, c.used) for party, c in seals.chains.items()] if seals else []
    if json:
        talking.print_json(
            {
                "sealed": seals is not None,
                "awaited": talking.named(found, "party", "what", "chain", "index"),
                "asked": asked,
                "chains": talking.named(chains, "party", "chain", "anchor", "links", "used"),
            }
        )
        return 0
    if seals is None:
        print("The dice of this campaign are not sealed.")
        return 0
    for party, what, chain, index in found:
        if what == "commit":
            print(f"{party}: an anchor is needed (`ophex secret FILE --new` makes one).")
        else:
            print(
                f"{party}: link {index} of chain {chain} is needed (`ophex secret FILE --link {index} --for {asked}`)."
            )
    if not found:
        for party in seals.lacking:
            print(f"{party}: an anchor is needed before the first roll (`ophex secret FILE --new` makes one).")
    if not found and not seals.lacking:
        print("No seals are needed.")
    if chains:
        talking.print_table(chains, ("party", "chain", "anchor", "links", "used"))
    return 0
