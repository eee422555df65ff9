"""Adaptive runs: images are drawn in rounds, and only where they still change the answer."""
