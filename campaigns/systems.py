"""Rule systems for campaigns: loading them by name, compiling them, and starting games from what a campaign embeds."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from campaigns.campaign import Campaign, use_starter
from campaigns.errors import CampaignError
from campaigns.history import Document
from campaigns.locate import NotFound, ScenarioRef, SystemRef, find_scenario, find_system
from campaigns.locate import systems as located
from campaigns.rule_files import OwnFiles, RuleFiles, on_which, own_files, rule_files
from campaigns.versions import Version, versions_of
from dsl.checks.prospects import check_prospects
from dsl.data.drawings import undrawable
from dsl.load import SystemText, bound_or_raise, check_system, read_system
from dsl.rules.amended import differing
from dsl.rules.assemble import assemble
from dsl.rules.editions import CURRENT, FIRST
from dsl.rules.module_choices import module_problems
from dsl.rules.rows import cells
from dsl.rules.variants import with_needs
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, RuleTextError, at, did_you_mean, placed, sort_key
from dsl.text.source import SourceFile, Span
from interpreter.basis import Reworded
from interpreter.footing import misplaced_in
from interpreter.inputs import Refused, RuleFailure
from interpreter.objections import objections_to
from interpreter.play import Game, begin, resume
from interpreter.program import Program, compile_program
from interpreter.remodel import modules_of, rules_of
from interpreter.standing_rulings import Wording
from interpreter.taking_back import BEFORE_DICE, MANNERS


@attrs.frozen(slots=True)
class SystemInfo:
    """A bundled or user's system. modules and options: (name, title, default)."""

    name: str
    title: str
    version: str
    modules: tuple[tuple[str, str, str], ...]
    options: tuple[tuple[str, str, tuple[str, ...], str], ...]
    scenarios: tuple[str, ...]


@attrs.frozen(slots=True)
class ScenarioInfo:
    """A scenario. name: as `new --scenario` takes it; rows: of the tables of its forces; lesson: the side a beginner plays, or ""."""

    name: str
    title: str
    about: str
    sides: tuple[tuple[str, str], ...]
    modules: tuple[str, ...]
    maps: tuple[str, ...]
    rows: int
    lesson: str = ""


def load(ref: SystemRef) -> SystemText:
    """The parsed files of a system and of those it is built on. Raises CampaignError for a base that is not there."""
    return text_of(with_bases(rule_files(ref)))


def with_bases(own: OwnFiles) -> RuleFiles:
    """The files of a system with those of the systems it is built on. Raises CampaignError for a base that is not there."""
    return on_which(own, lambda files: _base_of(_read([x for x in files if _FRONT.search(x.text)])))


_FRONT = re.compile(r"^system\b", re.MULTILINE)
"""How a line begins that names a system: files without such a line say of no base."""


def text_of(files: RuleFiles) -> SystemText:
    """Those files parsed."""
    return _read(files.all, files.own.catalog, files.base_catalog)


def _read(files: Iterable[SourceFile], catalog: str = "", base_catalog: str = "", edition: int = CURRENT) -> SystemText:
    """The same system for the same files: what is compiled for it once need not be compiled again."""
    return _known(tuple((file.name, file.text, file.path) for file in files), catalog, base_catalog, edition)


@functools.lru_cache(maxsize=8)
def _known(files: tuple[tuple[str, str, str], ...], catalog: str, base_catalog: str, edition: int) -> SystemText:
    return read_system([SourceFile(*file) for file in files], catalog, base_catalog, edition)


def _base_of(text: SystemText) -> str:
    return next((x.base for x in text.declarations if isinstance(x, d.System)), "")


def load_path(name: str) -> SystemText:
    """A system by name or folder, or a single rule file together with the system whose folder it lies in."""
    return not_empty(text_of(with_bases(own_files(name))), name)


def not_empty(text: SystemText, name: str) -> SystemText:
    """The text itself. Raises CampaignError when nothing at all is written in it."""
    if not text.declarations and not any(p.is_error for p in text.problems):
        raise CampaignError(
            f"{name} holds no rule.",
            "A rule file has declarations at the left edge, such as `unit`, `table` or `value`.",
        )
    return text


def diagnosed(text: SystemText, drawings: Collection[str] = ()) -> list[Diagnostic]:
    """Every diagnostic of a system's text. drawings: what can be drawn; nothing is said of that where none are given."""
    problems = diagnose(text)
    return sorted([*problems, *undrawable(text.own_declarations, drawings)], key=sort_key) if drawings else problems


