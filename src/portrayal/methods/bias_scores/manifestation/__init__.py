"""Manifestation: how stereotypes of two groups pull against each other."""
