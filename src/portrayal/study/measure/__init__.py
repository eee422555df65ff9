"""Measure: from observations to the numbers of every method."""
