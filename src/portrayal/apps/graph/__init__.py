"""Graphs: people annotate how occupations and groups relate, and what they say becomes one graph."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="People who judge",
    commands=Entry(".commands.graph_commands:graph", "Let people annotate how occupations and groups relate."),
    texts="texts",
    server=Entry(
        ".web.serve_graph:serve", "people annotate relations in a browser", ("fastapi", "sqlalchemy", "uvicorn"), "web"
    ),
)
