"""What a page says first: which deviations were found, which cannot be there, and what the data cannot tell."""
