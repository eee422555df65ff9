"""Runs the measurement as a program of its own."""

from portrayal.vision.bench.measure import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
