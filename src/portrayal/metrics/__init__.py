"""What it means: pure functions on arrays, one idea a file."""
