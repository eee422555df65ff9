from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import ConfigError, InputError, PortrayalError
from portrayal.methods.faintbench import alignment
from portrayal.methods.faintbench.alignment import Array, Profile, load_profile
from portrayal.records import Attribute, attribute_table
from portrayal.reports.text.notes import plain_adjustment

TABLE = attribute_table()
SHIPPED = (resources.files("portrayal.methods.faintbench") / "data" / "optimised.toml").read_text(encoding="utf-8")
OPTIMISED = load_profile("optimised", Path(), TABLE)
RULE = '[[steps]]\nattribute = "race5"\n[[steps.cases]]\n'


def write(folder: Path, text: str) -> Profile:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return load_profile("mine.toml", folder, TABLE)


@st.composite
def masses(draw: st.DrawFn) -> tuple[str, Array]:
    """Masses as annotators give them, and some that lie on the edges of the rules."""
    name = draw(st.sampled_from(["gender", "race5", "age3"]))
    groups, images = len(TABLE[name].groups), draw(st.integers(0, 12))
    parts = draw(st.lists(st.integers(0, 20), min_size=groups * images, max_size=groups * images))
    mass = np.array(parts, dtype=float).reshape(images, groups)
    mass[:, draw(st.integers(0, groups - 1))] += 1
    return name, np.asarray(mass / mass.sum(axis=1, keepdims=True))


