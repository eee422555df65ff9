"""Bias scores on a page: charts, sentences, what stands on the first screen, what is missing."""
