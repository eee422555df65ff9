from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.plugins import write_plugin

from portrayal.errors import ConfigError, InputError, UnknownNameError
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]


def generator_names(root: Path) -> list[str]:
    return list(OpenStudy(root).generators)


def test_default_options_leave_the_name_alone(make_study: Make) -> None:
    options = {"refused": 0.0}
    study = make_study(generators=[{"use": "simulated", "images": 1, "options": options}])
    assert generator_names(study) == ["simulated@1"]


def test_changed_options_change_the_identity(make_study: Make) -> None:
    generators = [{"use": "simulated", "images": 1, "options": {"refused": share}} for share in (0.1, 0.2)]
    first, second = generator_names(make_study(generators=generators))
    assert first.startswith("simulated@1#")
    assert first != second


def test_moving_a_study_changes_no_identity(make_study: Make, tmp_path: Path) -> None:
    root = make_study(generators=[{"use": "simulated", "images": 1, "options": {"refused": 0.1}}])
    names = generator_names(root)
    shutil.move(root, tmp_path / "elsewhere")
    assert generator_names(tmp_path / "elsewhere") == names


def test_a_mistake_is_found_before_any_work(make_study: Make) -> None:
    root = make_study(annotators=[{"use": "simulatd"}])
    with pytest.raises(UnknownNameError, match="did you mean 'simulated'"):
        OpenStudy(root).check()
    root = make_study("other", generators=[{"use": "simulated", "options": {"refuse": 0.5}}])
    with pytest.raises(ConfigError, match="unknown key 'refuse'; did you mean 'refused'"):
        OpenStudy(root).check()


def test_a_wrong_key_is_named_with_its_line(make_study: Make, tmp_path: Path) -> None:
    text = """\
[study]
titel = "x"
[[generator]]
use = "simulated"
"""
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"study\.toml:2: unknown key 'study.titel'; did you mean 'title'\? \(and 2 m"
    ):
        OpenStudy(tmp_path)
    (tmp_path / "study.toml").write_text(text.replace("titel", "title"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"study\.toml:3: unknown key 'generator'; did you mean 'generators'\?$"):
        OpenStudy(tmp_path)
    text = """\
[study]
title = "x"
[suite]
use = "occupations"
[[generators]]
use = "simulated"
[[generators]]
use = "simulated"
[generators.options]
# the line below is wrong
refuse = 0.5
"""
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"study\.toml:11: options of 'simulated': unknown key 'refuse'; did you mean"
    ):
        OpenStudy(tmp_path).check()


def test_a_part_given_twice_is_refused(make_study: Make) -> None:
    with pytest.raises(ConfigError, match=r"\[\[generators\]\]: simulated@1 stands there twice"):
        OpenStudy(make_study(generators=[{"use": "simulated", "images": n} for n in (1, 2)])).check()


def test_annotators_must_mean_the_same_by_an_attribute(make_study: Make) -> None:
    other = {"groups": {"gender": ["female", "male"]}, "attributes": ["gender"]}
    with pytest.raises(ConfigError, match=r"other groups for 'gender'"):
        OpenStudy(make_study(annotators=[{"use": "simulated"}, {"use": "simulated", "options": other}])).check()


def test_a_wrong_reference_shows_before_any_work(make_study: Make) -> None:
    methods = [{"use": "representation", "options": {"references": {"gender": "gone.csv"}}}]
    with pytest.raises(InputError, match=r"gone\.csv: no such file"):
        OpenStudy(make_study(methods=methods)).check()


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("class Half: name = 'half'", "method 'half' is no subclass of portrayal.methods.base.Method; see"),
        ("def Half(options, folder): pass", "method 'half' is no subclass of portrayal.methods.base.Method; see"),
        ("class Half(Method): name = 'half'", "method 'half' lacks measure; see docs/plugins.md"),
        ("class Half(Method):\n def measure(self, evidence, *, rng): yield", "method 'half' lacks name; see"),
    ],
)
def test_half_a_method_is_refused_in_one_line(
    make_study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, why: str
) -> None:
    module = f"half_{abs(hash(code))}"
    code = f"from portrayal.methods.base import Method\n{code}\n"
    write_plugin(tmp_path / "plugin", module, code, f"[portrayal.methods]\nhalf = {module}:Half\n")
    monkeypatch.syspath_prepend(str(tmp_path / "plugin"))
    with pytest.raises(ConfigError, match=why):
        OpenStudy(make_study(methods=[{"use": "half"}])).check()
