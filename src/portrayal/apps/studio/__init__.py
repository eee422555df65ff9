"""Studio: audit a model from the browser: create a study, run it, look at every picture, read, compare."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="A study",
    commands=Entry(".commands.studio_command:app", "Create, run and read studies in a browser."),
    texts="texts",
    server=Entry(
        ".web.serve_studio:serve",
        "create, run and read studies in a browser",
        ("fastapi", "sqlalchemy", "uvicorn"),
        "web",
    ),
)
