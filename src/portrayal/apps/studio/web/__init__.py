"""The pages of the studio."""
