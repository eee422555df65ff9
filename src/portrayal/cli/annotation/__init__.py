"""Commands about annotators, and their lines for a terminal."""
