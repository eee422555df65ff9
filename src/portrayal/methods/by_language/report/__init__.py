"""Shares by language on a page: what was seen, its charts and its words."""
