"""Addresses: of services, and of the machines they are on. Which are written rightly, near, or public."""

from __future__ import annotations

import ipaddress
import re
import socket
from urllib.parse import urlsplit

from portrayal.errors import ConfigError

__all__ = ["check_url", "is_host", "is_local", "is_loopback", "is_public"]

_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def check_url(part: str, url: str) -> None:
    """Refuse an address that is none, or that holds what should be secret: it would end up in tables and reports.

    >>> check_url("generator 'openai'", "http://127.0.0.1:8000/v1")
    """
    try:
        parts = urlsplit(url)
        # Looked at as it was given: the parser takes line breaks out without a word.
        shown = url.isprintable() and not any(mark.isspace() for mark in url)
        named = is_host(parts.hostname or "")  # it is shown, and pasted into commands
        plain = shown and named and parts.scheme in ("http", "https") and parts.port != 0
    except ValueError:
        plain = False
    if not plain:
        raise ConfigError(f"{part}: give the address of the service as http://host:port or https://host")
    if "@" in parts.netloc or parts.query or parts.fragment:
        # Not repeated: it may hold a password.
        raise ConfigError(f"{part}: the address holds a user, a password or a query; give a key by key_env instead")


def is_host(host: str) -> bool:
    """Return whether ``host`` is a name or an address as services have them: no zone, no escapes, nothing to decode.

    >>> [is_host(host) for host in ("api.openai.com", "vllm", "10.0.0.7", "::1")]
    [True, True, True, True]
    >>> [is_host(host) for host in ("", "..", "evil.com%2f.api.openai.com", "2001:db8::1%.api.openai.com", "a:b")]
    [False, False, False, False, False]
    """
    if ":" not in host:
        return _NAME.fullmatch(host) is not None
    try:
        return "%" not in host and ipaddress.ip_address(host).version == 6
    except ValueError:
        return False


def is_local(url: str) -> bool:
    """Return whether ``url`` is of this machine or this network, where services need no key.

    >>> [is_local(url) for url in ("http://localhost:11434", "http://10.0.0.7/v1", "http://[::1]", "http://vllm:8000")]
    [True, True, True, True]
    >>> [is_local(url) for url in ("", "https://api.openai.com/v1", "http://8.8.8.8", "http://134744072")]
    [False, False, False, False]
    """
    host = (urlsplit(url).hostname or "") if url else ""
    try:
        address = _address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith((".local", ".localhost", ".internal")))
    return address.is_loopback or address.is_private or address.is_link_local


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return the address that a host is, also one written as a single number or in hexadecimal digits."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        if not host[:1].isdecimal():
            raise
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        raise ValueError(host) from None


def is_loopback(url: str) -> bool:
    """Return whether ``url`` names this machine.

    >>> [is_loopback(url) for url in ("http://localhost:8000", "http://127.0.0.1/v1", "http://[::1]", "http://10.0.0.7")]
    [True, True, True, False]
    """
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_public(address: str) -> bool:
    """Return whether an IP address is of the public internet: not of this machine, its network or a link.

    An IPv6 address that stands for an IPv4 one is as public as that.

    >>> [is_public(text) for text in ("8.8.8.8", "2606:4700::1111")]
    [True, True]
    >>> [is_public(text) for text in ("127.0.0.1", "10.0.0.7", "169.254.169.254", "0.0.0.0", "224.0.0.1")]
    [False, False, False, False, False]
    >>> [is_public(text) for text in ("::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fe80::1%eth0")]
    [False, False, False, False, False]
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1])
        if ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast
