from __future__ import annotations

import hashlib
import io
import json
import pickle
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from scipy.stats import binomtest, chisquare

from portrayal.errors import ConfigError
from portrayal.generators import GENERATORS, Generator
from portrayal.generators.simulated import Simulated, SimulatedOptions
from portrayal.records import Failed, Job, Made, Person, Prompt, Refused, attribute_table, plan_edit, plan_job
from portrayal.settings import parse_settings

NURSE = Prompt("a photo of one nurse", "Nurse")
WOMAN = Prompt("a photo of one female nurse", "Nurse", requested={"gender": "female"})
PAIR = Prompt("One boss at left with one clerk at right", "Boss / Clerk", people=2)
ASKED = Prompt("two", "Boss / Clerk", requested={"left.gender": "female", "right.gender": "male"}, people=2)
EVEN = {"male": 0.5, "female": 0.5}
MEN = {"male": 1.0, "female": 0.0}
WOMEN = {"male": 0.0, "female": 1.0}


def build(**options: Any) -> Simulated:
    return Simulated("", parse_settings(SimulatedOptions, options, "study.toml"))


def plan(count: int, prompt: Prompt = NURSE) -> list[Job]:
    return [plan_job(prompt, "simulated@1", index, 0) for index in range(count)]


def made(results: Sequence[Made | Refused | Failed]) -> list[Made]:
    return [result for result in results if isinstance(result, Made)]


def people(generator: Simulated, count: int, prompt: Prompt) -> list[Sequence[Person]]:
    return [image.planted or () for image in made(list(generator.generate(plan(count, prompt))))]


def is_rate(count: int, of: int, rate: float) -> bool:
    """Whether the count is no surprise; jobs are fixed, so the answer never changes."""
    return bool(binomtest(count, of, rate).pvalue > 0.01)


def test_it_is_a_generator_known_to_the_registry() -> None:
    generator: Generator = build()
    assert generator.name == "simulated@1"
    found: object = GENERATORS.load("simulated")
    assert found is Simulated


def test_an_image_never_changes_between_versions() -> None:
    (image,) = made(list(build().generate(plan(1))))
    assert image.planted == [{"gender": "male", "age3": "middle_aged", "tone3": "medium"}]
    with Image.open(io.BytesIO(image.data)) as picture:  # its bytes are up to the compressor
        assert picture.tobytes()[:6].hex() == "e656d2704ee4"


def test_who_is_planted_never_changes_between_versions() -> None:
    """Computed by the version of before two-person prompts, on jobs with every outcome, extra people and attributes."""
    terms = {"nurse": {"gender": {"male": 0.1, "female": 0.9}, "race5": {"african": 0.3, "latino": 0.7}}}
    generator = build(terms=terms, refused=0.1, failed=0.1, no_person=0.1, several=0.3, pixels=False)
    rows = [
        [type(result).__name__, result.planted if isinstance(result, Made) else result.reason]
        for result in generator.generate(plan(200))
    ]
    digest = hashlib.sha256(json.dumps(rows).encode()).hexdigest()
    assert digest == "73857eb84da641a89d95a4d289755566bbf1067241093b92cf400db368e2579e"


@pytest.mark.slow
@given(st.lists(st.integers(0, 30), max_size=12))
def test_a_job_gives_the_same_whatever_else_is_in_the_batch(order: list[int]) -> None:
    generator = build(refused=0.2, failed=0.2, no_person=0.2, several=0.3)
    jobs = plan(31)
    alone = [next(generator.generate([job])) for job in jobs]
    assert list(generator.generate([jobs[index] for index in order])) == [alone[index] for index in order]


def test_another_instance_gives_the_same() -> None:
    assert list(build(several=0.5).generate(plan(20))) == list(build(several=0.5).generate(plan(20)))


def test_every_job_gets_one_outcome_in_order() -> None:
    jobs = plan(50)
    outcomes = list(build(refused=0.3, failed=0.3).generate(jobs))
    assert [outcome.job for outcome in outcomes] == [job.id for job in jobs]
    assert {type(outcome) for outcome in outcomes} == {Made, Refused, Failed}
    assert {outcome.versions for outcome in outcomes} == {"simulated@1"}


