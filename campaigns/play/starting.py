"""New campaign files, and games from what a campaign embeds: rules, scenario, modules and options, a snapshot, or amended rules."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from campaigns.file.errors import CampaignError
from campaigns.file.history import Document
from campaigns.file.versions import Version, versions_of
from campaigns.library.compiling import active_modules, chosen_options, compiled, playable
from campaigns.library.rule_files import rule_files
from campaigns.library.rule_texts import read_text, with_bases
from campaigns.library.systems_by_name import scenario_of
from campaigns.play.campaign import Campaign
from dsl.load import SystemText
from dsl.rules.amended import differing
from dsl.rules.editions import CURRENT, FIRST
from dsl.rules.module_choices import module_problems
from dsl.rules.variants import with_needs
from dsl.syntax import declarations as d
from dsl.text.diagnostics import RuleTextError, did_you_mean
from interpreter.machine import Game, begin, resume
from interpreter.messages.settings import Settings
from interpreter.messages.standing_rulings import Wording
from interpreter.play.basis import Reworded
from interpreter.play.remodel import modules_of, rules_of
from interpreter.play.taking_back import BEFORE_DICE, MANNERS
from interpreter.program.program import Program
from interpreter.runtime.refusals import Why

__all__ = ["ASK_SOMEBODY", "DICE", "create_campaign", "open_campaign", "over_unasked", "start"]


DICE = ("seeded", "typed", "sealed")
"""The possible sources of the dice of a campaign."""


def create_campaign(
    path: str | Path, scenario: str, with_: Iterable[str] = (), without: Iterable[str] = (), options: Mapping[str, str] | None = None,
    dice: str = "seeded", seed: int | str | None = None, undo: str = BEFORE_DICE,
) -> Campaign[Any]:  # fmt: skip
    """A new campaign file with rules, map and scenario embedded. Raises CampaignError, NotFound, RuleTextError."""
    text, found, ref = scenario_of(scenario)
    active = active_modules(text, found, with_, without)
    chosen = chosen_options(text, options or {})
    documents = [Document(x.name, "rules", x.text) for x in with_bases(rule_files(ref.system)).all]
    try:
        playable(read_text(documents, CURRENT), found, active)  # as embedded in the file: bound once for both
    except RuleTextError:
        playable(text, found, active)  # with the files as people know them
        raise
    if dice not in DICE:
        raise CampaignError(f"`{dice}` is not a kind of dice.", f"Dice can be {' or '.join(DICE)}.", Why.UNKNOWN_NAME)
    if undo not in MANNERS:
        raise CampaignError(
            f"`{undo}` is not a way of taking back orders.",
            f"It can be: {', '.join(MANNERS)}.",
            Why.NOT_UNDERSTOOD,
        )
    if seed is None:
        import secrets

        seed = secrets.randbits(128)
    settings: dict[str, Any] = {
        "scenario": found.name,
        "modules": sorted(active),
        "options": chosen,
        "dice": dice,
        "seed": str(seed),
    }
    settings["edition"] = CURRENT
    if undo != BEFORE_DICE:
        settings["undo"] = undo
    return Campaign.create(path, documents, settings, _start_for_somebody)


def _start_for_somebody(documents: Sequence[Document], settings: Mapping[str, Any], snapshot: bytes | None) -> Game:
    """The machine of a new campaign. Raises CampaignError for a game that plays itself out before anybody is asked."""
    game = start(documents, settings, snapshot)
    if snapshot is None and (said := over_unasked(settings["scenario"], game)):
        raise CampaignError(said, ASK_SOMEBODY)
    return game


ASK_SOMEBODY = (
    "One of the phases of the turn must let a side give orders, as in `active may march`, and such an order must "
    "be legal: an example with `then SIDE may …` says why it is not."
)


def over_unasked(scenario: str, game: Game) -> str:
    """The message for a game that has just begun and is already over; empty if it continues."""
    if not game.over:
        return ""
    when = f"in turn {game.turn}" if game.turn else "before its first turn"
    return f"{scenario} is over {when} before anybody is asked anything: {game.over}."


def open_campaign(path: str | Path) -> Campaign[Any]:
    """An existing campaign. Raises CampaignError."""
    return Campaign.open(path, start)


def start(documents: Sequence[Document], settings: Mapping[str, Any], snapshot: bytes | None) -> Game:
    """The machine from a campaign's own texts. Raises CampaignError if it cannot be made from them."""
    _made_with(settings)
    own, versions = versions_of(documents)
    reword = functools.partial(_reworded, own, versions, settings)
    rules = rules_of(snapshot) if snapshot is not None else None
    text = read_text(own, settings.get("edition", FIRST)) if rules is None else _amended(versions, Wording(*rules))
    scenario = _scenario_in(text, settings["scenario"])
    if scenario is None:
        raise CampaignError(
            f"The rules in the campaign file have no scenario {settings['scenario']}.",
            "The file was not created correctly.",
            Why.UNKNOWN_NAME,
        )
    other = modules_of(snapshot) if snapshot is not None else None
    program = compiled(text, settings["modules"] if other is None else other)
    if snapshot is None:
        game = begin(program, scenario, cast("Settings", settings), reword)
    else:
        game = resume(program, scenario, cast("Settings", settings), snapshot, reword)
        if (None if game.rules is None else (game.rules.digest, game.rules.edition)) != rules:
            raise CampaignError("The snapshot names its rules in a way in which ophex does not write them.")
    game.remake = functools.partial(_switched, text)
    return game


