"""Which key may go to which host: known pairs, and those that the user has allowed on this machine.

What the user allowed is in a file of the user's own, never in a study: a study from somebody else may name any variable
of the environment and any host.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from portrayal.csvfile import read_shipped
from portrayal.errors import ConfigError, InputError
from portrayal.services.addresses import is_host, is_local
from portrayal.store.user_settings import settings_file, write_settings

__all__ = ["allow", "allowed", "forget", "host_of", "key_file", "known", "may_send"]

_COLUMNS = ("variable", "host")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HOST = re.compile(r"(http://)?([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
_PLAIN = "http://"
_HEADER = "# Which environment variables may be sent to which hosts; see: portrayal keys --help\n[hosts]\n"


def may_send(variable: str, url: str) -> bool:
    """Return whether the key in ``variable`` may go to the service at ``url``.

    >>> may_send("OPENAI_API_KEY", "https://api.openai.com/v1"), may_send("OPENAI_API_KEY", "http://api.openai.com/v1")
    (True, False)
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if not is_host(host):
        return False
    known_host = known().get(variable, "")
    if known_host and parts.scheme == "https" and (host == known_host or host.endswith(f".{known_host}")):
        return True
    return any(_matches(entry, url) for entry in allowed().get(variable, ()))


def host_of(url: str) -> str:
    """Return the host of ``url`` as it is written when it is allowed; one asked without encryption says so.

    >>> host_of("https://Images.Example/v1"), host_of("http://127.0.0.1:8000/v1"), host_of("http://images.example:80")
    ('images.example', '127.0.0.1', 'http://images.example')
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    return f"{_PLAIN}{shown}" if parts.scheme == "http" and not is_local(url) else shown


def key_file() -> Path:
    """Return the file that holds what the user allowed."""
    return settings_file("keys.toml")


def allowed() -> Mapping[str, Sequence[str]]:
    """Return the hosts that the user allowed for each variable."""
    path = key_file()
    try:
        hosts = tomllib.loads(path.read_text(encoding="utf-8")).get("hosts", {})
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        hosts = None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if not isinstance(hosts, dict) or not all(map(_is_list, hosts.values())):
        raise InputError(f"{path}: not as portrayal keys writes it; delete it and allow your keys again")
    return hosts


def allow(variable: str, host: str) -> None:
    """Let the key in ``variable`` go to ``host``, ``host:port``, or ``http://host`` without encryption, from now on."""
    entry = _checked(variable, host)
    hosts = {name: list(entries) for name, entries in allowed().items()}
    if entry not in hosts.setdefault(variable, []):
        hosts[variable].append(entry)
        _write(hosts)


def forget(variable: str, host: str) -> None:
    """Take back what was allowed."""
    entry = _checked(variable, host)
    hosts = {name: list(entries) for name, entries in allowed().items()}
    if entry not in hosts.get(variable, ()):
        raise InputError(f"{variable} was not allowed for {entry}; see: portrayal keys")
    hosts[variable].remove(entry)
    _write({name: entries for name, entries in hosts.items() if entries})


@functools.cache
def known() -> Mapping[str, str]:
    """Return the usual variables of services and the host of each; its subdomains count as that host."""
    rows = read_shipped("portrayal.services", "key_hosts.csv", _COLUMNS)
    return {row["variable"]: row["host"] for row in rows}


def _matches(entry: str, url: str) -> bool:
    parts, wanted = urlsplit(url), urlsplit(f"//{entry.removeprefix(_PLAIN)}")
    if parts.scheme != "https" and not entry.startswith(_PLAIN) and not is_local(url):
        return False
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return wanted.hostname == parts.hostname and wanted.port in (None, port)


def _checked(variable: str, host: str) -> str:
    if not _VARIABLE.fullmatch(variable):
        # What was given may be the key itself, so it is not repeated.
        raise ConfigError("the first word is no name of an environment variable; give the name, never the key")
    entry = host.strip().lower().removeprefix("https://").rstrip("/")
    if not _is_entry(entry):
        raise ConfigError("the second word is no host; give it as host, host:port or http://host, without a path")
    return entry


def _is_list(entries: object) -> bool:
    return isinstance(entries, list) and all(isinstance(entry, str) and _is_entry(entry) for entry in entries)


def _is_entry(entry: str) -> bool:
    """Return whether it is a host as it is kept: perhaps with a port that there is, perhaps without encryption."""
    if not _HOST.fullmatch(entry):
        return False
    try:
        wanted = urlsplit(f"//{entry.removeprefix(_PLAIN)}")
        return wanted.port != 0 and is_host(wanted.hostname or "")
    except ValueError:
        return False


def _write(hosts: Mapping[str, Sequence[str]]) -> None:
    lines = [f"{variable} = {json.dumps(entries)}\n" for variable, entries in sorted(hosts.items())]
    write_settings(key_file(), _HEADER + "".join(lines))
