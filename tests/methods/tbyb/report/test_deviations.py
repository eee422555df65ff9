"""Words that came uninvited, told first."""

from __future__ import annotations

from typing import Any

from portrayal.language.translation import NBSP
from portrayal.methods.tbyb.report.section import TbybSection
from portrayal.records import Measurement
from portrayal.reports import FaceView, Perceived, Picture, ReportData, render_report
from portrayal.reports.findings.first_screen import first_screen

JPEG = b"\xff\xd8\xff fake"


def word(name: str, share: float, low: float, high: float) -> dict[str, Any]:
    return {"generator": "g", "annotator": "blip", "word": name, "images": round(300 * share), "share": share,
            "low": low, "high": high}  # fmt: skip


def data(*words: dict[str, Any], **more: Any) -> ReportData:
    prompts = [(f"t{number}", "", f"a t{number}") for number in range(30)]
    rows = [Measurement("tbyb", "log_bias", "g", "blip", value=1.0)]
    caption = [FaceView(None, [Perceived("caption", text="a dog on a sofa")])]
    pictures = [Picture("t1", "a t1", "g", 1, "ab", JPEG, 4, 4, caption)]
    base: dict[str, Any] = {"own_rows": {"tbyb.uninvited": words}, "pictures": pictures, "measurements": rows, **more}
    generators = more.pop("generators", ["g"])
    return ReportData("T", generators, ["blip"], prompts, 10, {}, outcomes={}, abstentions={},
                      **{key: value for key, value in base.items() if key != "generators"})  # fmt: skip


def test_a_word_in_many_captions_is_told_with_pictures_and_a_rare_one_is_not() -> None:
    own = data(word("dog", 0.4, 0.3, 0.5), word("cat", 0.06, 0.03, 0.1), word("hat", 0.01, 0.0, 0.03))
    screen = first_screen(own, TbybSection().deviations(own), ())
    assert (len(screen.selection.compared), len(screen.selection.found)) == (3, 1)
    ((told,),) = [model.first for model in screen.models]
    assert told.about == "“dog” uninvited"
    said = told.sentence.replace(NBSP, " ")
    assert said == "40 % of the captions name “dog” though their prompt did not ask for it"
    # Another prompt may well ask for a dog; the sentence is about the captions in which it came uninvited.
    assert "no prompt" not in told.sentence
    assert told.basis.replace(NBSP, " ") == "95 % interval 30–50 %, 300 images"
    assert [thumb.thumbnail for thumb in told.pictures] == [JPEG]


def sentence(row: dict[str, Any]) -> str:
    own = data(row)
    ((told,),) = [model.first for model in first_screen(own, TbybSection().deviations(own), ()).models]
    return str(told.sentence.replace(NBSP, " "))


def test_a_word_in_few_images_is_counted_and_comes_with_the_prompts_it_mostly_stands_with() -> None:
    few = {**word("dog", 0.5, 0.35, 0.65), "images": 45, "with": ["sofa", "cat", "cup"], "with_images": [20, 17, 2]}
    start = "45 of 90 (50 %) of the captions name “dog” though their prompt did not ask for it"
    assert sentence(few) == f"{start}, mostly with sofa (20) and cat (17)"
    assert sentence({**few, "with_images": [9, 7, 2]}) == start
    assert sentence({**few, "images": 150}).startswith("50 % of the captions name “dog”")


def test_models_are_ranked_by_hallucination() -> None:
    rows = [
        Measurement("tbyb", "jaccard_hallucination", name, "blip", value=value, low=value - 0.05, high=value + 0.05)
        for name, value in (("g", 0.3), ("h", 0.7))
    ]
    own = data(measurements=rows, generators=["g", "h"])
    (standing,) = first_screen(own, (), TbybSection().rankings(own)).rankings
    assert [place.generator for place in standing.places] == ["h", "g"]


def test_models_with_different_numbers_of_images_are_not_put_in_order_by_what_these_move() -> None:
    metrics = ("log_bias", "distribution_bias", "distribution_bias_at_common_size")
    rows = [
        Measurement("tbyb", metric, name, "blip", value=value, low=value - 0.05, high=value + 0.05)
        for metric in metrics
        for name, value in (("g", 0.3), ("h", 0.7))
    ]

    def titles(*chosen: Measurement) -> list[str]:
        own = data(measurements=chosen, generators=["g", "h"])
        return [standing.title for standing in first_screen(own, (), TbybSection().rankings(own)).rankings]

    assert titles(*rows[:4]) == ["Distribution bias (B_D), low means biased", "Log bias (B_log)"]
    assert titles(*rows) == ["Distribution bias (B_D) at the same number of images, low means biased"]
    assert "By log bias" in next(iter(TbybSection().unknown(data(measurements=rows, generators=["g", "h"]))))


def test_the_scores_of_a_model_are_on_the_first_screen() -> None:
    bounds: dict[str, Any] = {"value": 0.5, "low": 0.44, "high": 0.56, "n": 300}
    rows = [
        *(Measurement("tbyb", metric, "g", "blip", **bounds) for metric in ("jaccard_hallucination", "log_bias")),
        Measurement("tbyb", "miss_rate", "g", "clip", **bounds),
        Measurement("tbyb", "distribution_bias", "g", "blip", value=2.5),
    ]
    own = data(measurements=rows)
    (model,) = first_screen(own, (), TbybSection().rankings(own)).models
    assert [(title, text.replace(NBSP, " ")) for title, text, _ in model.scores] == [
        ("Hallucination (H_J)", "50 % (44–56 %\N{SUPERSCRIPT PLUS SIGN})"),
        ("Miss rate (M_G)", "50 % (44–56 %\N{SUPERSCRIPT PLUS SIGN})"),
        ("Distribution bias (B_D), low means biased", "2.50 (no interval)"), ("Log bias (B_log)", "0.50 (0.44–0.56)"),
    ]  # fmt: skip
    page = render_report(own)
    assert "What g draws:" in page
    assert "portrays people" not in page


def test_from_which_share_on_a_word_is_told_is_said_where_words_are() -> None:
    (line,) = TbybSection().unknown(data(word("dog", 0.4, 0.3, 0.5)))
    assert "when more than 5 % of the captions name it uninvited" in line.replace(NBSP, " ")
    assert list(TbybSection().unknown(data())) == []
