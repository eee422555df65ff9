"""What annotators of relations answer in a browser, on disk."""
