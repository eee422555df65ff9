"""The commands about graphs."""
