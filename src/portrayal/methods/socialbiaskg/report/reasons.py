"""Why a relation could not be tested or decided, and what would do it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from portrayal.language.numbers import rounded_up
from portrayal.language.translation import t
from portrayal.methods.socialbiaskg.report.relations import EdgeRow, Row
from portrayal.reports.data import ReportData
from portrayal.reports.text.words import count

__all__ = ["undecided_because", "untested_because"]


def untested_because(edge: EdgeRow, groups: int) -> str:
    """Say why a relation could not be tested, and what would test it; ``groups`` is how many groups there are."""
    return "; ".join(dict.fromkeys(_reasons(edge, groups)))


def _reasons(edge: EdgeRow, groups: int) -> Iterator[str]:
    for row in edge.tests:
        if row["untold"] == "too_few_images":
            needed = math.ceil(row["threshold"] * groups - 1e-9)
            yield t(
                "too few images to show more groups than the threshold asks for; {n|image|images} of the occupation "
                "or more would test it",
                n=needed,
            )
        elif row["untold"] == "too_few_groups":
            yield t("there are so few groups that its rule can never hold; a higher threshold of diversity would")
        elif row["untold"]:
            yield _lacks(row)


def _lacks(row: Row) -> str:
    if row["lacks"] == "pairs" and row["metric"] == "counterfactual_similarity":
        return t(
            "its images were not compared with those of other groups, which happens where people see one of two groups "
            "underrepresented; such relations in the table of edges would test it"
        )
    return {
        "prompts": t("the study has no prompts for it; the suite with all kinds of prompts would test it"),
        "images": t("none of its images could be judged; usable images of its prompts would test it"),
        "pairs": t("no two of its images can be compared; two or more images of each prompt would test it"),
        "groups": t("no annotator reports groups of people; one that does, such as vlm, would test it"),
        "occupations": t("no annotator reports occupations; one that does, such as vlm, would test it"),
        "captions": t(
            "no annotator writes captions, which style similarity needs; one that does, such as caption, would test "
            "it, and so would similarity_weight = 1"
        ),
        "comparisons": t("its pictures have not been compared; portrayal annotate, with pixels, would test it"),
        "quality": t(
            "image quality was not measured; the annotator quality with niqe and sentence_similarity would test it"
        ),
    }.get(row["lacks"], t("it was not measured"))


def undecided_because(data: ReportData, edge: EdgeRow) -> str:
    """Say how many images would decide a relation that was tested, if they show what these do."""
    unsure = [row["times"] for row in edge.tests if row["sure"] is False and (not edge.found or row["holds"])]
    if None in unsure or not unsure:
        return t("it lies at its threshold, so even a thousand times as many images might not decide")
    # That it is there needs one metric, that it is not needs all of them.
    times = min(unsure) if edge.found else max(unsure)
    images = data.images_per_prompt
    return t(
        "too few images to be sure; about {needed|image|images} of each prompt would decide, there are {n}",
        needed=max(rounded_up(images * times), images + 1),
        n=count(images),
    )
