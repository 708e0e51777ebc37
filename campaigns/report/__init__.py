"""Reports: one model of what a side, or the umpire, may read of a campaign (`report_model.py`), gathered through the gate (`gather_report.py`).

Nothing here knows how a report is printed: as text, page or table.
"""

from campaigns.report.gather_report import Wanted, report_of
from campaigns.report.report_model import SCHEMA, Report
from campaigns.report.report_schema import as_json, json_schema

__all__ = ["SCHEMA", "Report", "Wanted", "as_json", "json_schema", "report_of"]
