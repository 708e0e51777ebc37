"""Maps written in rule text and the places they have. Each map is read once and kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from dsl.data.map_data import MapData, between_label, neighbours_on_grid, numbering, void_letters
from dsl.data.map_joins import links, places_between, places_inside
from dsl.data.map_places import places_drawn, places_named, places_of_grid
from dsl.data.map_reading import MapReading
from dsl.rules.memo import kept
from dsl.rules.rows import cells
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean


def read_map(ruleset: Ruleset, node: d.Map) -> tuple[MapData, list[Diagnostic]]:
    """A map, with every letter, row and name checked. It is cached and must not be changed."""

    def read() -> tuple[MapData, list[Diagnostic]]:
        problems: list[Diagnostic] = []
        return _read(ruleset, node, problems), problems

    return kept(ruleset, ("map", id(node)), read)


def _read(ruleset: Ruleset, node: d.Map, problems: list[Diagnostic]) -> MapData:
    """Reads everything in a map."""
    info = ruleset.kinds.get(node.of)
    if info is None or info.word != "place" or info.node is None or info.between:
        hint = did_you_mean(node.of, [k for k in ruleset.place_kinds() if not ruleset.kinds[k].between])
        problems.append(at("E103", f"There is no kind of place {node.of}.", node.span, hint=hint, word=node.of))
        return MapData(node)
    m = MapReading(ruleset, node, info, info.node, MapData(node), problems)
    between = {k.plural: k for k in ruleset.kinds.values() if k.between == info.name}
    whole = ruleset.kinds[info.holder].plural if info.holder else ""
    _check_sections(m, [*([whole] if whole else []), *between], between)
    if not (places_of_grid(m) if m.kind.grid else places_drawn(m)):
        return m.data
    if "named" in m.sections:
        places_named(m, m.sections["named"])
    if whole in m.sections:
        places_inside(m, m.sections[whole], whole)
    for plural, kind in between.items():
        if plural in m.sections:
            places_between(m, m.sections[plural], kind)
    links(m)
    return m.data


def _check_sections(m: MapReading, joined: list[str], between: Collection[str]) -> None:
    """Reports sections that such a map cannot have. joined: the plurals of the kinds that contain its places or lie `between` them."""
    known = [*(["letters", "grid"] if m.kind.grid else ["places"]), "named", *joined]
    for name, section in m.sections.items():
        if name not in known:
            message = f"A map of {m.info.name} has no section {name}."
            hint = did_you_mean(name, known) or f"Its sections can be {', '.join(known[:-1])} and {known[-1]}."
            if cells(section.rows[0])[:2] == ["from", "to"]:
                hint = _printed_between(m.info.plural, between)
            m.problem("E313", message, section.span, hint, name)


def _printed_between(plural: str, between: Collection[str]) -> str:
    """Where the values of what lies between two places are written."""
    if between:
        return f"What lies between two {plural} is under the plural of its kind: `{'`, `'.join(f'{x}:' for x in between)}`."
    return f"Declare what lies between two {plural} first, as in `place way, between {plural}:`, and list the values under `ways:`."


def numbered_kinds(ruleset: Ruleset, label: str, here: Iterable[str] = ()) -> list[str]:
    """The kinds of place that have this label on some map of the system. here: the maps to search, where they are known."""
    known = list(here)
    names = [name for name in known if name in ruleset.maps] if known else ruleset.maps
    nodes = [ruleset.maps[name] for name in names if ruleset.maps[name].of in ruleset.kinds]
    found = dict.fromkeys(node.of for node in nodes if has_label(ruleset, node, label))
    return list(found or dict.fromkeys(kind for node in nodes for kind in _lying_between(ruleset, node, label)))


def _lying_between(ruleset: Ruleset, node: d.Map, label: str) -> Iterator[str]:
    """The kinds of place that lie between two neighbours of a map, if the label names both: `alba-bern`."""
    kinds = [x.name for x in ruleset.kinds.values() if x.between == node.of]
    for number in range(1, label.count("-") + 1) if kinds else ():
        parts = label.split("-")
        a, b = "-".join(parts[:number]), "-".join(parts[number:])
        if between_label(a, b) == label and _neighbours(ruleset, node, a, b):
            yield from kinds


def _neighbours(ruleset: Ruleset, node: d.Map, a: str, b: str) -> bool:
    """Whether a map has two places next to each other."""
    if not (has_label(ruleset, node, a) and has_label(ruleset, node, b)):
        return False
    kind, one, other = ruleset.kinds[node.of].node, _spot(node, a), _spot(node, b)
    if kind is not None and kind.grid and one is not None and other is not None:
        return neighbours_on_grid(kind.grid, kind.corners, node.low, one, other)
    return not {(a, b), (b, a)}.isdisjoint(read_map(ruleset, node)[0].borders)


def _spot(node: d.Map, label: str) -> tuple[int, int] | None:
    """The printed column and row of a label on a grid, whether or not there is such a place; None for any other label."""
    how = numbering(node)
    number = label.removeprefix(how.prefix) if how is not None else ""
    if how is None or not label.startswith(how.prefix) or not number.isdigit() or len(number) != 2 * how.digits:
        return None
    return int(number[: how.digits]), int(number[how.digits :])


def has_label(ruleset: Ruleset, node: d.Map, label: str) -> bool:
    """Whether a map has a place with this label."""
    kind = ruleset.kinds[node.of].node
    if kind is None or not kind.grid:
        rows = next((s.rows for s in node.sections if s.name == "places"), ())
        return any(row.text.split("|")[0].strip() == label for row in rows[1:])
    how, spot = numbering(node), _spot(node, label)
    if how is None or spot is None:
        return False
    column, row = spot[0] - how.first_column, spot[1] - how.first_row
    if not (0 <= column < node.columns and 0 <= row < node.rows):
        return False
    return not void_letters(node) or (column, row) not in read_map(ruleset, node)[0].holes
