"""Pages from tables: pure, nothing read from disk."""

from portrayal.reports.data import FaceView, Picture, ReportData
from portrayal.reports.page import render_report

__all__ = ["FaceView", "Picture", "ReportData", "render_report"]
