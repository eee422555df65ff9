"""One sheet of A4 for who decides, from the same values as the first screen of the report."""