def test_shares_are_what_was_planted() -> None:
    shares = {"gender": {"male": 0.7, "female": 0.3}, "age3": {"young": 0.1, "middle_aged": 0.4, "elderly": 0.5}}
    images = made(list(build(shares=shares, pixels=False).generate(plan(4000))))
    people = [person for image in images for person in image.planted or ()]
    assert len(people) == 4000
    for attribute, wanted in shares.items():
        seen = Counter(person[attribute] for person in people)
        assert chisquare([seen[group] for group in wanted], [4000 * p for p in wanted.values()]).pvalue > 0.01
    both = sum(person == {"gender": "male", "age3": "young"} for person in people)
    assert is_rate(both, 4000, 0.7 * 0.1), "attributes are planted independently of each other"


def test_both_people_of_a_pair_follow_the_shares_on_their_own() -> None:
    shares = {"gender": {"male": 0.7, "female": 0.3}}
    images = made(list(build(shares=shares, several=1, pixels=False).generate(plan(2000))))
    pairs = Counter(tuple(person["gender"] for person in image.planted or ()) for image in images)
    expected = {("male", "male"): 0.49, ("male", "female"): 0.21, ("female", "male"): 0.21, ("female", "female"): 0.09}
    assert chisquare([pairs[pair] for pair in expected], [2000 * p for p in expected.values()]).pvalue > 0.01


def test_a_term_has_its_own_shares_whatever_its_case() -> None:
    generator = build(terms={"nUrSe": {"gender": {"male": 0.0, "female": 1.0}}})
    assert {p["gender"] for image in made(list(generator.generate(plan(40)))) for p in image.planted or ()} == {
        "female"
    }
    assert generator.truth(NURSE)["gender"] == {"male": 0.0, "female": 1.0}
    assert generator.truth(NURSE)["age3"] == {"young": 0.4, "middle_aged": 0.4, "elderly": 0.2}
    assert generator.truth(Prompt("a judge", "judge"))["gender"] == {"male": 0.5, "female": 0.5}


def test_a_group_with_no_share_is_never_planted_not_even_by_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portrayal.generators.simulated.generator._uniforms", lambda _key, count: (1.0,) * count)
    shares = {"gender": {"male": 0.9999995, "female": 0.0}}
    (image,) = made(list(build(shares=shares, pixels=False).generate(plan(1))))
    assert image.planted == [{"gender": "male"}]


def test_a_requested_group_is_planted_and_the_rest_is_left_to_the_shares() -> None:
    assert {person["gender"] for (person,) in people(build(pixels=False), 200, WOMAN)} == {"female"}
    assert build().truth(WOMAN) == {**build().truth(NURSE), "gender": WOMEN}
    alone = Prompt(WOMAN.text, WOMAN.term)  # the same jobs, without the request
    for (asked,), (free,) in zip(*(people(build(), 50, prompt) for prompt in (WOMAN, alone)), strict=True):
        assert {**free, "gender": "female"} == asked


def test_a_generator_obeys_as_often_as_it_is_told() -> None:
    generator = build(shares={"gender": {"male": 0.8, "female": 0.2}}, obey=0.5, pixels=False)
    assert generator.truth(WOMAN) == {"gender": {"male": 0.4, "female": pytest.approx(0.6)}}
    seen = sum(person["gender"] == "female" for (person,) in people(generator, 4000, WOMAN))
    assert is_rate(seen, 4000, 0.6)
    assert generator.truth(NURSE) == {"gender": {"male": 0.8, "female": 0.2}}, "nothing asked, nothing to obey"
    deaf = build(obey=0.0)
    assert deaf.truth(WOMAN) == deaf.truth(NURSE)


def test_a_request_without_shares_is_followed_or_needs_them() -> None:
    african = Prompt("a photo of one African nurse", "Nurse", requested={"race5": "african"})
    assert build().truth(african)["race5"] == {"african": 1.0}
    assert {person["race5"] for (person,) in people(build(pixels=False), 20, african)} == {"african"}
    half = build(obey=0.5)
    for ask in (lambda: half.truth(african), lambda: list(half.generate(plan(1, african)))):
        with pytest.raises(ConfigError, match=r"obey is 0.5 and a prompt asks for race5 'african', so options.shares"):
            ask()


