"""What the studio keeps beside studies: an index of their pictures."""
