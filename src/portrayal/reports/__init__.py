"""Pages from tables: pure, nothing read from disk."""

from portrayal.reports.data import FaceView, Perceived, Picture, ReportData
from portrayal.reports.page import render_report

__all__ = ["FaceView", "Perceived", "Picture", "ReportData", "render_report"]
