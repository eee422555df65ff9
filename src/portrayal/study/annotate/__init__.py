"""Annotate: let annotators look at images, and compare pairs of them."""
