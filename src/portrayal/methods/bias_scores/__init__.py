"""Bias scores of prompts as benchmarks define them: implicit, explicit, manifestation, at every level.

Methods that score prompts like this share it: what they ask, and how masses come about, is their own.
"""
