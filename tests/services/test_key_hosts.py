from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import ConfigError, InputError, StorageError
from portrayal.services.key_hosts import allow, allowed, forget, host_of, key_file, known, may_send

Ran = subprocess.CompletedProcess[str]


@pytest.fixture(autouse=True)
def _nothing_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def test_usual_keys_go_to_their_own_service_only() -> None:
    for variable, host in known().items():
        assert may_send(variable, f"https://{host}/v1")
        assert may_send(variable, f"https://eu.{host}/v1")
        for other in (f"http://{host}/v1", f"https://{host}.evil.example", f"https://evil{host}", "http://127.0.0.1:1"):
            assert not may_send(variable, other)
        for evil in ("evil.com%2f", "evil.com%00", "[2001:db8::1%"):
            assert not may_send(variable, f"https://{evil}.{host}{']' if '[' in evil else ''}/v1")
        assert not may_send("AWS_SECRET_ACCESS_KEY", f"https://{host}/v1")


@pytest.mark.parametrize(
    ("entry", "sent", "kept"),
    [
        ("Images.Example", ["https://images.example/v1", "https://images.example:8443"], ["http://images.example"]),
        ("images.example:8443", ["https://images.example:8443/v1"], ["https://images.example", "http://images.example:8443"]),
        ("images.example:443", ["https://images.example"], ["https://images.example:444"]),
        ("http://images.example", ["http://images.example:80", "https://images.example"], ["https://x.images.example"]),
        ("https://images.example/", ["https://images.example/v1"], ["http://images.example"]),
        ("127.0.0.1", ["http://127.0.0.1:7860", "https://127.0.0.1"], ["http://127.0.0.2", "http://localhost"]),
        ("[::1]", ["http://[::1]:7860"], ["http://127.0.0.1"]),
        ("gpu.local", ["http://gpu.local:8188"], ["http://gpu.local.example"]),
    ],
)  # fmt: skip
def test_an_allowed_host_is_that_host(entry: str, sent: list[str], kept: list[str]) -> None:
    allow("MINE", entry)
    allow("MINE", entry)
    assert [url for url in sent if not may_send("MINE", url)] == []
    assert [url for url in (*kept, "") if may_send("MINE", url)] == []
    assert not may_send("OTHER", sent[0])
    forget("MINE", entry)
    assert not may_send("MINE", sent[0])
    assert allowed() == {}


@pytest.mark.parametrize(
    "url", ["https://images.example/v1", "http://a.example:80", "http://[::1]:1", "http://gpu:1/x"]
)
def test_what_an_error_says_to_allow_is_enough(url: str) -> None:
    assert not may_send("MINE", url)
    allow("MINE", host_of(url))
    assert may_send("MINE", url)


@pytest.mark.parametrize(
    "words",
    [
        ("sk-planted", "host"),
        ("MINE", "planted host"),
        ("MINE", "h/planted"),
        ("MINE", ""),
        ("MINE", "planted:99999"),
        ("MINE", "planted:0"),
        ("MINE", ".."),
        ("MINE", "[:::planted]"),
    ],
)
def test_what_is_no_name_or_no_host_is_not_repeated(words: tuple[str, str]) -> None:
    with pytest.raises(ConfigError, match="is no ") as caught:
        allow(*words)
    assert "planted" not in str(caught.value)


@pytest.mark.parametrize("text", ["[hosts", "hosts = 3", "hosts.A = 'x'", "hosts.A = [3]", "hosts.A = ['b c']", "\x00"])
def test_a_file_that_was_written_otherwise_is_one_line(text: str) -> None:
    key_file().parent.mkdir(parents=True)
    key_file().write_text(text)
    with pytest.raises(InputError, match=r"keys.toml: not as portrayal keys writes it; delete it"):
        may_send("MINE", "https://images.example")


def test_what_cannot_be_read_or_written_is_one_line(tmp_path: Path) -> None:
    key_file().with_suffix(f".{os.getpid()}.tmp").mkdir(parents=True)
    with pytest.raises(StorageError, match=r"keys.toml: cannot be written: Is a directory; check the folder"):
        allow("MINE", "host")
    key_file().mkdir()
    with pytest.raises(InputError, match=r"keys.toml: cannot be read: Is a directory"):
        allowed()


def test_a_relative_folder_of_settings_is_not_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    # It could lie inside of the study that somebody sent.
    monkeypatch.setenv("XDG_CONFIG_HOME", "settings")
    assert key_file() == Path.home() / ".config" / "portrayal" / "keys.toml"


def test_the_commands_allow_list_and_forget(cli: Callable[..., Ran]) -> None:
    assert cli("keys", "allow", "MINE", "images.example").stdout.startswith(
        "MINE may be sent to images.example; kept in "
    )
    listed = cli("keys").stdout
    assert "OPENAI_API_KEY      api.openai.com" in listed
    assert "images.example" in listed
    assert '"by": "allowed by you"' in cli("keys", "--json").stdout
    assert cli("keys", "forget", "MINE", "images.example").returncode == 0
    done = cli("keys", "forget", "MINE", "images.example")
    assert done.returncode == 2
    assert done.stderr == "error: MINE was not allowed for images.example; see: portrayal keys\n"


def test_a_study_of_somebody_else_sends_no_key_of_mine(
    cli: Callable[..., Ran], make_study: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "planted-0123456789")
    options = {"base_url": "http://127.0.0.1:9/v1", "key_env": "AWS_SECRET_ACCESS_KEY", "tries": 1}
    study = make_study(generators=[{"use": "openai:m", "images": 1, "options": options}])
    done = cli("run", study)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "error: generator 'openai': the study would send the key in AWS_SECRET_ACCESS_KEY to 127.0.0.1, which you have "
        "not allowed; if it may, run: portrayal keys allow AWS_SECRET_ACCESS_KEY 127.0.0.1"
    )