def diagnose(text: SystemText) -> list[Diagnostic]:
    """Every diagnostic of a system's text, also of what only its scenarios show, sorted by place."""
    problems = check_system(text)
    if any(p.is_error for p in problems):
        return problems
    return sorted([*problems, *_unfit(text)], key=sort_key)


def _unfit(text: SystemText) -> list[Diagnostic]:
    """What will go wrong in play with each scenario, under the modules that it is played with, and what setups object to."""
    found = []
    for scenario in (x for x in text.declarations if isinstance(x, d.Scenario)):
        program = compiled(text, active_modules(text, scenario))
        found += check_prospects(program.rules, scenario)
        try:
            for x in objections_to(program, scenario):
                code, said = ("E328", "refuse") if x.refuses else ("W703", "warn of")
                also = [Mark(x.span, "the rules say so here")]
                found.append(at(code, f"The rules {said} {scenario.name}: {x}.", scenario.span, also=also))
            for wrong in misplaced_in(program, scenario):
                cited = f" [{', '.join(wrong.cites)}]" if wrong.cites else ""
                message = (
                    f"{wrong.name} stands in {wrong.place}, where no path of its own may lead: {wrong.because}{cited}."
                )
                also = [Mark(wrong.span, "this shuts it")]
                found.append(at("W350", message, _row_of(scenario, wrong.name), word=wrong.place, also=also))
        except RuleFailure as failure:
            found.append(at("E328", f"Whether {scenario.name} may begin cannot be told: {failure}", scenario.span))
    return [placed(x, text.files) for x in found]


def _row_of(scenario: d.Scenario, name: str) -> Span:
    """The row in which a scenario lists a thing."""
    rows = (row for forces in scenario.forces for row in forces.rows[1:] if name in cells(row))
    return next((row.span for row in rows), scenario.span)


@functools.lru_cache(maxsize=32)
def _compiled(text: SystemText, active: frozenset[str]) -> Program:
    return compile_program(bound_or_raise(text, active), text.files, text.key(active))


def compiled(text: SystemText, active: Iterable[str] | None = None) -> Program:
    """The program of a system under a choice of modules. Raises RuleTextError."""
    return _compiled(text, text.defaults if active is None else frozenset(active))


def playable(text: SystemText, scenario: d.Scenario, active: Iterable[str]) -> Program:
    """The program with which a scenario can be played to an end. Raises RuleTextError."""
    program = compiled(text, active)
    errors = [placed(x, text.files) for x in check_prospects(program.rules, scenario) if x.is_error]
    if errors:
        raise RuleTextError(errors, text.files)
    return program


def list_systems() -> list[SystemInfo]:
    """What is bundled or in the user's folder."""
    return [system_info(ref) for ref in located()]


def system_info(ref: SystemRef) -> SystemInfo:
    """What a list of systems tells of one."""
    text = load(ref)
    system = next((x for x in text.declarations if isinstance(x, d.System)), None)
    modules = tuple((m.name, m.title, "on" if m.default else "off") for m in text.modules.values())
    options = tuple((o.name, o.title, o.terms, o.default) for o in text.declarations if isinstance(o, d.Option))
    names = tuple(f"{ref.name}/{x.name}" for x in text.declarations if isinstance(x, d.Scenario))
    return SystemInfo(
        ref.name, system.title if system else ref.name, system.version if system else "", modules, options, names
    )


def scenarios(name: str | None = None) -> list[ScenarioInfo]:
    """The scenarios of one system, or of all."""
    refs = [find_system(name)] if name else located()
    out = []
    for ref in refs:
        text = load(ref)
        for x in text.declarations:
            if isinstance(x, d.Scenario):
                on = active_modules(text, x)
                out.append(
                    ScenarioInfo(
                        f"{ref.name}/{x.name}",
                        x.title,
                        x.about,
                        tuple((s.name, s.title) for s in x.sides),
                        tuple(sorted(on)),
                        x.maps,
                        sum(len(f.rows) for f in x.forces),
                        x.lessons[0].side if x.lessons else "",
                    )
                )
    return out


ALL_MODULES = "all"
"""What an organizer says for every module."""


