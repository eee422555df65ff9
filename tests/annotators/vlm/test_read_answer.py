from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.annotators.vlm.questions import QuestionOptions, Questions
from portrayal.annotators.vlm.read_answer import Invalid, Told, read_answer, rows
from portrayal.records import OBSERVATION_SCHEMA, Abstention, Image, Observation, to_table

ASKED = Questions("vlm", QuestionOptions())
GENDER = Questions("vlm", QuestionOptions(attributes=("gender",)))
SHORT = {"gender": "female", "race5": "east asian", "age3": "young (under 30)", "occupation": "nurse"}
NURSE = {"gender": "female", "race5": "east_asian", "age3": "young", "occupation": "nurse"}


def one(**changes: Any) -> str:
    return json.dumps({"people": "one", "person": {**SHORT, **changes}})


def read(text: str) -> Told | Invalid:
    return read_answer(text, ASKED, 1)


@pytest.mark.parametrize(
    "text",
    [
        one(),
        f"```json\n{one()}\n```",
        f"Here it is:\n```\n{one()}\n```\nAnything else?",
        f"<think>Perhaps {{not}} this</think> {one()}",
        f"<think>First {one(gender='male')}</think> {one()}",
        f"First {one(gender='male')}</think>\n\n{one()}",
        f"{one(gender='male')} No, rather: {one()}",
        one(race5="East_Asian", gender=" Female. ", age3="young", occupation=" nurse \n"),
        one(age3="Young (Under 30)", race5="east-asian"),
    ],
)
def test_a_usable_answer_is_found_and_spelled_as_the_tables_do(text: str) -> None:
    assert read(text) == Told(1, (NURSE,))


@pytest.mark.parametrize("said", ["cannot tell", "Cannot tell.", "cannot_tell", None])
def test_what_cannot_be_told_is_none(said: str | None) -> None:
    assert read(one(gender=said, occupation=said)) == Told(1, ({**NURSE, "gender": None, "occupation": None},))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no whole JSON object"),
        ("A young nurse.", "there is no whole JSON object"),
        (one()[:-1], '"people" must be one of "none", "one", "two", "more"'),
        ('{"people": "one", "person', "there is no whole JSON object"),
        (f"<think>Is it {one()}", "there is no whole JSON object"),
        (f"<think>It is {one()}</think> I cannot say.", "there is no whole JSON object"),
        ("[1, 2]", "there is no whole JSON object"),
        ("{" * 5_000, "there is no whole JSON object"),
        ('{"a":' * 5_000, "there is no whole JSON object"),
        ('{"a": ' + "1" * 5_000 + "}", "there is no whole JSON object"),
        ("{}", '"people" must be one of "none", "one", "two", "more"'),
        (json.dumps({"people": 1, "person": SHORT}), '"people" must be one of "none", "one", "two", "more"'),
        (json.dumps({"people": "one"}), '"person" must be an object'),
        (json.dumps({"people": "one", "person": [SHORT]}), '"person" must be an object'),
        (one(gender="both"), '"gender" must be one of "male", "female", "cannot tell"'),
        (one(gender=["female"]), '"gender" must be one of "male", "female", "cannot tell"'),
        (one(occupation=3), '"occupation" must be text'),
        (json.dumps({"people": "one", "person": {}}), '"gender" must be one of "male", "female", "cannot tell"'),
        (
            json.dumps({"people": "one", "person": {k: SHORT[k] for k in ("gender", "race5", "age3")}}),
            '"occupation" must be text',
        ),
    ],
)
def test_an_answer_that_cannot_be_used_says_why(text: str, why: str) -> None:
    assert read(text) == Invalid(why)


def test_an_answer_longer_than_any_is_not_searched() -> None:
    assert read("{" * 100_001) == Invalid("it was too long")
    assert isinstance(read(f"<think>{'{' * 1_000_000}</think>{one()}"), Told)


def seen(told: Told, people: int = 1, asked: Questions = GENDER) -> list[Any]:
    return list(rows(Image("i", None, people=people), "vlm", told, asked))


PERSON = Observation("i", "vlm", 0, "person", (1.0, 0.0))
NOBODY = Observation("i", "vlm", 0, "person", (0.0, 1.0))
MAN: dict[str, str | None] = {"gender": "male"}
WOMAN: dict[str, str | None] = {"gender": "female"}
SOMEONE: dict[str, str | None] = {"gender": None}


def mass(subject: int, *values: float) -> Observation:
    return Observation("i", "vlm", subject, "gender", values)


