"""Loading a system: its files go through every pass and become a bound ruleset, with all errors found on the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import attrs

from dsl.binding import BoundRuleset
from dsl.binding.example_lines import check_examples, fitting
from dsl.checks.capitals import check_names
from dsl.checks.citations import check_citations
from dsl.checks.usage import check_usage
from dsl.passes import KNOWN_PASSES, PASSES, RULES, bind
from dsl.rules.doubles import check_doubles
from dsl.rules.editions import CURRENT
from dsl.rules.left_out import explained, left_out
from dsl.rules.module_choices import MOST_MODULES, module_problems, no_module
from dsl.rules.variants import Variant, variants, with_needs
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax.cache import Found, parsed
from dsl.text.collecting import uncollected
from dsl.text.diagnostics import Diagnostic, RuleTextError, at, placed, sort_key
from dsl.text.keeping import keep, kept, name_of, stamp_of
from dsl.text.source import NOWHERE, SourceFile

ENOUGH = 300
"""After this many findings no further choice of modules is tried."""

MOST_LINES = 300_000
"""The maximum of lines of rules, counted once for each module, as all are tried with each alone."""


@attrs.frozen(slots=True, eq=False)
class SystemText:
    """The parsed files of one system, including those of its base system.

    catalog: the text of its catalog, or "". base_catalog: that of its base system. edition: of the language.
    """

    files: dict[str, SourceFile]
    declarations: tuple[d.Declaration, ...]
    problems: tuple[Diagnostic, ...]
    catalog: str = ""
    base_catalog: str = ""
    edition: int = CURRENT

    @cached_property
    def modules(self) -> dict[str, d.Module]:
        """The modules by name."""
        return {x.name: x for x in self.declarations if isinstance(x, d.Module)}

    def key(self, active: Iterable[str]) -> str:
        """The cache key of the rules under a choice of modules. Files that contain only examples do not affect it."""
        ruled = {x.span.file for x in self.declarations if not isinstance(x, d.Example)}
        texts = (x for file in self.files.values() if file.name in ruled for x in (file.name, file.text))
        return name_of("rules", (str(self.edition), *sorted(active), "", *texts))

    @property
    def own_declarations(self) -> tuple[d.Declaration, ...]:
        """The declarations without those of the base system."""
        base = next((x.base for x in self.declarations if isinstance(x, d.System)), "")
        return tuple(x for x in self.declarations if not base or not x.span.file.startswith(f"{base}/"))

    @cached_property
    def defaults(self) -> frozenset[str]:
        """The modules that are on unless a scenario or an organizer turns them off."""
        return frozenset(n for n, m in self.modules.items() if m.default)


def read_system(
    files: Iterable[SourceFile], catalog: str = "", base_catalog: str = "", edition: int = CURRENT
) -> SystemText:
    """Parses the files of a system."""
    declarations: list[d.Declaration] = []
    problems: list[Diagnostic] = []
    by_name: dict[str, SourceFile] = {}
    with uncollected():
        for file in files:
            found, wrong = _read(file)
            by_name[file.name] = file
            declarations += found
            problems += wrong
    return SystemText(by_name, tuple(_without_bases(declarations)), tuple(problems), catalog, base_catalog, edition)


_LAST_READ: dict[str, tuple[str, Found]] = {}
MOST_READ = 1000
"""The parsed declarations of this many files are kept, the last version of each; then the oldest are dropped."""


def _read(file: SourceFile) -> Found:
    """The declarations of a file, the same for every system that includes it."""
    known = _LAST_READ.get(file.name)
    if known is not None and known[0] == file.text:
        return known[1]
    found = parsed(file)
    _LAST_READ[file.name] = file.text, found
    while len(_LAST_READ) > MOST_READ:
        _LAST_READ.pop(next(iter(_LAST_READ)), None)
    return found


def _without_bases(declarations: list[d.Declaration]) -> list[d.Declaration]:
    """The declarations without the front matter of base systems: their name, and the catalog named in the same file."""
    bases = {x.base for x in declarations if isinstance(x, d.System)}
    below = {x.span.file for x in declarations if isinstance(x, d.System) and x.name in bases}
    return [x for x in declarations if not (isinstance(x, d.System | d.Catalog) and x.span.file in below)]


def bind_system(text: SystemText, active: Iterable[str] | None = None) -> tuple[BoundRuleset, list[Diagnostic]]:
    """Binds a system under one choice of modules. Returns its rules and everything found wrong on the way."""
    return bind(text.declarations, active, edition=text.edition)


def module_sets(text: SystemText) -> list[frozenset[str]]:
    """The choices of modules to check: none, the defaults, each alone with its needs, and all."""
    modules = text.modules
    sets: list[frozenset[str]] = [frozenset(), text.defaults]
    sets += [with_needs(modules, {name}) for name in modules]
    everything: set[str] = set()
    for name, module in modules.items():
        if not (set(module.excludes) & everything) and not any(name in modules[m].excludes for m in everything):
            everything.add(name)
    sets.append(with_needs(modules, everything))
    return list(dict.fromkeys(sets))


SURE = frozenset(
    [
        "E101",
        "E102",
        "E205",
        "E231",
        "E232",
        "E233",
        "E301",
        "E305",
        "E308",
        "E312",
        "E315",
        "E329",
        "E330",
        "E331",
        "E501",
    ]
)
"""Findings that are certain, whatever the rest of the text contains."""


def unreadable(text: SystemText, problem: Diagnostic) -> bool:
    """Whether a finding means that a declaration or a table's heading could not be read, so that its contents are unknown.

    An example declares nothing.
    """
    if problem.code == "E301":
        return True
    source = text.files.get(problem.span.file)
    if not problem.code.startswith("E00") or source is None:
        return problem.code.startswith("E00")
    lines = (source.line(number) for number in range(problem.span.line, 0, -1))
    return not next((x for x in lines if x.strip() and not x[0].isspace()), "").startswith("example ")


def only_sure(text: SystemText, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings that are certain although some of the text is unknown; all of them if all of it is known.

    An unreadable part may declare what is missing elsewhere. If a kind is declared twice, one of the declarations is unknown.
    """
    found = list(problems)
    kinds = {(x.span.file, x.span.line) for x in text.declarations if isinstance(x, d.Kind | d.Group)}
    twice = any(p.code == "E102" and (p.span.file, p.span.line) in kinds for p in found)
    if not twice and not any(unreadable(text, p) for p in found):
        return found
    return [p for p in found if p.code.startswith("E0") or p.code in SURE]


