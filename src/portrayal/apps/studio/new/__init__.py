"""A new study from a page: what can be chosen, and the study.toml that comes of it."""
