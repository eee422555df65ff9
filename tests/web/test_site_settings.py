"""Addresses that browsers use."""

from __future__ import annotations

import pytest

from portrayal.errors import ConfigError
from portrayal.web.site_settings import SiteSettings, public_address


@pytest.mark.parametrize(
    ("root", "host", "address"),
    [
        ("", "127.0.0.1", "http://127.0.0.1:8000"),
        ("", "::1", "http://[::1]:8000"),
        ("https://arena.example.org", "0.0.0.0", "https://arena.example.org"),
        ("https://Arena.Example.org:8443/", "0.0.0.0", "https://arena.example.org:8443"),
        ("http://localhost:9000", "127.0.0.1", "http://localhost:9000"),
    ],
)
def test_the_public_address(root: str, host: str, address: str) -> None:
    assert public_address(root, host, 8000) == address


@pytest.mark.parametrize(
    "root",
    ["arena.example.org", "ftp://x", "https://", "https://x/arena", "https://x?y", "https://a:b@x", "https://x:99999"],
)
def test_a_wrong_address_is_one_line(root: str) -> None:
    with pytest.raises(ConfigError, match=r"--root-url .* is not an address such as"):
        public_address(root, "127.0.0.1", 8000)


def test_only_tls_is_secure() -> None:
    assert SiteSettings("https://x").secure
    assert not SiteSettings("http://x").secure
    assert SiteSettings("https://x").link("abc") == "https://x/r/abc"
