"""The BiasPainter part of a report."""
