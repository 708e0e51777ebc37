"""Several maps used in one game: which places there are, and whether the places of one map lie in those of another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from dsl.data.map_data import between_label
from dsl.data.maps import has_label, read_map
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.source import Span


def check_together(ruleset: Ruleset, maps: Sequence[d.Map], span: Span) -> tuple[dict[str, str], list[Diagnostic]]:
    """The places of the maps of one game with the kind of each, and the problems where the maps do not fit together."""
    problems: list[Diagnostic] = []
    places: dict[str, str] = {}
    inside: list[_Within] = []
    for node in maps:
        data, _ = read_map(ruleset, node)
        twice = next((label for label in data.fields if label in places), "")
        if twice:
            hint = f"Number its places differently: `numbered {node.name[:1].upper()}-0101`."
            problems.append(at("E336", f"Two of the maps have a place {twice}.", span, word=node.name, hint=hint))
        places.update(dict.fromkeys(data.fields, node.of))
        places.update({between_label(a, b): kind for kind, a, b in data.between})
        lying = [x.name for x in ruleset.kinds.values() if x.between == node.of]
        places.update({between_label(a, b): kind for kind in lying for a, b in data.borders})
        inside += [_Within(node, label, whole) for label, whole in data.inside.items()]
    return places, [*problems, *_without_wholes(ruleset, places, inside, span)]


@attrs.frozen(slots=True)
class _Within:
    """A place of a map that lies in a place of another map."""

    map: d.Map
    label: str
    whole: str


def _without_wholes(
    ruleset: Ruleset, places: dict[str, str], inside: list[_Within], span: Span
) -> Iterator[Diagnostic]:
    """Reports places that should contain others but are on no map, each once."""
    reported: set[str] = set()
    for x in inside:
        holder = ruleset.kinds[x.map.of].holder
        if places.get(x.whole) == holder or x.whole in reported:
            continue
        reported.add(x.whole)
        present = [k for k, of in places.items() if of == holder]
        wholes = [y.whole for y in inside if y.map is x.map]
        hint = did_you_mean(x.whole, present) if present else _map_beside(ruleset, x.map, wholes)
        message = f"`{x.whole}` contains {x.label}, but the scenario's maps have no {holder} of this name."
        yield at("E337", message, span, word=x.map.name, hint=hint)


def _map_beside(ruleset: Ruleset, node: d.Map, wholes: Iterable[str]) -> str:
    """Which maps can be used with one whose places lie in other places."""
    holder, wanted = ruleset.kinds[node.of].holder, set(wholes)
    able = [m.name for m in ruleset.maps.values() if m.of == holder and all(has_label(ruleset, m, w) for w in wanted)]
    if not able:
        return f"Add a map of {holder} with these places to the scenario."
    beside = f"`on {node.name} and {able[0]}`" + (f", or {' or '.join(able[1:])}" if able[1:] else "")
    return f"Add a map of {holder} to the scenario: {beside}."
