"""Comparisons with what was to be expected, and which of many are found."""