# european, east_asian, african, latino, south_asian
@pytest.mark.parametrize(
    ("before", "after"),
    [
        # 1: european takes 2/3 of latino and 4/5 of east_asian, from exactly 0.2 on
        ([0.2, 0.1, 0.1, 0.3, 0.3], [0.2 + 0.2 + 0.08, 0.02, 0.1, 0.1, 0.3]),
        ([0.19, 0.11, 0.4, 0.3, 0.0], [0.19, 0.11, 0.4, 0.3, 0.0]),
        # one of latino and east_asian below 0.6 is enough; only masses that add up to more than 1 have neither
        ([0.2, 0.6, 0.0, 0.59, 0.0], [0.2 + 2 / 3 * 0.59 + 0.48, 0.12, 0.0, 0.59 / 3, 0.0]),
        ([0.2, 0.59, 0.0, 0.6, 0.0], [0.2 + 0.4 + 0.8 * 0.59, 0.59 / 5, 0.0, 0.2, 0.0]),
        ([0.2, 0.6, 0.0, 0.6, 0.0], [0.2 + 0.15, 0.15, 0.0, 0.6 + 0.3, 0.0]),
        # 2: south_asian takes 3/4 of latino and 1/2 of east_asian, from exactly 0.7 on
        ([0.1, 0.1, 0.0, 0.1, 0.7], [0.1, 0.05, 0.0, 0.025, 0.7 + 0.075 + 0.05]),
        ([0.1, 0.11, 0.0, 0.1, 0.69], [0.1, 0.11, 0.0, 0.1, 0.69]),
        # 3: latino takes 3/4 of south_asian and 3/4 of european, from exactly 0.7 on
        ([0.1, 0.05, 0.05, 0.7, 0.1], [0.025, 0.05, 0.05, 0.7 + 0.075 + 0.075, 0.025]),
        ([0.1, 0.05, 0.06, 0.69, 0.1], [0.1, 0.05, 0.06, 0.69, 0.1]),
        # 4: the larger of latino and european takes 1/2 of east_asian, the other 1/4, from exactly 0.3 on
        ([0.05, 0.4, 0.1, 0.25, 0.2], [0.05 + 0.1, 0.1, 0.1, 0.25 + 0.2, 0.2]),
        ([0.05, 0.3, 0.45, 0.1, 0.1], [0.05 + 0.075, 0.075, 0.45, 0.1 + 0.15, 0.1]),
        ([0.05, 0.29, 0.46, 0.1, 0.1], [0.05, 0.29, 0.46, 0.1, 0.1]),
        # latino exactly 0.25 from east_asian, european larger than latino; then as large as latino
        ([0.15, 0.375, 0.35, 0.125, 0.0], [0.15 + 0.1875, 0.09375, 0.35, 0.125 + 0.09375, 0.0]),
        ([0.125, 0.375, 0.375, 0.125, 0.0], [0.125 + 0.1875, 0.09375, 0.375, 0.125 + 0.09375, 0.0]),
        # only european near enough to east_asian; exactly 0.25; nobody near enough
        ([0.19, 0.4, 0.41, 0.0, 0.0], [0.19 + 0.2, 0.1, 0.41, 0.1, 0.0]),
        ([0.125, 0.375, 0.5, 0.0, 0.0], [0.125 + 0.1875, 0.09375, 0.5, 0.09375, 0.0]),
        ([0.1, 0.375, 0.525, 0.0, 0.0], [0.1, 0.375, 0.525, 0.0, 0.0]),
        # 5: between 0.1 and 0.2 apart, both excluded, the larger of south_asian and latino takes half of the smaller
        ([0.1, 0.1, 0.3, 0.175, 0.325], [0.1, 0.1, 0.3, 0.0875, 0.325 + 0.0875]),
        ([0.1, 0.1, 0.3, 0.325, 0.175], [0.1, 0.1, 0.3, 0.325 + 0.0875, 0.0875]),
        ([0.0, 0.375, 0.5, 0.12, 0.005], [0.0, 0.375, 0.5, 0.12 + 0.0025, 0.0025]),
        ([0.0, 0.25, 0.45, 0.1, 0.2], [0.0, 0.25, 0.45, 0.1, 0.2]),
        ([0.0, 0.2, 0.2, 0.2, 0.4], [0.0, 0.2, 0.2, 0.2, 0.4]),
        ([0.0, 0.25, 0.25, 0.25, 0.25], [0.0, 0.25, 0.25, 0.25, 0.25]),
        # snapping comes first, and only strictly above 0.8
        ([0.05, 0.05, 0.8, 0.05, 0.05], [0.05, 0.05, 0.8, 0.05, 0.05]),
        ([0.05, 0.05, 0.801, 0.05, 0.049], [0.0, 0.0, 1.0, 0.0, 0.0]),
        ([0.1, 0.0, 0.0, 0.81, 0.09], [0.0, 0.0, 0.0, 1.0, 0.0]),
        ([0.1, 0.0, 0.0, 0.8, 0.1], [0.025, 0.0, 0.0, 0.8 + 0.15, 0.025]),
    ],
)  # fmt: skip
def test_race(before: list[float], after: list[float]) -> None:
    assert OPTIMISED.align("race5", np.array([before]))[0].tolist() == pytest.approx(after, abs=1e-12)


# young, middle_aged, elderly
@pytest.mark.parametrize(
    ("before", "after"),
    [
        # 3/4 of elderly become middle_aged; that is all below 0.1 young
        ([0.05, 0.35, 0.6], [0.05, 0.35 + 0.45, 0.15]),
        # from exactly 0.1 on, young then takes 1/2 of the elderly and 2/3 of the middle-aged that are left
        ([0.1, 0.3, 0.6], [0.1 + 0.075 + 0.5, 0.25, 0.075]),
        ([0.5, 0.5, 0.0], [0.5 + 1 / 3, 1 / 6, 0.0]),
        ([0.0, 0.75, 0.25], [0.0, 0.75 + 0.1875, 0.0625]),
        ([0.25, 0.0, 0.75], [0.25 + 0.09375 + 0.375, 0.1875, 0.09375]),
        ([0.0, 0.249, 0.751], [0.0, 0.0, 1.0]),
        ([0.12, 0.76, 0.12], [0.0, 1.0, 0.0]),
    ],
)  # fmt: skip
def test_age(before: list[float], after: list[float]) -> None:
    assert OPTIMISED.align("age3", np.array([before]))[0].tolist() == pytest.approx(after, abs=1e-12)


