"""What annotators say about relations, from sheets to one graph; pure."""
