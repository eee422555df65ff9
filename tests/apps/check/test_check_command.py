"""``portrayal check``: every exit code, every file, and errors in one line; ``portrayal.check`` says the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sarif_pydantic import Sarif
from tests.samples.policies import HEAD, scenario

import portrayal
from portrayal.errors import InputError

Run = Callable[..., subprocess.CompletedProcess[str]]
Made = Callable[..., Path]
SHARE = 'share = {{ attribute = "gender", group = "female", term = "{}", at_least = {} }}'
PASS, FAIL = scenario("nurse", SHARE.format("nurse", 0.5)), scenario("ceo", SHARE.format("CEO", 0.5))
UNDECIDED = scenario("near", SHARE.format("CEO", 0.1))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a measured study in which CEOs are men and nurses women."""
    folder = tmp_path_factory.mktemp("check") / "study"
    terms = {"CEO": {"gender": {"female": 0.1, "male": 0.9}}, "nurse": {"gender": {"female": 0.95, "male": 0.05}}}
    made = portrayal.Study.create(
        folder,
        prompts=[{"text": f"a photo of one {term}", "term": term, "category": "work"} for term in terms],
        generator={"use": "simulated", "name": "A", "options": {"pixels": False, "terms": terms}},
        annotator="simulated",
        images=60,
        title="Two jobs",
    )
    for stage in (made.plan, made.generate, made.annotate, made.measure):
        stage(progress=False)
    return folder


@pytest.fixture
def policy(tmp_path: Path) -> Callable[[str], Path]:
    """Write a policy."""

    def write(text: str, head: str = HEAD) -> Path:
        (tmp_path / "policy.toml").write_text(head + text, encoding="utf-8")
        return tmp_path / "policy.toml"

    return write


@pytest.mark.parametrize(
    ("text", "code", "first"),
    [
        (PASS, 0, "Ready: the scenario passes."),
        (PASS.replace("why", "review = 2020-01-01\nwhy"), 0, "The scenario passes, but a review is overdue: hold it"),
        (PASS + FAIL + UNDECIDED, 1, "Not ready: 1 of 3 scenarios fails, 1 "),
        (PASS + UNDECIDED, 3, "Not decided: 1 of 2 scenarios "),
    ],
)
def test_one_verdict_one_exit_code(study: Path, policy: Made, cli: Run, text: str, code: int, first: str) -> None:
    ran = cli("check", study, "--policy", policy(text))
    assert (ran.returncode, ran.stderr) == (code, "")
    lines = ran.stdout.splitlines()
    assert lines[0].startswith(first)
    assert len([line for line in lines if line.startswith(("pass ", "fail ", "undecided "))]) == text.count("[[")
    assert portrayal.check(study, policy(text)).sentence == lines[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            FAIL.replace("CEO", "CEOO"),
            "policy.toml:11: scenario 'ceo': the study has no term 'CEOO'; did you mean 'CEO'",
        ),
        (FAIL.replace("at_least", "at_leest"), "policy.toml:11: unknown key 'scenarios.1.share.at_leest'"),
        (FAIL.replace("at_least = 0.5", "at_least = nan"), "policy.toml:11: 'scenarios.1.share.at_least'"),
        (FAIL.replace("share = {", "baseline = { worse = 'less', ").replace("at_least", "margin"), "--baseline"),
        ("", "no scenario"),
    ],
)
def test_errors_are_one_line_and_exit_code_2(study: Path, policy: Made, cli: Run, text: str, said: str) -> None:
    ran = cli("check", study, "--policy", policy(text))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_a_study_that_is_not_measured_or_not_there(study: Path, policy: Made, cli: Run, make_study: Made) -> None:
    empty = make_study("empty")
    for folder, said in ((empty, "nothing is measured yet"), (empty.parent / "none", "no study.toml here")):
        ran = cli("check", folder, "--policy", policy(FAIL))
        assert ran.returncode == 2
        assert said in ran.stderr
    for other in (policy(FAIL).with_name("none.toml"), policy(FAIL).parent):
        assert cli("check", study, "--policy", other).returncode == 2
    ran = cli("check", study, "--policy", policy(FAIL), "--baseline", "nowhere")
    assert (ran.returncode, "no such baseline" in ran.stderr) == (2, True)
    ran = cli("check", study, "--policy", policy(FAIL, HEAD + 'study = "Another"\n'))
    assert (ran.returncode, "is for the study 'Another'" in ran.stderr) == (2, True)
    assert cli("check", study, "--policy", policy(FAIL, HEAD + 'study = "Two jobs"\n')).returncode == 1


