"""Work that somebody waits for: how far it is, and what Ctrl-C does."""
