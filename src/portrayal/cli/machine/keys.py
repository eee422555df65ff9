"""Commands about keys of services: which variable of the environment may be sent to which host."""

from __future__ import annotations

from typing import Annotated

import typer

from portrayal.commands.command_lists import command_group
from portrayal.commands.options import Json
from portrayal.terminal import say, say_json, say_table

__all__ = ["keys"]

_HELP = """Show which keys may be sent to which hosts.

Without a command, lists them. A key is read from an environment variable and sent only to its usual host. Before a
study can send it to another host, allow that on this machine; take it back when you are done:

\b
  portrayal keys allow OPENAI_API_KEY proxy.example.org
  portrayal keys forget OPENAI_API_KEY proxy.example.org
"""

Variable = Annotated[str, typer.Argument(metavar="VARIABLE", help="The name of the environment variable, not the key.")]
Host = Annotated[
    str,
    typer.Argument(metavar="HOST", help="host or host:port; http://host if the key may be sent unencrypted."),
]


def list_keys(context: typer.Context, as_json: Json = False) -> None:
    """List which variable may go to which host: usual pairs, and those that you allowed on this machine."""
    if context.invoked_subcommand:
        return
    from portrayal.services.key_hosts import allowed, known

    rows = [(variable, host, "usual") for variable, host in known().items()]
    rows += [(variable, host, "allowed by you") for variable, hosts in allowed().items() for host in hosts]
    if as_json:
        say_json([{"variable": variable, "host": host, "by": by} for variable, host, by in rows])
    else:
        say_table(("variable", "host", ""), rows)


def allow_key(variable: Variable, host: Host) -> None:
    """Let the key in VARIABLE be sent to HOST.

    This holds for every study on this machine.
    """
    from portrayal.services.key_hosts import allow, key_file

    allow(variable, host)
    say(f"{variable} may be sent to {host}; kept in {key_file()}")


def forget_key(variable: Variable, host: Host) -> None:
    """No longer let the key in VARIABLE be sent to HOST."""
    from portrayal.services.key_hosts import forget

    forget(variable, host)
    say(f"{variable} is no longer sent to {host}")


keys = command_group(_HELP, list_keys, allow=allow_key, forget=forget_key)
