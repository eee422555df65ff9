"""What the first screen says, in words."""
