"""`ophex coverage`: which rules of a system's catalog are written as rule text, which are tested, which are left out."""

import argparse
import json
import textwrap
from pathlib import Path
from typing import Any

from ui.cli import talking

KEYS = """\
rules: number         number of rules in the catalog
cited: number         how many of them the rule files cite
tested: number        how many of them an example cites
missing: [text]       rules that no rule file cites
untested: [text]      rules that are written, but that no example cites
not_modelled: [object]    rules that are left out on purpose
  rule, reason
modules: {object}     the same numbers for each part of the catalog
  rules, cited, tested: number
mutants, killed: number    with --mutate: small changes tried, and how many an example noticed
survivors: [object]   changes that no example noticed
  file, change, text
  line: number
  reached: truth      whether an example runs the line"""
ABOUT = """

A rule of the system's catalog is written if a rule file cites it, and tested if an example cites
it. --mutate changes the rules in one place at a time and runs the examples; a change that no
example notices shows where an example is missing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    parser.add_argument("system", metavar="SYSTEM", help="a system's name or folder")
    parser.add_argument(
        "--mutate", action="store_true", help="change one line or cell at a time, and see whether an example fails"
    )
    parser.add_argument(
        "--only",
        type=_names,
        default=[],
        metavar="FILE[,FILE]",
        help="with --mutate: change lines in these files only (`battle` means `battle.rules`)",
    )
    parser.add_argument(
        "--by",
        type=_names,
        default=[],
        metavar="FILE[,FILE]",
        help="with --mutate: run the examples of these files only",
    )
    parser.add_argument(
        "--again",
        metavar="FILE",
        help="with --mutate: try only the survivors of an earlier run, saved to FILE with --json",
    )
    talking.add_workers(parser)
    talking.add_talk(parser)
    talking.epilog(parser, "ophex coverage SYSTEM", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the coverage."""
    from campaigns.trials.casebook import coverage
    from campaigns.trials.mutation import mutate

    found = coverage(args.system)
    if args.mutate:
        again = None if args.again is None else _earlier(args.again)
        with talking.progress("Changing lines") as tell:
            found |= mutate(args.system, args.workers, progress=tell, only=args.only, again=again, by=args.by)
    if args.json:
        talking.print_json(found)
        return 0
    parts = {**found.get("modules", {}), "all": {name: found[name] for name in ("rules", "cited", "tested")}}
    talking.print_table(
        [_row(name, counts) for name, counts in parts.items()], ("", "rules", "cited", "%", "tested", "%")
    )
    for name in ("missing", "untested"):
        if found[name]:
            print(f"\n{name}: {len(found[name])}")
            print(_wrapped(", ".join(found[name])))
    if found["not_modelled"]:
        print(f"\nnot modelled: {len(found['not_modelled'])}")
        for one in found["not_modelled"]:
            print(_wrapped(f"{one['rule']}: {one['reason']}"))
    if args.mutate:
        _survivors(found)
    return 0


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _earlier(path: str) -> list[dict[str, Any]]:
    """The survivors that an earlier run wrote. Raises CampaignError if the file has none."""
    from campaigns.file.errors import CampaignError

    hint = "Create one with `ophex coverage SYSTEM --mutate --json > FILE`."
    try:
        kept = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise CampaignError(f"Cannot read {path}: {error.strerror or error}.", hint) from None
    except (ValueError, RecursionError):
        raise CampaignError(f"{path} is not JSON.", hint) from None
    survivors = kept.get("survivors") if isinstance(kept, dict) else None
    words = ("file", "text", "change")
    if not isinstance(survivors, list) or not all(
        isinstance(x, dict) and all(isinstance(x.get(word), str) for word in words) for x in survivors
    ):
        raise CampaignError(f"{path} has no list of survivors.", hint)
    return survivors


def _survivors(found: dict[str, Any]) -> None:
    """The changes that no example noticed."""
    share = _percent(found["killed"], found["mutants"])
    print(f"\nmutants: {found['mutants']}, of which examples notice {found['killed']} ({share} %)")
    for one in found["survivors"]:
        print(f"  {one['file']}:{one['line']}: {one['change']}{'' if one['reached'] else ' (no example comes here)'}")
        print(f"      {one['text']}")


def _row(name: str, counts: dict[str, int]) -> tuple[object, ...]:
    rules, cited, tested = counts["rules"], counts["cited"], counts["tested"]
    return name, rules, cited, _percent(cited, rules), tested, _percent(tested, rules)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 100, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}" if whole else "0"