def check_system(text: SystemText) -> list[Diagnostic]:
    """Every diagnostic of a system, under each choice of modules, sorted by place and without repetition.

    If a declaration cannot be read, only findings that do not depend on it are reported; the rest follows once all can be read.
    """
    found: dict[tuple[str, str, str, int, int], Diagnostic] = {}

    def add(problems: Sequence[Diagnostic]) -> None:
        for problem in (placed(x, text.files) for x in problems):
            span = problem.span
            found.setdefault((problem.code, problem.message, span.file, span.line, span.column), problem)

    add(text.problems)
    add(check_names(text.own_declarations))
    add(check_doubles(text.declarations))
    modules = text.modules
    lines = 1 + sum(1 + x.span.end_line - x.span.line for x in text.declarations if not isinstance(x, d.Example))
    if len(modules) > MOST_MODULES or len(modules) * lines > MOST_LINES:
        most = min(MOST_MODULES, MOST_LINES // lines)
        size = "" if most == MOST_MODULES else f" and {lines:,} lines of rules"
        message = f"The system has {len(modules):,} modules{size}; the maximum {'is' if not size else 'for so many lines is'} {most}."
        add([at("E001", message, list(modules.values())[most].span, hint="Merge some of them.")])
        return sorted(found.values(), key=sort_key)
    bound = []
    for active in module_sets(text):
        rules, problems = bind_system(text, active)
        bound.append(rules)
        absent = left_out(text.declarations, active) if problems else {}
        add([explained(x, absent, text.files) for x in problems])
        if len(found) > ENOUGH:
            break
    add(check_citations(text.declarations, text.catalog, text.base_catalog))
    sure = set(map(id, only_sure(text, found.values())))
    found = {key: problem for key, problem in found.items() if id(problem) in sure}
    if not any(x.is_error for x in found.values()):
        add(check_usage(text.declarations, bound))
        add(_examples(text, {x.ruleset.active: x for x in bound}))
    return sorted(found.values(), key=sort_key)


def _examples(text: SystemText, bound: dict[frozenset[str], BoundRuleset]) -> list[Diagnostic]:
    """The problems in the bodies of examples.

    If no rules are bound for exactly the modules of an example, it is checked with more of them. Only if that finds a problem
    are rules bound for exactly its modules.
    """
    by_modules: dict[frozenset[str], list[tuple[d.Example, Variant]]] = {}
    problems: list[Diagnostic] = []
    for example in (x for x in text.declarations if isinstance(x, d.Example)):
        for variant in variants(example, text.defaults, text.modules):
            unmet = not_run(text, variant, variant.modules & text.modules.keys())
            if unmet is not None:
                problems.append(unmet)
            else:
                by_modules.setdefault(variant.modules, []).append((example, variant))
        for block in (x for x in example.body if isinstance(x, ln.WithBlock)):
            problems += [
                no_module(f"{switch} {n}", n, text.modules, block.span)
                for switch, n in block.choices
                if n not in text.modules
            ]
    for modules, group in by_modules.items():
        near = fitting(bound, modules)
        if near is not None:
            found = check_examples(group, near)
            if near.ruleset.active == modules or not found:
                problems += found
                continue
        exact, wrong = bind(text.declarations, modules, RULES, text.edition)
        problems += [p for p in wrong if p.is_error] or check_examples(group, exact)
    return problems


def not_run(text: SystemText, variant: Variant, active: Iterable[str]) -> Diagnostic | None:
    """Why these lines of an example cannot be run under these modules, if so."""
    wrong = module_problems(text.modules, active)
    return at("E105", f"This example cannot be run: {' '.join(wrong)}", variant.span) if wrong else None


def bound_or_raise(text: SystemText, active: Iterable[str] | None = None) -> BoundRuleset:
    """The bound ruleset for play. Raises RuleTextError with every error, if there are any: those that a check reports.

    That rules have no errors is kept, so that they are not looked for again in the same text.
    """
    on = text.defaults if active is None else active
    wrong = module_problems(text.modules, on)
    if wrong:
        raise RuleTextError([at("E105", " ".join(wrong), NOWHERE)], text.files)
    sound = name_of("sound", (stamp_of("dsl"), text.key(on)))
    known = kept(sound) is not None
    bound, problems = bind(text.declarations, on, KNOWN_PASSES if known else PASSES, text.edition)
    errors = [p for p in (*text.problems, *problems) if p.is_error]
    if not errors and not known:
        keep(sound, "")
    if errors:
        checked = [p for p in check_system(text) if p.is_error]
        told = checked or sorted((placed(p, text.files) for p in only_sure(text, errors)), key=sort_key)
        raise RuleTextError(told, text.files)
    return bound
