from __future__ import annotations

import pytest

from portrayal.methods.faintbench.suite.terms import shipped_terms
from portrayal.suites.prompt_wording import fill, in_sentence, with_article

AN = """
    accountant, actor, engineer, ice hockey player, officer, umpire, urban wanderer, usher, uncle, uninformed voter,
    unimportant clerk, unidentified man, onerous guest, honest person, hour hand, heir, honorary consul, honourable man,
    MC, MBA student, HR manager, NGO worker, FBI agent, IT technician, R&D engineer, X-ray technician, x-ray technician,
    A-list actor, e-commerce manager, 8-year-old child, 80-year-old person, 11-year-old child, 18-year-old person
"""
A = """
    nurse, historian, hairdresser, home owner, university professor, unicyclist, union leader, uniformed guard,
    used-car dealer, user, usual suspect, utility worker, urologist, Ukrainian woman, European farmer, eulogist,
    one-legged man, UFO hunter, CEO, TV presenter, UX designer, US senator, STEM student, NASA engineer, yoga teacher,
    U-boat captain, 1-year-old child, 70-year-old person, 100-year-old person, 180-cm-tall man, 110-kg lifter
"""


def listed(text: str) -> list[str]:
    return [term.strip() for term in text.replace("\n", " ").split(",")]


@pytest.mark.parametrize(("article", "term"), [*(("an", t) for t in listed(AN)), *(("a", t) for t in listed(A))])
def test_articles_follow_the_sound(article: str, term: str) -> None:
    assert with_article(term) == f"{article} {term}"


def test_shipped_terms_that_take_an() -> None:
    words = [in_sentence(term.name) for term in shipped_terms() if term.kind == "occupation"]
    assert [word for word in words if with_article(word) == f"an {word}"] == [
        "actor", "editor", "illustrator", "interpreter", "accountant", "entrepreneur", "investment advisor",
        "electrician", "art teacher", "education consultant", "elementary school teacher", "English teacher",
        "inspector general", "animal trainer", "exercise trainer", "ironworker", "insurance sales agent", "architect",
        "astronomer", "electrical engineer", "environmental scientist", "ice hockey player", "urban wanderer",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("Art Teacher", "art teacher"),
        ("English Teacher", "English teacher"),
        ("STEM Student", "STEM student"),
        ("CEO", "CEO"),
        ("  Film   Director ", "film director"),
    ],
)
def test_titles_are_written_small_in_a_sentence(title: str, written: str) -> None:
    assert in_sentence(title) == written


@pytest.mark.parametrize(
    ("template", "term", "text"),
    [
        ("a photo of {a_term}", "engineer", "a photo of an engineer"),
        ("one {term}", "engineer", "one engineer"),
        ("{a_term}: a {term}", "judge", "a judge: a judge"),
        ("a photo of {a_term}", "Muslim woman", "a photo of a Muslim woman"),
        ("no place {other}", "judge", "no place {other}"),
    ],
)
def test_fill(template: str, term: str, text: str) -> None:
    assert fill(template, term) == text