def test_a_model_of_which_nothing_was_asked_yet_passes_nothing(
    study: Path, policy: Made, cli: Run, tmp_path: Path
) -> None:
    """A second model in study.toml was passed over, and the release was ready without it."""
    folder = tmp_path / "study"
    shutil.copytree(study, folder)
    added = '[[generators]]\nuse = "simulated"\nname = "B"\nimages = 60\noptions.pixels = false\n'
    with (folder / "study.toml").open("a") as file:
        file.write(added)
    ran = cli("check", folder, "--policy", policy(PASS))
    assert (ran.returncode, ran.stderr) == (3, "")
    assert (
        "B: nurse, perceived gender female: no usable image; wanted at least 50 %; nothing to decide on; " in ran.stdout
    )
    assert cli("check", folder, "--policy", policy(PASS.replace("share =", 'models = ["A"]\nshare ='))).returncode == 0


def test_files_are_written_and_read_back(study: Path, policy: Made, cli: Run, tmp_path: Path) -> None:
    names = {name: tmp_path / "out" / f"check.{name}" for name in ("junit", "sarif", "markdown")}
    options = [word for name, path in names.items() for word in (f"--{name}", path)]
    ran = cli("check", study, "--policy", policy(PASS + FAIL), *options, "--json")
    assert ran.returncode == 1
    data = json.loads(ran.stdout)
    assert data["verdict"] == "fail"
    assert len(ran.stderr.splitlines()) == 3
    assert ElementTree.parse(names["junit"]).getroot().get("failures") == "1"
    assert [each.rule_id for each in Sarif.model_validate_json(names["sarif"].read_bytes()).runs[0].results or []] == [
        "nurse",
        "ceo",
    ]
    assert names["markdown"].read_text().startswith("# Release policy\n")
    (tmp_path / "file").write_text("")
    ran = cli("check", study, "--policy", policy(PASS), "--junit", tmp_path / "file" / "x.xml")
    assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1)


def test_a_baseline_is_a_study_or_a_file_of_it(study: Path, policy: Made, cli: Run, tmp_path: Path) -> None:
    keys = 'attribute = "gender", group = "female", worse = "less", margin = 0.5'
    same = scenario("same", f"baseline = {{ {keys} }}")
    shutil.copytree(study, tmp_path / "before")
    assert cli("check", study, "--policy", policy(same), "--baseline", tmp_path / "before").returncode == 0
    overall = scenario("all", 'share = { attribute = "gender", group = "female", at_most = 0.9 }')
    (tmp_path / "last.json").write_text(cli("check", study, "--policy", policy(overall), "--json").stdout)
    assert cli("check", study, "--policy", policy(same), "--baseline", tmp_path / "last.json").returncode == 0
    portrayal.Study(study).export(tmp_path / "tables", format="jsonl")
    lines = tmp_path / "tables" / "measurements.jsonl"
    ran = cli("check", study, "--policy", policy(same.replace("0.5", "0.001")), "--baseline", lines)
    assert ran.returncode == 3
    before = portrayal.Study(tmp_path / "before")
    assert portrayal.check(portrayal.Study(study), policy(same), baseline=before).verdict == "pass"


def test_a_study_is_not_its_own_baseline(study: Path, policy: Made, cli: Run) -> None:
    """Beside itself nothing is worse: "Ready" was said whatever the pictures show."""
    keys = 'attribute = "gender", group = "female", worse = "less", margin = 0.5'
    same = policy(scenario("same", f"baseline = {{ {keys} }}"))
    ran = cli("check", study, "--policy", same, "--baseline", study / ".." / study.name)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "is the study itself" in ran.stderr
    with pytest.raises(InputError, match="is the study itself"):
        portrayal.check(study, same, baseline=portrayal.Study(study))


