"""Is B different from A: the rows of two sides matched, the difference of each with its interval, and a verdict."""
