"""Notes are codes until the page, and text there, in either language."""

from __future__ import annotations

import pytest

from portrayal.language.translation import speaking
from portrayal.records import NOTES, Adjustment, Attribute, Measurement, Note, from_table, said, to_table
from portrayal.records.measurement import MEASUREMENT_SCHEMA
from portrayal.reports.text.notes import naming, note_words, notes_words, plain_adjustment, plain_notes


@pytest.mark.parametrize(
    ("note", "english", "german"),
    [
        (Note.of("only_images", n=1), "only 1 image", "nur 1 Bild"),
        (Note.of("only_prompts", n=4), "only 4 prompts", "nur 4 Prompts"),
        (Note.of("only_images", n=1200), "only 1,200 images", "nur 1.200 Bilder"),
        (
            Note.of("no_usable_image_because", **{"no_face": 4, "refused: content_policy": 1200}),
            "no usable image (no face 4, refused: content policy 1,200)",
            "kein brauchbares Bild (kein Gesicht 4, abgelehnt: Inhaltsrichtlinie 1.200)",
        ),
        (
            Note.of("reference_covers", n=3, m=14),
            "reference covers 3 of 14 prompts",
            "die Referenz deckt 3 von 14 Prompts ab",
        ),
        (
            Note.of("not_observed", attribute="left.race5", annotator="my_faces@1"),
            "perceived race of the person at left: not observed by my_faces@1",
            "wahrgenommene ethnische Herkunft der Person links: nicht beobachtet von my_faces@1",
        ),
        (
            Note.of("few_images_lower", n="0.013"),
            "few images lower this score by about 0.013; the interval is around the corrected one",
            "wenige Bilder senken diesen Wert um etwa 0,013; das Intervall umgibt den korrigierten Wert",
        ),
        (
            Note.of("no_total", gender="", race5=""),
            "no total without perceived gender, perceived race",
            "kein Gesamtwert ohne wahrgenommenes Geschlecht, wahrgenommene ethnische Herkunft",
        ),
        (Note.of("only_pairs", n=1), "only 1 pair", "nur 1 Paar"),
        (Note.of("somebodys_own", n=3), "somebodys own, n 3", "somebodys own, n 3"),
    ],
)
def test_a_note_is_worded_in_the_language_spoken(note: Note, english: str, german: str) -> None:
    assert plain_notes([note]) == english
    with speaking("de"):
        assert plain_notes([note]) == german


@pytest.mark.parametrize(
    ("adjustment", "english", "german"),
    [
        (
            Adjustment(
                Note.of("chosen_and_other_prompts", n=1200, m=2654, k=1),
                (Note.listing("chosen_kinds", ["occupation"]), Note.of("stratified_sample", n=1000, seed=1234)),
            ),
            "1,200 of 2,654 prompts and 1 other: kinds occupation; a stratified sample of 1,000 (seed 1234)",
            "1.200 von 2.654 Prompts und 1 anderer: Arten Beruf; eine geschichtete Stichprobe von 1.000 (Seed 1234)",
        ),
        (
            Adjustment(
                Note("weights_in_totals"),
                (
                    Note.of("weight_of_attribute", attribute="gender", n="0.5", m="0.4"),
                    Note.of("weight_of_attribute", attribute="race5", n="none", m="0.4"),
                ),
            ),
            "weights in totals: perceived gender 0.5 (published 0.4); perceived race none (published 0.4)",
            "Gewichte in Gesamtwerten: wahrgenommenes Geschlecht 0,5 (veröffentlicht 0,4); "
            "wahrgenommene ethnische Herkunft keine (veröffentlicht 0,4)",
        ),
        (
            Adjustment(Note("references_changed"), (Note.listing("names", [f"job {n}" for n in range(12)]),)),
            "references changed: " + ", ".join(f"job {n}" for n in range(10)) + " and 2 more",
            "geänderte Referenzen: " + ", ".join(f"job {n}" for n in range(10)) + " und 2 weitere",
        ),
        (Adjustment(Note("suffix_changed")), "photorealism suffix changed", "geänderter Fotorealismus-Zusatz"),
    ],
)
def test_an_adjustment_is_worded_in_the_language_spoken(adjustment: Adjustment, english: str, german: str) -> None:
    assert plain_adjustment(adjustment) == english
    with speaking("de"):
        assert plain_adjustment(adjustment) == german


def test_attributes_are_called_as_the_study_calls_them() -> None:
    note = Note.of("no_reference", attribute="hat")
    assert note_words(note) == "hat: no reference"
    with naming({"hat": Attribute("hat", "perceived hat", ("yes", "no"))}):
        assert note_words(note) == "perceived hat: no reference"
    assert note_words(note) == "hat: no reference"


def test_no_note_is_no_text() -> None:
    assert said(None, Note("not_finite"), None) == (Note("not_finite"),)
    assert notes_words(()) == ""


def test_notes_come_back_from_a_table_as_they_went_in() -> None:
    notes = (Note.of("only_images", n=3), Note("not_finite"), Note.of("no_usable_image_because", z=1, a=2))
    rows = [Measurement("m", "share", "g", notes=notes), Measurement("m", "share", "g")]
    table = to_table(rows, MEASUREMENT_SCHEMA)
    assert list(from_table(table, Measurement)) == rows
    assert next(from_table(table.drop_columns(["notes"]), Measurement)).notes == ()


def test_no_method_rewords_a_note_of_all_methods() -> None:
    from portrayal.methods.bafis import NOTES as BAFIS
    from portrayal.methods.faintbench import NOTES as FAINTBENCH

    assert not set(NOTES) & (set(BAFIS) | set(FAINTBENCH))
    assert not set(BAFIS) & set(FAINTBENCH)


def test_a_note_without_its_values_is_named_by_its_code() -> None:
    assert plain_notes([Note("only_images")]) == "only images"
