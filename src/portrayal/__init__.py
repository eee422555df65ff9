"""Portrayal measures how image generators portray people.

Importing the package loads nothing heavy; each room is imported where it is used.
"""

__version__ = "0.1.0"
__all__ = ["__version__"]
