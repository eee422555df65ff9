"""MAGBIG in a report: its section of the page."""
