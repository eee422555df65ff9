"""Commands that make a new study: of one's own, and the demo."""
