"""What is labelled, by whom, and what follows from it: neither disk nor network."""
