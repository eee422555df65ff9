"""Differences between two sides, in words."""
