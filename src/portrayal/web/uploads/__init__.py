"""Files that a browser sends: read as they come, never all in memory, and never more than is allowed."""
