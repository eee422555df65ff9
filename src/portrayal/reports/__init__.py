"""Pages from tables: pure, nothing read from disk."""
