"""Implicit scores: what prompts that name no group show, beside demographic shares."""
