"""The numbers of differences: columns, tests, intervals, and what missing images could do to verdicts."""
