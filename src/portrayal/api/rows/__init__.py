"""What a study holds and found, as rows."""
