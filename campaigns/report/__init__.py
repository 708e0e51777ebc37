"""Reports: one model of what a side, or the umpire, is told about a campaign (`report_model.py`), gathered through the gate (`gather_report.py`).

Who prints it as text, page or table is not known here.
"""

from campaigns.report.gather_report import Wanted, report_of
from campaigns.report.report_model import SCHEMA, Report
from campaigns.report.report_schema import as_json, json_schema

__all__ = ["SCHEMA", "Report", "Wanted", "as_json", "json_schema", "report_of"]