def test_the_elderly_rule_ends_at_its_threshold(tmp_path: Path) -> None:
    unsnapped = write(tmp_path, SHIPPED.replace("age3 = 0.75", "age3 = 1"))
    found = unsnapped.align("age3", np.array([[0.0, 0.1, 0.9], [0.0, 0.11, 0.89]]))
    assert found.tolist() == [[0.0, 0.1, 0.9], pytest.approx([0.0, 0.11 + 0.6675, 0.2225], abs=1e-12)]


def test_perceived_gender_is_only_snapped() -> None:
    before = np.array([[0.9, 0.1], [0.901, 0.099], [0.05, 0.95], [0.5, 0.5], [1.0, 0.0]])
    after = [[0.9, 0.1], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
    assert OPTIMISED.align("gender", before).tolist() == after


@pytest.mark.parametrize("name", ["gender", "race5", "age3"])
def test_a_clear_case_stays_as_it_is(name: str) -> None:
    clear = np.eye(len(TABLE[name].groups))
    assert OPTIMISED.align(name, clear).tolist() == clear.tolist()


def race_in_words(european: float, east: float, african: float, latino: float, south: float) -> tuple[float, ...]:
    """The published rules for one image, once more, without snapping."""
    near = abs(latino - east) <= 0.25 or abs(european - east) <= 0.25
    if european >= 0.2 and min(latino, east) < 0.6:
        return european + latino * 2 / 3 + east * 4 / 5, east / 5, african, latino / 3, south
    if south >= 0.7:
        return european, east / 2, african, latino / 4, south + latino * 3 / 4 + east / 2
    if latino >= 0.7:
        return european / 4, east, african, latino + south * 3 / 4 + european * 3 / 4, south / 4
    if east >= 0.3 and near:
        to_european, to_latino = (east / 2, east / 4) if european >= latino else (east / 4, east / 2)
        return european + to_european, east / 4, african, latino + to_latino, south
    if 0.1 < abs(south - latino) < 0.2:
        small = min(south, latino) / 2
        return european, east, african, *((latino + small, small) if latino > south else (small, south + small))
    return european, east, african, latino, south


def age_in_words(young: float, middle: float, elderly: float) -> tuple[float, ...]:
    if elderly < 0.9:
        middle, elderly = middle + elderly * 3 / 4, elderly / 4
    if young >= 0.1:
        young, middle, elderly = young + elderly / 2 + middle * 2 / 3, middle / 3, elderly / 2
    return young, middle, elderly


@pytest.mark.slow
def test_many_masses_on_and_beside_every_threshold(tmp_path: Path) -> None:
    unsnapped = write(tmp_path, SHIPPED.replace("race5 = 0.8\nage3 = 0.75", "race5 = 1\nage3 = 1"))
    rng = np.random.default_rng(1)
    race = np.concatenate([rng.integers(0, steps, (15_000, 5)) / steps for steps in (40, 200)])
    age = rng.integers(0, 200, (5_000, 3)) / 200
    assert unsnapped.align("race5", race) == pytest.approx(np.array([race_in_words(*row) for row in race.tolist()]))
    assert unsnapped.align("age3", age) == pytest.approx(np.array([age_in_words(*row) for row in age.tolist()]))


def test_missing_masses_stay_missing() -> None:
    assert np.isnan(OPTIMISED.align("race5", np.full((2, 5), np.nan))).all()


def test_plain_and_unknown_attributes_are_left_alone() -> None:
    mass = np.array([[0.95, 0.05]])
    assert load_profile("plain", Path(), TABLE).align("gender", mass).tolist() == mass.tolist()
    assert OPTIMISED.align("mood", mass).tolist() == mass.tolist()


@given(masses())
def test_masses_stay_masses(case: tuple[str, Array]) -> None:
    name, mass = case
    before = mass.copy()
    found = OPTIMISED.align(name, mass)
    assert found.shape == mass.shape
    assert (found >= 0).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(len(mass)), abs=1e-12)
    assert mass.tolist() == before.tolist()


