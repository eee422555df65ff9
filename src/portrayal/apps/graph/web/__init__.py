"""Pages on which people annotate relations: one vertex at a time, with a personal link each."""
