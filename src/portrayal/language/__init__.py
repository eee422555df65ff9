"""The language that a page is written in, of a report as of a site: its texts and its numbers."""
