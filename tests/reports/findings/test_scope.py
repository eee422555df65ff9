"""What a page speaks of is said on its first screen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from portrayal.reports.drawn_in_rounds import DrawnInRounds, DrawnPrompt
from portrayal.reports.reading_errors import ReadingErrors

if TYPE_CHECKING:
    from tests.reports.findings.conftest import Row, Said, StudyOf


def test_what_was_asked_is_shown_by_its_wording(share: Row, study: StudyOf, said: Said) -> None:
    prompts = [(term, "", f"a photo of one {term}") for term in ("nurse", "CEO")]
    text = said(study(share(), prompts=prompts))
    assert "Asked 2 prompts about 2 terms, worded “a photo of one …”." in text
    many = [("nurse", "", f"wording {own} of a nurse") for own in range(5)]
    text = said(study(share(), prompts=many))
    assert "5 prompts about 1 term, such as “wording 0 of a …”, “wording 1 of a …” and “wording 2 of a …”." in text


def test_who_looked_is_said_with_its_errors(share: Row, study: StudyOf, said: Said) -> None:
    tested = {("a", "gender"): ReadingErrors("documented", misread=0, of=18)}
    text = said(study(share(), errors=tested))
    assert (
        "Looked at by a (a program, not a person). Its errors: perceived gender: 0 of 18 misread in the "
        "portraits it was tested on, so it may err in up to 19 %." in text
    )
    labelled = {("a", "gender"): ReadingErrors("labels", {("male", "female"): 5, ("male", "male"): 95})}
    assert "5 of 100 misread in pictures that people labelled, so it may err in up to 11 %" in said(
        study(share(), errors=labelled)
    )
    assert "a (a program, not a person). How often it errs on such pictures is not known." in said(study(share()))
    many = {("a", "gender"): ReadingErrors("documented", misread=0, of=4000)}
    assert "so it may err in less than 1 %." in said(study(share(), errors=many))
    nobody = {("a", "gender"): ReadingErrors("labels", {})}
    assert "How often it errs on such pictures is not known." in said(study(share(), errors=nobody))
    people = said(study(share(), brought=["a"]))
    assert "a (labels from outside, by people or another tool). How often it errs" in people


def test_errors_about_what_is_not_measured_are_left_out(share: Row, study: StudyOf, said: Said) -> None:
    rates = ReadingErrors("labels", {("male", "female"): 1, ("male", "male"): 17})
    text = said(study(share(), errors={("a", "gender"): rates, ("a", "age3"): rates}))
    assert "Its errors: perceived gender: 1 of 18 misread" in text
    assert "perceived age" not in text


def test_the_reference_is_said_with_who_chose_it_and_its_source(share: Row, study: StudyOf, said: Said) -> None:
    text = said(study(share(), reference_titles={"census": "the census of 2020"}))
    assert "Compared with The census of 2020, as whoever set up this study chose (in study.toml). a census" in text
    same = said(study(share(), reference_titles={"census": "a census"}))
    assert "Compared with A census, as whoever set up this study chose (in study.toml). Comparisons" in same
    assert "Compared with" not in said(study(share(target=None, reference="")))


def test_comparisons_are_counted(share: Row, study: StudyOf, said: Said) -> None:
    rows = [share(), share(level="overall", item="", prompts=9)]
    text = said(study(*rows))
    assert "Comparisons 2 comparisons of perceived gender, 1 of them over all prompts." in text
    german = replace(share(level="overall", item="", language="de"), method="magbig")
    both = study(german, share(), requesting={"eine Chefin"})
    assert "Comparisons 2 comparisons of perceived gender, 1 of them over all neutral wordings." in said(both)


def test_the_page_is_dated(share: Row, study: StudyOf, said: Said) -> None:
    assert "Page made 2026-11-17, Portrayal 0.2.0." in said(study(share(), date="2026-11-17", version="0.2.0"))
    assert "Page made" not in said(study(share()))


def test_the_first_screen_says_whether_an_adaptive_run_is_over_and_why(share: Row, study: StudyOf, said: Said) -> None:
    prompts = [DrawnPrompt("m", f"{n}", "", 12, 60, "narrow") for n in range(2)]
    prompts.append(DrawnPrompt("m", "3", "", 60, 60, "most_of_prompt"))
    over = DrawnInRounds(2, 6, 6, 0.965, prompts, attribute="gender", unit="term", half_width=0.1)
    text = said(study(share(), rounds=over))
    assert "The run is over" in text
    assert "the interval is narrow enough (2 of 3); it has the most images that a prompt may have (1 of 3)." in text
    going_on = [*prompts, DrawnPrompt("m", "4", "", 12, 60, "")]
    text = said(study(share(), rounds=replace(over, prompts=going_on)))
    assert "The run is not over" in text
    assert "The run is over" not in text
    assert "Drawn in rounds" not in said(study(share()))


def test_of_one_comparison_nothing_is_corrected_together(share: Row, study: StudyOf, said: Said) -> None:
    assert "1 comparison of perceived gender. If it did not deviate, 49 of 50 such pages" in said(study(share()))
    both = said(study(share(), share(item="nurse")))
    assert "2 comparisons of perceived gender. They are corrected for together: if nothing deviated" in both
