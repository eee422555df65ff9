"""Which rater compares which images next, and what they have answered so far; in memory, without disk or network."""
