"""Amended rules in words: what a text changes, what it would have made of the campaign, and the result of giving a line again."""

import argparse
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import ExitCode
from ui.cli.plain import clipped, one_line
from ui.cli.playing import said_by

if TYPE_CHECKING:
    from campaigns.amending.amended_campaigns import Amended
    from campaigns.amending.dry_run import DifferingInput, Impact
    from campaigns.amending.proposing import Proposal
    from ui.cli.playing import OpenCampaign

__all__ = ["as_json", "given_again", "print_impact", "print_proposal", "told_of_editions"]


def as_json(found: "Proposal | Impact | Amended") -> dict[str, Any]:
    """As objects, lists and texts."""
    import attrs

    from campaigns.amending.proposing import Proposal

    if isinstance(found, Proposal):
        changed = [{key: getattr(x, key) for key in ("how", "word", "name", "file", "line")} for x in found.changed]
        return {"digest": found.digest, "changed": changed, "warnings": [_warned(found, x) for x in found.warnings]}
    return attrs.asdict(found, filter=lambda attribute, _: attribute.name != "events")


def _warned(proposal: "Proposal", one: Any) -> str:
    from dsl.text.source import path_of

    return f"{path_of(one.span, proposal.text.files)}:{one.span.line}: {one.code} {one.message}"


@contextmanager
def told_of_editions(campaign: "OpenCampaign") -> Iterator[None]:
    """If a text has errors, notes that the text in force uses an earlier edition: that may be the only cause."""
    from campaigns.amending.proposing import edition_in_force
    from dsl.rules.editions import CURRENT
    from dsl.text.diagnostics import RuleTextError

    try:
        yield
    except RuleTextError:
        if (edition := edition_in_force(campaign)) < CURRENT:
            talking.note(
                f"The rules in force use edition {edition} of the language; an amended text must use edition {CURRENT}."
            )
        raise


def print_proposal(proposal: "Proposal") -> None:
    """Print what a text changes."""
    for one in proposal.changed:
        print(one_line(f"{one.how}: {one.title} ({one.file}:{one.line})"))
    for warning in proposal.warnings:
        talking.note(one_line(f"warning: {_warned(proposal, warning)}"))


def print_impact(impact: "Impact", most: int | None, command: Sequence[str]) -> None:
    """Print how a text would have changed the campaign.

    Args:
        impact: what the dry run found.
        most: how many of each list; None: all.
        command: the words after `ophex` for choosing, without the choice.
    """
    from ui.wording.comparison_in_words import tell_comparison

    refused = sum(one.verdict == "refused" for one in impact.differing)
    left_out = sum(one.verdict == "left out" for one in impact.differing)
    print()
    print(
        f"{counted(impact.inputs, 'input')} replayed. Same result: {impact.same}. "
        f"Different result: {len(impact.differing) - refused - left_out}. Refused: {refused}."
        + (f" Left out: {left_out}." if left_out else "")
    )
    shown, reason = impact.differing[:most], ""
    for one in shown:
        if one.verdict == "left out" and one.reason != reason:
            print(one_line(f"          Left out because something else is awaited: {one.reason}"))
        reason = one.reason if one.verdict == "left out" else ""
        for line in _lines(one, most):
            print(line)
    if most is not None and len(impact.differing) > most:
        talking.note(f"and {counted(len(impact.differing) - most, 'input')} more; --all prints them.")
    for entry in impact.resumed:
        print(f"A turn begins after entry {entry}: from there the dry run continues from the record.")
    if impact.situation is not None:
        print()
        print("The situation now, as it is and as it would be:")
        tell_comparison(impact.situation, most)
    print()
    given = shlex.join(["ophex", *command])
    if impact.first_values:
        print(one_line(f"New fields get their first value: {', '.join(impact.first_values)}."))
    if impact.from_now:
        print(f"It cannot apply from now on. {clipped(impact.from_now)}")
    else:
        print(f"To apply it from now on, which means from turn {impact.takes_hold}: {given} --from-now")
    if impact.from_start:
        print(f"It cannot apply from the start. {clipped(impact.from_start)}")
    elif impact.holds_to is None:
        print(f"To apply it from the start, where everything can be replayed: {given} --from-start")
    else:
        print(
            f"To apply it from the start, where everything up to entry {impact.holds_to} can be replayed: {given} --from-start"
        )
    talking.note("Nothing was written.")


def _lines(one: "DifferingInput", most: int | None) -> Iterator[str]:
    """An input that differs, with the events that no longer happen and those that happen instead."""
    mark = {"refused": "x", "left out": "."}.get(one.verdict, "~")
    yield one_line(f"{one.entry:>5} {mark} turn {one.turn}  {': '.join(said_by(one.input))}")
    if one.verdict == "refused":
        yield one_line(f"          refused: {one.reason} {one.hint}".rstrip())
    told = one.gone if one.verdict == "otherwise" else ()
    for sign, events in (("-", told), ("+", one.come)):
        texts = dict.fromkeys(event.text for event in events)
        shown: Sequence[str] = list(texts)[:most]
        yield from (one_line(f"        {sign} {text}") for text in shown)
        if len(texts) > len(shown):
            yield f"        {sign} and {len(texts) - len(shown)} more"
    for prompt in one.asked_no_more:
        yield one_line(f"        - awaited: {prompt}")
    for prompt in one.asked_anew:
        yield one_line(f"        + awaited: {prompt}")


def given_again(campaign: "OpenCampaign", found: "Amended", proposal: "Proposal", args: argparse.Namespace) -> ExitCode:
    """Print what became of a replayed line."""
    if args.json:
        talking.print_json({**as_json(proposal), **as_json(found)})
        return ExitCode.WRONG if found.left else ExitCode.DONE
    print_proposal(proposal)
    print(f"The line was replayed on the branch {found.branch}; the campaign is there now, at entry {campaign.head}.")
    print(f"{counted(len(found.given), 'input')} replayed, {len(found.otherwise)} of them with a different result.")
    if found.dropped:
        print(f"It replaces earlier amendments: entries {', '.join(map(str, found.dropped))}.")
    if found.left:
        print(f"Entry {found.left[0].number} is no longer valid: {clipped(found.reason)} {found.hint}".rstrip())
        for one in found.left:
            print(one_line(f"  not replayed: {one.number} {': '.join(said_by(one.input))}"))
    name = shlex.quote(args.campaign)
    talking.note(f"`ophex compare {name} {found.old_end} {found.branch}` compares the two.")
    talking.note(
        f"`ophex branch {name} --adopt {found.branch}` makes it the main branch; `ophex switch {name} main` goes back."
    )
    return ExitCode.WRONG if found.left else ExitCode.DONE
