"""The arena: people compare two pictures of hidden models, and models are rated by their votes."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="People who judge",
    commands=Entry(".commands.arena_commands:arena", "Let people compare pictures, and rate models by votes."),
    table=Entry(".config:ArenaConfig"),
    texts="texts",
    server=Entry(
        ".web.serve_arena:serve",
        "people compare two pictures of hidden models in a browser",
        ("fastapi", "sqlalchemy", "uvicorn"),
        "web",
    ),
)
