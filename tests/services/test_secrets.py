from __future__ import annotations

import copy
import pickle
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import ConfigError
from portrayal.services.secrets import Secret

KEY = "sk-planted/+key=1234"
HERE = "http://127.0.0.1:8000/v1"


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> Secret:
    monkeypatch.setenv("MY_KEY", f"  {KEY}\n")
    return Secret("generator 'x'", "MY_KEY", HERE)


def test_only_reveal_shows_the_key(secret: Secret) -> None:
    assert secret.reveal() == KEY
    shown = [repr(secret), str(secret), f"{secret}", repr(vars(secret)), repr(pickle.dumps(secret))]
    assert [text for text in shown if "planted" in text] == []
    assert pickle.loads(pickle.dumps(secret)).reveal() == copy.deepcopy(secret).reveal() == KEY


@pytest.mark.parametrize("spelling", [KEY, quote(KEY), quote(KEY, safe=""), f"Bearer {KEY}", repr(KEY)])
def test_every_spelling_of_the_key_is_taken_out(secret: Secret, spelling: str) -> None:
    cleaned = secret.clean(f"before {spelling} after {spelling}")
    assert "planted" not in cleaned
    assert cleaned.startswith("before ")
    assert cleaned.count("***") == 2


@given(st.text())
def test_a_text_without_the_key_stays_as_it_is(text: str) -> None:
    assert Secret("x", "A_VARIABLE_THAT_IS_NOT_SET", HERE).clean(text) == text


def test_a_placeholder_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "EMPTY")
    assert Secret("x", "MY_KEY", HERE).clean("an EMPTY room") == "an EMPTY room"


def test_a_key_that_is_not_set_is_named_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(ConfigError, match=r"^generator 'x': set the environment variable MY_KEY to the key"):
        Secret("generator 'x'", "MY_KEY", HERE).reveal()
    assert Secret("generator 'x'", "MY_KEY", HERE, needed=False).reveal() == ""


@pytest.mark.parametrize("variable", ["sk-planted", "A B", "1A", "a\nb"])
def test_a_key_given_instead_of_a_name_is_not_repeated(variable: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Secret("generator 'x'", variable, HERE)
    assert variable not in str(caught.value)


def test_no_name_is_no_key() -> None:
    assert Secret("x", "", HERE, needed=False).reveal() == ""
    with pytest.raises(ConfigError, match="key_env is empty"):
        Secret("x", "", HERE)


@pytest.mark.parametrize("key", ["schlüssel-1234", "two\nlines-1234"])
def test_a_key_that_no_header_can_hold_is_not_shown(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("MY_KEY", key)
    with pytest.raises(ConfigError, match="holds characters that no key can have") as caught:
        Secret("x", "MY_KEY", HERE).reveal()
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://attacker.example/v1", "attacker.example"),
        ("http://attacker.example:8000/v1", "http://attacker.example"),
        ("http://127.0.0.2:8000/v1", "127.0.0.2"),
        ("https://127.0.0.1.attacker.example/v1", "127.0.0.1.attacker.example"),
    ],
)
def test_a_key_goes_nowhere_it_was_not_allowed_to_go(secret: Secret, url: str, host: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Secret("generator 'x'", "MY_KEY", url).reveal()
    assert str(caught.value) == (
        f"generator 'x': the study would send the key in MY_KEY to {host}, which you have not allowed; "
        f"if it may, run: portrayal keys allow MY_KEY {host}"
    )
    assert Secret("generator 'x'", "MY_KEY", url).clean(KEY) == "***"
