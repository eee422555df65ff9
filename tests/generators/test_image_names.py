"""Names of images that exist: the term, and what tells prompts of one term apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from portrayal.generators.image_names import ImageNames, plain_name
from portrayal.records import Prompt


def prompt(term: str, category: str = "", variant: str = "", text: str = "") -> Prompt:
    return Prompt(text or f"{variant} {category} {term}", term, category=category, variant=variant, edits="seed")


def test_a_prompt_alone_is_found_by_its_term_with_its_category_and_without() -> None:
    nurse = prompt("nurse", "profession")
    found = ImageNames.of([nurse, prompt("pen", "object")])
    assert found.names[nurse.id] == ["profession/nurse", "nurse"]
    assert not found.shared


def test_a_term_of_two_categories_belongs_to_neither() -> None:
    one, two = prompt("cleaner", "profession"), prompt("cleaner", "object")
    found = ImageNames.of([one, two, prompt("nurse", "profession")])
    assert (found.names[one.id], found.names[two.id]) == (["profession/cleaner"], ["object/cleaner"])
    assert list(found.shared) == ["cleaner"]
    assert found.instead("cleaner") == ["profession/cleaner", "object/cleaner"]


def test_a_further_instruction_has_a_folder_of_its_own_and_the_plain_name_is_the_plain_prompts() -> None:
    plain, told = prompt("nurse", "profession"), prompt("nurse", "profession", "keep the gender/age")
    found = ImageNames.of([plain, told])
    assert found.names[plain.id] == ["profession/nurse", "nurse"]
    assert found.names[told.id] == ["keep the gender-age/profession/nurse", "keep the gender-age/nurse"]
    assert not found.shared


def test_variants_without_a_plain_prompt_keep_the_plain_name_where_there_is_one() -> None:
    alone = prompt("nurse", "profession", "direct")
    assert ImageNames.of([alone]).names[alone.id][-1] == "nurse"
    both = [alone, prompt("nurse", "profession", "group")]
    found = ImageNames.of(both)
    assert set(found.shared) == {"nurse", "profession/nurse"}
    assert [found.names[own.id] for own in both] == [
        ["direct/profession/nurse", "direct/nurse"],
        ["group/profession/nurse", "group/nurse"],
    ]


def test_prompts_that_no_name_tells_apart_have_none() -> None:
    one, two = prompt("nurse", text="one"), prompt("nurse", text="two")
    found = ImageNames.of([one, two])
    assert found.names == {one.id: [], two.id: []}
    assert found.instead("nurse") == []


Part = st.sampled_from(["", "a", "A", "b c", "b_c", "a/b", "é"])


@given(st.lists(st.tuples(Part.filter(bool), Part, Part), max_size=6))
def test_no_name_ever_means_two_prompts(parts: list[tuple[str, str, str]]) -> None:
    prompts = {prompt(*own, text=f"{number}").id: prompt(*own, text=f"{number}") for number, own in enumerate(parts)}
    found = ImageNames.of(list(prompts.values()))
    owners: dict[str, set[str]] = {}
    for name, names in found.names.items():
        for own in names:
            owners.setdefault(plain_name(own), set()).add(name)
    assert all(len(own) == 1 for own in owners.values())
    assert not owners.keys() & found.shared.keys()