def _scenario_in(text: SystemText, name: str) -> d.Scenario | None:
    return next((x for x in text.declarations if isinstance(x, d.Scenario) and x.name == name), None)


def _amended(versions: Mapping[str, Version], wording: Wording) -> SystemText:
    """An amended text. Raises Refused if it is not in the file, or uses an unknown edition."""
    if wording.digest not in versions:
        raise Why.UNKNOWN_NAME(
            f"The file does not contain the text {wording.digest[:12]} of amended rules.",
            hint="Amend the rules with `ophex amend`.",
            name=wording.digest[:12],
        )
    if not FIRST <= wording.edition <= CURRENT:
        raise Why.RULES(
            f"The amended rules use edition {wording.edition} of the language, but this version of ophex reads {CURRENT}.",
            hint="Open it with a newer version.",
            number=wording.edition,
            most=CURRENT,
        )
    return read_text(versions[wording.digest], wording.edition)


def _reworded(
    own: Version,
    versions: Mapping[str, Version],
    settings: Mapping[str, Any],
    wording: Wording,
    before: Wording | None,
    active: Iterable[str],
) -> Reworded:
    """The rules of an amended text. before: the one in force, None for that of the beginning. Raises Refused."""
    was = read_text(own, settings.get("edition", FIRST)) if before is None else _amended(versions, before)
    text = _amended(versions, wording)
    scenario = _scenario_in(text, settings["scenario"])
    if scenario is None:
        raise Why.RULES(
            f"The amended text has no scenario {settings['scenario']}, which this campaign plays.",
            name=settings["scenario"],
        )
    on = frozenset(active)
    missing = sorted(on - text.modules.keys())
    if missing:
        raise Why.RULES(
            f"The amended text has no module {', '.join(missing)}, which is turned on in this campaign.",
            hint="Turn modules off with `ophex option`.",
            module=missing[0],
        )
    wrong = module_problems(text.modules, on)
    if wrong:
        raise Why.AGAINST_RULE(" ".join(wrong), hint="Turn modules on and off with `ophex option`.")
    try:
        program = playable(text, scenario, on)
    except RuleTextError as error:
        raise Why.RULES(f"The amended text cannot be played: {error.diagnostics[0].message}") from error
    changed = differing((was.declarations, was.files), (text.declarations, text.files))
    return Reworded(program, scenario, functools.partial(_switched, text), changed)


def _made_with(settings: Mapping[str, Any]) -> None:
    """Raises CampaignError if the settings are not valid for a campaign."""

    def words(value: Any) -> bool:
        return isinstance(value, list) and all(isinstance(x, str) for x in value)

    options, edition = settings.get("options", {}), settings.get("edition", FIRST)
    sound = {
        "scenario": isinstance(settings.get("scenario"), str),
        "modules": words(settings.get("modules")),
        "options": isinstance(options, dict) and words(list(options.values())),
        "dice": settings.get("dice", "seeded") in DICE,
        "seed": type(settings.get("seed", "")) in {str, int},
        "edition": type(edition) is int and edition >= FIRST,
    }
    for name, is_so in sound.items():
        if not is_so:
            raise CampaignError(
                f"The campaign cannot be started: its setting {name} is damaged.", "Restore a backup of the file."
            )
    if edition > CURRENT:
        raise CampaignError(
            f"The campaign's rules use edition {edition} of the language, but this version of ophex reads {CURRENT}.",
            "Open it with a newer version.",
        )


def _switched(text: SystemText, on: frozenset[str], switches: Sequence[tuple[str, str]]) -> Program:
    """The program with other modules turned on or off. Raises Refused."""
    chosen = set(on)
    for switch, name in switches:
        if name not in text.modules:
            hint = did_you_mean(name, text.modules) or "Its modules are: " + (", ".join(text.modules) or "none") + "."
            raise Why.UNKNOWN_NAME(f"The system has no module {name}.", hint=hint, module=name)
        if switch == "with":
            chosen |= with_needs(text.modules, {name})
        else:
            chosen.discard(name)
    wrong = module_problems(text.modules, chosen)
    if wrong:
        raise Why.AGAINST_RULE(" ".join(wrong), hint="You can turn several modules on and off at once.")
    try:
        return compiled(text, chosen)
    except RuleTextError as error:
        raise Why.RULES(f"The rules cannot be played with these modules: {error.diagnostics[0].message}") from error
