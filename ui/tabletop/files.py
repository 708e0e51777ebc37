"""The files of a pack. Every text is escaped: forms contain names that strangers wrote."""

import base64
import csv
import io
import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import attrs
from markupsafe import Markup

from campaigns.tabletop import FORM, Pack
from campaigns.tabletop.result_form import blank_rows
from ui.cli.plain import one_line, plain
from ui.maps import svg_map
from ui.maps.chart import Chart, cut
from ui.maps.charting import charts_of
from ui.pages.filling import filled, own
from ui.roster.roster_cells import guarded
from ui.tabletop.pack_words import PackWords

__all__ = ["FILES", "as_json", "form_toml"]


def briefing(pack: Pack) -> str:
    """The page to read: situation, forces, terrain."""
    maps = [Markup(svg_map.draw(pack.view, (chart,))) for chart in _charts(pack)]  # noqa: S704 (svg_map escapes every text itself)
    return filled("briefing.html", p=pack, words=PackWords(pack), maps=maps, style=own("tabletop.css"))


def form_page(pack: Pack) -> str:
    """The form as a page that is filled in by hand or in a browser. Its script only writes the answers to a file."""
    script = own("result.js")
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    rows = lambda asked: blank_rows(pack, asked)  # noqa: E731
    given = {"p": pack, "words": PackWords(pack), "form": FORM, "digest": digest, "script": script, "rows": rows}
    return filled("result.html", **given, style=own("tabletop.css"))


def form_toml(pack: Pack) -> str:
    """The form as TOML, with a remark on each row."""
    words = PackWords(pack)
    lines = [
        f"# Result: {one_line(pack.table.title)}. Write the answers between the quotation marks, then:",
        "#   ophex import CAMPAIGN THIS-FILE --dry-run",
        f"form = {_quoted(FORM)}", f"battle = {_quoted(pack.table.name)}", f"mark = {_quoted(pack.mark)}",
    ]  # fmt: skip
    for asked in pack.table.results:
        if not blank_rows(pack, asked):
            continue
        lines += ["", f"# {words.asked(asked)}", f"[{asked.question}]"]
        lines += [f'{_quoted(key)} = ""  # {words.key(key)}' for key in blank_rows(pack, asked)]
    return plain("\n".join([*lines, ""]))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def forces_csv(pack: Pack) -> str:
    """The forces as a table."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("force", "side", "name", "title", "kind", "type", "place", "whole", "number", "lost", "state"))
    words = PackWords(pack)
    for force, units in pack.forces.items():
        for one in units:
            state = words.state(one)
            row = (force, one.side, one.name, one.title, one.kind, one.type, one.place, one.whole, one.number, "yes" if one.gone else "no", state)  # fmt: skip
            writer.writerow([cell if cell.isdecimal() else guarded(one_line(cell)) for cell in row])
    return out.getvalue()


def map_svg(pack: Pack) -> str:
    """The section of the map around the battle; the complete map if the rules do not define the terrain."""
    return plain(svg_map.draw(pack.view, _charts(pack)))


def _charts(pack: Pack) -> list[Chart]:
    labels = {label for label, _, _ in pack.ground}
    charts = [chart for chart in charts_of(pack.view) if chart.cells]
    if not labels:
        return charts
    labels |= {unit.place for unit in pack.units.values() if unit.place}
    return [cut(chart, labels) for chart in charts if labels & chart.by_label.keys()]


def as_json(pack: Pack) -> dict[str, Any]:
    """A pack as an object that can be written as JSON."""
    found: dict[str, Any] = attrs.asdict(pack, filter=lambda field, _: field.name != "view")
    found["ground"] = [{"place": label, "name": name, "fields": dict(fields)} for label, name, fields in pack.ground]
    found["table"]["facts"] = dict(pack.table.facts)
    found["table"].pop("forces")
    found["table"].pop("ground")
    return found


def json_text(pack: Pack) -> str:
    """The same as text."""
    from ui.cli.plain import escaped

    return escaped(f"{json.dumps(as_json(pack), indent=2, ensure_ascii=False)}\n")


FILES: dict[str, Callable[[Pack], str]] = {
    "briefing.html": briefing, "map.svg": map_svg, "result.html": form_page, "result.toml": form_toml, "forces.csv": forces_csv, "pack.json": json_text,
}  # fmt: skip
"""The files of a pack, by the endings of their names."""
