"""A report as one self-contained HTML page: it has no script and loads nothing. Every text is escaped."""

from markupsafe import Markup

from campaigns.report.report_model import Report
from ui.maps import svg_map
from ui.maps.chart import Chart
from ui.maps.charting import charts_of
from ui.pages.filling import filled
from ui.report.charts import ChartLine, line_chart
from ui.report.report_words import ReportWords
from ui.roster.roster_lines import sheets

__all__ = ["page"]


def page(report: Report) -> str:
    """The complete page."""
    words = ReportWords(report)
    short = {one.place for one in report.supply if one.place}
    maps = [_map(report, chart, short) for chart in charts_of(report.view) if chart.cells]
    rosters = sheets(report.view)
    return filled("report.html", r=report, words=words, maps=maps, charts=_charts(report, words), rosters=rosters)


def _map(report: Report, chart: Chart, short: set[str]) -> dict[str, object]:
    drawn = svg_map.draw(report.view, (chart,), ringed=short)  # svg_map escapes every text itself
    return {"title": chart.title, "svg": Markup(drawn), "ringed": bool(short & chart.by_label.keys())}  # noqa: S704


def _charts(report: Report, words: ReportWords) -> list[dict[str, object]]:
    moments = report.losses.moments
    heads = [words.moment(one) for one in moments]
    found: list[dict[str, object]] = []
    for title, what in (("Strength over time", "strength"), ("Units over time", "units")):
        lines = [
            ChartLine(
                words.side(side.id), words.colour(side), tuple(getattr(one.sides[side.id], what) for one in moments)
            )
            for side in report.sides
            if what == "units"
            or not any(one.sides[side.id].partly for one in moments)  # it would seem to grow as it is seen
        ]
        if drawn := line_chart(title, heads, lines):
            found.append({"title": title, "svg": Markup(drawn)})  # noqa: S704 (line_chart escapes every text itself)
    return found