def test_two_people_are_planted_left_then_right_by_shares_of_their_own() -> None:
    shares = {"gender": EVEN, "left.gender": {"male": 0.9, "female": 0.1}, "right.race5": {"african": 1.0}}
    generator = build(shares=shares, pixels=False)
    assert generator.truth(PAIR) == {
        "left.gender": {"male": 0.9, "female": 0.1},
        "right.gender": EVEN,
        "right.race5": {"african": 1.0},
    }
    pairs = people(generator, 2000, PAIR)
    assert {tuple(map(len, pair)) for pair in pairs} == {(1, 2)}
    seen = Counter((left["gender"], right["gender"]) for left, right in pairs)
    expected = {("male", "male"): 0.45, ("male", "female"): 0.45, ("female", "male"): 0.05, ("female", "female"): 0.05}
    assert chisquare([seen[pair] for pair in expected], [2000 * p for p in expected.values()]).pvalue > 0.01
    assert generator.truth(NURSE) == {"gender": EVEN}, "one person stands on no side"


def test_a_term_wins_over_shares_and_in_each_the_aspect_over_the_attribute() -> None:
    generator = build(
        shares={"gender": EVEN, "left.gender": MEN},
        terms={"boss / clerk": {"gender": WOMEN}, "cook / guest": {"gender": WOMEN, "right.gender": MEN}},
    )
    wanted = {"Boss / Clerk": (WOMEN, WOMEN), "Cook / Guest": (WOMEN, MEN), "Friend / Friend": (MEN, EVEN)}
    for term, (left, right) in wanted.items():
        assert generator.truth(Prompt(term, term, people=2)) == {"left.gender": left, "right.gender": right}


def test_each_of_two_people_is_who_was_asked_for() -> None:
    generator = build(shares={"gender": EVEN}, pixels=False)
    assert generator.truth(ASKED) == {"left.gender": WOMEN, "right.gender": MEN}
    assert {(left["gender"], right["gender"]) for left, right in people(generator, 50, ASKED)} == {("female", "male")}
    half = build(shares={"gender": EVEN}, obey=0.5, pixels=False)
    pairs = Counter((left["gender"], right["gender"]) for left, right in people(half, 2000, ASKED))
    expected = {
        (a, b): p * q for a, p in (("female", 0.75), ("male", 0.25)) for b, q in (("male", 0.75), ("female", 0.25))
    }
    assert chisquare([pairs[pair] for pair in expected], [2000 * p for p in expected.values()]).pvalue > 0.01


def test_several_is_one_more_than_asked_drawn_by_the_shares_alone() -> None:
    for prompt, asked in ((WOMAN, ["female"]), (ASKED, ["female", "male"])):
        crowds = people(build(several=1, pixels=False), 1000, prompt)
        assert {tuple(person["gender"] for person in crowd[:-1]) for crowd in crowds} == {tuple(asked)}
        assert is_rate(sum(crowd[-1]["gender"] == "male" for crowd in crowds), 1000, 0.5)
        usual = people(build(pixels=False), 1000, prompt)
        assert [crowd[:-1] for crowd in crowds] == usual, "an extra person leaves the others as they are"
        assert set(map(len, people(build(no_person=1), 20, prompt))) == {0}


CROWD = Prompt("nurses", "Nurse", people=0)


def test_a_group_has_two_to_six_people_who_each_follow_the_shares() -> None:
    shares = {"gender": {"male": 0.7, "female": 0.3}, "left.gender": WOMEN}
    generator = build(shares=shares, pixels=False)
    assert generator.truth(CROWD) == {"gender": {"male": 0.7, "female": 0.3}}, "nobody in a group has a side"
    crowds = people(generator, 4000, CROWD)
    sizes = Counter(map(len, crowds))
    assert sorted(sizes) == [2, 3, 4, 5, 6]
    assert chisquare(list(sizes.values())).pvalue > 0.01, "all sizes are equally likely"
    for place in range(6):
        mine = [crowd[place]["gender"] for crowd in crowds if len(crowd) > place]
        assert is_rate(mine.count("male"), len(mine), 0.7)
    firsts = Counter((crowd[0]["gender"], crowd[1]["gender"]) for crowd in crowds)
    expected = {(a, b): p * q for a, p in (("male", 0.7), ("female", 0.3)) for b, q in (("male", 0.7), ("female", 0.3))}
    assert chisquare([firsts[pair] for pair in expected], [4000 * p for p in expected.values()]).pvalue > 0.01
    men = {size: [p["gender"] for crowd in crowds if len(crowd) == size for p in crowd] for size in sizes}
    assert all(is_rate(seen.count("male"), len(seen), 0.7) for seen in men.values()), "in crowds of every size"


