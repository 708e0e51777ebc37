"""Reports: one model of what a side, or the umpire, is told of a campaign (`model.py`), gathered through the gate (`gather.py`).

Who prints it as text, page or table is not known here.
"""

from campaigns.report.gather import Wanted, report_of
from campaigns.report.model import SCHEMA, Report
from campaigns.report.schema import as_json, json_schema

__all__ = ["SCHEMA", "Report", "Wanted", "as_json", "json_schema", "report_of"]
