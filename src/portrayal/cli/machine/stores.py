"""Commands about image stores: where studies on this machine may keep their images."""

from __future__ import annotations

from typing import Annotated

import typer

from portrayal.commands.command_lists import command_group
from portrayal.commands.options import Json
from portrayal.terminal import say, say_json

__all__ = ["stores"]

_HELP = """List the buckets and folders that may keep images.

Without a command, lists them. A study keeps images in its own folder, unless [storage] in its study.toml names a
bucket or another folder. Allow that place on this machine first, and take it back when you are done:

\b
  portrayal stores allow s3://bucket/prefix
  portrayal stores forget s3://bucket/prefix
"""

Address = Annotated[
    str, typer.Argument(metavar="ADDRESS", help="s3://bucket/prefix, gs:// or az:// likewise, or a folder.")
]


def list_stores(context: typer.Context, as_json: Json = False) -> None:
    """List the buckets and folders that you allowed on this machine."""
    if context.invoked_subcommand:
        return
    from portrayal.store.images.allowed_stores import allowed_stores

    stores = list(allowed_stores())
    if as_json:
        say_json(stores)
    else:
        for store in stores:
            say(store)


def allow(address: Address) -> None:
    """Let studies keep images at ADDRESS and below it.

    This holds for every study on this machine.
    """
    from portrayal.store.images.allowed_stores import allow_store, stores_file

    say(f"studies may keep images in {allow_store(address)}; kept in {stores_file()}")


def forget(address: Address) -> None:
    """No longer let studies keep images at ADDRESS."""
    from portrayal.store.images.allowed_stores import forget_store

    say(f"studies may no longer keep images in {forget_store(address)}")


stores = command_group(_HELP, list_stores, allow=allow, forget=forget)
