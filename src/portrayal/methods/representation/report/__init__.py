"""Representation in a report: the headline numbers, and every term against its reference."""
