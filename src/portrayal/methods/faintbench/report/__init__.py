"""FAIntbench in a report: its section of the page, and the paper's tables as files."""
