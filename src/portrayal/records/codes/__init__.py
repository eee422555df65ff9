"""What is to be known of a number, and why something is missing: codes with values, worded by the page."""
