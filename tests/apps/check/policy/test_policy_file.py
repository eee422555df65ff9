"""policy.toml: what is right is read, and every slip is one line with the line of the file and what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.apps.check.policy.policy_file import LARGEST, read_policy
from portrayal.errors import InputError, PortrayalError

HEAD = '[policy]\ntitle = "Release"\n'
SCENARIO = """
[[scenarios]]
id = "{id}"
hazard = "CEOs are men"
at_risk = "women"
reference = "parity"
why = "we said so"
review = 2027-01-31
"""
SHARE = 'share = { attribute = "gender", group = "female", term = "CEO", target = 0.5, tolerance = 0.2 }\n'


def scenario(name: str = "ceo", measure: str = SHARE) -> str:
    return SCENARIO.replace("{id}", name) + measure


def read(folder: Path, text: str) -> object:
    (folder / "policy.toml").write_text(text, encoding="utf-8")
    return read_policy(folder / "policy.toml")


def test_a_policy_is_read_with_the_lines_of_its_scenarios(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text(HEAD + scenario("ceo") + scenario("пол 💡"), encoding="utf-8")
    file = read_policy(tmp_path / "policy.toml")
    assert [each.id for each in file.scenarios] == ["ceo", "пол 💡"]
    assert [file.line(place) for place in range(2)] == [4, 13]
    assert [file.line(place, "share", "term") for place in range(2)] == [11, 20]
    assert str(file.scenarios[0].review) == "2027-01-31"
    assert file.policy.policy.error_rate == 0.05


def test_a_line_like_a_header_inside_a_text_misleads_nobody(tmp_path: Path) -> None:
    text = HEAD + scenario("ceo").replace('"we said so"', '"""\n[[scenarios]]\n"""') + scenario("nurse")
    (tmp_path / "policy.toml").write_text(text)
    file = read_policy(tmp_path / "policy.toml")
    assert file.line(1, "id") == text.split("\n").index('id = "nurse"') + 1


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("tolerance = 0.2", "tolerence = 0.2", 11, "did you mean 'tolerance'?"),
        ("tolerance = 0.2", "tolerance = 0", 11, "greater than 0"),
        ("tolerance = 0.2", "tolerance = nan", 11, "finite"),
        ("target = 0.5", "target = inf", 11, "finite"),
        ("target = 0.5", "target = 50", 11, "less than or equal to 1"),
        ("target = 0.5", 'target = "0.5"', 11, "valid number"),
        ("target = 0.5, tolerance = 0.2", "at_least = 1", 11, "exactly 0 or 1"),
        ("target = 0.5, tolerance = 0.2", "at_most = 0", 11, "exactly 0 or 1"),
        ("target = 0.5, tolerance = 0.2", "at_least = 0.6, at_most = 0.4", 11, "must lie below"),
        ("target = 0.5, tolerance = 0.2", "target = 0.5", 11, "go together"),
        (", target = 0.5, tolerance = 0.2", "", 11, "a threshold is required"),
        ('term = "CEO"', 'term = "CEO", category = "office"', 11, "exclude each other"),
        ("share =", "shares =", 11, "did you mean 'share'?"),
        ('reference = "parity"\n', "", 4, "reference' is required"),
        ('why = "we said so"\n', "", 4, "why' is required"),
        ('why = "we said so"', 'why = " "', 9, "must say something"),
        ('id = "ceo"', 'id = "a\\nb"', 5, "one line of visible characters"),
        ('title = "Release"', 'title = "Release"\nerror_rate = 0.0', 3, "greater than 0"),
        ("review = 2027-01-31", "review = 2027-13-31", None, "not valid TOML"),
    ],
)
def test_a_slip_is_refused_with_its_line(tmp_path: Path, old: str, new: str, line: int | None, said: str) -> None:
    text = HEAD + scenario()
    assert old in text
    with pytest.raises(PortrayalError) as refused:
        read(tmp_path, text.replace(old, new))
    message = str(refused.value)
    assert said in message
    assert "\n" not in message
    if line is not None:
        assert message.startswith(f"{tmp_path / 'policy.toml'}:{line}: ")


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("", "one measure is required"),
        (SHARE + "missing = { at_most = 0.1 }\n", "got share and missing"),
        ('impact_ratio = { attribute = "gender", at_least = 1.0 }\n', "less than 1"),
        ('impact_ratio = { attribute = "gender", at_least = 0 }\n', "greater than 0"),
        ('score = { metric = "tv" }\n', "a threshold is required"),
        ('score = { metric = "tv", at_most = nan }\n', "finite"),
        ('score = { metric = "tv", at_least = 2, at_most = 1 }\n', "must lie below"),
        ("missing = { at_most = 1.5 }\n", "less than 1"),
        ("missing = { at_most = 1 }\n", "less than 1"),
        ('share = { attribute = "gender", group = "female", at_least = 0 }\n', "always passes"),
        ('share = { attribute = "gender", group = "female", at_most = 1 }\n', "always passes"),
        ('share = { attribute = "gender", group = "female", target = 0.5, tolerance = 0.5 }\n', "always passes"),
        ('baseline = { attribute = "gender", group = "female", worse = "less", margin = 1 }\n', "always passes"),
        ("missing = { at_most = 0 }\n", "no number of images shows that none ever goes missing"),
        ('baseline = { worse = "less", margin = 0.1 }\n', "what is compared?"),
        ('baseline = { metric = "tv", worse = "different", margin = 0 }\n', "above 0"),
        ('baseline = { metric = "tv", worse = "lower", margin = 0 }\n', "'less', 'more' or 'different'"),
    ],
)
def test_a_measure_says_one_thing(tmp_path: Path, measure: str, said: str) -> None:
    with pytest.raises(PortrayalError, match=said):
        read(tmp_path, HEAD + scenario(measure=measure))


def test_an_id_stands_there_once(tmp_path: Path) -> None:
    with pytest.raises(PortrayalError, match=r"policy\.toml:14: scenario 'ceo': line 5 has this id already"):
        read(tmp_path, HEAD + scenario() + scenario())


@pytest.mark.parametrize("text", ["", HEAD, HEAD + "scenarios = []\n", "# nothing\n"])
def test_a_policy_has_a_scenario(tmp_path: Path, text: str) -> None:
    with pytest.raises(PortrayalError, match="no scenario"):
        read(tmp_path, text)


@pytest.mark.parametrize("value", ["5", "true", "'share'", "1979-05-27", "{ id = 1 }"])
def test_scenarios_are_tables(tmp_path: Path, value: str) -> None:
    with pytest.raises(PortrayalError, match=r"'scenarios' must be tables, each .* with \[\[scenarios\]\]"):
        read(tmp_path, f"scenarios = {value}\n{HEAD}")


def test_scenarios_may_be_written_in_one_line(tmp_path: Path) -> None:
    words = 'hazard = "h", at_risk = "r", reference = "r", why = "w", missing = { at_most = 2 }'
    with pytest.raises(PortrayalError, match=r"policy\.toml:1: 'scenarios.1.missing.at_most'"):
        read(tmp_path, f'scenarios = [{{ id = "a", {words} }}]\n' + HEAD)


def test_a_huge_file_is_refused_and_many_scenarios_are_not(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text("#" * (LARGEST + 1))
    with pytest.raises(InputError, match="more than the"):
        read_policy(tmp_path / "policy.toml")
    many = HEAD + "".join(scenario(f"ceo {number}") for number in range(600))
    with pytest.raises(PortrayalError, match=r"policy\.toml:5402: unknown key"):
        read(tmp_path, many[::-1].replace("ecnarelot", "ecnerelot", 1)[::-1])