@pytest.mark.parametrize(
    ("told", "people", "expected"),
    [
        (Told(1, (MAN,)), 1, [PERSON, mass(0, 1.0, 0.0)]),
        (Told(1, (SOMEONE,)), 1, [PERSON, Abstention("i", "vlm", "cannot_tell", 0, "gender")]),
        (Told(0, (MAN,)), 1, [NOBODY, Abstention("i", "vlm", "no_person")]),
        (Told(2, (MAN,)), 1, [PERSON, Abstention("i", "vlm", "several_people"), mass(0, 1.0, 0.0)]),
        (Told(2, (MAN, WOMAN)), 2, [PERSON, mass(0, 1.0, 0.0), mass(1, 0.0, 1.0)]),
        (
            Told(2, (MAN, SOMEONE)),
            2,
            [PERSON, mass(0, 1.0, 0.0), Abstention("i", "vlm", "cannot_tell", 1, "gender")],
        ),
        (
            Told(3, (MAN, WOMAN)),
            2,
            [PERSON, Abstention("i", "vlm", "several_people"), mass(0, 1.0, 0.0), mass(1, 0.0, 1.0)],
        ),
        (Told(1, (SOMEONE, WOMAN)), 2, [PERSON, Abstention("i", "vlm", "one_person"), mass(0, 0.0, 1.0)]),
        (Told(1, (MAN, WOMAN)), 2, [PERSON, Abstention("i", "vlm", "one_person")]),
        (Told(0, (SOMEONE, SOMEONE)), 2, [NOBODY, Abstention("i", "vlm", "no_person")]),
        (Told(0, ()), 0, [NOBODY, Abstention("i", "vlm", "no_person")]),
        (Told(1, (MAN,)), 0, [PERSON, mass(0, 1.0, 0.0)]),
        (
            Told(3, (MAN, SOMEONE, WOMAN)),
            0,
            [PERSON, mass(0, 1.0, 0.0), Abstention("i", "vlm", "cannot_tell", 1, "gender"), mass(2, 0.0, 1.0)],
        ),
    ],
)
def test_rows_say_who_is_there_and_whether_that_was_asked_for(told: Told, people: int, expected: list[Any]) -> None:
    assert seen(told, people) == expected


def everyone(*people: Any) -> str:
    return json.dumps({"persons": [{**SHORT, **changes} for changes in people]})


def test_of_a_group_as_many_are_read_as_were_asked_about() -> None:
    assert read_answer(everyone({}, {"gender": "male"}), ASKED, 0) == Told(2, (NURSE, {**NURSE, "gender": "male"}))
    assert read_answer(everyone(), ASKED, 0) == Told(0, ())
    few = Questions("vlm", QuestionOptions(), 3)
    assert read_answer(everyone(*[{}] * 7), few, 0) == Told(3, (NURSE,) * 3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (one(), '"persons" must be a list of objects'),
        (json.dumps([SHORT, SHORT]), '"persons" must be a list of objects'),
        (json.dumps({"persons": SHORT}), '"persons" must be a list of objects'),
        (json.dumps({"persons": ["a man"]}), '"persons" must be a list of objects'),
        (everyone({}, {"gender": "both"}), '"gender" must be one of "male", "female", "cannot tell"'),
        (everyone({}, {})[:-1], '"persons" must be a list of objects'),
    ],
)
def test_an_answer_about_a_group_that_cannot_be_used_says_why(text: str, why: str) -> None:
    assert read_answer(text, ASKED, 0) == Invalid(why)


def test_half_a_character_is_replaced() -> None:
    assert read(one(occupation="a\ud800 b")) == Told(1, ({**NURSE, "occupation": "a? b"},))


def test_words_are_kept_as_words() -> None:
    row = seen(Told(1, (NURSE,)), asked=ASKED)[-1]
    assert row == Observation("i", "vlm", 0, "occupation", text="nurse")


# Texts that are nearly right reach further into the reader than any.
KEYS = st.sampled_from(["people", "persons", "person", "left", "right", "gender", "race5", "age3", "occupation", "x"])
LEAVES = (
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.sampled_from([*SHORT.values(), "one", "none"])
)
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6))
TEXTS = st.text() | JSON.map(json.dumps) | st.builds("{}{}{}".format, st.text(), JSON.map(json.dumps), st.text())
NEAR = st.builds(
    lambda count, person, extra: (
        json.dumps(
            {"people": count, **{key: {**SHORT, **person} for key in ("person", "left", "right")}, "persons": [SHORT]}
        )
        + extra
    ),
    st.sampled_from(["none", "one", "two", "more"]),
    st.dictionaries(st.just("occupation"), st.text(alphabet=st.characters() | st.sampled_from("\ud800\udfff "))),
    st.text(max_size=3),
)


@pytest.mark.slow
@given(text=TEXTS | NEAR, people=st.sampled_from([0, 1, 2]))
def test_any_text_gives_rows_that_can_be_stored_or_is_invalid(text: str, people: int) -> None:
    told = read_answer(text, ASKED, people)
    if isinstance(told, Told):
        found = list(rows(Image("i", None, people=people), "vlm", told, ASKED))
        assert to_table(found, OBSERVATION_SCHEMA).num_rows == len(found) > 0
        assert all(len(row.text or "") <= 200 for row in found)
    else:
        assert told.why
