"""What is to be known of BiasPainter's numbers, and how a study may differ from the published, in English."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NOTES"]

NOTES: Mapping[str, str] = {
    "few_seeds": "only {n|seed|seeds}",
    "no_edit_of_both": "no usable edits of both perceived genders",
    "no_usable_edit": "no edit in which this can be compared",
    "no_null_edits": "no edits that ask for nothing: no score is relative to them",
    "only_null_edits": "only edits that ask for nothing: there is no word to score",
    "no_null_of_seeds": "no edit of the same seeds that asks for nothing",
    "seeds_no_interval": "only {n|seed|seeds}: no interval",
    "same_pictures": "{n} of {m|edit|edits} are the very same picture with the text and without it",
    "drawn_seeds": "seeds drawn by a generator: three ranges of skin tone, two perceived genders, three ages",
    "null_edits": "besides, {n|instruction|instructions} asking for nothing",
    "mitigated": "every word also with {names}",
    "own_suffix": "a text of the study’s own behind every instruction",
    "own_thresholds": "a change of {y} years or {l} levels counts as clear",
}
