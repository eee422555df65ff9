from __future__ import annotations

import pytest

from portrayal.errors import ConfigError
from portrayal.services.addresses import check_url, is_local


@pytest.mark.parametrize(
    "url",
    [
        "http://me:planted@host/v1",
        "https://planted@host",
        "https://host/?api_key=planted",
        "https://host/#planted",
        "ftp://planted",
        "planted",
        "http://",
        "http://[planted",
        "http://host:planted",
        "http://$(planted)/v1",
        "http://host;planted/v1",
        "http://\x1b[31mplanted/v1",
        "http://host/planted\n/v1",
        "http://host/planted\x1b[2J",
        "http://host/\u202eplanted",
        "http://host /planted",
        "http://host:65536/planted",
        "http://planted..host",
        "https://planted%2f.api.openai.com",
        "https://planted%00.api.openai.com",
        "https://[2001:db8::1%.planted.com]",
    ],
)
def test_an_address_with_secrets_or_without_a_host_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ConfigError, match="address") as caught:
        check_url("generator 'x'", url)
    assert "planted" not in str(caught.value)


def test_what_is_local() -> None:
    check_url("x", "http://127.0.0.1:1/v1")
    local = [
        "http://127.0.0.1:1",
        "http://192.168.1.5/v1",
        "http://gpu.local",
        "http://localhost",
        "http://ollama:11434",
        "http://2130706433",
    ]
    assert [url for url in local if not is_local(url)] == []
    public = ["", "https://api.openai.com", "https://1.1.1.1", "http://example.org"]
    public += ["http://134744072", "http://0x08080808", "http://8.525320", "http://0x8.8.8.8"]
    assert [url for url in public if is_local(url)] == []
