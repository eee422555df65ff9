"""What is built on studies, a folder for each application, whole: its mathematics, tables, pages and commands."""

__all__ = ["BUILTIN"]

BUILTIN = ("studio", "compare", "labels", "arena", "graph", "atlas", "check", "history", "power", "publish")
"""The applications that come with Portrayal, in the order in which help lists their commands."""
