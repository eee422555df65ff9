"""A static site of many studies: models in order as far as intervals carry, and permalinks to findings and pictures."""