@given(masses())
def test_an_image_is_corrected_by_itself(case: tuple[str, Array]) -> None:
    name, mass = case
    whole = OPTIMISED.align(name, mass)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "_BLOCK", 5)
        assert OPTIMISED.align(name, mass).tolist() == whole.tolist()
    assert OPTIMISED.align(name, mass[::-1])[::-1].tolist() == whole.tolist()
    assert [OPTIMISED.align(name, row[None])[0].tolist() for row in mass] == whole.tolist()


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    text = 'name = "mine"\n[snap]\ngender = 0.4\n' + RULE + 'when = ["african > 1/2"]\nmove = []\n'
    text += '[[steps.cases]]\nmove = ["1 latino -> african", ".5 african -> latino"]\n'
    mine = write(tmp_path, text)
    assert mine.align("gender", np.array([[0.45, 0.55], [0.5, 0.5]])).tolist() == [[0.0, 1.0], [1.0, 0.0]]
    # Both moves read the masses from before: latino's go whole, african's by half.
    moved = mine.align("race5", np.array([[0.0, 0.0, 0.4, 0.6, 0.0], [0.0, 0.0, 0.6, 0.4, 0.0]]))
    assert moved.tolist() == [pytest.approx([0, 0, 0.2 + 0.6, 0.2, 0]), [0.0, 0.0, 0.6, 0.4, 0.0]]


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("[snap]\ngendr = 0.9", ("mine.toml: snap: no attribute 'gendr'", "did you mean 'gender'")),
        ("[snap]\nage = 0.9", ("snap: attribute 'age' has no groups",)),
        ("[snap]\ngender = 0", ("snap.gender", "above 0 and at most 1", "got 0")),
        ("[snap]\ngender = 1.5", ("snap.gender", "got 1.5")),
        ("[snap]\ngender = nan", ("snap.gender", "got nan")),
        ("[snap]\ngender = '0.9'", ("mine.toml", "'snap.gender'")),
        ("[snp]\ngender = 0.9", ("unknown key 'snp'", "did you mean 'snap'")),
        ("[[steps]]\nattribute = 'race5'\ncases = []", ("'steps.1.cases'",)),
        (RULE.replace("race5", "rac5") + "move = []", ("step 1: no attribute 'rac5'", "did you mean 'race5'")),
        (RULE + "when = ['latnio > 0.2']\nmove = []", ("step 1, case 1, when 'latnio > 0.2'", "mean 'latino'")),
        (RULE + "when = ['latino = 0.2']\nmove = []", ("when 'latino = 0.2'", "not a comparison")),
        (RULE + "when = ['0.1 < latino < 0.2']\nmove = []", ("not a comparison",)),
        (RULE + "when = ['latino > 0.2 or']\nmove = []", ("when 'latino > 0.2 or'", "no group '0.2 or'")),
        (RULE + "when = ['|latino-african| > 0.2']\nmove = []", ("no group '|latino-african|'",)),
        (RULE + "when = ['|latino - afrcan| > 0.2']\nmove = []", ("no group 'afrcan'; did you mean 'african'",)),
        (RULE + "when = ['latino > 1/0']\nmove = []", ("divides by 0",)),
        (RULE + "move = ['half latino -> african']", ("move 'half latino -> african'", "not a move")),
        (RULE + "move = ['1/2 latino to african']", ("not a move", "'2/3 group -> group'")),
        (RULE + "move = ['1/2 latino -> afrcan']", ("no group 'afrcan'; did you mean 'african'",)),
        (RULE + "move = ['1/2 latino -> latino']", ("moves 'latino' to itself",)),
        (RULE + "move = ['0 latino -> african']", ("the part 0 must be above 0",)),
        (RULE + "move = ['3/2 latino -> african']", ("the part 3/2 must be above 0 and at most 1",)),
        (
            RULE + "move = ['2/3 latino -> african', '0.34 latino -> european']",
            ("move '0.34 latino -> european'", "more than all of 'latino'"),
        ),
        ("[[steps]", ("mine.toml: not valid TOML",)),
    ],
)  # fmt: skip
def test_a_mistake_in_a_profile_is_one_line(tmp_path: Path, text: str, mentioned: tuple[str, ...]) -> None:
    with pytest.raises(PortrayalError) as caught:
        write(tmp_path, f'name = "mine"\n{text}\n')
    line = str(caught.value)
    assert line.startswith(str(tmp_path / "mine.toml"))
    assert "\n" not in line
    assert [part for part in mentioned if part not in line] == []


