"""Evaluations of many models, compared; pure."""