def test_a_group_never_changes_between_versions() -> None:
    crowds = people(build(pixels=False), 6, CROWD)
    first = [" ".join(person["tone3"][0] + person["gender"][0] for person in crowd) for crowd in crowds]
    assert first == ["lf lf df", "mm lf mm df df", "df lf lf", "df mm df lf", "lf df", "lf lm mf lm"]


def test_everyone_in_a_group_is_who_was_asked_for() -> None:
    nurses = Prompt("female nurses", "Nurse", requested={"gender": "female"}, people=0)
    assert {p["gender"] for crowd in people(build(pixels=False), 50, nurses) for p in crowd} == {"female"}
    assert build().truth(nurses)["gender"] == WOMEN
    half = build(obey=0.5, pixels=False)
    seen = [person["gender"] for crowd in people(half, 1000, nurses) for person in crowd]
    assert half.truth(nurses)["gender"] == {"male": 0.25, "female": 0.75}
    assert is_rate(seen.count("female"), len(seen), 0.75)


def test_how_large_a_group_is_can_be_said_and_an_extra_person_is_none() -> None:
    assert set(map(len, people(build(group=[3, 3], several=1, pixels=False), 50, CROWD))) == {3}
    assert set(map(len, people(build(group=[1, 9], pixels=False), 500, CROWD))) == set(range(1, 10))
    assert set(map(len, people(build(no_person=1), 20, CROWD))) == {0}
    assert SimulatedOptions(group=(2, 6)).changed() == {}


def test_prompts_of_one_term_are_kept_apart() -> None:
    man = Prompt("a photo of one male nurse", "Nurse", requested={"gender": "male"})
    prompts = [NURSE, WOMAN, man, Prompt("two nurses", "Nurse", people=2), CROWD]
    jobs = [job for prompt in prompts for job in plan(5, prompt)]
    assert list(build().generate(jobs)) == [outcome for job in jobs for outcome in build().generate([job])]


def test_a_used_generator_pickles() -> None:
    generator = build()
    drawn = list(generator.generate(plan(3, ASKED)))
    assert list(pickle.loads(pickle.dumps(generator)).generate(plan(3, ASKED))) == drawn


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.0, 0.25, 1.0])
def test_rates(rate: float) -> None:
    jobs = plan(2000)
    refused = [r for r in build(refused=rate, pixels=False).generate(jobs) if isinstance(r, Refused)]
    failed = [r for r in build(failed=rate, pixels=False).generate(jobs) if isinstance(r, Failed)]
    empty = [r for r in made(list(build(no_person=rate, pixels=False).generate(jobs))) if r.planted == []]
    several = [r for r in made(list(build(several=rate, pixels=False).generate(jobs))) if len(r.planted or ()) == 2]
    for found in (refused, failed, empty, several):
        assert is_rate(len(found), 2000, rate)
    assert {r.reason for r in refused} <= {"simulated_refusal"}
    assert {r.reason for r in failed} <= {"simulated_failure"}


def test_what_happens_depends_on_nothing_else_that_happens() -> None:
    options = {"refused": 0.5, "failed": 0.5, "pixels": False}
    outcomes = list(build(no_person=0.5, several=0.5, **options).generate(plan(4000)))
    kinds = Counter(
        "refused" if isinstance(o, Refused) else "failed" if isinstance(o, Failed) else len(o.planted or ())
        for o in outcomes
    )
    expected: dict[str | int, float] = {"failed": 0.5, "refused": 0.25, 0: 0.125, 2: 0.0625, 1: 0.0625}
    assert chisquare([kinds[kind] for kind in expected], [4000 * p for p in expected.values()]).pvalue > 0.01


def test_a_failure_may_pass_at_the_next_attempt_and_a_refusal_never_does() -> None:
    generator = build(failed=0.5, refused=0.3, pixels=False)
    tries = {
        attempt: list(
            generator.generate(
                [Job(j.id, j.prompt, j.generator, j.index, j.seed, j.text, j.term, attempt) for j in plan(400)]
            )
        )
        for attempt in (1, 2)
    }
    again = [second for first, second in zip(tries[1], tries[2], strict=True) if isinstance(first, Failed)]
    assert is_rate(sum(isinstance(result, Failed) for result in again), len(again), 0.5)
    assert {r.detail for r in tries[2] if isinstance(r, Failed)} == {"attempt 2"}
    for first, second in zip(tries[1], tries[2], strict=True):
        if not isinstance(first, Failed) and not isinstance(second, Failed):
            assert first == second


