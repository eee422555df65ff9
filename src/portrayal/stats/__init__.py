"""Uncertainty: intervals, bootstrap."""
