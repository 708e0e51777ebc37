"""Reports: one model (`report_model.py`) of what a side, or the umpire, may read of a campaign, gathered through the gate.

Nothing here knows how a report is printed: as text, page or table.
"""

from campaigns.report.gather_report import Wanted, report_of
from campaigns.report.report_model import SCHEMA, Report
from campaigns.report.report_schema import as_json, json_schema
from campaigns.report.story_read import BEGINNING

__all__ = ["BEGINNING", "SCHEMA", "Report", "Wanted", "as_json", "json_schema", "report_of"]