def test_pixels_are_small_valid_and_different_pictures() -> None:
    images = made(list(build(size=5).generate(plan(20))))
    assert len({image.image for image in images}) == 20
    for image in images:
        with Image.open(io.BytesIO(image.data)) as picture:
            assert (picture.format, picture.size) == ("PNG", (5, 5))
        assert (image.ext, image.width, image.height) == ("png", 5, 5)


def test_without_pixels_the_same_people_are_planted_in_images_of_their_own() -> None:
    drawn, bare = (made(list(build(pixels=pixels, several=0.5).generate(plan(20)))) for pixels in (True, False))
    assert [image.planted for image in drawn] == [image.planted for image in bare]
    assert {(image.data, image.ext, image.width) for image in bare} == {(b"", "", 0)}
    assert len({image.image for image in bare}) == 20


def test_it_takes_no_argument() -> None:
    with pytest.raises(ConfigError, match="'simulated' takes no argument, got 'x'; use its options instead"):
        Simulated("x", SimulatedOptions())


OLDER = Prompt("make them a nurse", "Nurse", edits="seed")


def edits(count: int, planted: Sequence[Person] | None) -> list[Job]:
    jobs = (plan_edit(OLDER, "simulated@1", n, 0, source_job=f"source {n}") for n in range(count))
    return [replace(job, planted=planted) for job in jobs]


def test_an_edit_moves_the_people_of_its_source_as_planted() -> None:
    before = [{"gender": "male", "age3": "young"}, {"gender": "female", "hair": "long"}]
    moves = {"gender": {"female": 0.6, "male": 0.1}, "age3": {"elderly": 0.25}}
    found = made(list(build(moves={"nurse": moves}).edit(edits(2000, before))))
    assert len({image.image for image in found}) == len(found) == 2000
    first, second = ([image.planted[place] for image in found if image.planted] for place in (0, 1))
    assert is_rate(sum(person["gender"] == "female" for person in first), 2000, 0.6)
    assert is_rate(sum(person["age3"] == "elderly" for person in first), 2000, 0.25)
    assert is_rate(sum(person["gender"] == "male" for person in second), 2000, 0.1)
    both = sum(person["gender"] == "female" and person["age3"] == "elderly" for person in first)
    assert is_rate(both, 2000, 0.15)
    assert {person["hair"] for person in second} == {"long"}


def test_an_edit_without_moves_keeps_everyone() -> None:
    before = [{"gender": "male"}]
    assert all(image.planted == before for image in made(list(build().edit(edits(20, before)))))


def test_nobody_is_planted_in_the_edit_of_a_photo() -> None:
    (image,) = made(list(build(moves={"nurse": {"gender": {"female": 1.0}}}).edit(edits(1, None))))
    assert image.planted is None
    (empty,) = made(list(build(pixels=False).edit(edits(1, []))))
    assert empty.planted == []
    assert empty.data == b""


def test_edits_are_refused_and_fail_like_drawings() -> None:
    results = list(build(refused=0.3, failed=0.2).edit(edits(2000, [])))
    kinds = Counter(type(result) for result in results)
    assert is_rate(kinds[Failed], 2000, 0.2)
    assert is_rate(kinds[Refused], 2000, 0.3 * 0.8)
    assert [result.job for result in results] == [job.id for job in edits(2000, [])]


def test_words_are_planted_by_shares_with_the_term_of_the_prompt() -> None:
    captions = {"a {term}": 0.5, "a {term} and a dog": 0.3, "a Nurse": 0.2}
    generator = build(shares={"caption": captions})
    truth = generator.truth(NURSE)
    assert truth is not None
    assert truth["caption"] == {"a Nurse": 0.7, "a Nurse and a dog": 0.3}
    written = Counter(person["caption"] for group in people(generator, 1000, NURSE) for person in group)
    assert set(written) == {"a Nurse", "a Nurse and a dog"}
    assert is_rate(written["a Nurse and a dog"], 1000, 0.3)


def test_what_a_method_needs_in_words_is_planted_in_words() -> None:
    table = attribute_table()
    options = Simulated.options_for([table["caption"], table["prompt_match"], table["gender"]])
    shares = options["shares"]
    assert shares["prompt_match"] == {"match": 0.5, "miss": 0.5}
    assert "a {term}" in shares["caption"]
    assert build(**options).truth(NURSE) is not None
