"""A proposed rule text: a system's folder, or one file that changes or adds to the text in force."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from campaigns.file.errors import CampaignError
from campaigns.file.history import Document
from campaigns.file.versions import digest_of
from campaigns.library.diagnosing import diagnose
from campaigns.library.locate import NotFound, find_system
from campaigns.library.rule_files import read_file, system_folder
from campaigns.library.rule_texts import load, read_text
from campaigns.play.campaign import Campaign
from dsl.load import SystemText
from dsl.rules.amended import Changed, differing
from dsl.rules.editions import CURRENT, FIRST
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, RuleTextError
from interpreter.messages.standing_rulings import Wording
from interpreter.runtime.refusals import Why

__all__ = ["Proposal", "added", "edition_in_force", "files_in_force", "in_force", "proposed", "ruling_file"]

MOST_FILES = 2_000
MOST_LETTERS = 40_000_000


@frozen
class Proposal:
    """An amended text that has been checked and can be given.

    Attributes:
        texts: all its files.
        digest: its digest, which identifies it.
        changed: how it differs from the text in force.
        warnings: the warnings of the check.
        text: the same, parsed.
    """

    texts: tuple[Document, ...]
    digest: str
    changed: tuple[Changed, ...]
    warnings: tuple[Diagnostic, ...]
    text: SystemText

    def wording(self, *, from_start: bool) -> Wording:
        """How an input names it."""
        return Wording(self.digest, CURRENT, from_start)


def in_force(campaign: Campaign[Any]) -> tuple[Document, ...]:
    """The current texts of the rules: those of the beginning, or of the last amendment in force."""
    rules: Wording | None = campaign.game.rules
    return campaign.documents if rules is None else campaign.store.versions()[rules.digest]


def edition_in_force(campaign: Campaign[Any]) -> int:
    """The edition of the language in which the text in force is read."""
    rules: Wording | None = campaign.game.rules
    return int(campaign.settings.get("edition", FIRST)) if rules is None else rules.edition


def files_in_force(campaign: Campaign[Any]) -> dict[str, str]:
    """The text in force as files in a folder, by name; a system that it is built on has a folder beside its own.

    Raises:
        CampaignError: a file of the campaign has a name that leads out of the folder.
    """
    texts = {x.name: x.text for x in in_force(campaign) if x.kind == "rules"}
    text = _read(campaign, in_force(campaign))
    system = next((x for x in text.declarations if isinstance(x, d.System)), None)
    own, base = (system.name, system.base) if system is not None else ("rules", "")
    found: dict[str, str] = {}
    for name, said in texts.items():
        path = name if base and name.startswith(f"{base}/") else f"{own}/{name}"
        if not path.isprintable() or any(
            part in {"", ".", ".."} or "\\" in part or ":" in part for part in path.split("/")
        ):
            raise CampaignError(
                f"A file of the campaign is named {name[:80]!r}.", "A file of this name cannot be written to a folder."
            )
        found[path] = said
    return found


def proposed(campaign: Campaign[Any], path: Path) -> Proposal:
    """The amended text at a path, checked completely.

    A folder is the complete new text. A file replaces the file with its name, or is added.

    Raises:
        CampaignError, NotFound: it cannot be read, or does not differ from the text in force.
        RuleTextError: it has errors; all of them are listed.
    """
    if path.is_file():
        folder = system_folder(path)
        file = read_file(path.resolve() if folder is not None else path, folder or path.parent)
        return added(campaign, file.name, file.text)
    try:
        text = load(find_system(str(path)))
    except NotFound as error:
        raise CampaignError(
            f"There are no rules at {path}.", "Name a rule file or the folder of a rule system.", Why.UNKNOWN_NAME
        ) from error
    return _checked(campaign, {name: file.text for name, file in text.files.items()}, text)


def added(campaign: Campaign[Any], name: str, said: str) -> Proposal:
    """The text in force with one file replaced by the one with the same name, or added.

    Raises:
        CampaignError: several files could be meant, or nothing changes.
        RuleTextError: the result has errors.
    """
    texts = {x.name: x.text for x in in_force(campaign) if x.kind == "rules"}
    same = [one for one in texts if one.rpartition("/")[2] == name.rpartition("/")[2]]
    if name not in texts and len(same) > 1:
        raise CampaignError(
            f"Several files are named {name.rpartition('/')[2]}: {', '.join(same)}.",
            "Amend from a folder with the complete rules.",
        )
    target = name if name in texts or not same else same[0]
    return _checked(campaign, {**texts, target: said})


def ruling_file(campaign: Campaign[Any]) -> str:
    """The name of a file for the text that a ruling adds."""
    texts = {x.name for x in in_force(campaign)}
    return next(name for number in range(1, MOST_FILES) if (name := f"ruling-{number}.rules") not in texts)


def _checked(campaign: Campaign[Any], files: Mapping[str, str], text: SystemText | None = None) -> Proposal:
    if len(files) > MOST_FILES or sum(map(len, files.values())) > MOST_LETTERS:
        raise CampaignError(
            f"The rules are too long: the limit is {MOST_FILES:,} files and {MOST_LETTERS:,} characters in total.",
            "Remove what is not needed.",
            Why.OUT_OF_BOUNDS,
        )
    texts = tuple(Document(name, "rules", said) for name, said in files.items())
    text = text or read_text(texts, CURRENT, examples=True)
    before = _read(campaign, in_force(campaign))
    changed = differing((before.declarations, before.files), (text.declarations, text.files))
    nothing_new = CampaignError(
        "The text does not differ from the rules in force.",
        "Write the rules in force to a folder with `ophex amend --out DIR` and change them there.",
        Why.NO_CHANGE,
    )
    unread = any(x.is_error for x in text.problems)  # a line that is no declaration does not show in the comparison
    if not changed and not unread and edition_in_force(campaign) == CURRENT:
        raise nothing_new  # it was checked when it came into force
    problems = diagnose(text if text.catalog else _without_catalog(text))
    if any(x.is_error for x in problems):
        raise RuleTextError([x for x in problems if x.is_error], text.files)
    if not changed:
        raise nothing_new
    return Proposal(texts, digest_of(texts), changed, tuple(problems), text)


def _without_catalog(text: SystemText) -> SystemText:
    """A text without its catalog: a campaign contains only rules."""
    return evolve(text, declarations=tuple(x for x in text.declarations if not isinstance(x, d.Catalog)))


def _read(campaign: Campaign[Any], texts: tuple[Document, ...]) -> SystemText:
    return read_text(texts, edition_in_force(campaign), examples=True)
