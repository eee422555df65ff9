"""Labels: people say in a browser, or on a sheet, whom they see in pictures; their word corrects annotators."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="People who judge",
    commands=Entry(".commands.label_commands:labels", "Let people label pictures, on a sheet or in a browser."),
    table=Entry(".config:LabelsConfig"),
    texts="texts",
    server=Entry(
        ".web.serve_labels:serve",
        "people label whom pictures show in a browser",
        ("fastapi", "sqlalchemy", "uvicorn"),
        "web",
    ),
)
