"""Systems and scenarios by name: which exist, and how each describes itself."""

from __future__ import annotations

import attrs

from campaigns.library.compiling import active_modules
from campaigns.library.locate import NotFound, ScenarioRef, SystemRef, find_scenario, find_system
from campaigns.library.locate import systems as located
from campaigns.library.rule_texts import load_for_play
from dsl.load import SystemText
from dsl.syntax import declarations as d
from dsl.text.diagnostics import RuleTextError, did_you_mean

__all__ = [
    "ScenarioInfo",
    "SystemInfo",
    "list_systems",
    "names_of_systems",
    "scenario_of",
    "scenarios",
    "system_info",
]


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
    """A scenario. name: as for `new --scenario`; rows: in the tables of its forces; lesson: the side that a beginner plays, or ""."""

    name: str
    title: str
    about: str
    sides: tuple[tuple[str, str], ...]
    modules: tuple[str, ...]
    maps: tuple[str, ...]
    rows: int
    lesson: str = ""


def list_systems(*names: str) -> list[SystemInfo]:
    """The systems of these names or folders; without any, what is bundled or in the user's folder. Raises NotFound."""
    return [system_info(ref) for ref in ([find_system(one) for one in names] or located())]


def names_of_systems() -> list[str]:
    """The names of the systems that `list_systems` lists; their texts are not read."""
    return [ref.name for ref in located()]


def system_info(ref: SystemRef) -> SystemInfo:
    """The entry of a system in a list of systems."""
    text = load_for_play(ref)
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
        text = load_for_play(ref)
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


def scenario_of(name: str) -> tuple[SystemText, d.Scenario, ScenarioRef]:
    """A scenario by name or path. Raises NotFound, CampaignError."""
    ref = _scenario_ref(name)
    text = load_for_play(ref.system)
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
        text = load_for_play(ref)
        if not any(isinstance(x, d.Scenario) and x.name == short for x in text.declarations):
            if errors := [problem for problem in text.problems if problem.is_error]:  # it may be in what was not read
                raise RuleTextError(errors, text.files) from None
            raise
        return ScenarioRef(f"{ref.name}/{short}", ref, ref.folder)
