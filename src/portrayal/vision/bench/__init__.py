"""How fast images are annotated here, and what holds it up."""

from portrayal.vision.bench.measure import BenchResult, BenchSettings, bench, main

__all__ = ["BenchResult", "BenchSettings", "bench", "main"]
