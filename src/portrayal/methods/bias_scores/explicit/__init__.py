"""Explicit scores: whether prompts that ask for a group get it."""