def active_modules(
    text: SystemText, scenario: d.Scenario, with_: Iterable[str] = (), without: Iterable[str] = ()
) -> frozenset[str]:
    """The modules of a game: the defaults, what the scenario says, what the organizer says, and what those need.

    with_: names of modules, or `all` for every one. Raises CampaignError for a module that does not exist.
    """
    with_ = {name for given in with_ for name in (text.modules if given == ALL_MODULES else (given,))}
    on = set(text.defaults)
    for switch, name in scenario.switches:
        (on.add if switch == "with" else on.discard)(name)
    for name in (*sorted(with_), *without):
        if name not in text.modules:
            hint = did_you_mean(name, text.modules) or "Its modules are: " + (", ".join(text.modules) or "none") + "."
            raise CampaignError(f"The system has no module {name}.", hint)
    on = set(with_needs(text.modules, on | with_))
    return frozenset(on - set(without))


def scenario_of(name: str) -> tuple[SystemText, d.Scenario, ScenarioRef]:
    """A scenario by name or path. Raises NotFound, CampaignError."""
    ref = _scenario_ref(name)
    text = load(ref.system)
    found = {x.name: x for x in text.declarations if isinstance(x, d.Scenario)}
    wanted = name.rpartition("/")[2].removesuffix(".rules")
    if wanted not in found:
        if len(found) == 1:
            return text, next(iter(found.values())), ref
        raise NotFound(
            f"There is no scenario {wanted} in {ref.system.name}.",
            did_you_mean(wanted, found) or "It has: " + ", ".join(found) + ".",
        )
    return text, found[wanted], ref


def _scenario_ref(name: str) -> ScenarioRef:
    """The scenario of a name; one of a system that another is built on can be played with either."""
    system, _, short = name.replace("\\", "/").rpartition("/")
    try:
        return find_scenario(name)
    except NotFound:
        if not system:
            raise
        ref = find_system(system)
        if not any(isinstance(x, d.Scenario) and x.name == short for x in load(ref).declarations):
            raise
        return ScenarioRef(f"{ref.name}/{short}", ref, ref.folder)


def chosen_options(text: SystemText, options: Mapping[str, str]) -> dict[str, str]:
    """Options checked against the system. Raises CampaignError."""
    known = {o.name: o for o in text.declarations if isinstance(o, d.Option)}
    for name, term in options.items():
        if name not in known:
            raise CampaignError(
                f"The system has no option {name}.", did_you_mean(name, known) or "`ophex systems` lists them."
            )
        if term not in known[name].terms:
            raise CampaignError(
                f"The option {name} cannot be {term}.", "It can be: " + ", ".join(known[name].terms) + "."
            )
    return dict(options)


DICE = ("seeded", "typed", "sealed")
"""Where the dice of a campaign may come from."""


def create_campaign(
    path: str | Path, scenario: str, with_: Iterable[str] = (), without: Iterable[str] = (), options: Mapping[str, str] | None = None,
    dice: str = "seeded", seed: int | str | None = None, undo: str = BEFORE_DICE,
) -> Campaign[Any]:  # fmt: skip
    """A new campaign file with rules, map and scenario embedded. Raises CampaignError, NotFound, RuleTextError."""
    text, found, _ = scenario_of(scenario)
    active = active_modules(text, found, with_, without)
    chosen = chosen_options(text, options or {})
    playable(text, found, active)
    if dice not in DICE:
        raise CampaignError(f"There are no {dice} dice.", f"Dice are {' or '.join(DICE)}.")
    if undo not in MANNERS:
        raise CampaignError(f"No side takes back by `{undo}`.", f"It can be: {', '.join(MANNERS)}.")
    if seed is None:
        import secrets

        seed = secrets.randbits(128)
    documents = [Document(n, "rules", f.text) for n, f in text.files.items()]
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


ASK_SOMEBODY = "See whom the turn asks: its phases need a side with orders to give, as in `active may march`."


def over_unasked(scenario: str, game: Game) -> str:
    """What to say of a game that has just begun and is over already; empty where it goes on."""
    if not game.over:
        return ""
    when = f"in turn {game.turn}" if game.turn else "before its first turn"
    return f"{scenario} is over {when} before anybody is asked anything: {game.over}."


def open_campaign(path: str | Path) -> Campaign[Any]:
    """An existing campaign. Raises CampaignError."""
    return Campaign.open(path, start)


