"""What was seen: observations of an annotator, two pictures compared, what rounding cost, and votes of people."""
