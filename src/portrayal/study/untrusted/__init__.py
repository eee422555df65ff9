"""Studies of others: what running them would do, whether the user allows it, and looking at them without doing it."""