def start(documents: Sequence[Document], settings: Mapping[str, Any], snapshot: bytes | None) -> Game:
    """The machine that a campaign's own texts make. Raises CampaignError where it cannot be what it was made with."""
    _made_with(settings)
    own, versions = versions_of(documents)
    reword = functools.partial(_reworded, own, versions, settings)
    rules = rules_of(snapshot) if snapshot is not None else None
    text = read_text(own, settings.get("edition", FIRST)) if rules is None else _amended(versions, Wording(*rules))
    scenario = _scenario_in(text, settings["scenario"])
    if scenario is None:
        raise CampaignError(
            f"The campaign's own text has no scenario {settings['scenario']}.", "The file was made wrongly."
        )
    other = modules_of(snapshot) if snapshot is not None else None
    program = compiled(text, settings["modules"] if other is None else other)
    if snapshot is None:
        game = begin(program, scenario, settings, reword)
    else:
        game = resume(program, scenario, settings, snapshot, reword)
    game.remake = functools.partial(_switched, text)
    return game


def read_text(documents: Iterable[Document], edition: int, *, examples: bool = False) -> SystemText:
    """The rules that some texts make. examples: whether files of examples alone are read too; no game needs them."""
    rules = (x for x in documents if x.kind == "rules" and (examples or not _only_examples(x.text)))
    return _read([SourceFile(x.name, x.text) for x in rules], edition=edition)


def _scenario_in(text: SystemText, name: str) -> d.Scenario | None:
    return next((x for x in text.declarations if isinstance(x, d.Scenario) and x.name == name), None)


def _amended(versions: Mapping[str, Version], wording: Wording) -> SystemText:
    """An amended text. Raises Refused where it is not held, or of an edition that is not known."""
    if wording.digest not in versions:
        raise Refused(
            f"The file does not hold the text {wording.digest[:12]} of amended rules.", hint="`ophex amend` brings one."
        )
    if not FIRST <= wording.edition <= CURRENT:
        raise Refused(
            f"The amended rules are of edition {wording.edition} of the language, and this copy of ophex reads {CURRENT}.",
            hint="Open it with a newer copy.",
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
    """The rules by an amended text. before: the one that is in force, None for that of the beginning. Raises Refused."""
    was = read_text(own, settings.get("edition", FIRST)) if before is None else _amended(versions, before)
    text = _amended(versions, wording)
    scenario = _scenario_in(text, settings["scenario"])
    if scenario is None:
        raise Refused(f"The amended text has no scenario {settings['scenario']}, which is played here.")
    on = frozenset(active)
    missing = sorted(on - text.modules.keys())
    if missing:
        raise Refused(
            f"The amended text has no module {', '.join(missing)}, which is on here.",
            hint="`ophex option` turns modules off.",
        )
    wrong = module_problems(assemble(text.declarations, on)[0], on)
    if wrong:
        raise Refused(" ".join(wrong), hint="`ophex option` turns modules on and off.")
    try:
        program = playable(text, scenario, on)
    except RuleTextError as error:
        raise Refused(f"Nothing can be played under this text: {error.diagnostics[0].message}") from error
    changed = differing((was.declarations, was.files), (text.declarations, text.files))
    return Reworded(program, scenario, functools.partial(_switched, text), changed)


def _made_with(settings: Mapping[str, Any]) -> None:
    """Raises CampaignError where the settings are not such as a campaign is made with."""

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
                f"The campaign cannot be begun: its setting {name} is damaged.", "Restore a backup of the file."
            )
    if edition > CURRENT:
        raise CampaignError(
            f"The campaign's rules are of edition {edition} of the language, and this copy of ophex reads {CURRENT}.",
            "Open it with a newer copy.",
        )


def _switched(text: SystemText, on: frozenset[str], switches: Sequence[tuple[str, str]]) -> Program:
    """The program with other modules turned on or off. Raises Refused."""
    chosen = set(on)
    for switch, name in switches:
        if name not in text.modules:
            hint = did_you_mean(name, text.modules) or "Its modules are: " + (", ".join(text.modules) or "none") + "."
            raise Refused(f"The system has no module {name}.", hint=hint)
        if switch == "with":
            chosen |= with_needs(text.modules, {name})
        else:
            chosen.discard(name)
    wrong = module_problems(assemble(text.declarations, chosen)[0], chosen)
    if wrong:
        raise Refused(" ".join(wrong), hint="Several modules can be turned on and off at once.")
    try:
        return compiled(text, chosen)
    except RuleTextError as error:
        raise Refused(f"Nothing can be played under these modules: {error.diagnostics[0].message}") from error


@functools.lru_cache(maxsize=512)
def _only_examples(text: str) -> bool:
    """Whether a file's declarations are all examples: no game needs them."""
    starts = {
        line.split(" ", 1)[0]
        for line in text.split("\n")
        if line[:1] not in {"", " ", "\t", "\r"} and not line.startswith("--")
    }
    return starts == {"example"}


use_starter(start)