def test_a_run_that_was_stopped_is_finished_before_anything_fails(
    study: Path, policy: Made, cli: Run, tmp_path: Path
) -> None:
    """Of a study whose images were still to be drawn, those counted as missing, and the release was "Not ready"."""
    folder = tmp_path / "study"
    shutil.copytree(study, folder)
    settings = (folder / "study.toml").read_text()
    (folder / "study.toml").write_text(settings.replace("images = 60", "images = 100"))
    lost = policy(scenario("lost", "missing = { at_most = 0.05 }") + PASS.replace("0.5", "0.9"))
    for stages in (("plan",), ("generate",)):
        for stage in (*stages, "measure"):
            assert cli(stage, folder, "--quiet").returncode == 0
        ran = cli("check", folder, "--policy", lost)
        assert ran.returncode == 3, ran.stdout
        assert ran.stdout.startswith("Not decided: 2 of 2 scenarios wait for images that are not there yet.")
        assert "0 of 120 images missing (0 %), interval" in ran.stdout
        assert ran.stdout.count("80 images are still to be drawn or looked at: finish the run first") == 1
        assert "The run is not over: 80 images are still to be drawn or looked at" in ran.stdout
    for stage in ("annotate", "measure"):
        assert cli(stage, folder, "--quiet").returncode == 0
    ran = cli("check", folder, "--policy", lost)
    assert "The run is not over" not in ran.stdout
    assert "pass       lost" in ran.stdout


def test_where_no_image_is_usable_nothing_is_decided(policy: Made, cli: Run, tmp_path: Path) -> None:
    """Where all images of every model were refused, the policy was said to have a slip."""
    made = portrayal.Study.create(
        tmp_path / "study",
        prompts=[{"text": "a photo of one nurse", "term": "nurse"}],
        generator={"use": "simulated", "options": {"pixels": False, "refused": 1.0}},
        annotator="simulated",
        images=20,
    )
    made.run(progress=False)
    ratio = scenario("ratio", 'impact_ratio = { attribute = "gender", at_least = 0.8 }')
    of_one = ratio.replace("ratio", "of one", 1).replace('"gender"', '"gender", group = "female"')
    ran = cli("check", tmp_path / "study", "--policy", policy(PASS + ratio + of_one))
    assert (ran.returncode, ran.stderr) == (3, "")
    words = "no usable image: 20 of 20 images missing (100 %); wanted at least"
    assert ran.stdout.count(words) == 3
    ran = cli("check", tmp_path / "study", "--policy", policy(PASS.replace('"gender"', '"race5"')))
    assert (ran.returncode, "no share that it could be about" in ran.stderr) == (2, True)


def test_forty_scenarios_at_once(study: Path, policy: Made, cli: Run) -> None:
    many = "".join(PASS.replace('"nurse"', f'"nürse {number} 💡"', 1) for number in range(40))
    data = json.loads(cli("check", study, "--policy", policy(many), "--json").stdout)
    assert data["confidence"] == pytest.approx(1 - 0.05 / 40)
    assert len({each["line"] for each in data["scenarios"]}) == 40
    assert data["scenarios"][39]["id"] == "nürse 39 💡"


def test_from_python_it_is_an_object(study: Path, policy: Made) -> None:
    found = portrayal.check(study, policy(PASS + FAIL))
    assert found.verdict == "fail"
    assert [row["id"] for row in found.rows] == ["nurse", "ceo"]
    assert found.to_dict()["sentence"] == found.sentence
    assert found.sentence in repr(found)
    with pytest.raises(TypeError, match="ask for its verdict"):
        bool(found)


def test_the_last_study_beside_it_is_the_baseline(tmp_path: Path, policy: Callable[[str], Path], cli: Run) -> None:
    not_worse = scenario("again", 'baseline = { attribute = "gender", group = "female", worse = "less", margin = 0.2 }')
    for name, female in (("v1", 0.5), ("v2", 0.9)):
        shares = {"gender": {"female": female, "male": 1 - female}}
        made = portrayal.Study.create(
            tmp_path / name,
            prompts=["a photo of one nurse"],
            generator={"use": "simulated", "name": "A", "options": {"pixels": False, "shares": shares}},
            annotator="simulated",
            images=200,
        )
        made.plan(progress=False)
        made.generate(progress=False)
        made.annotate(progress=False)
        made.measure(progress=False)
    shutil.copytree(tmp_path / "v1", tmp_path / "v3")
    for day, name in enumerate(("v1", "v2", "v3"), 1):
        for part in (tmp_path / name / "tables" / "measurements").iterdir():
            os.utime(part, (day * 86_400, day * 86_400))
    alone = cli("check", tmp_path / "v1", "--policy", policy(not_worse), "--baseline", "last")
    assert (alone.returncode, "no earlier study of the same prompts" in alone.stderr) == (2, True)
    codes = [cli("check", tmp_path / name, "--policy", policy(not_worse), "--baseline", "last").returncode
             for name in ("v2", "v3")]  # fmt: skip
    assert codes == [0, 1]  # v2 has more women than v1, v3 fewer than v2, though as many as v1
