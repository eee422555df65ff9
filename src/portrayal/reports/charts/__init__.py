"""Charts as values, and what draws them as SVG."""
