"""`ophex map`: draws the map as a side sees it, as text, as a picture or as a graph."""

import argparse
import shutil
import sys
from typing import TYPE_CHECKING

from ui.cli import seats, talking
from ui.cli.exits import UsageError
from ui.cli.plain import plain
from ui.cli.whole import put

if TYPE_CHECKING:
    import networkx as nx

    from ui.maps.chart import Cell, Chart

EXAMPLES = """\
ophex map my.ophex --as red --around 0304
ophex map my.ophex -o map.svg
ophex map my.ophex --layer 'far=distance from tf-1 to here' -o map.svg"""
KEYS = """\
format                "text", "svg" or "graphml"
map                   the title of the first map drawn
text                  the map as it would have been printed"""
ABOUT = """

The formats are text with a legend, SVG (a picture) and GraphML (a graph for networkx, Gephi or
yEd)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    talking.add_side(parser, "show what this side may see (default: everything, as the umpire)")
    talking.add_format(parser, ("text", "svg", "graphml"))
    parser.add_argument("-o", "--out", metavar="FILE", help="write to FILE instead of printing")
    parser.add_argument("--on", metavar="MAP", default="", help="draw only this map, by its title (default: all maps)")
    parser.add_argument("--small", action="store_true", help="text: letters only, without hex numbers")
    parser.add_argument("--around", metavar="PLACE", default="", help="text: draw only the area around a place")
    parser.add_argument("--within", type=int, default=5, metavar="N", help="text: how many steps around it (default 5)")
    parser.add_argument(
        "--layer",
        metavar="NAME=EXPRESSION",
        action="append",
        default=[],
        help="show the value of an expression about `here` in each place instead of the terrain; graphml: as an attribute (repeatable)",
    )
    talking.add_talk(parser)
    talking.epilog(parser, EXAMPLES, KEYS)


def run(args: argparse.Namespace) -> int:
    """Draw the map."""
    from pathlib import Path

    args.format = talking.format_of(args)
    with talking.open_campaign(args.campaign) as campaign:
        side = seats.side_of(campaign, args.side, to_read=True)
        view = campaign.game.view(side)
        from ui.maps.charting import charts_of

        charts = _chosen(charts_of(view), args)
        layers = _layers(args)
        graph = (
            campaign.game.map_graph(side, layers, charts[0].name if args.on else "")
            if layers or args.format == "graphml"
            else None
        )
    if graph is not None and args.format != "graphml":
        shown = tuple(_with_layer(chart, graph, *layer) for chart in charts for layer in layers.items())
        charts = tuple(chart for chart in shown if chart.layer and chart.layer.values) or shown
    if graph is not None and args.format == "graphml":
        import networkx as nx

        drawn = "\n".join([*nx.generate_graphml(graph), ""])
    elif args.format == "svg":
        from ui.maps import svg_map

        drawn = svg_map.draw(view, charts)
    else:
        drawn = "\n".join(_text(chart, args) for chart in charts)
    if args.out:
        put(Path(args.out), plain(drawn))
        talking.note(f"Wrote {args.out}.")
    elif args.json:
        talking.print_json({"format": args.format, "map": charts[0].title, "text": drawn})
    else:
        print(drawn, end="")
    return 0


def _chosen(charts: "tuple[Chart, ...]", args: argparse.Namespace) -> "tuple[Chart, ...]":
    """The maps to draw: all, the one with the given title, or the one that has the given place."""
    if args.on:
        found = tuple(chart for chart in charts if args.on.lower() in {chart.title.lower(), chart.name.lower()})
        if not found:
            known = ", ".join(chart.title for chart in charts)
            raise UsageError(f"There is no map '{args.on}'.", f"The maps are: {known}.", "unknown-name", name=args.on)
        return found
    if args.around:
        named = args.around.lower()
        found = tuple(c for c in charts if c.at(args.around) or any(x.name.lower() == named for x in c.cells.values()))
        return found[:1] or charts[:1]
    return charts


def _layers(args: argparse.Namespace) -> dict[str, str]:
    """The expressions of layers by name. Raises UsageError."""
    if len(args.layer) > 1 and args.format != "graphml":
        raise UsageError(
            "A map shows one layer at a time.", "Give one --layer, or add --format graphml: a graph takes several."
        )
    found: dict[str, str] = {}
    for given in args.layer:
        name, equals, expression = (part.strip() for part in given.partition("="))
        if not (name and equals and expression):
            raise UsageError(
                f"'{given}' is not a layer.", "Write NAME=EXPRESSION, for example far=distance from tf-1 to here."
            )
        if name in found:
            raise UsageError(f"Two layers are named '{name}'.", "Give each layer a different name.")
        found[name] = expression
    return found


def _with_layer(chart: "Chart", graph: "nx.Graph[str]", name: str, expression: str) -> "Chart":
    """A map that shows the values of a layer."""
    from attrs import evolve

    from ui.maps.map_layer import MapLayer

    found = {label: said[name] for label, said in graph.nodes(data=True) if name in said and chart.at(label)}
    values = {label: ("no", "yes")[x] if isinstance(x, bool) else x for label, x in found.items()}
    return evolve(chart, layer=MapLayer(name, expression, values))


def _text(chart: "Chart", args: argparse.Namespace) -> str:
    from ui.maps import text_map
    from ui.maps.chart import part_around

    middle = _middle(chart, args.around) if args.around else None
    if middle is not None and not chart.has_grid:
        chart, middle = part_around(chart, middle, args.within), None
    box = _box(chart, middle, args.within) if middle is not None else None
    columns = box[2] - box[0] + 1 if box else chart.columns
    too_wide = sys.stdout.isatty() and 5 * columns + 4 > shutil.get_terminal_size().columns
    drawn = text_map.draw(chart, numbers=not (args.small or too_wide), box=box)
    return "\n".join([chart.title, "", *drawn, "", *text_map.legend(chart, box=box), ""])


def _middle(chart: "Chart", around: str) -> "Cell":
    """A place, given by its label or its name. Raises UsageError."""
    named = {cell.name.lower(): cell for cell in chart.cells.values() if cell.name}
    middle = chart.at(around) or named.get(around.lower())
    if middle is None:
        known = ", ".join(sorted(cell.name for cell in named.values())[:8]) or next(iter(chart.by_label), "")
        said = f"The map has no place '{around}'."
        raise UsageError(said, f"Places are, for example: {known}.", "unknown-name", place=around)
    return middle


def _box(chart: "Chart", middle: "Cell", within: int) -> tuple[int, int, int, int]:
    """The columns and rows around a place of a grid."""
    return (
        max(middle.column - within, 0),
        max(middle.row - within, 0),
        min(middle.column + within, chart.columns - 1),
        min(middle.row + within, chart.rows - 1),
    )