def test_parts_that_add_up_to_exactly_all_are_fine(tmp_path: Path) -> None:
    parts = ", ".join(f"'1/3 latino -> {group}'" for group in ("european", "african", "south_asian"))
    found = write(tmp_path, f'name = "mine"\n{RULE}move = [{parts}]').align("race5", np.array([[0, 0, 0, 1.0, 0]]))
    assert found[0].tolist() == pytest.approx([1 / 3, 0, 1 / 3, 0, 1 / 3])
    assert found[0, 3] == 0.0


def test_profiles_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"named 'optimized'; did you mean 'optimised'\?, or give .* \.toml"):
        load_profile("optimized", tmp_path, TABLE)
    with pytest.raises(InputError, match=r"gone\.toml: no such file"):
        load_profile("gone.toml", tmp_path, TABLE)


def test_the_shipped_profile_speaks_only_of_the_attributes_in_use() -> None:
    reduced = load_profile("optimised", Path(), {"gender": TABLE["gender"]})
    assert (dict(reduced.snap), reduced.steps) == ({"gender": 0.9}, ())
    other = Attribute("race5", "perceived race", ("a", "b"))
    with pytest.raises(ConfigError, match=r"profile 'optimised': step 1, case 1, .*no group 'european'"):
        load_profile("optimised", Path(), {"race5": other})


def test_how_a_profile_differs_from_the_published_one(tmp_path: Path) -> None:
    same = write(tmp_path, SHIPPED.replace('"optimised"', '"mine"').replace("young >= 0.1", "young  >=  0.1"))
    assert (same.differences(OPTIMISED), same.digest) == ([], OPTIMISED.digest)
    text = SHIPPED.replace('"optimised"', '"mine"').replace("gender = 0.9", "gender = 0.85")
    text = text.replace('["south_asian >= 0.7"]', '["south_asian >= 0.6"]').replace("age3 = 0.75\n", "")
    mine = write(tmp_path, text)
    assert mine.digest != OPTIMISED.digest
    rule = "else if south_asian >= {}: 3/4 latino -> south_asian, 1/2 east_asian -> south_asian"
    assert list(map(plain_adjustment, mine.differences(OPTIMISED))) == [
        "alignment “mine”, perceived gender: snap above 0.85 (published: snap above 0.9)",
        f"alignment “mine”, perceived race: {rule.format(0.6)} (published: {rule.format(0.7)})",
        "alignment “mine”, perceived age group: no rule (published: snap above 0.75)",
    ]


def test_the_bounds_of_a_step_are_part_of_it(tmp_path: Path) -> None:
    joined = SHIPPED.replace(
        '[[steps]]\nattribute = "age3"\n\n[[steps.cases]]\nwhen = ["young', '[[steps.cases]]\nwhen = ["young'
    )
    (line,) = write(tmp_path, joined).differences(OPTIMISED)
    assert "perceived age group: else if young >= 0.1" in plain_adjustment(line)


def test_plain_says_that_nothing_is_corrected() -> None:
    plain = load_profile("plain", Path(), TABLE)
    (line,) = map(plain_adjustment, plain.differences(OPTIMISED))
    assert line == "alignment “plain”: masses are not corrected (published: “optimised”)"
