"""Report: what the page of a study shows, gathered and written."""
