"""Commands about image stores: where studies on this machine may keep their images."""

from __future__ import annotations

from typing import Annotated

import typer

from portrayal.cli.output import Json
from portrayal.terminal import say, say_json

__all__ = ["register"]

Address = Annotated[
    str, typer.Argument(metavar="ADDRESS", help="s3://bucket/prefix, gs:// or az:// likewise, or a folder.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    stores = typer.Typer(help="Tell where studies may keep images but in their own folder.", rich_markup_mode=None)
    stores.callback(invoke_without_command=True)(list_stores)
    stores.command("allow")(allow)
    stores.command("forget")(forget)
    app.add_typer(stores, name="stores")


def list_stores(context: typer.Context, as_json: Json = False) -> None:
    """List the buckets and folders that you allowed on this machine."""
    if context.invoked_subcommand:
        return
    from portrayal.store.allowed_stores import allowed_stores

    stores = list(allowed_stores())
    if as_json:
        say_json(stores)
    else:
        for store in stores:
            say(store)


def allow(address: Address) -> None:
    """Let studies on this machine keep images at ADDRESS and below it."""
    from portrayal.store.allowed_stores import allow_store, stores_file

    say(f"studies may keep images in {allow_store(address)}; kept in {stores_file()}")


def forget(address: Address) -> None:
    """Take back that studies may keep images at ADDRESS."""
    from portrayal.store.allowed_stores import forget_store

    say(f"studies may no longer keep images in {forget_store(address)}")
