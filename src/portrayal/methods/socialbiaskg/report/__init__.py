"""The section of a report: the matrix of relations, what models share with people, and the images behind an edge."""
