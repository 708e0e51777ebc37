"""Tables of a campaign for spreadsheets: the order of battle, which `ophex roster --in` reads back, and the tables of a report."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ui.cli.playing import OpenCampaign

__all__ = ["rows_of", "table_of"]

FORCES = "forces"


def table_of(campaign: "OpenCampaign", name: str, side: str) -> str:
    """A table as CSV, as one side may know it. name: FORCES, or a part of a report."""
    from ui.cli.playing import UMPIRE

    if name == FORCES:
        from campaigns.views.force_forest import forest
        from ui.roster.roster_files import as_table

        game = campaign.game
        return as_table(game.roster_kinds(), forest(game.view(side)), for_side=side != UMPIRE)
    from campaigns.report import Wanted, report_of
    from ui.report.report_tables import as_csv

    return as_csv(report_of(campaign, side, Wanted("1")), name)


def rows_of(campaign: "OpenCampaign", name: str, side: str) -> list[dict[str, Any]]:
    """The same table as data: a row each, by its headings; None for what the side may not know."""
    from ui.cli.playing import UMPIRE

    if name == FORCES:
        from campaigns.views.force_forest import everything, forest
        from ui.roster.roster_files import cells_of, headings_of

        kinds, nodes = campaign.game.roster_kinds(), forest(campaign.game.view(side))
        headings = headings_of(kinds, nodes)
        cells = (cells_of(node, kinds[node.thing.kind], for_side=side != UMPIRE) for node in everything(nodes))
        return [{heading: one.get(heading, "") for heading in headings} for one in cells]
    from campaigns.report import Wanted, report_of
    from ui.report.report_tables import PARTS

    heading, rows = PARTS[name](report_of(campaign, side, Wanted("1")))
    return [dict(zip(heading, row, strict=True)) for row in rows]
